"""Makes models of tensors without elements, and compares what relayc makes of them with what ONNX Runtime does.

The operators are those that the importer reads; for each, some operand shapes with letters for extents.
Every letter is set to 0 once, the others to small numbers. What ONNX Runtime computes is what we have to
compute; what it refuses we may compute or refuse, but with a message, soon, and with exit code 1.

All nodes that ONNX Runtime takes stand in a few large models, whose compilation takes seconds; if one fails, its
nodes are compiled one by one, to name those that are wrong.
"""

import argparse
import concurrent.futures
import ctypes
import multiprocessing
import os
import pathlib
import re
import shlex
import subprocess
import warnings

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from zero_size_cases import ATTENTION, REDUCTIONS, SIZES, Const, Typed, cases, ints, text

# The importer's table as a page: what it lists has a case here.
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "generated" / "import_onnx.md"

OPSET = 17

# Of <malloc.h>: has memory filled with a byte when it is freed, and with the inverse when it is handed out.
M_PERTURB = -6

# How long ONNX Runtime may take over one node.
SECONDS = 2

# No operand, or no tensor of any size; those that are made of other operators, and those that pass tensors on.
WITHOUT_CASE = {"Constant", "If", "Loop", "Scan", "Optional", "OptionalGetElement", "OptionalHasElement"}
WITHOUT_CASE |= {f"Sequence{name}" for name in "At Construct Empty Erase Insert Length Map".split()}
WITHOUT_CASE |= {"ConcatFromSequence", "SplitToSequence"}

# Of these, ONNX Runtime computes something else than the standard says where there is nothing to add up: onnx's own
# evaluator is asked.
AS_STANDARD = {ATTENTION, "Attention", "Einsum", "Gemm", "MatMul", "MatMulInteger", "QLinearMatMul"}
AS_STANDARD |= {"CausalConvWithState", "LinearAttention", "RotaryEmbedding", "SwiGLU"}
AS_STANDARD |= {f"Reduce{name}" for name in [*REDUCTIONS, "Sum"]}

# So it does here where there are no channels: it leaves the result as it finds the memory.
AS_STANDARD_WITHOUT_CHANNELS = {"Conv", "ConvInteger", "ConvTranspose", "QLinearConv"}

# What we refuse though ONNX Runtime does not: the standard's formula gives a transposed convolution of no rows a row or
# more.
REFUSED = {("ConvTranspose", "H")}

RETURNS_NO_FLOATS = {"ArgMax", "ArgMin", "Cast", "CastLike", "DynamicQuantizeLinear", "Equal", "Greater", "GreaterOrEqual"}
RETURNS_NO_FLOATS |= {"IsInf", "Less", "LessOrEqual", "QuantizeLinear"}


def attention(operands, name, outputs):
    """Softmax(Q K^T) V."""
    query, key, value = operands
    turned, scores, weights = (f"{name}.{part}" for part in ("turned", "scores", "weights"))
    return [
        helper.make_node("Transpose", [key], [turned], perm=[0, 1, 3, 2]),
        helper.make_node("MatMul", [query, turned], [scores]),
        helper.make_node("Softmax", [scores], [weights], axis=-1),
        helper.make_node("MatMul", [weights, value], outputs),
    ]


def numbers(shape, dtype, seed):
    """Different small numbers; floats that are not 0."""
    count = int(np.prod(shape, dtype=int))
    values = np.random.default_rng([count, seed]).permutation(np.arange(1, count + 1))
    if np.dtype(dtype).kind == "f":
        return (values / (count + 1) + 0.25).astype(dtype).reshape(shape)
    if np.dtype(dtype).kind == "b":
        return (values % 2 == 1).reshape(shape)
    return (values % 2 + 1 if dtype == np.int32 else values % 2).astype(dtype).reshape(shape)


def extents(shape, sizes):
    """The extents of "N C 3"."""
    return [sizes[word] if word in sizes else int(word) for word in shape.split()]


