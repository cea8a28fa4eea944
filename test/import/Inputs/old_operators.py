"""Writes models of operator sets 1 to 6, as check_cases.py reads them; ONNX Runtime does not run them, so numpy says what they compute. Operators
that were experiments then are those of ONNX Runtime, which still has them."""

import pathlib
import sys

import cases
import numpy as np
from onnx import helper

RANDOM = np.random.default_rng(11)


def floats(*shape):
    """Numbers of both signs."""
    return RANDOM.standard_normal(shape).astype(np.float32)


IMAGE, MATRIX, ROW = floats(2, 3, 4, 5), floats(3, 4), floats(4)
COLUMN, CHANNELS = floats(3), floats(3)
SIZES = np.abs(floats(3, 4, 5))


def bilinear(x, factor):
    """Each axis of an image made longer by a factor; elements at the places that lie before the next source."""
    for axis in (2, 3):
        extent = x.shape[axis]
        place = np.arange(extent * factor) / factor
        low = np.floor(place).astype(int)
        high = np.minimum(low + 1, extent - 1)
        share = (place - low).reshape([-1 if at == axis else 1 for at in range(4)])
        x = np.take(x, low, axis) * (1 - share) + np.take(x, high, axis) * share
    return x.astype(np.float32)


def normalised(x, scale, bias, mean, variance):
    return (x - mean) / np.sqrt(variance + 1e-5) * scale + bias


def of_channels(numbers):
    return numbers.reshape(1, 3, 1, 1)


def lp_pool(x):
    windows = np.lib.stride_tricks.sliding_window_view(np.abs(x) ** 3, (2, 2), axis=(2, 3))
    return windows.sum((-2, -1)) ** (1 / 3)


REGIONS = np.array([[0, 0, 0, 4, 3], [1, 1, 1, 2, 2], [0, 3, 2, 9, 9], [1, -2, 0, 1.5, 2.5]], np.float32)

