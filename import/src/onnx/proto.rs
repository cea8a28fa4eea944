//! The part of ONNX's protobuf format that the importer reads.
//!
//! Written by hand from the field numbers of `onnx.proto`. Tensor contents are [`Bytes`], so that
//! decoding a memory-mapped file copies no weights. Graphs hold graphs, as attributes of nodes; the
//! decoder refuses a file that nests them more than some thirty deep.

use bytes::Bytes;
use prost::Message;

/// A model file.
#[derive(Clone, PartialEq, Message)]
pub struct Model {
    /// The version of the format.
    #[prost(int64, tag = "1")]
    pub ir_version: i64,
    /// The program that wrote the file.
    #[prost(string, tag = "2")]
    pub producer_name: String,
    /// That program's version.
    #[prost(string, tag = "3")]
    pub producer_version: String,
    /// The namespace of the model's name.
    #[prost(string, tag = "4")]
    pub domain: String,
    /// The version of the model.
    #[prost(int64, tag = "5")]
    pub model_version: i64,
    /// What its author says of it.
    #[prost(string, tag = "6")]
    pub doc_string: String,
    /// What to compute.
    #[prost(message, optional, tag = "7")]
    pub graph: Option<Graph>,
    /// The operator sets in use.
    #[prost(message, repeated, tag = "8")]
    pub opset_import: Vec<OperatorSet>,
    /// Further facts about it.
    #[prost(message, repeated, tag = "14")]
    pub metadata_props: Vec<StringPair>,
    /// Functions defined in the model.
    #[prost(message, repeated, tag = "25")]
    pub functions: Vec<Function>,
}

/// A function: what nodes of its name stand for.
#[derive(Clone, PartialEq, Message)]
pub struct Function {
    /// The name, which is the operator of the nodes that call it.
    #[prost(string, tag = "1")]
    pub name: String,
    /// Names of its inputs.
    #[prost(string, repeated, tag = "4")]
    pub input: Vec<String>,
    /// Names of its outputs.
    #[prost(string, repeated, tag = "5")]
    pub output: Vec<String>,
    /// Names of the attributes without defaults that a call may give.
    #[prost(string, repeated, tag = "6")]
    pub attribute: Vec<String>,
    /// The operators.
    #[prost(message, repeated, tag = "7")]
    pub node: Vec<Node>,
    /// The operator sets that its nodes are of.
    #[prost(message, repeated, tag = "9")]
    pub opset_import: Vec<OperatorSet>,
    /// The domain of the nodes that call it.
    #[prost(string, tag = "10")]
    pub domain: String,
    /// Attributes that a call may give, with their defaults.
    #[prost(message, repeated, tag = "11")]
    pub attribute_proto: Vec<Attribute>,
    /// What distinguishes it from functions of the same name.
    #[prost(string, tag = "13")]
    pub overload: String,
}

/// An operator set.
#[derive(Clone, PartialEq, Message)]
pub struct OperatorSet {
    /// Whose operators; empty for ONNX's own.
    #[prost(string, tag = "1")]
    pub domain: String,
    /// The version.
    #[prost(int64, tag = "2")]
    pub version: i64,
}

/// A graph.
#[derive(Clone, PartialEq, Message)]
pub struct Graph {
    /// The operators, in topological order by the standard.
    #[prost(message, repeated, tag = "1")]
    pub node: Vec<Node>,
    /// The graph's name.
    #[prost(string, tag = "2")]
    pub name: String,
    /// Constants.
    #[prost(message, repeated, tag = "5")]
    pub initializer: Vec<Tensor>,
    /// What its author says of it.
    #[prost(string, tag = "10")]
    pub doc_string: String,
    /// Inputs; older files list initializers here, too.
    #[prost(message, repeated, tag = "11")]
    pub input: Vec<ValueInfo>,
    /// Outputs.
    #[prost(message, repeated, tag = "12")]
    pub output: Vec<ValueInfo>,
    /// Sparse constants, undecoded.
    #[prost(bytes = "bytes", repeated, tag = "15")]
    pub sparse_initializer: Vec<Bytes>,
}

/// One operator of a graph.
#[derive(Clone, PartialEq, Message)]
pub struct Node {
    /// Names of the values read; empty for an absent one.
    #[prost(string, repeated, tag = "1")]
    pub input: Vec<String>,
    /// Names of the values made; empty for one not wanted.
    #[prost(string, repeated, tag = "2")]
    pub output: Vec<String>,
    /// The node's name, which may be empty.
    #[prost(string, tag = "3")]
    pub name: String,
    /// The operator.
    #[prost(string, tag = "4")]
    pub op_type: String,
    /// Its attributes.
    #[prost(message, repeated, tag = "5")]
    pub attribute: Vec<Attribute>,
    /// The operator set that it is of; empty for ONNX's own.
    #[prost(string, tag = "7")]
    pub domain: String,
    /// Which of several functions of one name is called.
    #[prost(string, tag = "8")]
    pub overload: String,
    /// The version of ONNX's operator set of the function that the node comes from, if that is not the model's. ONNX has no such field:
    /// `function.rs` sets it.
    #[prost(int64, optional, tag = "1000")]
    pub opset: Option<i64>,
}

impl Node {
    /// The version of ONNX's operator set that says what the node means, in a model of version `of_model`.
    pub fn opset_in(&self, of_model: i64) -> i64 {
        self.opset.unwrap_or(of_model)
    }
}

