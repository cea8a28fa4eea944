"""Random graphs: what we compute against what ONNX Runtime does, at all levels of optimisation, with one and two threads,
and in bf16."""

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

from operators import random_network

# An error as a share of the largest number of a result, and of 1. Sums of a thousand products in another order
# differ by 1e-5.
TOLERANCE = 2e-4

# bf16 has 8 bits: a product of two rounded numbers is off by 1/128, and graphs of ten operators add some of that up. This
# finds what is wrong, not what is imprecise.
TOLERANCE_BF16 = 0.25

# Some results hang on the last bits of what they are computed from, such as the tangent of a difference of large numbers. Where
# rounding inputs and weights to bf16 moves a result, rounding what lies between may move it so many times as far.
TIMES_MOVED = 8

# How a model is compiled and run; the first two of a level must agree to the bit.
LEVELS = ("3", "2", "1", "0")


def is_no_reference(model):
    """Whether ONNX Runtime computes something else than ONNX says, where a sum has no terms: the result of a convolution
    is what the memory held, and a Gemm adds its last operand without the factor beta."""
    empty = {tensor.name for tensor in model.graph.initializer if 0 in tensor.dims}
    sums = (node for node in model.graph.node if node.op_type in ("Conv", "ConvTranspose", "Gemm"))
    return any(node.input[1] in empty for node in sums)


def reference(model, feeds):
    """ONNX Runtime's outputs, without its own rewrites; why there are none where it refuses the model."""
    if is_no_reference(model):
        return "a sum has no terms"
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options)
        names = [output.name for output in session.get_outputs()]
        return dict(zip(names, session.run(names, feeds)))
    except Exception as error:  # noqa: BLE001: its classes of errors have no common one but this
        return str(error)


def to_bf16(numbers):
    """The nearest numbers of bf16; what is no f32 stays."""
    if numbers.dtype != np.float32:
        return numbers
    bits = np.ascontiguousarray(numbers).view(np.uint32)
    bits = bits + 0x7FFF + ((bits >> 16) & 1)
    return (bits & 0xFFFF0000).astype(np.uint32).view(np.float32)


def moved_by_rounding(model, feeds, expected):
    """How far each result moves where inputs and weights are of bf16, by ONNX Runtime."""
    rounded = onnx.ModelProto()
    rounded.CopyFrom(model)
    for tensor in rounded.graph.initializer:
        numbers = to_bf16(numpy_helper.to_array(tensor))
        tensor.CopyFrom(numpy_helper.from_array(numbers, tensor.name))
    results = reference(rounded, {name: to_bf16(numbers) for name, numbers in feeds.items()})
    if isinstance(results, str):
        return {}
    with np.errstate(invalid="ignore"):
        apart = {name: np.abs(expected[name] - results[name]) for name in expected if expected[name].dtype.kind == "f"}
    return {name: float(np.nanmax(numbers, initial=0)) for name, numbers in apart.items()}


def difference(expected, actual, tolerance, moved=None):
    """What is wrong with a result, or None. Rounding may have moved results so far."""
    if set(expected) != set(actual):
        return f"outputs {sorted(actual)}, expected {sorted(expected)}"
    for name, right in expected.items():
        ours = actual[name]
        if ours.shape != right.shape or ours.dtype != right.dtype:
            return f"{name}: {ours.dtype}{list(ours.shape)}, expected {right.dtype}{list(right.shape)}"
        if right.dtype.kind != "f":
            if not np.array_equal(ours, right):
                return f"{name}: {np.count_nonzero(ours != right)} of {right.size} integers differ"
            continue
        right, ours = right.astype(np.float64), ours.astype(np.float64)
        if not np.array_equal(np.isfinite(right), np.isfinite(ours)):
            return f"{name}: numbers that are not finite differ"
        finite = np.isfinite(right)
        if not finite.any():
            continue
        size = max(1.0, np.abs(right[finite]).max())
        error = np.abs(ours - right)[finite].max() / size
        if error > tolerance + TIMES_MOVED * (moved or {}).get(name, 0) / size:
            return f"{name}: off by {error:.2g} of its largest number"
    return None


def case(rng, folder, programs):
    """Makes a graph and compiles it in every way; what is wrong with the results."""
    network = random_network(rng)
    model, feeds = network.model(), network.feeds()
    path, inputs = folder / "model.onnx", folder / "inputs.npz"
    path.write_bytes(model.SerializeToString())
    np.savez(inputs, **feeds)
    expected = reference(model, feeds)
    if isinstance(expected, str):
        return "refused", f"ONNX Runtime: {expected}"

    def run(*words):
        output = folder / "outputs.npz"
        outcome = programs.relayc("run", path, "--inputs", inputs, "--outputs", output, *words)
        fault = outcome.fault()
        if fault is None and outcome.refused:
            fault = f"relayc run {' '.join(words)}: refused\n{outcome.errors}"
        if fault:
            return fault, None
        with np.load(output) as arrays:
            return None, dict(arrays)

    for level in LEVELS:
        fault, ours = run("--opt-level", level, "--threads", "1")
        fault = fault or difference(expected, ours, TOLERANCE)
        if fault:
            return "wrong", f"--opt-level {level}: {fault}"
        if level != LEVELS[0]:
            continue
        fault, again = run("--opt-level", level, "--threads", "2")
        if fault:
            return "wrong", f"two threads: {fault}"
        if any(not np.array_equal(ours[name], again[name], equal_nan=ours[name].dtype.kind == "f") for name in ours):
            return "wrong", "one and two threads give different results"
    fault, rounded = run("--precision", "bf16", "--threads", "1")
    if fault is None and difference(expected, rounded, TOLERANCE_BF16):
        moved = moved_by_rounding(model, feeds, expected)
        fault = difference(expected, rounded, TOLERANCE_BF16, moved)
    if fault:
        return "wrong", f"--precision bf16: {fault}"
    return "agrees", ""
