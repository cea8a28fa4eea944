//! The signature of a model that is imported.

use super::{
    body::{Body, Read},
    element::element,
    proto::{Signature, TensorInfo},
};
use crate::{
    graph::{error::Result, names::quoted},
    source::Choice,
};
use std::collections::BTreeMap;

/// The signature that is imported if there are several, and none is chosen.
const SERVING: &str = "serving_default";

/// Tensors of a signature, by name.
type Tensors<'m> = Vec<(&'m String, &'m TensorInfo)>;

/// The inputs and outputs that are imported: of the signature that is chosen, else of the one for serving, else of the only one.
///
/// # Errors
/// If there is none, or there are several, or it has no output that is chosen.
pub fn chosen<'m>(
    all: &'m BTreeMap<String, Signature>,
    choice: &Choice,
) -> Result<(Tensors<'m>, Tensors<'m>)> {
    let (name, signature) = match &choice.signature {
        Some(name) => all
            .get_key_value(name)
            .ok_or_else(|| format!("it has no signature '{name}', but {}", listed(all.keys())))?,
        None => usual(all)?,
    };
    let outputs = match choice.outputs.is_empty() {
        true => signature.outputs.iter().collect(),
        false => {
            let outputs = choice.outputs.iter().map(|output| {
                let found = signature.outputs.get_key_value(output);
                let known = || listed(signature.outputs.keys());
                found.ok_or_else(|| {
                    format!(
                        "signature '{name}' has no output '{output}', but {}",
                        known()
                    )
                })
            });
            outputs.collect::<Result<_>>()?
        }
    };
    Ok((signature.inputs.iter().collect(), outputs))
}

/// The signature for serving, or the only one that returns tensors.
fn usual(all: &BTreeMap<String, Signature>) -> Result<(&String, &Signature)> {
    if let Some(serving) = all.get_key_value(SERVING) {
        return Ok(serving);
    }
    let tensors = |(_, signature): &(&String, &Signature)| {
        let mut outputs = signature.outputs.values();
        outputs.any(|info| element(info.dtype).is_ok())
    };
    let useful: Vec<(&String, &Signature)> = all.iter().filter(tensors).collect();
    match useful[..] {
        [one] => Ok(one),
        [] => Err(format!(
            "it has no signature that returns tensors; save it with tf.saved_model.save(model, folder, signatures={{'{SERVING}': \
             function}})"
        )),
        _ => Err(format!(
            "it has no signature '{SERVING}', but {}; choose one with --signature",
            listed(useful.iter().map(|(name, _)| *name))
        )),
    }
}

/// `'a', 'b'`; `none` if there is nothing.
fn listed<'n>(names: impl Iterator<Item = &'n String>) -> String {
    match quoted(names.map(String::as_str)) {
        none if none.is_empty() => "none".into(),
        names => names,
    }
}

/// What a signature's tensor is in the graph.
///
/// # Errors
/// If it is no dense tensor, or not there.
pub fn tensor_of(body: &Body<'_>, name: &str, info: &TensorInfo) -> Result<Read> {
    if info.name.is_empty() {
        return Err(format!(
            "'{name}' of its signature is no dense tensor, which is not supported"
        ));
    }
    let read = body.read(&info.name);
    let read = read.map_err(|reason| format!("'{name}' of its signature {reason}"))?;
    read.ok_or_else(|| format!("'{name}' of its signature is no tensor"))
}
