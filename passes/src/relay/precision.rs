//! Which operators narrow floats may pass through: the table of `to-mixed-precision`.

/// What an operator does with narrow floats (TVM's `MIXED_PRECISION_ALWAYS`, `FOLLOW`, `NEVER`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// Takes them, whatever it is given: they are what makes it cheaper.
    Always,
    /// Takes them if it is given them.
    Follow,
    /// Takes f32.
    Never,
}

use Category::{Always, Follow, Never};

/// The operators without the dialect, by category, each group with the reason.
pub const CATEGORIES: &[(Category, &[&str])] = &[
    // Products read each number of a weight once or a few times, and many numbers per result.
    (
        Always,
        &[
            "nn.conv1d",
            "nn.conv2d",
            "nn.conv3d",
            "nn.conv1d_transpose",
            "nn.conv2d_transpose",
            "nn.conv3d_transpose",
            "nn.contrib_conv2d_NCHWc",
            "nn.contrib_depthwise_conv2d_NCHWc",
            "nn.contrib_conv2d_winograd_without_weight_transform",
            "nn.dense",
            "nn.contrib_dense_pack",
            "nn.matmul",
            "nn.batch_matmul",
        ],
    ),
    // These move elements.
    (
        Follow,
        &[
            "broadcast_to",
            "concatenate",
            "copy",
            "expand_dims",
            "full",
            "full_like",
            "gather",
            "layout_transform",
            "nn.batch_flatten",
            "nn.depth_to_space",
            "nn.pad",
            "ones",
            "ones_like",
            "reshape",
            "split",
            "squeeze",
            "stack",
            "strided_slice",
            "take",
            "tile",
            "transpose",
            "where",
            "zeros",
            "zeros_like",
        ],
    ),
    // The result's relative error is near the operands', and is computed in f32.
    (
        Follow,
        &[
            "abs",
            "add",
            "clip",
            "divide",
            "erf",
            "max",
            "maximum",
            "min",
            "minimum",
            "multiply",
            "negative",
            "nn.bias_add",
            "nn.leaky_relu",
            "nn.prelu",
            "nn.relu",
            "rsqrt",
            "sigmoid",
            "sign",
            "sqrt",
            "subtract",
            "tanh",
        ],
    ),
    // Pools and resizes average few elements, or in f32.
    (
        Follow,
        &[
            "image.resize1d",
            "image.resize2d",
            "image.resize3d",
            "nn.adaptive_avg_pool1d",
            "nn.adaptive_avg_pool2d",
            "nn.adaptive_avg_pool3d",
            "nn.adaptive_max_pool1d",
            "nn.adaptive_max_pool2d",
            "nn.adaptive_max_pool3d",
            "nn.avg_pool1d",
            "nn.avg_pool2d",
            "nn.avg_pool3d",
            "nn.global_avg_pool2d",
            "nn.global_max_pool2d",
            "nn.max_pool1d",
            "nn.max_pool2d",
            "nn.max_pool3d",
            "nn.upsampling",
            "nn.upsampling3d",
        ],
    ),
    // They give booleans or subscripts, or take nothing else.
    (
        Follow,
        &[
            "all",
            "any",
            "argmax",
            "argmin",
            "equal",
            "greater",
            "greater_equal",
            "less",
            "less_equal",
            "logical_and",
            "logical_not",
            "logical_or",
            "logical_xor",
            "not_equal",
        ],
    ),
    // A small relative error of the operand becomes a large one of the result.
    (Never, &["cos", "exp", "log", "power", "sin"]),
    // They jump: an error that moves an operand over a whole number moves the result by one.
    (
        Never,
        &[
            "cast",
            "ceil",
            "floor",
            "floor_divide",
            "floor_mod",
            "mod",
            "round",
        ],
    ),
    // Sums of many elements, which differences are taken with.
    (
        Never,
        &[
            "mean",
            "nn.batch_norm",
            "nn.instance_norm",
            "nn.layer_norm",
            "nn.log_softmax",
            "nn.lrn",
            "nn.softmax",
            "prod",
            "sum",
            "variance",
        ],
    ),
    // Computed at compile time, in double precision.
    (Never, &["nn.contrib_conv2d_winograd_weight_transform"]),
];

/// The category of an operator, by its full name `relay.<name>`; `None` for what is none.
pub fn category(full_name: &str) -> Option<Category> {
    let name = full_name.strip_prefix("relay.")?;
    let found = CATEGORIES.iter().find(|(_, names)| names.contains(&name));
    found.map(|(category, _)| *category)
}

#[cfg(test)]
mod tests {
    use super::CATEGORIES;
    use relay_dialects::relay::ops;

    #[test]
    fn every_operator_is_in_one_category() {
        for row in ops::rows() {
            let groups = CATEGORIES.iter().map(|(_, names)| names.iter());
            let found = groups.flatten().filter(|name| **name == row.name).count();
            assert_eq!(found, 1, "{} is in {found} groups", row.name);
        }
    }

    #[test]
    fn only_operators_have_a_category() {
        for name in CATEGORIES.iter().flat_map(|(_, names)| names.iter()) {
            assert!(ops::rows().any(|row| row.name == *name), "{name}");
        }
    }
}
