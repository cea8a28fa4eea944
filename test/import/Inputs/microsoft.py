"""Writes models of ONNX Runtime's own operators, as check_cases.py reads them; what they compute is what ONNX Runtime makes of them."""

import pathlib
import sys

import cases
import numpy as np
from microsoft_bytes import BYTES, MASK
from onnx import helper
from tensors import floats, integers, number

ROWS = floats(2, 5, 8)
VECTOR = floats(8)
QKV = [floats(2, 5, 12), floats(2, 7, 12), floats(2, 7, 9)]
SAME = [floats(2, 5, 12), floats(2, 5, 12), floats(2, 5, 12)]
ANGLES = [floats(10, 2), floats(10, 2)]
TURNS = [turn(np.outer(np.arange(12), 0.5 ** np.arange(8))).astype(np.float32) for turn in (np.cos, np.sin)]
FILTERS = [floats(2, 4, 7, 6), floats(6, 4, 3, 3), floats(6)]
PROJECTION = [floats(2, 5, 8), floats(8, 36), floats(36)]

# By name: the operator, its operands (None for one that is left out), which of them are constants, its attributes, and the names of its
# outputs, if there is more than "y": one without a name is left out, and one whose name begins with _ is not compared.
CASES = {
    "gelu": ("Gelu", [ROWS], [], {}),
    "bias_gelu": ("BiasGelu", [ROWS, VECTOR], [1], {}),
    "fast_gelu": ("FastGelu", [ROWS], [], {}),
    "fast_gelu_of_a_sum": ("FastGelu", [ROWS, VECTOR], [1], {}),
    "quick_gelu": ("QuickGelu", [ROWS], [], {"alpha": 1.5}),
    "skip_layer_norm": ("SkipLayerNormalization", [ROWS, floats(2, 5, 8), VECTOR], [2], {}),
    "skip_layer_norm_and_its_sum": (
        "SkipLayerNormalization",
        [ROWS, floats(1, 5, 8), VECTOR, floats(8), floats(8)],
        [2, 3, 4],
        {"epsilon": 1e-5},
        ["y", "", "", "sum"],
    ),
    "moments_of_halves": (
        "SkipLayerNormalization",
        [floats(2, 5, 8, dtype=np.float16), floats(2, 5, 8, dtype=np.float16), floats(8, dtype=np.float16)],
        [2],
        {},
        ["_", "mean", "spread", "sum"],
    ),
    "skip_simplified_layer_norm": (
        "SkipSimplifiedLayerNormalization",
        [ROWS, floats(2, 5, 8), VECTOR, floats(8)],
        [2],
        {"epsilon": 1e-6},
        ["y", "", "", "sum"],
    ),
    "embed_layer_norm": (
        "EmbedLayerNormalization",
        [
            integers(20, 2, 5, dtype=np.int32),
            integers(2, 2, 5, dtype=np.int32),
            floats(20, 8),
            floats(6, 8),
            floats(2, 8),
            VECTOR,
            floats(8),
            MASK,
        ],
        [2, 3, 4, 5, 6],
        {},
        ["y", "counts", "sum"],
    ),
    "embed_layer_norm_of_positions": (
        "EmbedLayerNormalization",
        [
            integers(20, 2, 5, dtype=np.int32),
            None,
            floats(20, 8),
            floats(9, 8),
            None,
            VECTOR,
            floats(8),
            None,
            integers(9, 2, 5, dtype=np.int32),
        ],
        [2, 3],
        {"epsilon": 1e-3, "mask_index_type": 0},
        ["y"],
    ),
    "fused_matmul": ("FusedMatMul", [floats(3, 4, 5), floats(3, 6, 5)], [], {"transB": 1, "alpha": 0.25}),
    "fused_matmul_of_batches": (
        "FusedMatMul",
        [floats(5, 3, 2, 4), floats(3, 2, 5, 6)],
        [],
        {"transA": 1, "transBatchA": 1},
    ),
    "fused_matmul_of_transposed_batches": (
        "FusedMatMul",
        [floats(5, 3, 4), floats(4, 3, 6)],
        [],
        {"transBatchA": 1, "transBatchB": 1},
    ),
    "transpose_matmul": ("TransposeMatMul", [floats(4, 3), floats(4, 6)], [], {"transA": 1}),
    "fused_gemm": (
        "FusedGemm",
        [floats(4, 3), floats(5, 3), floats(5)],
        [1, 2],
        {"transB": 1, "alpha": 0.5, "activation": "LeakyRelu", "activation_alpha": 0.2},
    ),
    "fused_conv": ("FusedConv", FILTERS, [1, 2], {"pads": [1, 1, 1, 1], "activation": "Relu"}),
    "fused_conv_of_a_sum": (
        "FusedConv",
        [*FILTERS, floats(2, 6, 5, 4)],
        [1, 2],
        {"kernel_shape": [3, 3], "activation": "Clip", "activation_params": [-0.5, 1.5]},
    ),
    "attention": ("Attention", PROJECTION, [1, 2], {"num_heads": 3}),
    "attention_that_masks": ("Attention", [*PROJECTION, MASK], [1, 2], {"num_heads": 3}),
    "attention_of_lengths": ("Attention", [*PROJECTION, np.array([2, 5], np.int32)], [1, 2], {"num_heads": 3}),
    "attention_that_masks_each": (
        "Attention",
        [*PROJECTION, integers(2, 2, 5, 5, dtype=np.int32)],
        [1, 2],
        {"num_heads": 3, "mask_filter_value": -20.0},
    ),
    "attention_without_future": (
        "Attention",
        [*PROJECTION, MASK],
        [1, 2],
        {"num_heads": 3, "unidirectional": 1, "scale": 0.3},
    ),
    "attention_with_a_past": (
        "Attention",
        [*PROJECTION, None, floats(2, 2, 3, 4, 4)],
        [1, 2],
        {"num_heads": 3, "unidirectional": 1},
        ["y", "present"],
    ),
    "attention_with_a_bias": (
        "Attention",
        [*PROJECTION, None, None, floats(1, 3, 5, 5)],
        [1, 2],
        {"num_heads": 3},
    ),
    "attention_of_other_sizes": (
        "Attention",
        [floats(2, 5, 8), floats(8, 30), floats(30)],
        [1, 2],
        {"num_heads": 3, "qkv_hidden_sizes": [12, 12, 6]},
    ),
    "heads": ("MultiHeadAttention", SAME, [], {"num_heads": 3}),
    "heads_over_others": (
        "MultiHeadAttention",
        [*QKV, floats(33), np.array([[1, 1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 1, 1, 1]], np.int32)],
        [3],
        {"num_heads": 3},
    ),
    "heads_with_a_bias": ("MultiHeadAttention", [*SAME, None, None, floats(2, 3, 5, 5)], [], {"num_heads": 3}),
    "heads_with_a_past": (
        "MultiHeadAttention",
        [*SAME, None, None, None, floats(2, 3, 6, 4), floats(2, 3, 6, 4)],
        [],
        {"num_heads": 3, "unidirectional": 1, "scale": 0.7},
        ["y", "keys", "values"],
    ),
    "heads_of_others_before": (
        "MultiHeadAttention",
        [floats(2, 5, 12), floats(2, 3, 7, 4), floats(2, 3, 7, 4)],
        [],
        {"num_heads": 3},
    ),
    "words_of_a_prompt": (
        "GroupQueryAttention",
        [floats(2, 5, 96), floats(2, 5, 32), floats(2, 5, 32), None, None, number([4, 4], np.int32), number(5, np.int32), *TURNS],
        [6, 7, 8],
        {"num_heads": 6, "kv_num_heads": 2, "do_rotary": 1},
        ["y", "keys", "values"],
    ),
    "words_of_a_prompt_in_one": (
        "GroupQueryAttention",
        [floats(1, 5, 80), None, None, floats(1, 1, 0, 16), floats(1, 1, 0, 16), number([4], np.int32), number(5, np.int32), *TURNS],
        [6, 7, 8],
        {"num_heads": 3, "kv_num_heads": 1, "do_rotary": 1, "rotary_interleaved": 1, "softcap": 2.0},
        ["y", "keys", "values"],
    ),
    "word_behind_others": (
        "GroupQueryAttention",
        [
            floats(1, 1, 96),
            floats(1, 1, 32),
            floats(1, 1, 32),
            floats(1, 2, 6, 16),
            floats(1, 2, 6, 16),
            number([6], np.int32),
            number(7, np.int32),
            *TURNS,
        ],
        [6, 7, 8],
        {"num_heads": 6, "kv_num_heads": 2, "do_rotary": 1, "scale": 0.3},
        ["y", "keys", "values"],
    ),
    "word_behind_others_in_a_window": (
        "GroupQueryAttention",
        [floats(1, 1, 48), floats(1, 1, 16), floats(1, 1, 16), floats(1, 1, 6, 16), floats(1, 1, 6, 16), number([6], np.int32), number(7, np.int32)],
        [6],
        {"num_heads": 3, "kv_num_heads": 1, "local_window_size": 3},
        ["y", "keys", "values"],
    ),
    "words_of_other_lengths": (
        "GroupQueryAttention",
        [
            floats(2, 1, 96),
            floats(2, 1, 32),
            floats(2, 1, 32),
            floats(2, 2, 6, 16),
            floats(2, 2, 6, 16),
            number([6, 3], np.int32),
            number(7, np.int32),
            *TURNS,
        ],
        [6, 7, 8],
        {"num_heads": 6, "kv_num_heads": 2, "do_rotary": 1},
        ["y", "_keys", "_values"],
    ),
    "words_behind_others": (
        "GroupQueryAttention",
        [
            floats(1, 3, 48),
            floats(1, 3, 16),
            floats(1, 3, 16),
            floats(1, 1, 4, 16),
            floats(1, 1, 4, 16),
            number([6], np.int32),
            number(7, np.int32),
            *TURNS,
            None,
            floats(1, 3, 3, 7),
        ],
        [6, 7, 8],
        {"num_heads": 3, "kv_num_heads": 1, "do_rotary": 1},
        ["y", "keys", "values"],
    ),
    "rotations": ("RotaryEmbedding", [floats(2, 5, 12), integers(10, 2, 5), *ANGLES], [2, 3], {}),
    "rotations_from_one_on": ("RotaryEmbedding", [floats(2, 3, 5, 4), integers(5, 1), *ANGLES], [2, 3], {"interleaved": 1}),
    "rotations_of_a_part": (
        "RotaryEmbedding",
        [floats(2, 5, 18), integers(10, 2, 5), *ANGLES],
        [2, 3],
        {"num_heads": 3, "rotary_embedding_dim": 4},
    ),
    "rows_of_4_bits": (
        "MatMulNBits",
        [floats(2, 3, 40), integers(256, 6, 3, 8, dtype=np.uint8), floats(18)],
        [1, 2],
        {"K": 40, "N": 6, "block_size": 16, "bits": 4},
    ),
    "rows_of_4_bits_with_zeros": (
        "MatMulNBits",
        [
            floats(3, 40),
            integers(256, 6, 3, 8, dtype=np.uint8),
            floats(18),
            integers(256, 12, dtype=np.uint8),
            None,
            floats(6),
        ],
        [1, 2, 3],
        {"K": 40, "N": 6, "block_size": 16, "bits": 4, "accuracy_level": 0},
    ),
    "words_of_4_bits": (
        "GatherBlockQuantized",
        [integers(256, 10, 16, dtype=np.uint8), integers(10, 2, 3), floats(10, 2), integers(256, 10, 1, dtype=np.uint8)],
        [0, 2, 3],
        {"block_size": 16, "bits": 4},
    ),
    "words_of_8_bits": (
        "GatherBlockQuantized",
        [integers(256, 10, 32, dtype=np.uint8), integers(10, 3), floats(10, 2)],
        [0, 2],
        {"block_size": 16, "bits": 8, "gather_axis": 0, "quantize_axis": -1},
    ),
    "rows_of_8_bits": (
        "MatMulNBits",
        [floats(3, 32), integers(256, 5, 1, 32, dtype=np.uint8), floats(5)],
        [1, 2],
        {"K": 32, "N": 5, "block_size": 32, "bits": 8},
    ),
    "causal_conv": (
        "CausalConvWithState",
        [floats(2, 3, 7), floats(3, 1, 4), floats(3)],
        [1, 2],
        {"activation": "silu", "ndim": 1},
        ["y", "state"],
    ),
    "causal_conv_behind_others": (
        "CausalConvWithState",
        [floats(2, 3, 2), floats(3, 1, 4), None, floats(2, 3, 3)],
        [1],
        {},
        ["y", "state"],
    ),
    "linear_attention": (
        "LinearAttention",
        [floats(2, 5, 24), floats(2, 5, 12), floats(2, 5, 9), floats(2, 3, 4, 3), -np.abs(floats(2, 5, 3)), np.abs(floats(2, 5, 3))],
        [],
        {"q_num_heads": 6, "kv_num_heads": 3},
        ["y", "state"],
    ),
    "linear_attention_without_learning": (
        "LinearAttention",
        [floats(2, 5, 12), floats(2, 5, 12), floats(2, 5, 9), None, -np.abs(floats(2, 5, 12))],
        [],
        {"q_num_heads": 3, "kv_num_heads": 3, "update_rule": "gated", "scale": 0.5},
        ["y", "state"],
    ),
} | BYTES


def case(operator, arrays, constants, attributes, outputs=("y",)):
    """A model of one node, and its inputs."""
    named = {f"x{place}": np.asarray(array) for place, array in enumerate(arrays) if array is not None}
    names = [f"x{place}" if array is not None else "" for place, array in enumerate(arrays)]
    node = helper.make_node(operator, names, list(outputs), domain="com.microsoft", **attributes)
    # Of what is behind the words of a shorter sample, nobody says what it is.
    shown = [name for name in outputs if name and name[0] != "_"]
    known = {f"x{place}": named.pop(f"x{place}") for place in constants}
    return cases.model([node], named, known, shown, 17), named


def main():
    folder = pathlib.Path(sys.argv[1])
    entries = []
    for name, (operator, *others) in CASES.items():
        # What is quantised may be rounded in another way; so may what is made of bytes.
        coarse = operator.startswith("QLinear") or name == "quantized_gemm"
        # A state that is rounded by one step more changes the next ones.
        near = {"DynamicQuantizeMatMul": 1e-3, "DynamicQuantizeLSTM": 5e-3}
        atol = 1 if coarse else near.get(operator, 1e-4)
        entries.append(cases.write(folder, name, *case(operator, *others), atol=atol))
    cases.write_index(folder, entries)


main()
