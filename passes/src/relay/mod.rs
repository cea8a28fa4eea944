//! Passes on Relay's operators.

pub mod all_dtypes;
pub mod alter_op_layout;
pub mod annotate_target;
pub mod annotate_used_memory;
pub mod attach_target;
pub mod batching_ops;
pub mod canonicalize_cast;
pub mod canonicalize_ops;
pub mod change_batch;
pub mod check_basic_block_normal_form;
pub mod check_cache_updates;
pub mod collage_partition;
pub mod combine_parallel_batch_matmul;
pub mod combine_parallel_conv2d;
pub mod combine_parallel_dense;
pub mod combine_parallel_op_batch;
pub mod conv2d_to_sparse;
pub mod convert_layout;
pub mod count_layers;
pub mod dead_code_elimination;
pub mod defunctionalization;
pub mod defuse_ops;
pub mod dense_to_sparse;
pub mod detect_feature;
pub mod div_to_mul;
pub mod donate_caches;
pub mod dynamic_to_static;
pub mod eliminate_common_subexpr;
pub mod equate_dims;
pub mod erase_devices;
pub mod eta_expand;
pub mod extract_fused_functions;
pub mod extract_intermediate_expr;
pub mod fake_quantization_to_integer;
pub mod fast_math;
pub mod flatten_atrous_conv;
pub mod flexible_shape_dispatch;
pub mod fold_constant;
pub mod fold_explicit_padding;
pub mod fold_scale_axis;
pub mod fuse_ops;
pub mod infer_type;
pub mod inline_compiler_functions_bound_to;
pub mod label_ops;
pub mod lambda_lift;
pub mod legalize;
pub mod mark_compiler_functions_as_extern;
pub mod merge_compiler_regions;
pub mod merge_composite;
pub mod monomorphize;
pub mod outline_compiler_functions_with_existing_global_symbols;
pub mod partial_evaluate;
pub mod partition;
pub mod partition_graph;
pub mod plan_devices;
pub mod plan_open_sizes;
pub mod print_call_graph;
pub mod print_mac_count;
pub mod qnn_legalize;
pub mod quantize_annotate;
pub mod quantize_calibrate;
pub mod quantize_realize;
pub mod quantize_weights;
pub mod recast;
pub mod relay_inline;
pub mod remove_unused_functions;
pub mod rewrite;
pub mod simplify_expr;
pub mod simplify_fc_transpose;
pub mod simplify_inference;
pub mod simplify_quantized;
pub mod sink_transposes;
pub mod split_args;
pub mod to_a_normal_form;
pub mod to_basic_block_normal_form;
pub mod to_cps;
pub mod to_graph_normal_form;
pub mod to_mixed_precision;
pub mod un_cps;

use relay_dialects::pass::PassSpec;

/// The passes of this folder.
pub const ALL: &[&PassSpec] = &[
    &all_dtypes::SPEC,
    &alter_op_layout::SPEC,
    &annotate_target::SPEC,
    &annotate_used_memory::SPEC,
    &attach_target::SPEC,
    &batching_ops::SPEC,
    &canonicalize_cast::SPEC,
    &canonicalize_ops::SPEC,
    &change_batch::SPEC,
    &check_basic_block_normal_form::SPEC,
    &check_cache_updates::SPEC,
    &collage_partition::SPEC,
    &combine_parallel_batch_matmul::SPEC,
    &combine_parallel_conv2d::SPEC,
    &combine_parallel_dense::SPEC,
    &combine_parallel_op_batch::SPEC,
    &conv2d_to_sparse::SPEC,
    &convert_layout::SPEC,
    &count_layers::SPEC,
    &dead_code_elimination::SPEC,
    &defunctionalization::SPEC,
    &defuse_ops::SPEC,
    &dense_to_sparse::SPEC,
    &detect_feature::SPEC,
    &div_to_mul::SPEC,
    &donate_caches::SPEC,
    &dynamic_to_static::SPEC,
    &eliminate_common_subexpr::SPEC,
    &equate_dims::SPEC,
    &erase_devices::SPEC,
    &eta_expand::SPEC,
    &extract_fused_functions::SPEC,
    &extract_intermediate_expr::SPEC,
    &fake_quantization_to_integer::SPEC,
    &fast_math::SPEC,
    &flatten_atrous_conv::SPEC,
    &flexible_shape_dispatch::SPEC,
    &fold_constant::SPEC,
    &fold_explicit_padding::SPEC,
    &fold_scale_axis::SPEC,
    &fuse_ops::SPEC,
    &infer_type::SPEC,
    &inline_compiler_functions_bound_to::SPEC,
    &label_ops::SPEC,
    &lambda_lift::SPEC,
    &legalize::SPEC,
    &mark_compiler_functions_as_extern::SPEC,
    &merge_compiler_regions::SPEC,
    &merge_composite::SPEC,
    &monomorphize::SPEC,
    &outline_compiler_functions_with_existing_global_symbols::SPEC,
    &partial_evaluate::SPEC,
    &partition::SPEC,
    &partition_graph::SPEC,
    &plan_devices::SPEC,
    &plan_open_sizes::SPEC,
    &print_call_graph::SPEC,
    &print_mac_count::SPEC,
    &qnn_legalize::SPEC,
    &quantize_weights::SPEC,
    &quantize_annotate::SPEC,
    &quantize_calibrate::SPEC,
    &quantize_realize::SPEC,
    &recast::SPEC,
    &relay_inline::SPEC,
    &remove_unused_functions::SPEC,
    &rewrite::SPEC,
    &simplify_expr::SPEC,
    &simplify_fc_transpose::SPEC,
    &simplify_inference::SPEC,
    &simplify_quantized::SPEC,
    &sink_transposes::SPEC,
    &split_args::SPEC,
    &to_a_normal_form::SPEC,
    &to_basic_block_normal_form::SPEC,
    &to_cps::SPEC,
    &to_graph_normal_form::SPEC,
    &to_mixed_precision::SPEC,
    &un_cps::SPEC,
];
