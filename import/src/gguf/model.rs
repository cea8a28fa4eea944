//! From a file to a module.

use super::{
    decoder::{self, Decoder, LOGITS},
    file::{File, MAGIC},
    numbers::Numbers,
    rotation::Rotation,
    weights::Weights,
};
use crate::{
    error::{ImportError, Unsupported},
    graph::{
        builder::GraphBuilder,
        entry::{Entry, Outputs},
        error::Result,
        options::Options,
        signature::Signature,
        value::Value,
    },
    model::{Model, NodeInfo, Summary, TensorInfo},
    source::Source,
};
use melior::{Context, ir::Module};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// A model that was read.
pub struct Gguf {
    path: PathBuf,
    file: File,
    numbers: Numbers,
    rotation: Rotation,
    signature: Signature,
}

impl Gguf {
    /// Whether a file begins like one of GGUF.
    pub fn is_magic(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is damaged, or its metadata say nothing that is supported.
    pub fn read(source: Source) -> Result<Self, ImportError> {
        let path = source.path;
        let file = File::read(&source.bytes).map_err(|reason| ImportError::Decode {
            path: path.clone(),
            format: "a file of GGUF",
            reason,
        })?;
        let wrong = |reason| ImportError::Model {
            path: path.clone(),
            reason,
        };
        let numbers = Numbers::read(&file.metadata).map_err(wrong)?;
        let rotation = Rotation::read(&file.metadata, &numbers).map_err(wrong)?;
        let signature = Signature {
            ports: decoder::ports(&numbers),
            bounds: BTreeMap::new(),
            states: Vec::new(),
        };
        Ok(Self {
            path,
            file,
            numbers,
            rotation,
            signature,
        })
    }

    /// The number of words that the model was trained with, if the file says it.
    pub fn context(&self) -> Option<i64> {
        self.numbers.context
    }

    fn write(
        &self,
        b: &mut GraphBuilder,
        inputs: Vec<(String, Value)>,
        options: &Options,
    ) -> Result<Outputs, ImportError> {
        let weights = Weights::new(&self.file.tensors);
        let decoder = Decoder {
            numbers: &self.numbers,
            rotation: &self.rotation,
            weights: &weights,
        };
        let inputs = self.in_order(b, inputs, options);
        let written = decoder.write(b, &inputs);
        let written = written.map_err(|reason| self.wrong_in(b.node(), reason))?;
        self.check_unread(&weights)
            .map_err(|reason| self.wrong(reason))?;
        self.note_costs(&weights);
        let mut outputs = written.outputs;
        if options.expose {
            let of_model = |name: &String| outputs.iter().all(|(output, _)| output != name);
            let parts = written.parts.into_iter();
            let parts: Vec<_> = parts.filter(|(name, _)| of_model(name)).collect();
            outputs.extend(parts);
        }
        let outputs = outputs.into_iter().map(|(name, value)| {
            let value = b.materialize(&value)?;
            Ok((name, value))
        });
        outputs
            .collect::<Result<_>>()
            .map_err(|reason| self.wrong(reason))
    }

    /// The inputs in the order of the ports, with constants for those whose values are given.
    fn in_order(
        &self,
        b: &GraphBuilder,
        inputs: Vec<(String, Value)>,
        options: &Options,
    ) -> Vec<Value> {
        let ports = self.signature.ports.iter();
        let values = ports.filter_map(|port| {
            let given = options.values.get(&port.name);
            let input = inputs.iter().find(|(name, _)| *name == port.name);
            input
                .map(|(_, value)| value.clone())
                .or_else(|| given.map(|known| b.known(known.clone())))
        });
        values.collect()
    }

    /// Fails if the file has tensors that the architecture does not.
    fn check_unread(&self, weights: &Weights<'_>) -> Result<()> {
        let mut unread = weights.unread();
        // It holds the angles of `rope_freqs` again, in old files.
        unread.retain(|name| !name.ends_with("attn_rot_embd.weight"));
        let [first, rest @ ..] = &unread[..] else {
            return Ok(());
        };
        let name = self.numbers.architecture.name;
        Err(format!(
            "tensor '{first}'{} is none of the architecture '{name}' as it is supported, and what it is for is not known",
            match rest.len() {
                0 => String::new(),
                more => format!(" and {more} others"),
            }
        ))
    }

    /// Says which weights take more memory than in the file.
    fn note_costs(&self, weights: &Weights<'_>) {
        for (kind, [file, module]) in weights.widened() {
            tracing::warn!(
                "{}: weights of type {kind} take {} KiB in the library and {} KiB in the file, because no operator reads them as they are",
                self.path.display(),
                module >> 10,
                file >> 10
            );
        }
    }

    fn wrong_in(&self, node: &str, reason: String) -> ImportError {
        let parts = decoder::parts(&self.numbers);
        let part = parts.into_iter().find(|(name, _)| name == node);
        ImportError::Node {
            path: self.path.clone(),
            node: node.into(),
            op_type: part.map_or("decoder", |(_, kind)| kind).into(),
            reason,
        }
    }
}

impl Model for Gguf {
    fn path(&self) -> &Path {
        &self.path
    }

