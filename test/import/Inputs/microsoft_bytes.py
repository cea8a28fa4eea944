"""Cases of ONNX Runtime's operators on bytes: see microsoft.py."""

import numpy as np
from tensors import byte, floats, integers, number, scale

U8 = [integers(256, 2, 3, 6, 5, dtype=np.uint8) for _ in range(2)]

MASK = np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], np.int32)

# As the cases there.
BYTES = {
    "attention_of_bytes": (
        "QAttention",
        [
            integers(256, 2, 5, 8, dtype=np.uint8),
            (integers(256, 8, 36) - 128).astype(np.int8),
            floats(36),
            scale(0.01),
            scale(0.02),
            MASK,
            byte(120),
            number(3, np.int8),
        ],
        [1, 2, 3, 4, 6, 7],
        {"num_heads": 3},
    ),
    "quantized_add": ("QLinearAdd", [U8[0], scale(0.1), byte(120), U8[1], scale(0.05), byte(7), scale(0.2), byte(100)], [1, 2], {}),
    "quantized_multiply": (
        "QLinearMul",
        [U8[0], scale(0.1), byte(120), U8[1], scale(0.05), byte(7), scale(0.3), byte(100)],
        [1, 2],
        {},
    ),
    "quantized_sigmoid": ("QLinearSigmoid", [U8[0], scale(0.05), byte(120), scale(1 / 256), byte(0)], [1, 2, 3, 4], {}),
    "quantized_leaky_relu": (
        "QLinearLeakyRelu",
        [U8[0], scale(0.05), byte(120), scale(0.04), byte(30)],
        [1, 2, 3, 4],
        {"alpha": 0.1},
    ),
    "quantized_softmax": (
        "QLinearSoftmax",
        [U8[0], scale(0.05), byte(120), scale(1 / 256), byte(0)],
        [1, 2, 3, 4],
        {"opset": 13, "axis": -1},
    ),
    "quantized_flat_softmax": (
        "QLinearSoftmax",
        [U8[0], scale(0.05), byte(120), scale(1 / 256), byte(0)],
        [1, 2, 3, 4],
        {"opset": 11, "axis": 2},
    ),
    "quantized_average_pool": (
        "QLinearAveragePool",
        [U8[0], scale(0.1), byte(120), scale(0.08), byte(110)],
        [1, 2, 3, 4],
        {"kernel_shape": [3, 2], "strides": [2, 1], "pads": [1, 0, 1, 1]},
    ),
    "quantized_average_pool_beyond_the_padding": (
        "QLinearAveragePool",
        [U8[0], scale(0.1), byte(120), scale(0.08), byte(110)],
        [1, 2, 3, 4],
        {"kernel_shape": [3, 2], "strides": [2, 2], "pads": [1, 0, 1, 0], "ceil_mode": 1, "count_include_pad": 1},
    ),
    "quantized_global_average_pool": (
        "QLinearGlobalAveragePool",
        [U8[0], scale(0.1), byte(120), scale(0.05), byte(110)],
        [1, 2, 3, 4],
        {},
    ),
    "quantized_concat": (
        "QLinearConcat",
        [scale(0.1), byte(120), U8[0], scale(0.1), byte(120), U8[1], scale(0.05), byte(7)],
        [0, 1],
        {"axis": 1},
    ),
    "quantized_gemm": (
        "QGemm",
        [
            integers(256, 4, 9, dtype=np.uint8),
            scale(0.1),
            byte(120),
            integers(256, 5, 9, dtype=np.uint8),
            scale(0.02),
            byte(130),
            integers(1000, 5, dtype=np.int32),
            scale(0.5),
            byte(90),
        ],
        [1, 2, 3, 4, 5, 6, 7, 8],
        {"transB": 1, "alpha": 0.5},
    ),
    "quantized_gemm_to_floats": (
        "QGemm",
        [
            integers(256, 4, 9, dtype=np.uint8),
            scale(0.1),
            byte(120),
            (integers(256, 9, 5) - 128).astype(np.int8),
            np.abs(floats(5)) + 0.01,
            np.zeros(5, np.int8),
        ],
        [1, 2, 3, 4, 5],
        {},
    ),
    "dynamic_matmul": (
        "DynamicQuantizeMatMul",
        [floats(4, 9), (integers(256, 9, 5) - 128).astype(np.int8), scale(0.02), number(3, np.int8), floats(5)],
        [1, 2, 3, 4],
        {},
    ),
    "dynamic_lstm": (
        "DynamicQuantizeLSTM",
        [
            floats(6, 2, 5),
            (integers(128, 2, 5, 12) - 64).astype(np.int8),
            (integers(128, 2, 3, 12) - 64).astype(np.int8),
            floats(2, 24),
            *[None] * 4,
            np.array([0.01, 0.02], np.float32),
            np.zeros(2, np.int8),
            np.array([0.01, 0.015], np.float32),
            np.zeros(2, np.int8),
        ],
        [1, 2, 3, 8, 9, 10, 11],
        {"hidden_size": 3, "direction": "bidirectional"},
        ["y", "h", "c"],
    ),
    "dynamic_lstm_of_channels": (
        "DynamicQuantizeLSTM",
        [
            floats(30, 1, 5),
            integers(128, 1, 5, 12, dtype=np.uint8),
            integers(128, 1, 3, 12, dtype=np.uint8),
            None,
            None,
            floats(1, 1, 3),
            floats(1, 1, 3),
            None,
            np.abs(floats(1, 12)) * np.float32(0.02),
            np.full((1, 12), 64, np.uint8),
            np.abs(floats(1, 12)) * np.float32(0.02),
            np.full((1, 12), 64, np.uint8),
        ],
        [1, 2, 8, 9, 10, 11],
        {"hidden_size": 3},
        ["y", "h", "c"],
    ),
    "matmul_of_bytes": (
        "MatMulIntegerToFloat",
        [
            integers(256, 4, 9, dtype=np.uint8),
            (integers(256, 9, 5) - 128).astype(np.int8),
            scale(0.1),
            np.abs(floats(5)),
            byte(120),
            np.zeros(5, np.int8),
            floats(5),
        ],
        [1, 3, 5, 6],
        {},
    ),
}
