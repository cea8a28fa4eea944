//! The operators of TensorFlow Lite, and their options.
//!
//! The numbers, names and types are those of version 3d of the schema.

use super::schema;

/// How a field of options is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer of 8 bits, or a word for it.
    Byte,
    /// A boolean.
    Flag,
    /// An integer of 32 bits.
    Int,
    /// An integer of 32 bits without a sign.
    Word,
    /// A float of 32 bits.
    Float,
    /// A text.
    Text,
    /// A vector of integers of 32 bits.
    Ints,
    /// A vector of floats of 32 bits.
    Floats,
    /// A vector of bytes.
    Bytes,
    /// What no program reads any more.
    Unused,
}

/// A field of options. Its place in the list is its number.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// How it is written.
    pub kind: Kind,
    /// What a number is that is not written.
    pub default: i8,
}

impl Field {
    const fn or(self, default: i8) -> Self {
        Self { default, ..self }
    }
}

macro_rules! kinds {
    ($($name:ident: $kind:ident;)*) => {$(
        const fn $name(name: &'static str) -> Field {
            Field { name, kind: Kind::$kind, default: 0 }
        }
    )*};
}

kinds! {
    byte: Byte;
    flag: Flag;
    int: Int;
    word: Word;
    float: Float;
    text: Text;
    ints: Ints;
    floats: Floats;
    bytes: Bytes;
    unused: Unused;
}

/// An operator.
#[derive(Debug)]
pub struct Operator {
    /// Its number.
    pub number: i32,
    /// Its name.
    pub name: &'static str,
    /// Whether its options are of the second list of kinds, and their kind; 0 if it has none.
    options: (bool, u8),
    /// The fields of its options.
    pub fields: &'static [Field],
}

impl Operator {
    /// Whether options are this operator's.
    pub fn has(&self, options: &schema::Options) -> bool {
        self.options == (options.is_second, options.kind)
    }
}

/// The operator of a number.
pub fn find(number: i32) -> Option<&'static Operator> {
    OPERATORS.iter().find(|operator| operator.number == number)
}

/// The number of operators that are none of TensorFlow Lite's own.
pub const CUSTOM: i32 = 32;

const NONE: (bool, u8) = (false, 0);

const fn first(kind: u8) -> (bool, u8) {
    (false, kind)
}

const fn second(kind: u8) -> (bool, u8) {
    (true, kind)
}

const fn op(
    number: i32,
    name: &'static str,
    options: (bool, u8),
    fields: &'static [Field],
) -> Operator {
    Operator {
        number,
        name,
        options,
        fields,
    }
}

