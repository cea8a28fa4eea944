//! The JSON of an exported program.
//!
//! The names are those of PyTorch's `torch/_export/serde/schema.py`. What a reader does not need is not listed: the JSON may have
//! more.

use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny},
};
use std::collections::BTreeMap;

/// An exported program.
#[derive(Debug, Deserialize)]
pub struct ExportedProgram {
    /// The graph and its signature.
    pub graph_module: GraphModule,
    /// Least and greatest values of symbols.
    #[serde(default)]
    pub range_constraints: BTreeMap<String, Range>,
    /// The version of this schema.
    pub schema_version: Version,
}

/// The version of the schema.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Version {
    /// It grows where older readers cannot read on.
    pub major: i64,
    /// It grows with all other changes.
    pub minor: i64,
}

/// Bounds; none where there is no such.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Range {
    /// The least value.
    pub min_val: Option<i64>,
    /// The greatest value.
    pub max_val: Option<i64>,
}

/// A graph and what its inputs and outputs are.
#[derive(Debug, Deserialize)]
pub struct GraphModule {
    /// The graph.
    pub graph: Graph,
    /// What its inputs and outputs are.
    pub signature: Signature,
}

/// A graph.
#[derive(Debug, Deserialize)]
pub struct Graph {
    /// What it takes.
    pub inputs: Vec<Argument>,
    /// What it returns.
    pub outputs: Vec<Argument>,
    /// Its nodes, in the order in which they are computed.
    pub nodes: Vec<Node>,
    /// The types of its tensors.
    #[serde(default)]
    pub tensor_values: BTreeMap<String, TensorMeta>,
}

/// A node.
#[derive(Debug, Deserialize)]
pub struct Node {
    /// The operator: `torch.ops.aten.relu.default`.
    pub target: String,
    /// Its arguments, without those that have their default values.
    pub inputs: Vec<NamedArgument>,
    /// The names of what it computes.
    pub outputs: Vec<Argument>,
}

/// An argument of a node.
#[derive(Debug, Deserialize)]
pub struct NamedArgument {
    /// Its name in the schema of the operator.
    pub name: String,
    /// Its value.
    pub arg: Argument,
}

/// The value of an argument.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::enum_variant_names, reason = "PyTorch's own names")]
pub enum Argument {
    AsNone(IgnoredAny),
    AsTensor(Name),
    AsTensors(Vec<Name>),
    AsOptionalTensor(OptionalTensor),
    AsOptionalTensors(Vec<OptionalTensor>),
    AsNestedTensors(Vec<Vec<Name>>),
    AsInt(i64),
    AsInts(Vec<i64>),
    AsIntLists(IgnoredAny),
    AsFloat(Float),
    AsFloats(Vec<Float>),
    AsFloatLists(IgnoredAny),
    AsBool(bool),
    AsBools(Vec<bool>),
    AsString(String),
    AsStrings(IgnoredAny),
    AsSymInt(Symbolic<i64>),
    AsSymInts(Vec<Symbolic<i64>>),
    AsSymFloat(Symbolic<Float>),
    AsSymFloats(Vec<Symbolic<Float>>),
    AsSymBool(Symbolic<bool>),
    AsSymBools(Vec<Symbolic<bool>>),
    AsScalarType(i64),
    AsMemoryFormat(IgnoredAny),
    AsLayout(IgnoredAny),
    AsDevice(IgnoredAny),
    AsGraph(Box<NamedGraph>),
    AsComplex(ComplexNumber),
    AsCustomObj(IgnoredAny),
    AsOperator(IgnoredAny),
    AsStringToArgument(IgnoredAny),
}

/// The names that an argument reads, or a result defines.
pub fn names(argument: &Argument) -> Vec<&str> {
    fn symbols<T>(symbols: &[Symbolic<T>]) -> Vec<&str> {
        let names = symbols.iter().filter_map(|symbol| match symbol {
            Symbolic::Name(name) => Some(name.as_str()),
            Symbolic::Known(_) => None,
        });
        names.collect()
    }
    fn optional(tensor: &OptionalTensor) -> Option<&str> {
        match tensor {
            OptionalTensor::AsTensor(name) => Some(&name.name),
            OptionalTensor::AsNone(_) => None,
        }
    }
    match argument {
        Argument::AsTensor(name) => vec![&name.name],
        Argument::AsTensors(all) => all.iter().map(|name| name.name.as_str()).collect(),
        Argument::AsOptionalTensor(tensor) => optional(tensor).into_iter().collect(),
        Argument::AsOptionalTensors(all) => all.iter().filter_map(optional).collect(),
        Argument::AsNestedTensors(all) => all
            .iter()
            .flatten()
            .map(|name| name.name.as_str())
            .collect(),
        Argument::AsSymInt(symbol) => symbols(std::slice::from_ref(symbol)),
        Argument::AsSymInts(all) => symbols(all),
        Argument::AsSymFloat(symbol) => symbols(std::slice::from_ref(symbol)),
        Argument::AsSymFloats(all) => symbols(all),
        Argument::AsSymBool(symbol) => symbols(std::slice::from_ref(symbol)),
        Argument::AsSymBools(all) => symbols(all),
        _ => Vec::new(),
    }
}