    fn inspect(&self) -> Summary {
        let mut operators = BTreeMap::new();
        for (_, kind) in decoder::parts(&self.numbers) {
            *operators.entry(kind.to_owned()).or_default() += 1;
        }
        let ports = self.signature.ports.iter();
        let caches = ports.filter(|port| port.name.starts_with("past_"));
        let names = [LOGITS.to_owned()].into_iter();
        let names = names.chain(
            (0..self.numbers.layers.len())
                .flat_map(|at| ["key", "value"].map(|name| decoder::present(at, name))),
        );
        let types = ["f32[logits, vocabulary]".to_owned()].into_iter();
        let types = types.chain(caches.map(|port| port.text.clone()));
        let counts = self.file.tensors.iter().map(|tensor| {
            let count: i64 = tensor.shape.iter().product();
            count.unsigned_abs()
        });
        Summary {
            inputs: self.signature.ports.iter().map(TensorInfo::from).collect(),
            outputs: names
                .zip(types)
                .map(|(name, ty)| TensorInfo { name, ty })
                .collect(),
            operators,
            parameters: counts.sum(),
            unsupported: self.unsupported(),
        }
    }

    fn nodes(&self) -> Vec<NodeInfo> {
        let parts = decoder::parts(&self.numbers).into_iter();
        let nodes = parts.map(|(name, kind)| NodeInfo {
            outputs: vec![name.clone()],
            name,
            op_type: kind.into(),
        });
        nodes.collect()
    }

    fn unsupported(&self) -> Vec<Unsupported> {
        let tensors = self.file.tensors.iter();
        let refused = tensors.filter(|tensor| !tensor.kind.is_supported());
        let refused = refused.map(|tensor| Unsupported {
            node: tensor.name.clone(),
            op_type: tensor.kind.name.into(),
            attributes: Vec::new(),
            reason: format!(
                "tensors of this type are not supported; llama-quantize of llama.cpp makes one of {} of the original model",
                super::tensor_types().join(", ")
            ),
        });
        refused.collect()
    }

    fn import_as_far_as_possible<'c>(
        &self,
        context: &'c Context,
        options: &Options,
    ) -> Result<Module<'c>, Vec<ImportError>> {
        if !self.unsupported().is_empty() {
            // A decoder without one of its tensors computes nothing.
            return Err(Vec::new());
        }
        let entry = Entry {
            path: &self.path,
            name: "gguf",
            signature: &self.signature,
            options,
        };
        entry.import(context, |builder, inputs| {
            self.write(builder, inputs, options)
                .map_err(|error| vec![error])
        })
    }

    fn leaves_dimensions_open(&self, options: &Options) -> bool {
        self.signature.leaves_dimensions_open(options)
    }
}
