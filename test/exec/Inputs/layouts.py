"""A network, records of layouts for its operators, and what it computes in double precision, for layouts.mlir.

layouts.py make MODEL.mlir INPUTS.npz RECORDS...: RECORDS take one set of layouts each.
layouts.py check OUTPUTS.npz...
"""

import json
import sys

import numpy as np

SHAPES = {"x": (1, 24, 14, 14), "k": (24, 24, 3, 3), "p": (40, 24, 1, 1), "v": (20, 40)}
CONV = 'nn.conv2d{{data_layout="NCHW"; dilation=1,1; groups=1; kernel_layout="OIHW"; padding={}; strides=1,1}}({}, {}) -> {}'
OPERATORS = [
    CONV.format("1,1,1,1", "f32[1,24,14,14]", "constant f32[24,24,3,3]", "f32[1,24,14,14]"),
    CONV.format("0,0,0,0", "f32[1,24,14,14]", "constant f32[40,24,1,1]", "f32[1,40,14,14]"),
    "nn.dense(f32[196,40], constant f32[20,40]) -> f32[196,20]",
]
# What the operators become, set by set.
LAYOUTS = [
    ["block=16 direct", "block=16 rows=7", "blocks"],
    ["block=8 direct", "block=8 rows=2", "plain"],
    ["block=16 winograd=2", "plain", "dots"],
    ["block=8 winograd=4", "block=8 rows=14", "plain"],
]
MODULE = """
func.func @main(%x: tensor<1x24x14x14xf32> {{relay.name = "x"}}) -> (tensor<196x20xf32> {{relay.name = "y"}}) {{
  %k = relay.constant {k} : tensor<24x24x3x3xf32>
  %p = relay.constant {p} : tensor<40x24x1x1xf32>
  %v = relay.constant {v} : tensor<20x40xf32>
  %0 = relay.nn.conv2d %x, %k {{padding = array<i64: 1, 1, 1, 1>}} : (tensor<1x24x14x14xf32>, tensor<24x24x3x3xf32>) -> tensor<1x24x14x14xf32>
  %1 = relay.nn.relu %0 : (tensor<1x24x14x14xf32>) -> tensor<1x24x14x14xf32>
  %2 = relay.add %1, %x : (tensor<1x24x14x14xf32>, tensor<1x24x14x14xf32>) -> tensor<1x24x14x14xf32>
  %3 = relay.nn.conv2d %2, %p : (tensor<1x24x14x14xf32>, tensor<40x24x1x1xf32>) -> tensor<1x40x14x14xf32>
  %4 = relay.reshape %3 {{newshape = array<i64: 40, 196>}} : (tensor<1x40x14x14xf32>) -> tensor<40x196xf32>
  %5 = relay.transpose %4 {{axes = array<i64: 1, 0>}} : (tensor<40x196xf32>) -> tensor<196x40xf32>
  %6 = relay.nn.dense %5, %v : (tensor<196x40xf32>, tensor<20x40xf32>) -> tensor<196x20xf32>
  return %6 : tensor<196x20xf32>
}}
"""


def tensors():
    """The input and the weights, the same ones every time."""
    rng = np.random.default_rng(0)
    return {name: rng.standard_normal(shape, np.float32) for name, shape in SHAPES.items()}


def make(model, inputs, *records):
    """Writes the network, its input, and the records."""
    arrays = tensors()
    weights = {name: f'dense<"0x{arrays[name].tobytes().hex().upper()}">' for name in "kpv"}
    with open(model, "w", encoding="utf-8") as file:
        file.write(MODULE.format(**weights))
    np.savez(inputs, x=arrays["x"])
    for path, layouts in zip(records, LAYOUTS, strict=True):
        with open(path, "w", encoding="utf-8") as file:
            for operator, choice in zip(OPERATORS, layouts, strict=True):
                line = {"kind": "layout", "version": 1, "operator": operator, "target": "any", "choice": choice}
                file.write(json.dumps({**line, "of_default": 0.9}) + "\n")


def check(*results):
    """Compares what was computed with plain sums."""
    x, k, p, v = (array.astype(np.float64) for array in tensors().values())
    padded = np.pad(x, [(0, 0), (0, 0), (1, 1), (1, 1)])
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    hidden = np.maximum(np.einsum("nchwyx,ocyx->nohw", windows, k), 0) + x
    expected = np.einsum("nchw,oc->hwo", hidden, p[:, :, 0, 0]).reshape(196, 40) @ v.T
    for path in results:
        error = np.abs(np.load(path)["y"] - expected).max() / np.abs(expected).max()
        assert error < 1e-5, f"{path}: {error:.2e} of the largest result"


command, *arguments = sys.argv[1:]
{"make": make, "check": check}[command](*arguments)
