//! Conversions of layers and of operations, by family. Each file has tables of rows and the functions in them.

mod activation;
mod application;
mod attention;
mod cell;
mod conv;
mod dense;
mod elementwise;
mod functions;
mod identity;
mod merge;
mod norm;
mod operand;
mod parts;
mod pool;
mod preprocess;
mod recurrent;
mod reshape;
mod row;
mod tensor;
mod wrapper;

use super::layer::Layer;
pub use row::Masking;
use row::Row;

/// The rows of layers.
fn layers() -> impl Iterator<Item = &'static Row> {
    [
        activation::LAYERS,
        application::LAYERS,
        attention::LAYERS,
        conv::LAYERS,
        dense::LAYERS,
        identity::LAYERS,
        merge::LAYERS,
        norm::LAYERS,
        pool::LAYERS,
        preprocess::LAYERS,
        recurrent::LAYERS,
        reshape::LAYERS,
        wrapper::LAYERS,
    ]
    .into_iter()
    .flatten()
}

/// The rows of operations of `keras.ops`.
fn operations() -> impl Iterator<Item = &'static Row> {
    [
        activation::OPERATIONS,
        elementwise::OPERATIONS,
        parts::OPERATIONS,
        tensor::OPERATIONS,
    ]
    .into_iter()
    .flatten()
}

fn names(rows: impl Iterator<Item = &'static Row>) -> Vec<&'static str> {
    let mut names: Vec<&str> = rows.flat_map(|row| row.names).copied().collect();
    names.sort_unstable();
    names
}

/// The classes of layers that are known.
pub fn layer_names() -> Vec<&'static str> {
    names(layers())
}

/// The classes of operations that are known.
pub fn operation_names() -> Vec<&'static str> {
    names(operations())
}

/// The row of a layer or an operation.
pub fn find(layer: &Layer) -> Option<&'static Row> {
    // Layers of libraries have the name of a package before their own: "keras>Dense" is one of Keras.
    let class = layer.class.strip_prefix("keras>").unwrap_or(&layer.class);
    let class = match class {
        "SlicingOpLambda" => "GetItem",
        "TFOpLambda" => functions::operation(layer.config.get("function")?.as_str()?)?,
        class => class,
    };
    let has_name = |row: &&Row| row.names.contains(&class);
    match layer.is_operation {
        true => operations().find(has_name),
        false => layers().find(has_name),
    }
}

/// Why a class is not supported, and what to do about it, if there is something to say.
pub fn refusal(class: &str) -> Option<&'static str> {
    let (_, reason) = REFUSED
        .iter()
        .find(|(classes, _)| classes.contains(&class))?;
    Some(reason)
}

/// Classes that will not be supported.
const REFUSED: &[(&[&str], &str)] = &[
    (
        &["Lambda"],
        "it is Python code, which is never executed; write it with keras.ops or with layers, or export the model with \
         model.export(\"model.onnx\", format=\"onnx\")",
    ),
    (
        &[
            "StringLookup",
            "TextVectorization",
            "Hashing",
            "HashedCrossing",
        ],
        "it works on texts or by a hash of them; do it before the model, and give the model its results",
    ),
    (
        &["TFSMLayer"],
        "it runs a saved model of TensorFlow; export the model with model.export(\"model.onnx\", format=\"onnx\")",
    ),
];