# By name: the operator, its operator set, its inputs, its attributes, and what it computes.
CASES = {
    "add_rows": ("Add", 6, [MATRIX, ROW], {"broadcast": 1}, lambda x, y: x + y),
    "add_columns": ("Add", 6, [MATRIX, COLUMN], {"broadcast": 1, "axis": 0}, lambda x, y: x + y[:, None]),
    "add_channels": ("Add", 1, [IMAGE, CHANNELS], {"broadcast": 1, "axis": 1, "consumed_inputs": [0, 0]}, lambda x, y: x + of_channels(y)),
    "sub_number": ("Sub", 6, [MATRIX, floats(1)], {"broadcast": 1}, lambda x, y: x - y),
    "mul_equal": ("Mul", 6, [MATRIX, MATRIX], {}, lambda x, y: x * y),
    "div_middle": ("Div", 6, [IMAGE, floats(3, 4)], {"broadcast": 1, "axis": 1}, lambda x, y: x / y[None, :, :, None]),
    "pow_rows": ("Pow", 1, [np.abs(MATRIX), ROW], {"broadcast": 1}, lambda x, y: x**y),
    "less_rows": ("Less", 1, [MATRIX, ROW], {"broadcast": 1}, lambda x, y: x < y),
    "and_columns": ("And", 1, [MATRIX > 0, COLUMN > 0], {"broadcast": 1, "axis": 0}, lambda x, y: x & y[:, None]),
    "relu": ("Relu", 1, [MATRIX], {"consumed_inputs": [0]}, lambda x: np.maximum(x, 0)),
    "sum": ("Sum", 1, [MATRIX, MATRIX, MATRIX], {}, lambda x, y, z: x + y + z),
    "clip": ("Clip", 1, [MATRIX], {"min": -0.5, "max": 0.5}, lambda x: np.clip(x, -0.5, 0.5)),
    "prelu": ("PRelu", 1, [IMAGE, CHANNELS], {}, lambda x, slope: np.where(x < 0, x * of_channels(slope), x)),
    "cast": ("Cast", 1, [MATRIX * 9], {"to": "INT32"}, lambda x: x.astype(np.int32)),
    "concat": ("Concat", 1, [MATRIX, MATRIX], {}, lambda x, y: np.concatenate([x, y], 1)),
    "reshape": ("Reshape", 1, [IMAGE], {"shape": [0, -1, 10]}, lambda x: x.reshape(2, 6, 10)),
    "dropout": ("Dropout", 6, [MATRIX], {"is_test": 1, "ratio": 0.3}, lambda x: x),
    "pad": ("Pad", 1, [MATRIX], {"paddings": [1, 0, 2, 3], "value": 0.5}, lambda x: np.pad(x, [(1, 2), (0, 3)], constant_values=0.5)),
    "upsample_nearest": ("Upsample", 1, [IMAGE], {"height_scale": 2.0, "width_scale": 3.0}, lambda x: x.repeat(2, 2).repeat(3, 3)),
    "upsample_bilinear": ("Upsample", 1, [IMAGE], {"height_scale": 2.0, "width_scale": 2.0, "mode": "bilinear"}, lambda x: bilinear(x, 2)),
    "lp_pool": ("LpPool", 1, [IMAGE], {"kernel_shape": [2, 2], "p": 3.0}, lp_pool),
    "gemm": ("Gemm", 6, [floats(2, 3), MATRIX, ROW], {"broadcast": 1, "alpha": 0.5}, lambda a, b, c: 0.5 * (a @ b) + c),
    "batch_norm": (
        "BatchNormalization",
        6,
        [IMAGE, CHANNELS, floats(3), floats(3), np.abs(floats(3))],
        {"is_test": 1},
        lambda x, *of: normalised(x, *map(of_channels, of)),
    ),
    "batch_norm_of_places": (
        "BatchNormalization",
        6,
        [IMAGE, floats(3, 4, 5), floats(3, 4, 5), floats(3, 4, 5), SIZES],
        {"is_test": 1, "spatial": 0},
        normalised,
    ),
    "affine": ("Affine", 1, [MATRIX], {"alpha": 2.0, "beta": -1.0}, None),
    "scaled_tanh": ("ScaledTanh", 1, [MATRIX], {"alpha": 2.0, "beta": 0.5}, None),
    "parametric_softplus": ("ParametricSoftplus", 1, [MATRIX], {"alpha": 2.0, "beta": 0.5}, None),
    "thresholded_relu": ("ThresholdedRelu", 1, [MATRIX], {"alpha": 0.5}, None),
    "scale": ("Scale", 1, [MATRIX], {"scale": 3.0}, None),
    "image_scaler": ("ImageScaler", 1, [IMAGE], {"scale": 2.0, "bias": [1.0, 2.0, 3.0]}, None),
    "crop": ("Crop", 1, [IMAGE], {"border": [1, 0, 2, 1]}, None),
    "crop_to_size": ("Crop", 1, [IMAGE], {"border": [1, 0, 2, 1], "scale": [2, 3]}, None),
    "max_roi_pool": ("MaxRoiPool", 7, [IMAGE, REGIONS], {"pooled_shape": [2, 3], "spatial_scale": 0.8}, None),
    "mean_variance": ("MeanVarianceNormalization", 1, [IMAGE], {}, None),
    "mean_variance_across": ("MeanVarianceNormalization", 1, [IMAGE], {"across_channels": 1}, None),
    "mean_only": ("MeanVarianceNormalization", 1, [IMAGE], {"normalize_variance": 0}, None),
}


def write(folder, name, operator, opset, arrays, attributes, expected):
    """Writes a model of one node; returns its entry of the index."""
    named = {f"x{place}": array for place, array in enumerate(arrays)}
    node = helper.make_node(operator, list(named), ["y"], **attributes)
    made = cases.model([node], named, {}, ["y"], opset)
    outputs = {"y": np.asarray(expected(*arrays))} if expected else None
    return cases.write(folder, name, made, named, outputs)


def parts(folder):
    """Splits and tiles by inputs, which have to be constants."""
    entries = []
    constants = {"sizes": np.array([1, 3])}
    nodes = [helper.make_node("Split", ["x0", "sizes"], ["y", "z"], axis=1)]
    made = cases.model(nodes, {"x0": MATRIX}, constants, ["y", "z"], 1)
    outputs = {"y": MATRIX[:, :1], "z": MATRIX[:, 1:]}
    entries.append(cases.write(folder, "split", made, {"x0": MATRIX}, outputs))
    constants = {"tiles": np.array([3]), "axis": np.array([1])}
    nodes = [helper.make_node("Tile", ["x0", "tiles", "axis"], ["y"])]
    made = cases.model(nodes, {"x0": MATRIX}, constants, ["y"], 1)
    entries.append(cases.write(folder, "tile", made, {"x0": MATRIX}, {"y": np.tile(MATRIX, (1, 3))}))
    return entries


def main():
    folder = pathlib.Path(sys.argv[1])
    entries = [write(folder, name, *of) for name, of in CASES.items()]
    cases.write_index(folder, entries + parts(folder))


main()