/// All operators.
#[rustfmt::skip]
const OPERATORS: &[Operator] = &[
    op(0, "ADD", first(11), &[byte("fused_activation_function"), flag("pot_scale_int16").or(1)]),
    op(1, "AVERAGE_POOL_2D", first(5), &[byte("padding"), int("stride_w"), int("stride_h"), int("filter_width"), int("filter_height"), byte("fused_activation_function")]),
    op(2, "CONCATENATION", first(10), &[int("axis"), byte("fused_activation_function")]),
    op(3, "CONV_2D", first(1), &[byte("padding"), int("stride_w"), int("stride_h"), byte("fused_activation_function"), int("dilation_w_factor").or(1), int("dilation_h_factor").or(1), byte("quantized_bias_type")]),
    op(4, "DEPTHWISE_CONV_2D", first(2), &[byte("padding"), int("stride_w"), int("stride_h"), int("depth_multiplier"), byte("fused_activation_function"), int("dilation_w_factor").or(1), int("dilation_h_factor").or(1)]),
    op(5, "DEPTH_TO_SPACE", first(94), &[int("block_size")]),
    op(6, "DEQUANTIZE", first(38), &[]),
    op(7, "EMBEDDING_LOOKUP", NONE, &[]),
    op(8, "FLOOR", NONE, &[]),
    op(9, "FULLY_CONNECTED", first(8), &[byte("fused_activation_function"), byte("weights_format"), flag("keep_num_dims"), flag("asymmetric_quantize_inputs"), byte("quantized_bias_type")]),
    op(10, "HASHTABLE_LOOKUP", NONE, &[]),
    op(11, "L2_NORMALIZATION", first(12), &[byte("fused_activation_function")]),
    op(12, "L2_POOL_2D", first(5), &[byte("padding"), int("stride_w"), int("stride_h"), int("filter_width"), int("filter_height"), byte("fused_activation_function")]),
    op(13, "LOCAL_RESPONSE_NORMALIZATION", first(13), &[int("radius"), float("bias"), float("alpha"), float("beta")]),
    op(14, "LOGISTIC", NONE, &[]),
    op(15, "LSH_PROJECTION", NONE, &[]),
    op(16, "LSTM", first(14), &[byte("fused_activation_function"), float("cell_clip"), float("proj_clip"), byte("kernel_type"), flag("asymmetric_quantize_inputs")]),
    op(17, "MAX_POOL_2D", first(5), &[byte("padding"), int("stride_w"), int("stride_h"), int("filter_width"), int("filter_height"), byte("fused_activation_function")]),
    op(18, "MUL", first(21), &[byte("fused_activation_function")]),
    op(19, "RELU", NONE, &[]),
    op(20, "RELU_N1_TO_1", NONE, &[]),
    op(21, "RELU6", NONE, &[]),
    op(22, "RESHAPE", first(17), &[ints("new_shape")]),
    op(23, "RESIZE_BILINEAR", first(15), &[unused("new_height"), unused("new_width"), flag("align_corners"), flag("half_pixel_centers")]),
    op(24, "RNN", first(7), &[byte("fused_activation_function"), flag("asymmetric_quantize_inputs")]),
    op(25, "SOFTMAX", first(9), &[float("beta")]),
    op(26, "SPACE_TO_DEPTH", first(19), &[int("block_size")]),
    op(27, "SVDF", first(6), &[int("rank"), byte("fused_activation_function"), flag("asymmetric_quantize_inputs")]),
    op(28, "TANH", NONE, &[]),
    op(29, "CONCAT_EMBEDDINGS", NONE, &[]),
    op(30, "SKIP_GRAM", NONE, &[]),
    op(31, "CALL", first(16), &[word("subgraph")]),
    op(32, "CUSTOM", NONE, &[]),
    op(33, "EMBEDDING_LOOKUP_SPARSE", NONE, &[]),
    op(34, "PAD", first(22), &[]),
    op(35, "UNIDIRECTIONAL_SEQUENCE_RNN", first(31), &[flag("time_major"), byte("fused_activation_function"), flag("asymmetric_quantize_inputs")]),
    op(36, "GATHER", first(23), &[int("axis"), int("batch_dims")]),
    op(37, "BATCH_TO_SPACE_ND", first(24), &[]),
    op(38, "SPACE_TO_BATCH_ND", first(25), &[]),
    op(39, "TRANSPOSE", first(26), &[]),
    op(40, "MEAN", first(27), &[flag("keep_dims")]),
    op(41, "SUB", first(28), &[byte("fused_activation_function"), flag("pot_scale_int16").or(1)]),
    op(42, "DIV", first(29), &[byte("fused_activation_function")]),
    op(43, "SQUEEZE", first(30), &[ints("squeeze_dims")]),
    op(44, "UNIDIRECTIONAL_SEQUENCE_LSTM", first(71), &[byte("fused_activation_function"), float("cell_clip"), float("proj_clip"), flag("time_major"), flag("asymmetric_quantize_inputs"), flag("diagonal_recurrent_tensors")]),
    op(45, "STRIDED_SLICE", first(32), &[int("begin_mask"), int("end_mask"), int("ellipsis_mask"), int("new_axis_mask"), int("shrink_axis_mask"), flag("offset")]),
    op(46, "BIDIRECTIONAL_SEQUENCE_RNN", NONE, &[]),
    op(47, "EXP", first(33), &[]),
    op(48, "TOPK_V2", first(34), &[]),
    op(49, "SPLIT", first(35), &[int("num_splits")]),
    op(50, "LOG_SOFTMAX", first(36), &[]),
    op(52, "BIDIRECTIONAL_SEQUENCE_LSTM", first(69), &[byte("fused_activation_function"), float("cell_clip"), float("proj_clip"), flag("merge_outputs"), flag("time_major").or(1), flag("asymmetric_quantize_inputs")]),
    op(53, "CAST", first(37), &[byte("in_data_type"), byte("out_data_type")]),
    op(54, "PRELU", NONE, &[]),
    op(55, "MAXIMUM", first(39), &[]),
    op(56, "ARG_MAX", first(40), &[byte("output_type")]),
    op(57, "MINIMUM", first(39), &[]),
    op(58, "LESS", first(41), &[]),
    op(59, "NEG", first(42), &[]),
    op(60, "PADV2", first(43), &[]),
    op(61, "GREATER", first(44), &[]),
    op(62, "GREATER_EQUAL", first(45), &[]),
    op(63, "LESS_EQUAL", first(46), &[]),
    op(64, "SELECT", first(47), &[]),
    op(65, "SLICE", first(48), &[]),
    op(66, "SIN", NONE, &[]),
    op(67, "TRANSPOSE_CONV", first(49), &[byte("padding"), int("stride_w"), int("stride_h"), byte("fused_activation_function"), byte("quantized_bias_type")]),
    op(68, "SPARSE_TO_DENSE", first(50), &[flag("validate_indices")]),
    op(69, "TILE", first(51), &[]),
    op(70, "EXPAND_DIMS", first(52), &[]),
    op(71, "EQUAL", first(53), &[]),
    op(72, "NOT_EQUAL", first(54), &[]),
    op(73, "LOG", NONE, &[]),
    op(74, "SUM", first(27), &[flag("keep_dims")]),
    op(75, "SQRT", NONE, &[]),
    op(76, "RSQRT", NONE, &[]),
    op(77, "SHAPE", first(55), &[byte("out_type")]),
    op(78, "POW", first(56), &[]),
    op(79, "ARG_MIN", first(57), &[byte("output_type")]),
    op(80, "FAKE_QUANT", first(58), &[float("min"), float("max"), int("num_bits"), flag("narrow_range")]),
    op(81, "REDUCE_PROD", first(27), &[flag("keep_dims")]),
    op(82, "REDUCE_MAX", first(27), &[flag("keep_dims")]),
    op(83, "PACK", first(59), &[int("values_count"), int("axis")]),
    op(84, "LOGICAL_OR", first(60), &[]),
    op(85, "ONE_HOT", first(61), &[int("axis")]),
    op(86, "LOGICAL_AND", first(62), &[]),
    op(87, "LOGICAL_NOT", first(63), &[]),
    op(88, "UNPACK", first(64), &[int("num"), int("axis")]),
    op(89, "REDUCE_MIN", first(27), &[flag("keep_dims")]),
    op(90, "FLOOR_DIV", first(65), &[]),
    op(91, "REDUCE_ANY", first(27), &[flag("keep_dims")]),
    op(92, "SQUARE", first(66), &[]),
    op(93, "ZEROS_LIKE", first(67), &[]),
    op(94, "FILL", first(68), &[]),
    op(95, "FLOOR_MOD", first(72), &[]),
    op(96, "RANGE", first(73), &[]),
    op(97, "RESIZE_NEAREST_NEIGHBOR", first(74), &[flag("align_corners"), flag("half_pixel_centers")]),
    op(98, "LEAKY_RELU", first(75), &[float("alpha")]),
    op(99, "SQUARED_DIFFERENCE", first(76), &[]),
    op(100, "MIRROR_PAD", first(77), &[byte("mode")]),
    op(101, "ABS", first(78), &[]),
    op(102, "SPLIT_V", first(79), &[int("num_splits")]),
    op(103, "UNIQUE", first(80), &[byte("idx_out_type").or(2)]),
    op(104, "CEIL", NONE, &[]),
    op(105, "REVERSE_V2", first(81), &[]),
    op(106, "ADD_N", first(82), &[]),
    op(107, "GATHER_ND", first(83), &[]),
    op(108, "COS", first(84), &[]),
    op(109, "WHERE", first(85), &[]),
    op(110, "RANK", first(86), &[]),
    op(111, "ELU", NONE, &[]),
    op(112, "REVERSE_SEQUENCE", first(87), &[int("seq_dim"), int("batch_dim")]),
    op(113, "MATRIX_DIAG", first(88), &[]),
    op(114, "QUANTIZE", first(89), &[]),
    op(115, "MATRIX_SET_DIAG", first(90), &[]),
    op(116, "ROUND", NONE, &[]),
    op(117, "HARD_SWISH", first(91), &[]),
    op(118, "IF", first(92), &[int("then_subgraph_index"), int("else_subgraph_index")]),
    op(119, "WHILE", first(93), &[int("cond_subgraph_index"), int("body_subgraph_index")]),
    op(120, "NON_MAX_SUPPRESSION_V4", first(95), &[]),
    op(121, "NON_MAX_SUPPRESSION_V5", NONE, &[]),
    op(122, "SCATTER_ND", first(97), &[]),
    op(123, "SELECT_V2", first(98), &[]),
    op(124, "DENSIFY", first(99), &[]),
    op(125, "SEGMENT_SUM", first(100), &[]),
    op(126, "BATCH_MATMUL", first(101), &[flag("adj_x"), flag("adj_y"), flag("asymmetric_quantize_inputs")]),
    op(128, "CUMSUM", first(102), &[flag("exclusive"), flag("reverse")]),
    op(129, "CALL_ONCE", first(103), &[int("init_subgraph_index")]),
    op(130, "BROADCAST_TO", first(104), &[]),
    op(131, "RFFT2D", first(105), &[]),
    op(132, "CONV_3D", first(106), &[byte("padding"), int("stride_d"), int("stride_w"), int("stride_h"), byte("fused_activation_function"), int("dilation_d_factor").or(1), int("dilation_w_factor").or(1), int("dilation_h_factor").or(1)]),
    op(133, "IMAG", NONE, &[]),
    op(134, "REAL", NONE, &[]),
    op(135, "COMPLEX_ABS", NONE, &[]),
    op(136, "HASHTABLE", NONE, &[]),
    op(137, "HASHTABLE_FIND", NONE, &[]),
    op(138, "HASHTABLE_IMPORT", NONE, &[]),
    op(139, "HASHTABLE_SIZE", NONE, &[]),
    op(140, "REDUCE_ALL", first(27), &[flag("keep_dims")]),
    op(141, "CONV_3D_TRANSPOSE", first(106), &[byte("padding"), int("stride_d"), int("stride_w"), int("stride_h"), byte("fused_activation_function"), int("dilation_d_factor").or(1), int("dilation_w_factor").or(1), int("dilation_h_factor").or(1)]),
    op(142, "VAR_HANDLE", first(111), &[text("container"), text("shared_name")]),
    op(143, "READ_VARIABLE", first(112), &[]),
    op(144, "ASSIGN_VARIABLE", first(113), &[]),
    op(145, "BROADCAST_ARGS", NONE, &[]),
    op(146, "RANDOM_STANDARD_NORMAL", NONE, &[]),
    op(147, "BUCKETIZE", first(115), &[floats("boundaries")]),
    op(148, "RANDOM_UNIFORM", NONE, &[]),
    op(149, "MULTINOMIAL", NONE, &[]),
    op(150, "GELU", first(116), &[flag("approximate")]),
    op(151, "DYNAMIC_UPDATE_SLICE", first(117), &[]),
    op(152, "RELU_0_TO_1", NONE, &[]),
    op(153, "UNSORTED_SEGMENT_PROD", first(118), &[]),
    op(154, "UNSORTED_SEGMENT_MAX", first(119), &[]),
    op(155, "UNSORTED_SEGMENT_SUM", first(121), &[]),
    op(156, "ATAN2", first(122), &[]),
    op(157, "UNSORTED_SEGMENT_MIN", first(120), &[]),
    op(158, "SIGN", first(123), &[]),
    op(159, "BITCAST", first(124), &[]),
    op(160, "BITWISE_XOR", first(125), &[]),
    op(161, "RIGHT_SHIFT", first(126), &[]),
    op(162, "STABLEHLO_LOGISTIC", NONE, &[]),
    op(163, "STABLEHLO_ADD", NONE, &[]),
    op(164, "STABLEHLO_DIVIDE", NONE, &[]),
    op(165, "STABLEHLO_MULTIPLY", NONE, &[]),
    op(166, "STABLEHLO_MAXIMUM", NONE, &[]),
    op(167, "STABLEHLO_RESHAPE", NONE, &[]),
    op(168, "STABLEHLO_CLAMP", NONE, &[]),
    op(169, "STABLEHLO_CONCATENATE", NONE, &[]),
    op(170, "STABLEHLO_BROADCAST_IN_DIM", NONE, &[]),
    op(171, "STABLEHLO_CONVOLUTION", NONE, &[]),
    op(172, "STABLEHLO_SLICE", NONE, &[]),
    op(173, "STABLEHLO_CUSTOM_CALL", NONE, &[]),
    op(174, "STABLEHLO_REDUCE", NONE, &[]),
    op(175, "STABLEHLO_ABS", NONE, &[]),
    op(176, "STABLEHLO_AND", NONE, &[]),
    op(177, "STABLEHLO_COSINE", NONE, &[]),
    op(178, "STABLEHLO_EXPONENTIAL", NONE, &[]),
    op(179, "STABLEHLO_FLOOR", NONE, &[]),
    op(180, "STABLEHLO_LOG", NONE, &[]),
    op(181, "STABLEHLO_MINIMUM", NONE, &[]),
    op(182, "STABLEHLO_NEGATE", NONE, &[]),
    op(183, "STABLEHLO_OR", NONE, &[]),
    op(184, "STABLEHLO_POWER", NONE, &[]),
    op(185, "STABLEHLO_REMAINDER", NONE, &[]),
    op(186, "STABLEHLO_RSQRT", NONE, &[]),
    op(187, "STABLEHLO_SELECT", NONE, &[]),
    op(188, "STABLEHLO_SUBTRACT", NONE, &[]),
    op(189, "STABLEHLO_TANH", NONE, &[]),
    op(190, "STABLEHLO_SCATTER", NONE, &[]),
    op(191, "STABLEHLO_COMPARE", NONE, &[]),
    op(192, "STABLEHLO_CONVERT", NONE, &[]),
    op(193, "STABLEHLO_DYNAMIC_SLICE", NONE, &[]),
    op(194, "STABLEHLO_DYNAMIC_UPDATE_SLICE", NONE, &[]),
    op(195, "STABLEHLO_PAD", NONE, &[]),
    op(196, "STABLEHLO_IOTA", NONE, &[]),
    op(197, "STABLEHLO_DOT_GENERAL", NONE, &[]),
    op(198, "STABLEHLO_REDUCE_WINDOW", NONE, &[]),
    op(199, "STABLEHLO_SORT", NONE, &[]),
    op(200, "STABLEHLO_WHILE", NONE, &[]),
    op(201, "STABLEHLO_GATHER", NONE, &[]),
    op(202, "STABLEHLO_TRANSPOSE", NONE, &[]),
    op(203, "DILATE", second(18), &[]),
    op(204, "STABLEHLO_RNG_BIT_GENERATOR", NONE, &[]),
    op(206, "STABLEHLO_COMPOSITE", second(21), &[text("name"), int("decomposition_subgraph_index"), bytes("composite_attributes"), byte("composite_attributes_format"), int("version")]),
    op(207, "STABLEHLO_SHIFT_LEFT", second(22), &[]),
    op(208, "STABLEHLO_CBRT", NONE, &[]),
    op(209, "STABLEHLO_CASE", NONE, &[]),
];