/// A complex number.
#[derive(Debug, Deserialize)]
pub struct ComplexNumber {
    /// The real part.
    pub real: Float,
    /// The imaginary part.
    pub imag: Float,
}

/// Something by its name.
#[derive(Debug, Deserialize)]
pub struct Name {
    /// The name.
    pub name: String,
}

/// A tensor, or nothing.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OptionalTensor {
    AsTensor(Name),
    AsNone(IgnoredAny),
}

/// A number, or the name of one that is computed.
#[derive(Debug, Deserialize)]
pub enum Symbolic<T> {
    #[serde(rename = "as_name")]
    Name(String),
    #[serde(rename = "as_int", alias = "as_float", alias = "as_bool")]
    Known(T),
}

/// A graph within a node.
#[derive(Debug, Deserialize)]
pub struct NamedGraph {
    /// The graph.
    pub graph: Graph,
}

/// The type of a tensor, and where its elements lie in its storage.
#[derive(Debug, Deserialize)]
pub struct TensorMeta {
    /// The number of its element type.
    pub dtype: i64,
    /// Its extents.
    pub sizes: Vec<Extent>,
    /// From one subscript of an axis to the next.
    pub strides: Vec<Extent>,
    /// The element that it begins with.
    pub storage_offset: Extent,
    /// 7 for tensors that have all of their elements.
    pub layout: i64,
}

/// An extent.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    AsExpr(Expression),
    AsInt(i64),
}

/// Arithmetic on symbols, as sympy writes it.
#[derive(Debug, Deserialize)]
pub struct Expression {
    /// The text.
    pub expr_str: String,
}

/// What inputs and outputs of a graph are.
#[derive(Debug, Deserialize)]
pub struct Signature {
    /// One for each input.
    pub input_specs: Vec<InputSpec>,
    /// One for each output.
    pub output_specs: Vec<OutputSpec>,
}

/// What an input is.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputSpec {
    UserInput {},
    Parameter { parameter_name: String },
    Buffer { buffer_name: String },
    TensorConstant { tensor_constant_name: String },
    ConstantInput {},
    CustomObj {},
    Token {},
}

/// What an output is.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputSpec {
    UserOutput {},
    LossOutput {},
    BufferMutation { buffer_name: String, arg: Name },
    ParameterMutation { parameter_name: String, arg: Name },
    UserInputMutation { user_input_name: String, arg: Name },
    GradientToParameter {},
    GradientToUserInput {},
    Token {},
}

/// Where tensors of a newer archive lie, by their names in the model.
#[derive(Debug, Deserialize)]
pub struct Payloads {
    /// The tensors.
    pub config: BTreeMap<String, Payload>,
}

/// Where a tensor lies.
#[derive(Debug, Deserialize)]
pub struct Payload {
    /// The entry, in the folder.
    pub path_name: String,
    /// Whether the entry was written by `torch.save`.
    pub use_pickle: bool,
    /// Its type and place; none of what is no tensor.
    pub tensor_meta: Option<TensorMeta>,
}

/// A float. JSON has no infinities: they are written as words.
#[derive(Clone, Copy, Debug)]
pub struct Float(pub f64);

impl<'de> Deserialize<'de> for Float {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(f64),
            Word(String),
        }
        match Written::deserialize(from)? {
            Written::Number(number) => Ok(Self(number)),
            Written::Word(word) => match word.as_str() {
                "Infinity" => Ok(Self(f64::INFINITY)),
                "-Infinity" => Ok(Self(f64::NEG_INFINITY)),
                "NaN" => Ok(Self(f64::NAN)),
                other => Err(D::Error::custom(format!("'{other}' is no number"))),
            },
        }
    }
}
