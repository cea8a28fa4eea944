//! The messages of TensorFlow's files that the importer reads.
//!
//! Written by hand from the field numbers of TensorFlow's `.proto` files. Contents of tensors are [`Bytes`], so that decoding a
//! mapped file copies no weights.

use bytes::Bytes;
use prost::Message;
use std::collections::BTreeMap;

/// The file `saved_model.pb`.
#[derive(Clone, PartialEq, Message)]
pub struct SavedModel {
    /// The version of the format.
    #[prost(int64, tag = "1")]
    pub version: i64,
    /// The graphs, of which each has its tags.
    #[prost(message, repeated, tag = "2")]
    pub meta_graphs: Vec<MetaGraph>,
}

/// A graph with its signatures.
#[derive(Clone, PartialEq, Message)]
pub struct MetaGraph {
    /// What it is for.
    #[prost(message, optional, tag = "1")]
    pub info: Option<MetaInfo>,
    /// The graph.
    #[prost(message, optional, tag = "2")]
    pub graph: Option<Graph>,
    /// How its variables are restored.
    #[prost(message, optional, tag = "3")]
    pub saver: Option<Saver>,
    /// The signatures by name.
    #[prost(btree_map = "string, message", tag = "5")]
    pub signatures: BTreeMap<String, Signature>,
}

/// What a graph is for.
#[derive(Clone, PartialEq, Message)]
pub struct MetaInfo {
    /// `serve`, `train`, `gpu` and so on.
    #[prost(string, repeated, tag = "4")]
    pub tags: Vec<String>,
}

/// The names of what restores variables.
#[derive(Clone, PartialEq, Message)]
pub struct Saver {
    /// The node that restores all variables.
    #[prost(string, tag = "3")]
    pub restore: String,
}

/// The inputs and outputs of a use of a graph.
#[derive(Clone, PartialEq, Message)]
pub struct Signature {
    /// The inputs by name.
    #[prost(btree_map = "string, message", tag = "1")]
    pub inputs: BTreeMap<String, TensorInfo>,
    /// The outputs by name.
    #[prost(btree_map = "string, message", tag = "2")]
    pub outputs: BTreeMap<String, TensorInfo>,
}

/// A tensor of a signature.
#[derive(Clone, PartialEq, Message)]
pub struct TensorInfo {
    /// `NODE:NUMBER`; empty if it is no dense tensor.
    #[prost(string, tag = "1")]
    pub name: String,
    /// The number of its element type.
    #[prost(int32, tag = "2")]
    pub dtype: i32,
    /// Its shape.
    #[prost(message, optional, tag = "3")]
    pub shape: Option<Shape>,
}

/// A graph; a frozen one is a file of its own.
#[derive(Clone, PartialEq, Message)]
pub struct Graph {
    /// The nodes, in any order.
    #[prost(message, repeated, tag = "1")]
    pub node: Vec<Node>,
    /// The functions that nodes call.
    #[prost(message, optional, tag = "2")]
    pub library: Option<Library>,
}

/// Functions.
#[derive(Clone, PartialEq, Message)]
pub struct Library {
    /// The functions.
    #[prost(message, repeated, tag = "1")]
    pub function: Vec<Function>,
}

/// A function.
#[derive(Clone, PartialEq, Message)]
pub struct Function {
    /// Its name, arguments and results.
    #[prost(message, optional, tag = "1")]
    pub signature: Option<OpDef>,
    /// The nodes.
    #[prost(message, repeated, tag = "3")]
    pub node: Vec<Node>,
    /// The tensor that each result is, by the result's name.
    #[prost(btree_map = "string, string", tag = "4")]
    pub ret: BTreeMap<String, String>,
}

/// The signature of a function.
#[derive(Clone, PartialEq, Message)]
pub struct OpDef {
    /// Its name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// Its arguments.
    #[prost(message, repeated, tag = "2")]
    pub input: Vec<Arg>,
    /// Its results.
    #[prost(message, repeated, tag = "3")]
    pub output: Vec<Arg>,
}

/// An argument or result of a function.
#[derive(Clone, PartialEq, Message)]
pub struct Arg {
    /// Its name.
    #[prost(string, tag = "1")]
    pub name: String,
}

/// A node.
#[derive(Clone, PartialEq, Message)]
pub struct Node {
    /// Its name.
    #[prost(string, tag = "1")]
    pub name: String,
    /// Its operator, or the function that it calls.
    #[prost(string, tag = "2")]
    pub op: String,
    /// What it reads: `NODE`, `NODE:NUMBER`, in functions `NODE:RESULT:NUMBER`, and `^NODE` for nodes that run before it.
    #[prost(string, repeated, tag = "3")]
    pub input: Vec<String>,
    /// Its attributes.
    #[prost(btree_map = "string, message", tag = "5")]
    pub attr: BTreeMap<String, Attr>,
}

/// The value of an attribute.
#[derive(Clone, PartialEq, Message)]
pub struct Attr {
    /// The value.
    #[prost(oneof = "Value", tags = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10")]
    pub value: Option<Value>,
}

