//! Operators that are not converted, and why.

/// How the names of operators of TensorFlow begin that only its own runtime has.
const FLEX: &str = "Flex";

/// Operators that are not converted, with the reason.
const REFUSED: &[(&str, &str)] = &[
    ("HASHTABLE", STRINGS),
    ("HASHTABLE_FIND", STRINGS),
    ("HASHTABLE_IMPORT", STRINGS),
    ("HASHTABLE_SIZE", STRINGS),
    ("HASHTABLE_LOOKUP", STRINGS),
    ("LSH_PROJECTION", STRINGS),
    ("SKIP_GRAM", STRINGS),
    (
        "DISPATCH_OP",
        "it holds code for one processor; take the model as it was before it was compiled for that",
    ),
];

const STRINGS: &str =
    "it looks up strings or tables, which a tensor program does not have; do that before the model";

/// Why an operator is not converted.
pub fn reason(operator: &str) -> String {
    if operator.starts_with(FLEX) {
        return "the operator is TensorFlow's own; convert the model without select operators of TensorFlow".into();
    }
    let known = REFUSED.iter().find(|(name, _)| *name == operator);
    match known {
        Some((_, reason)) => format!("the operator is not supported: {reason}"),
        None => "the operator is not supported".into(),
    }
}
