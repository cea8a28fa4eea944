//! Models made in memory.

use bytes::Bytes;
use prost::Message;
use relay_import::{
    error::ImportError,
    graph::options::Options,
    model::Model,
    onnx::{Onnx, proto},
    source::Source,
};
use std::path::Path;

/// ONNX's number for 32-bit floats.
pub const FLOAT: i32 = 1;
/// ONNX's number for 64-bit integers.
pub const INT64: i32 = 7;
/// ONNX's number for bytes.
pub const UINT8: i32 = 2;
/// ONNX's number for booleans.
pub const BOOL: i32 = 9;

/// A named tensor type.
pub fn value(name: &str, elem_type: i32, dims: &[i64]) -> proto::ValueInfo {
    let dim = dims
        .iter()
        .map(|&dim| proto::Dimension {
            value: (dim >= 0).then_some(dim),
            param: (dim == -1).then(|| "batch".into()),
        })
        .collect();
    proto::ValueInfo {
        name: name.into(),
        ty: Some(proto::ValueType {
            tensor: Some(proto::TensorType {
                elem_type,
                shape: Some(proto::Shape { dim }),
            }),
            ..Default::default()
        }),
    }
}

/// A node.
pub fn node(op_type: &str, inputs: &[&str], outputs: &[&str]) -> proto::Node {
    proto::Node {
        op_type: op_type.into(),
        name: format!("my_{}", op_type.to_lowercase()),
        input: inputs.iter().map(|name| name.to_string()).collect(),
        output: outputs.iter().map(|name| name.to_string()).collect(),
        ..Default::default()
    }
}

/// An integer attribute.
pub fn int(name: &str, i: i64) -> proto::Attribute {
    proto::Attribute {
        name: name.into(),
        kind: proto::attribute_kind::INT,
        i,
        ..Default::default()
    }
}

/// A list attribute.
pub fn ints(name: &str, ints: &[i64]) -> proto::Attribute {
    proto::Attribute {
        name: name.into(),
        kind: proto::attribute_kind::INTS,
        ints: ints.to_vec(),
        ..Default::default()
    }
}

/// A float initializer whose elements are its typed list.
pub fn floats(name: &str, dims: &[i64], data: &[f32]) -> proto::Tensor {
    proto::Tensor {
        name: name.into(),
        dims: dims.to_vec(),
        data_type: FLOAT,
        float_data: data.to_vec(),
        ..Default::default()
    }
}

/// An int64 vector.
pub fn vector(name: &str, data: &[i64]) -> proto::Tensor {
    proto::Tensor {
        name: name.into(),
        dims: vec![data.len() as i64],
        data_type: INT64,
        int64_data: data.to_vec(),
        ..Default::default()
    }
}

/// A model of one graph at an operator set version.
pub fn model(opset: i64, graph: proto::Graph) -> proto::Model {
    proto::Model {
        ir_version: 8,
        opset_import: vec![proto::OperatorSet {
            domain: String::new(),
            version: opset,
        }],
        graph: Some(graph),
        ..Default::default()
    }
}

/// `y = Relu(x)`, to be broken by tests.
pub fn relu_graph() -> proto::Graph {
    proto::Graph {
        name: "g".into(),
        node: vec![node("Relu", &["x"], &["y"])],
        input: vec![value("x", FLOAT, &[1, 4])],
        output: vec![value("y", FLOAT, &[1, 4])],
        ..Default::default()
    }
}

/// A graph of one node, from names to names.
pub fn inner(inputs: &[&str], node: proto::Node, outputs: &[&str]) -> proto::Graph {
    let named = |name: &&str| proto::ValueInfo {
        name: (*name).into(),
        ..Default::default()
    };
    proto::Graph {
        name: "inner".into(),
        input: inputs.iter().map(named).collect(),
        output: outputs.iter().map(named).collect(),
        node: vec![node],
        ..Default::default()
    }
}

/// A graph attribute.
pub fn graph_attr(name: &str, graph: proto::Graph) -> proto::Attribute {
    proto::Attribute {
        name: name.into(),
        kind: proto::attribute_kind::GRAPH,
        g: Some(Box::new(graph)),
        ..Default::default()
    }
}

/// Reads a model's bytes as if from `m.onnx` in `folder`.
pub fn open(bytes: Vec<u8>, folder: Option<&Path>) -> Result<Onnx, ImportError> {
    Onnx::read(Source {
        path: "m.onnx".into(),
        bytes: Bytes::from(bytes),
        folder: folder.map(Into::into),
        data_root: None,
        choice: Default::default(),
    })
}

/// Imports a model and prints the module.
pub fn import(model: &proto::Model) -> Result<String, ImportError> {
    import_with(model, &Options::default())
}

/// As [`import`], with options.
pub fn import_with(model: &proto::Model, options: &Options) -> Result<String, ImportError> {
    let context = relay_dialects::context();
    let onnx = open(model.encode_to_vec(), None)?;
    let module = onnx.import(&context, options)?;
    Ok(relay_dialects::ir::Op::of_module(&module).to_text(true))
}

/// What importing says of models, each after the name of the function that makes it.
macro_rules! messages {
    ($($case:ident),* $(,)?) => {
        [$((stringify!($case), import(&$case()).err())),*].map(message).join("\n")
    };
}
pub(crate) use messages;

/// A case and its message.
pub fn message((case, error): (&str, Option<ImportError>)) -> String {
    let error = error.unwrap_or_else(|| panic!("{case}: the model is wrong, and was imported"));
    let message = error.to_string();
    assert!(message.starts_with("m.onnx: "), "no file name: {message}");
    format!("{}:\n  {message}\n", case.replace('_', " "))
}
