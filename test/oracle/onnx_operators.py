"""What the importer reads of ONNX, for those who export or make cases: operators, operands that say shapes, types."""

from onnx import TensorProto

# The oldest definition (by opset) that is read of each operator.
OPERATORS = {
    "Abs": 6, "Acos": 7, "Acosh": 9, "Add": 7, "AffineGrid": 20, "And": 7, "ArgMax": 1, "ArgMin": 1,
    "Asin": 7, "Asinh": 9, "Atan": 7, "Atanh": 9, "Attention": 23, "AveragePool": 7,
    "BatchNormalization": 7, "BitShift": 11, "BitwiseAnd": 18, "BitwiseNot": 18, "BitwiseOr": 18,
    "BitwiseXor": 18, "BlackmanWindow": 17, "Cast": 6, "CastLike": 15, "Ceil": 6, "Celu": 12,
    "CenterCropPad": 18, "Clip": 6, "Compress": 9, "Concat": 4, "Constant": 1, "ConstantOfShape": 9,
    "Conv": 1, "ConvInteger": 10, "ConvTranspose": 1, "Cos": 7, "Cosh": 9, "CumProd": 26,
    "CumSum": 11, "DFT": 17, "DepthToSpace": 1, "DequantizeLinear": 10, "Div": 7, "Dropout": 7,
    "DynamicQuantizeLinear": 11, "Einsum": 12, "Elu": 6, "Equal": 7, "Erf": 9, "Exp": 6,
    "Expand": 8, "EyeLike": 9, "Flatten": 1, "Floor": 6, "GRU": 7, "Gather": 1,
    "GatherElements": 11, "GatherND": 11, "Gelu": 20, "Gemm": 7, "GlobalAveragePool": 1,
    "GlobalLpPool": 2, "GlobalMaxPool": 1, "Greater": 7, "GreaterOrEqual": 12, "GridSample": 16,
    "GroupNormalization": 18, "HammingWindow": 17, "HannWindow": 17, "HardSigmoid": 6,
    "HardSwish": 14, "Hardmax": 1, "Identity": 1, "If": 1, "InstanceNormalization": 6, "IsInf": 10,
    "IsNaN": 9, "LRN": 1, "LSTM": 7, "LayerNormalization": 17, "LeakyRelu": 6, "Less": 7,
    "LessOrEqual": 12, "Log": 6, "LogSoftmax": 1, "Loop": 1, "LpNormalization": 1, "LpPool": 2,
    "MatMul": 1, "MatMulInteger": 10, "Max": 6, "MaxPool": 1, "Mean": 6,
    "MeanVarianceNormalization": 9, "Min": 6, "Mish": 18, "Mod": 10, "Mul": 7, "Neg": 6,
    "NegativeLogLikelihoodLoss": 12, "Not": 1, "OneHot": 9, "Or": 7, "PRelu": 7, "Pad": 2, "Pow": 7,
    "QLinearConv": 10, "QLinearMatMul": 10, "QuantizeLinear": 10, "RMSNormalization": 23, "RNN": 7,
    "Range": 11, "Reciprocal": 6, "ReduceL1": 1, "ReduceL2": 1, "ReduceLogSum": 1,
    "ReduceLogSumExp": 1, "ReduceMax": 1, "ReduceMean": 1, "ReduceMin": 1, "ReduceProd": 1,
    "ReduceSum": 1, "ReduceSumSquare": 1, "Relu": 6, "Reshape": 5, "Resize": 10,
    "ReverseSequence": 10, "RotaryEmbedding": 23, "Round": 11, "STFT": 17, "Scan": 9, "Scatter": 9,
    "ScatterElements": 11, "ScatterND": 11, "Selu": 6, "Shape": 1, "Shrink": 9, "Sigmoid": 6,
    "Sign": 9, "Sin": 7, "Sinh": 9, "Size": 1, "Slice": 1, "Softmax": 1,
    "SoftmaxCrossEntropyLoss": 12, "Softplus": 1, "Softsign": 1, "SpaceToDepth": 1, "Split": 2,
    "Sqrt": 6, "Squeeze": 1, "Sub": 7, "Sum": 6, "SwiGLU": 28, "Swish": 24, "Tan": 7, "Tanh": 6,
    "ThresholdedRelu": 10, "Tile": 6, "TopK": 1, "Transpose": 1, "Trilu": 14, "Unsqueeze": 1,
    "Upsample": 7, "Where": 9, "Xor": 7,
}  # fmt: skip

OLDEST_OPSET = 7

# The operands that say shapes rather than values, by position.
SHAPE_OPERANDS = {
    "AffineGrid": [1],
    "BlackmanWindow": [0],
    "CenterCropPad": [1],
    "Compress": [1],
    "ConstantOfShape": [0],
    "CumProd": [1],
    "CumSum": [1],
    "DFT": [1, 2],
    "Dropout": [1, 2],
    "Expand": [1],
    "HammingWindow": [0],
    "HannWindow": [0],
    "Loop": [0, 1],
    "OneHot": [1],
    "Pad": [1, 3],
    "Range": [0, 1, 2],
    "ReduceL1": [1],
    "ReduceL2": [1],
    "ReduceLogSum": [1],
    "ReduceLogSumExp": [1],
    "ReduceMax": [1],
    "ReduceMean": [1],
    "ReduceMin": [1],
    "ReduceProd": [1],
    "ReduceSum": [1],
    "ReduceSumSquare": [1],
    "Reshape": [1],
    "Resize": [1, 2, 3],
    "STFT": [1, 3],
    "Slice": [1, 2, 3, 4],
    "Split": [1],
    "Squeeze": [1],
    "Tile": [1],
    "TopK": [1],
    "Trilu": [1],
    "Unsqueeze": [1],
    "Upsample": [1],
}

# The outputs that are dropped from the model, by position.
SIDE_OUTPUTS = {"LayerNormalization": [1, 2], "MaxPool": [1]}

DTYPES = {
    TensorProto.FLOAT,
    TensorProto.DOUBLE,
    TensorProto.INT8,
    TensorProto.INT16,
    TensorProto.INT32,
    TensorProto.INT64,
    TensorProto.BOOL,
    TensorProto.UINT8,
    TensorProto.UINT16,
    TensorProto.UINT32,
    TensorProto.UINT64,
    TensorProto.FLOAT16,
    TensorProto.BFLOAT16,
}
