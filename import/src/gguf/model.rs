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
        entry::{Entry, Given, Outputs, expose},
        error::Result,
        options::Options,
        signature::Signature,
        value::Value,
    },
    model::{Model, NodeInfo, Summary, TensorInfo, count_operators},
    source::Source,
};
use melior::{Context, ir::Module};
use std::path::{Path, PathBuf};

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
        let file = File::open(&source)?;
        let path = source.path;
        let wrong = |reason| ImportError::Model {
            path: path.clone(),
            reason,
        };
        let numbers = Numbers::read(&file.metadata).map_err(wrong)?;
        let rotation = Rotation::read(&file.metadata, &numbers).map_err(wrong)?;
        let signature = Signature {
            ports: decoder::ports(&numbers),
            ..Signature::default()
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
        mut given: Given,
        options: &Options,
    ) -> Result<Outputs, ImportError> {
        let weights = Weights::new(&self.file.tensors);
        let decoder = Decoder {
            numbers: &self.numbers,
            rotation: &self.rotation,
            weights: &weights,
        };
        let ports = self.signature.ports.iter();
        let inputs = ports.filter_map(|port| given.remove(&port.name));
        let inputs: Vec<Value> = inputs.collect();
        let written = decoder.write(b, &inputs);
        let written = written.map_err(|reason| self.wrong_in(b.node(), reason))?;
        self.check_unread(&weights)
            .map_err(|reason| self.wrong(reason))?;
        self.note_costs(&weights);
        let outputs = written.outputs.into_iter().map(|(name, value)| {
            let value = b.materialize(&value)?;
            Ok((name, value))
        });
        let wrong = |reason| self.wrong(reason);
        let mut outputs = outputs.collect::<Result<Outputs>>().map_err(wrong)?;
        if options.expose {
            expose(b, &mut outputs, written.parts).map_err(wrong)?;
        }
        Ok(outputs)
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
        let kind = part.map_or("decoder", |(_, kind)| kind);
        self.wrong_node(node.into(), kind.into(), reason)
    }
}

impl Model for Gguf {
    fn path(&self) -> &Path {
        &self.path
    }

    fn inspect(&self) -> Summary {
        let operators = decoder::parts(&self.numbers).into_iter();
        let operators = operators.map(|(_, kind)| kind.to_owned());
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
            operators: count_operators(operators),
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
