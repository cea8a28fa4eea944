//! Operators that are not read, for errors and generated documentation.

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