class Case:
    """A node with its operands."""

    def __init__(self, name, operator, operands, attributes, opset, sizes):
        self.name, self.operator, self.opset = name, operator, opset
        self.inputs, self.constants, names = {}, {}, []
        self.is_refused = False
        has_channels = sizes.get("C", 1) > 0
        self.as_standard = operator in AS_STANDARD or operator in AS_STANDARD_WITHOUT_CHANNELS and not has_channels
        for index, operand in enumerate(operands):
            key = f"{name}.{index}"
            value = operand.value if isinstance(operand, Const) else None
            if callable(value):
                self.constants[key] = value(sizes)
            elif value is not None:
                self.constants[key] = numbers(extents(value, sizes), np.float32, index)
            elif isinstance(operand, Typed):
                self.inputs[key] = numbers(extents(operand.shape, sizes), operand.dtype, index)
            else:
                self.inputs[key] = numbers(extents(operand, sizes), np.float32, index)
            # An operand of no elements that may be left out is left out.
            absent = operator == "Resize" and self.constants.get(key) is not None and self.constants[key].size == 0
            names.append("" if absent else key)
        attributes = dict(attributes)
        count = attributes.pop("outputs", 1)
        self.outputs = [f"{name}.y{index}" for index in range(count)]
        self.constants = {key: array for key, array in self.constants.items() if key in names}
        if operator == ATTENTION:
            self.nodes = attention(names, name, self.outputs)
        else:
            self.nodes = [helper.make_node(operator, names, self.outputs, **attributes)]

    def surround(self):
        """Adds operators before and behind it that are fused with it, if it takes floats."""
        first = next(iter(self.inputs), None)
        if first is None or self.inputs[first].dtype != np.float32 or self.operator in ("IsNaN", "Shape", "Size"):
            return
        before = helper.make_node("Sigmoid", [first], [f"{self.name}.before"])
        for node in self.nodes:
            for index, name in enumerate(node.input):
                if name == first:
                    node.input[index] = before.output[0]
        behind = [helper.make_node("Identity", [name], [f"{name}.behind"]) for name in self.outputs]
        if self.operator not in RETURNS_NO_FLOATS:
            behind = [helper.make_node("Neg", [name], [f"{name}.behind"]) for name in self.outputs]
        self.nodes = [before, *self.nodes, *behind]
        self.outputs = [f"{name}.behind" for name in self.outputs]

    def graph(self):
        """The node as a model."""
        return model([self])


