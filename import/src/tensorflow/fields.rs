//! The names of the fields of TensorFlow's messages, for graphs in text. The numbers are those of [`proto`](super::proto).

/// A message.
pub type Message = [Field];

/// A field.
pub struct Field {
    /// Its name in a text.
    pub name: &'static str,
    /// Its number.
    pub tag: u32,
    /// Its type.
    pub kind: Kind,
}

/// The type of a field.
#[derive(Clone, Copy)]
pub enum Kind {
    /// An integer or an element's bits.
    Int,
    /// A boolean.
    Bool,
    /// A float of 32 bits.
    Float,
    /// A float of 64 bits.
    Double,
    /// The number of an element type, or its name.
    Element,
    /// A text or bytes.
    Text,
    /// Another message, or an entry of a map.
    Message(&'static Message),
}

const fn field(name: &'static str, tag: u32, kind: Kind) -> Field {
    Field { name, tag, kind }
}

/// The fields of an entry of a map from texts.
const fn entry(value: Kind) -> [Field; 2] {
    [field("key", 1, Kind::Text), field("value", 2, value)]
}

/// A model with its signatures.
pub const SAVED_MODEL: &Message = &[
    field("saved_model_schema_version", 1, Kind::Int),
    field("meta_graphs", 2, Kind::Message(META_GRAPH)),
];

const META_GRAPH: &Message = &[
    field("meta_info_def", 1, Kind::Message(META_INFO)),
    field("graph_def", 2, Kind::Message(GRAPH)),
    field("saver_def", 3, Kind::Message(SAVER)),
    field("signature_def", 5, Kind::Message(SIGNATURE_ENTRY)),
];

const META_INFO: &Message = &[field("tags", 4, Kind::Text)];

const SAVER: &Message = &[field("restore_op_name", 3, Kind::Text)];

const SIGNATURE_ENTRY: &Message = &entry(Kind::Message(SIGNATURE));

const SIGNATURE: &Message = &[
    field("inputs", 1, Kind::Message(TENSOR_INFO_ENTRY)),
    field("outputs", 2, Kind::Message(TENSOR_INFO_ENTRY)),
];

const TENSOR_INFO_ENTRY: &Message = &entry(Kind::Message(TENSOR_INFO));

const TENSOR_INFO: &Message = &[
    field("name", 1, Kind::Text),
    field("dtype", 2, Kind::Element),
    field("tensor_shape", 3, Kind::Message(SHAPE)),
];

/// A graph.
pub const GRAPH: &Message = &[
    field("node", 1, Kind::Message(NODE)),
    field("library", 2, Kind::Message(LIBRARY)),
];

const LIBRARY: &Message = &[field("function", 1, Kind::Message(FUNCTION))];

const FUNCTION: &Message = &[
    field("signature", 1, Kind::Message(OP_DEF)),
    field("node_def", 3, Kind::Message(NODE)),
    field("ret", 4, Kind::Message(TEXT_ENTRY)),
];

const TEXT_ENTRY: &Message = &entry(Kind::Text);

const OP_DEF: &Message = &[
    field("name", 1, Kind::Text),
    field("input_arg", 2, Kind::Message(ARG)),
    field("output_arg", 3, Kind::Message(ARG)),
];

const ARG: &Message = &[field("name", 1, Kind::Text)];

const NODE: &Message = &[
    field("name", 1, Kind::Text),
    field("op", 2, Kind::Text),
    field("input", 3, Kind::Text),
    field("attr", 5, Kind::Message(ATTR_ENTRY)),
];

const ATTR_ENTRY: &Message = &entry(Kind::Message(ATTR));

const ATTR: &Message = &[
    field("list", 1, Kind::Message(LIST)),
    field("s", 2, Kind::Text),
    field("i", 3, Kind::Int),
    field("f", 4, Kind::Float),
    field("b", 5, Kind::Bool),
    field("type", 6, Kind::Element),
    field("shape", 7, Kind::Message(SHAPE)),
    field("tensor", 8, Kind::Message(TENSOR)),
    field("placeholder", 9, Kind::Text),
    field("func", 10, Kind::Message(FUNC)),
];

const LIST: &Message = &[
    field("s", 2, Kind::Text),
    field("i", 3, Kind::Int),
    field("f", 4, Kind::Float),
    field("type", 6, Kind::Element),
    field("shape", 7, Kind::Message(SHAPE)),
    field("func", 9, Kind::Message(FUNC)),
];

const FUNC: &Message = &[field("name", 1, Kind::Text)];

const SHAPE: &Message = &[
    field("dim", 2, Kind::Message(DIM)),
    field("unknown_rank", 3, Kind::Bool),
];

const DIM: &Message = &[field("size", 1, Kind::Int)];

const TENSOR: &Message = &[
    field("dtype", 1, Kind::Element),
    field("tensor_shape", 2, Kind::Message(SHAPE)),
    field("tensor_content", 4, Kind::Text),
    field("float_val", 5, Kind::Float),
    field("double_val", 6, Kind::Double),
    field("int_val", 7, Kind::Int),
    field("string_val", 8, Kind::Text),
    field("scomplex_val", 9, Kind::Float),
    field("int64_val", 10, Kind::Int),
    field("bool_val", 11, Kind::Bool),
    field("dcomplex_val", 12, Kind::Double),
    field("half_val", 13, Kind::Int),
    field("uint32_val", 16, Kind::Int),
    field("uint64_val", 17, Kind::Int),
];