/// An attribute: the field that `kind` names holds its value.
#[derive(Clone, PartialEq, Message)]
pub struct Attribute {
    /// Its name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// A float.
    #[prost(float, tag = "2")]
    pub f: f32,
    /// An integer.
    #[prost(int64, tag = "3")]
    pub i: i64,
    /// A string.
    #[prost(bytes = "bytes", tag = "4")]
    pub s: Bytes,
    /// A tensor.
    #[prost(message, optional, tag = "5")]
    pub t: Option<Tensor>,
    /// A graph.
    #[prost(message, optional, boxed, tag = "6")]
    pub g: Option<Box<Graph>>,
    /// Floats.
    #[prost(float, repeated, tag = "7")]
    pub floats: Vec<f32>,
    /// Integers.
    #[prost(int64, repeated, tag = "8")]
    pub ints: Vec<i64>,
    /// Strings.
    #[prost(bytes = "bytes", repeated, tag = "9")]
    pub strings: Vec<Bytes>,
    /// Which field is meant, see [`attribute_kind`].
    #[prost(int32, tag = "20")]
    pub kind: i32,
    /// In a function's body, the function's parameter whose value this attribute takes.
    #[prost(string, tag = "21")]
    pub ref_attr_name: String,
}

/// The values of [`Attribute::kind`].
pub mod attribute_kind {
    /// `f`
    pub const FLOAT: i32 = 1;
    /// `i`
    pub const INT: i32 = 2;
    /// `s`
    pub const STRING: i32 = 3;
    /// `t`
    pub const TENSOR: i32 = 4;
    /// `g`
    pub const GRAPH: i32 = 5;
    /// `floats`
    pub const FLOATS: i32 = 6;
    /// `ints`
    pub const INTS: i32 = 7;
    /// `strings`
    pub const STRINGS: i32 = 8;
    /// Graphs, which are not read.
    pub const GRAPHS: i32 = 10;
}

/// A tensor. Its elements are in `raw_data`, in a file, or in the list for its type.
#[derive(Clone, PartialEq, Message)]
pub struct Tensor {
    /// The shape.
    #[prost(int64, repeated, tag = "1")]
    pub dims: Vec<i64>,
    /// The element type, see [`super::element`].
    #[prost(int32, tag = "2")]
    pub data_type: i32,
    /// Elements of type float.
    #[prost(float, repeated, tag = "4")]
    pub float_data: Vec<f32>,
    /// Elements of the integer types up to 32 bits, and booleans.
    #[prost(int32, repeated, tag = "5")]
    pub int32_data: Vec<i32>,
    /// Elements of type int64.
    #[prost(int64, repeated, tag = "7")]
    pub int64_data: Vec<i64>,
    /// The name.
    #[prost(string, tag = "8")]
    pub name: String,
    /// The elements' bytes, little-endian.
    #[prost(bytes = "bytes", tag = "9")]
    pub raw_data: Bytes,
    /// Elements of type double.
    #[prost(double, repeated, tag = "10")]
    pub double_data: Vec<f64>,
    /// Elements of types uint32 and uint64.
    #[prost(uint64, repeated, tag = "11")]
    pub uint64_data: Vec<u64>,
    /// Where in which file the elements are.
    #[prost(message, repeated, tag = "13")]
    pub external_data: Vec<StringPair>,
    /// 1 if `external_data` holds.
    #[prost(int32, tag = "14")]
    pub data_location: i32,
}

/// A key and a value.
#[derive(Clone, PartialEq, Message)]
pub struct StringPair {
    /// The key.
    #[prost(string, tag = "1")]
    pub key: String,
    /// The value.
    #[prost(string, tag = "2")]
    pub value: String,
}

/// A name with a type.
#[derive(Clone, PartialEq, Message)]
pub struct ValueInfo {
    /// The name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// The type.
    #[prost(message, optional, tag = "2")]
    pub ty: Option<ValueType>,
}

/// A type; maps and sparse tensors are not read.
#[derive(Clone, PartialEq, Message)]
pub struct ValueType {
    /// That of a tensor.
    #[prost(message, optional, tag = "1")]
    pub tensor: Option<TensorType>,
    /// That of a sequence.
    #[prost(message, optional, tag = "4")]
    pub sequence: Option<Holder>,
    /// That of an optional.
    #[prost(message, optional, tag = "9")]
    pub optional: Option<Holder>,
}

/// The type of a sequence or an optional.
#[derive(Clone, PartialEq, Message)]
pub struct Holder {
    /// The type of what is in it.
    #[prost(message, optional, boxed, tag = "1")]
    pub elem_type: Option<Box<ValueType>>,
}

/// A tensor's type.
#[derive(Clone, PartialEq, Message)]
pub struct TensorType {
    /// The element type.
    #[prost(int32, tag = "1")]
    pub elem_type: i32,
    /// The shape; absent if even the rank is unknown.
    #[prost(message, optional, tag = "2")]
    pub shape: Option<Shape>,
}

/// A shape.
#[derive(Clone, PartialEq, Message)]
pub struct Shape {
    /// Its dimensions.
    #[prost(message, repeated, tag = "1")]
    pub dim: Vec<Dimension>,
}

/// A dimension: a number, a symbol, or unknown.
#[derive(Clone, PartialEq, Message)]
pub struct Dimension {
    /// A number.
    #[prost(int64, optional, tag = "1")]
    pub value: Option<i64>,
    /// A symbol.
    #[prost(string, optional, tag = "2")]
    pub param: Option<String>,
}