def model(members):
    """A model of independent nodes."""
    nodes = [node for case in members for node in case.nodes]
    inputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        for case in members
        for name, array in case.inputs.items()
    ]
    outputs = [onnx.ValueInfoProto(name=name) for case in members for name in case.outputs]
    constants = [numpy_helper.from_array(array, name) for case in members for name, array in case.constants.items()]
    graph = helper.make_graph(nodes, "zero_sizes", inputs, outputs, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", members[0].opset)], ir_version=8)


def all_cases():
    """Every case with every letter of its operands set to 0."""
    made = []
    for index, (operator, operands, attributes, *opset) in enumerate(cases()):
        shapes = [operand.shape if isinstance(operand, Typed) else operand for operand in operands]
        shapes = [shape.value if isinstance(shape, Const) else shape for shape in shapes]
        letters = sorted({word for shape in shapes if isinstance(shape, str) for word in shape.split()} & set(SIZES))
        # What is constant whatever the sizes are has no elements of itself.
        for letter in letters or ["N", "C"]:
            sizes = SIZES | {letter: 0}
            name = f"{operator}_{index}_{letter}0"
            case = Case(name, operator, operands, attributes, (opset or [OPSET])[0], sizes)
            case.is_refused = (operator, letter) in REFUSED
            made.append(case)
    # And what cuts everything off leaves nothing of tensors that have elements.
    for operator, operands, attributes, name in (
        ("Pad", ["N C", text(ints(-2, 0, 0, 0))], {}, "all_cut"),
        ("Pad", ["N C", text(ints(-1, 0, -1, 3))], {}, "all_cut_and_more"),
        ("ConvTranspose", ["N C 4 4", Const("C M 1 1")], {"pads": [1, 1, 1, 1]}, "cut"),
        ("ConvTranspose", ["N C 4 4", Const("C M 3 3")], {"pads": [3, 0, 2, 1]}, "cut_unevenly"),
        ("Slice", ["N C", text(ints(3)), text(ints(3)), text(ints(1))], {}, "of_nothing"),
    ):
        made.append(Case(f"{operator}_{name}", operator, operands, attributes, OPSET, SIZES))
    return made


def compute(case):
    """What ONNX Runtime makes of a node, or the reason why it refuses."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    # Memory of malloc, which `compute_all` has filled with zeros.
    options.enable_cpu_mem_arena = False
    # As the model says it: what is folded away is not computed.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        if case.as_standard:
            np.seterr(all="ignore")
            warnings.simplefilter("ignore")
            evaluator = ReferenceEvaluator(case.graph())
            return dict(zip(case.outputs, evaluator.run(case.outputs, case.inputs)))
        provider = ["CPUExecutionProvider"]
        session = onnxruntime.InferenceSession(case.graph().SerializeToString(), options, providers=provider)
        return dict(zip(case.outputs, session.run(case.outputs, case.inputs)))
    except Exception as error:  # pylint: disable=broad-exception-caught
        return str(error)


def compute_all(members, sender):
    """Sends what ONNX Runtime makes of some nodes, one after the other."""
    # The last state of an LSTM over no steps is the first one, zeros, but ONNX Runtime leaves it as it finds the memory.
    ctypes.CDLL(None).mallopt(M_PERTURB, 255)
    for case in members:
        sender.send(compute(case))


def expected(members):
    """What ONNX Runtime computes of each node; None if it refuses, and if it crashes or hangs, as it does over some of these.

    A process computes all nodes up to the first at which it ends or hangs; another one goes on behind that.
    """
    found = []
    while len(found) < len(members):
        receiver, sender = multiprocessing.Pipe(duplex=False)
        left = members[len(found) :]
        process = multiprocessing.get_context("fork").Process(target=compute_all, args=(left, sender))
        process.start()
        sender.close()
        try:
            for _ in left:
                if not receiver.poll(SECONDS):
                    found.append(None)
                    break
                found.append(receiver.recv())
        except EOFError:
            found.append(None)
        process.kill()
        process.join()
    return [one if isinstance(one, dict) else None for one in found]


def run(relayc, folder, members, options):
    """The outputs of a model of these nodes, or None and the command's result."""
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(model(members), folder / "model.onnx")
    inputs = {name: array for case in members for name, array in case.inputs.items()}
    np.savez(folder / "inputs.npz", **inputs)
    command = [relayc, "run", folder / "model.onnx", "--inputs", folder / "inputs.npz"]
    command += ["--outputs", folder / "outputs.npz", *options]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    except subprocess.TimeoutExpired:
        return None, "it does not end"
    if result.returncode == 0:
        with np.load(folder / "outputs.npz") as arrays:
            return dict(arrays), None
    return None, f"exit code {result.returncode}: {result.stderr.strip()[-400:]}"


def differences(want, got, tolerance):
    """What is wrong with the outputs of a node."""
    for name, array in want.items():
        if name not in got:
            return f"{name} is missing"
        if (got[name].dtype, got[name].shape) != (array.dtype, array.shape):
            return f"{name} is {got[name].dtype}{got[name].shape}, expected {array.dtype}{array.shape}"
        if not np.allclose(got[name], array, tolerance, tolerance, equal_nan=True):
            return f"{name} is {got[name].ravel()[:8]}, expected {array.ravel()[:8]}"
    return None


def check_together(relayc, folder, members, wants, options):
    """What is wrong, by node, of nodes that ONNX Runtime takes."""
    got, why = run(relayc, folder, members, options)
    if got is not None:
        tolerance = 2e-2 if any("bf16" in option for option in options) else 1e-4
        found = {case.name: differences(wants[case.name], got, tolerance) for case in members}
        return {name: wrong for name, wrong in found.items() if wrong}
    if len(members) == 1:
        return {members[0].name: why}
    half = len(members) // 2
    parts = [(folder / "a", members[:half]), (folder / "b", members[half:])]
    found = [check_together(relayc, *part, wants, options) for part in parts]
    return found[0] | found[1] or {f"{members[0].name} to {members[-1].name}": f"together: {why}"}


def check_refused(relayc, folder, case, options):
    """A node that ONNX Runtime refuses: a result, or an error that is one."""
    got, why = run(relayc, folder, [case], options)
    is_error = got is not None or re.match(r"exit code 1: .*error\[R\d+\]: ", why, re.DOTALL) and "internal error" not in why
    return {} if is_error else {case.name: why}


def listed():
    """The operators of the importer's page."""
    return set(re.findall(r"^\| (\w+) \| \d", PAGE.read_text(), re.MULTILINE))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("outdir", type=pathlib.Path)
    parser.add_argument("--relayc", default="relayc")
    parser.add_argument("--only", default="", help="cases whose names hold this")
    parser.add_argument("--surrounded", action="store_true", help="with operators before and behind to be fused with")
    parser.add_argument("--taken", action="store_true", help="only what ONNX Runtime takes")
    parser.add_argument("--options", type=shlex.split, default=[], help="options of relayc, in one argument")
    arguments = parser.parse_args()

    everything = all_cases()
    missing = listed() - {case.operator for case in everything} - WITHOUT_CASE
    if missing:
        raise SystemExit(f"operators without a case: {', '.join(sorted(missing))}")
    chosen = [case for case in everything if arguments.only in case.name]
    if arguments.surrounded:
        for case in chosen:
            case.surround()
    wants = {case.name: None for case in chosen}
    asked = [case for case in chosen if not case.is_refused]
    workers = os.cpu_count() or 1
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        # Cases of an operator are neighbours, so each worker has some of each.
        shares = [asked[first::workers] for first in range(workers)]
        for share, found in zip(shares, pool.map(expected, shares)):
            wants |= {case.name: one for case, one in zip(share, found)}
    taken = [case for case in chosen if wants[case.name] is not None]
    refused = [] if arguments.taken else [case for case in chosen if wants[case.name] is None]
    failed = {}
    jobs = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        known = {case.name: wants[case.name] for case in taken}
        for opset in sorted({case.opset for case in taken}):
            members = [case for case in taken if case.opset == opset]
            folder = arguments.outdir / f"opset{opset}"
            jobs.append(pool.submit(check_together, arguments.relayc, folder, members, known, arguments.options))
        for case in refused:
            folder = arguments.outdir / case.name
            jobs.append(pool.submit(check_refused, arguments.relayc, folder, case, arguments.options))
        for job in jobs:
            failed |= job.result()
    for name, why in failed.items():
        print(f"FAIL: {name}: {why}")
    print(f"{len(taken)} as ONNX Runtime, {len(refused)} that it refuses; {len(failed)} failed")
    raise SystemExit(1 if failed or not taken else 0)


if __name__ == "__main__":
    main()