/// One of the kinds of values.
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Value {
    /// A list.
    #[prost(message, tag = "1")]
    List(List),
    /// A text.
    #[prost(bytes = "bytes", tag = "2")]
    S(Bytes),
    /// An integer.
    #[prost(int64, tag = "3")]
    I(i64),
    /// A float.
    #[prost(float, tag = "4")]
    F(f32),
    /// A boolean.
    #[prost(bool, tag = "5")]
    B(bool),
    /// An element type.
    #[prost(int32, tag = "6")]
    Type(i32),
    /// A shape.
    #[prost(message, tag = "7")]
    Shape(Shape),
    /// A tensor.
    #[prost(message, tag = "8")]
    Tensor(Tensor),
    /// The name of an attribute of the function that the node is in.
    #[prost(string, tag = "9")]
    Placeholder(String),
    /// A function.
    #[prost(message, tag = "10")]
    Func(Func),
}

/// A list of values.
#[derive(Clone, PartialEq, Message)]
pub struct List {
    /// Texts.
    #[prost(bytes = "bytes", repeated, tag = "2")]
    pub s: Vec<Bytes>,
    /// Integers.
    #[prost(int64, repeated, tag = "3")]
    pub i: Vec<i64>,
    /// Floats.
    #[prost(float, repeated, tag = "4")]
    pub f: Vec<f32>,
    /// Element types.
    #[prost(int32, repeated, tag = "6")]
    pub ty: Vec<i32>,
    /// Shapes.
    #[prost(message, repeated, tag = "7")]
    pub shape: Vec<Shape>,
    /// Functions.
    #[prost(message, repeated, tag = "9")]
    pub func: Vec<Func>,
}

/// The name of a function.
#[derive(Clone, PartialEq, Message)]
pub struct Func {
    /// The name.
    #[prost(string, tag = "1")]
    pub name: String,
}

/// A shape.
#[derive(Clone, PartialEq, Message)]
pub struct Shape {
    /// The dimensions.
    #[prost(message, repeated, tag = "2")]
    pub dim: Vec<Dim>,
    /// Whether not even the number of dimensions is known.
    #[prost(bool, tag = "3")]
    pub is_rank_unknown: bool,
}

/// A dimension.
#[derive(Clone, PartialEq, Message)]
pub struct Dim {
    /// Its size; -1 if it is not known.
    #[prost(int64, tag = "1")]
    pub size: i64,
}

/// A tensor: its elements are bytes, or numbers of one of the lists, of which the last one repeats.
#[derive(Clone, PartialEq, Message)]
pub struct Tensor {
    /// The number of its element type.
    #[prost(int32, tag = "1")]
    pub dtype: i32,
    /// Its shape.
    #[prost(message, optional, tag = "2")]
    pub shape: Option<Shape>,
    /// The bytes of its elements.
    #[prost(bytes = "bytes", tag = "4")]
    pub content: Bytes,
    /// Floats of 32 bits.
    #[prost(float, repeated, tag = "5")]
    pub float: Vec<f32>,
    /// Floats of 64 bits.
    #[prost(double, repeated, tag = "6")]
    pub double: Vec<f64>,
    /// Integers of up to 32 bits.
    #[prost(int32, repeated, tag = "7")]
    pub int: Vec<i32>,
    /// Texts.
    #[prost(bytes = "bytes", repeated, tag = "8")]
    pub text: Vec<Bytes>,
    /// The parts of complex numbers of floats of 32 bits.
    #[prost(float, repeated, tag = "9")]
    pub complex: Vec<f32>,
    /// Integers of 64 bits.
    #[prost(int64, repeated, tag = "10")]
    pub int64: Vec<i64>,
    /// Booleans.
    #[prost(bool, repeated, tag = "11")]
    pub bool: Vec<bool>,
    /// The parts of complex numbers of floats of 64 bits.
    #[prost(double, repeated, tag = "12")]
    pub wide_complex: Vec<f64>,
    /// The bits of floats of 16 bits and less.
    #[prost(int32, repeated, tag = "13")]
    pub half: Vec<i32>,
    /// Integers of 32 bits without sign.
    #[prost(uint32, repeated, tag = "16")]
    pub uint32: Vec<u32>,
    /// Integers of 64 bits without sign.
    #[prost(uint64, repeated, tag = "17")]
    pub uint64: Vec<u64>,
}

/// What the index of a checkpoint says of all its files.
#[derive(Clone, PartialEq, Message)]
pub struct BundleHeader {
    /// The number of files of elements.
    #[prost(int32, tag = "1")]
    pub shards: i32,
    /// The order of bytes: 0 if the least significant one is the first.
    #[prost(int32, tag = "2")]
    pub endianness: i32,
}

/// What the index of a checkpoint says of a tensor.
#[derive(Clone, PartialEq, Message)]
pub struct BundleEntry {
    /// The number of its element type.
    #[prost(int32, tag = "1")]
    pub dtype: i32,
    /// Its shape.
    #[prost(message, optional, tag = "2")]
    pub shape: Option<Shape>,
    /// The file that its elements are in.
    #[prost(int32, tag = "3")]
    pub shard: i32,
    /// Where they begin.
    #[prost(int64, tag = "4")]
    pub offset: i64,
    /// Their bytes.
    #[prost(int64, tag = "5")]
    pub size: i64,
    /// Parts of a tensor that was written in parts.
    #[prost(bytes = "bytes", repeated, tag = "7")]
    pub slices: Vec<Bytes>,
}
