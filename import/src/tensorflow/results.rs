//! What functions call the results of operators.

/// Operators, and what functions call their results: of those with several results, each has a name. Operators with one result, or one
/// list of results, are left out.
const RESULTS: &[(&[&str], &[&str])] = &[
    (&["LSTMBlockCell"], &["i", "cs", "f", "o", "ci", "co", "h"]),
    (&["Unique"], &["y", "idx"]),
    (&["UniqueWithCounts"], &["y", "idx", "count"]),
    (&["TopKV2", "TopK"], &["values", "indices"]),
    (
        &["NonMaxSuppressionV4"],
        &["selected_indices", "valid_outputs"],
    ),
    (
        &["NonMaxSuppressionV5"],
        &["selected_indices", "selected_scores", "valid_outputs"],
    ),
    (
        &["CombinedNonMaxSuppression"],
        &[
            "nmsed_boxes",
            "nmsed_scores",
            "nmsed_classes",
            "valid_detections",
        ],
    ),
    (&["QuantizeV2"], &["output", "output_min", "output_max"]),
    (&["TensorListPopBack"], &["output_handle", "tensor"]),
    (
        &["TensorListConcat", "TensorListConcatV2"],
        &["tensor", "lengths"],
    ),
    (&["TensorArrayV3"], &["handle", "flow"]),
    (&["TensorArrayConcatV3"], &["value", "lengths"]),
    (
        &["FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"],
        &[
            "y",
            "batch_mean",
            "batch_variance",
            "reserve_space_1",
            "reserve_space_2",
            "reserve_space_3",
        ],
    ),
    (&["Merge", "RefMerge"], &["output", "value_index"]),
    (&["Switch", "RefSwitch"], &["output_false", "output_true"]),
    (&["SparseReshape"], &["output_indices", "output_shape"]),
];

/// What functions call the results of an operator; nothing if there is one result, or one list of them.
pub fn results(operator: &str) -> &'static [&'static str] {
    let mut rows = RESULTS.iter();
    let found = rows.find(|(operators, _)| operators.contains(&operator));
    found.map_or(&[], |(_, names)| names)
}
