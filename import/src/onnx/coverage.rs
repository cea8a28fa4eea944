//! Which operators are supported, for generated documentation.

use super::ops;
use std::fmt;

/// An operator with a range of operator set versions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Coverage {
    /// The operator.
    pub operator: &'static str,
    /// The first version of the operator set with this meaning.
    pub since: i64,
    /// The last one; `None` up to the newest.
    pub until: Option<i64>,
}

impl fmt::Display for Coverage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.until {
            Some(until) => write!(formatter, "{} {}-{until}", self.operator, self.since),
            None => write!(formatter, "{} {}+", self.operator, self.since),
        }
    }
}

/// Operators of ONNX that are not read, and why.
pub const REFUSED: &[(&str, &str)] = &[
    ("ImageDecoder", DECODER),
    ("RegexFullMatch", TEXT),
    ("StringConcat", TEXT),
    ("StringNormalizer", TEXT),
    ("StringSplit", TEXT),
    ("ai.onnx.ml.CastMap", MAP),
    ("ai.onnx.ml.CategoryMapper", TEXT),
    ("ai.onnx.ml.DictVectorizer", MAP),
    (
        "ai.onnx.ml.SVMClassifier",
        "its classes are compared pair by pair; SVMRegressor is read",
    ),
    (
        "ai.onnx.ml.ZipMap",
        "it makes maps; leave it out of the model, and take the scores that it reads",
    ),
    (
        "ai.onnx.preview.training.Gradient",
        "it asks for the derivative of the graph around it; export the gradients as nodes",
    ),
];

const TEXT: &str =
    "it is about texts, and models compute with numbers; prepare texts before the model runs";
const MAP: &str = "it is about maps, and models compute with tensors";
const DECODER: &str = "it decodes files of images; decode them before the model runs";

/// Why an operator of ONNX is not read, if it is one of those.
pub fn reason(operator: &str) -> Option<&'static str> {
    let row = REFUSED.iter().find(|(known, _)| *known == operator);
    row.map(|(_, reason)| *reason)
}

/// All rows of the conversion tables, by operator and version.
pub fn rows() -> Vec<Coverage> {
    let mut rows: Vec<Coverage> = ops::rows()
        .map(|row| Coverage {
            operator: row.operator,
            since: row.since,
            until: row.until,
        })
        .collect();
    rows.sort();
    rows
}
