"""Exports ONNX's own backend test cases for the operators that the importer reads.

Writes, for each case, OUTDIR/<operator>/<case>/model.onnx, inputs.npz and outputs.npz (keyed by
tensor names), and OUTDIR/index.json:

  cases     op, case, kind, opset, tolerances (rtol, atol), and what was done to the model:
            "frozen"     inputs that only say shapes (the shape of a Reshape, the axes of a
                         reduction ...), made initializers with the test's values
            "frozen_tensors"  whether one of these has more than one dimension
            "shapes"     the shapes of the tensors of sequences and optionals that the model takes
            "comparable"  whether onnx's runner can compare the results: it cannot if a sequence holds a number
            "static"     inputs whose symbolic dimensions were set to the test's
  excluded  the cases left out, with the reason, and whether they are disputed: ONNX Runtime computes something else

Of a test with several data sets, the first is exported.
"""

import argparse
import collections
import json
import pathlib
import warnings

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper, shape_inference
from onnx.backend.test.loader import load_model_tests

from onnx_operators import DTYPES, OPERATORS, SHAPE_OPERANDS
from run_ort import session

KINDS = ["node", "pytorch-converted", "pytorch-operator", "simple"]


# Operators that draw random numbers. ONNX says nothing of the generator, but its cases are compared with numpy's.
RANDOM = {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike"}


class Excluded(Exception):
    """A case that is left out; the message is the reason."""


class Disputed(Excluded):
    """A test that expects something else than both ONNX Runtime and relayc compute, who may do so."""


def attribute(node, name, default=None):
    """The value of a node's attribute."""
    for entry in node.attribute:
        if entry.name == name:
            return onnx.helper.get_attribute_value(entry)
    return default


def opset(model):
    """The version of the default operator set; the newest if the model uses none of its operators."""
    versions = [entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")]
    return versions[0] if versions else onnx.defs.onnx_opset_version()


def load_case(test):
    """A test's model, inputs and outputs; tensors in the order of the graph's."""
    if test.model is not None:
        inputs, outputs = test.data_sets[0]
        return test.model, inputs, outputs
    folder = pathlib.Path(test.model_dir)
    model = onnx.load(folder / "model.onnx")
    data = folder / "test_data_set_0"

    def tensors(prefix, values):
        count = len(list(data.glob(f"{prefix}_*.pb")))
        for value in list(values)[:count]:
            if not value.type.HasField("tensor_type"):
                raise Excluded("a sequence in a file")
        return [onnx.load_tensor(data / f"{prefix}_{index}.pb") for index in range(count)]

    return model, tensors("input", model.graph.input), tensors("output", model.graph.output)


def nodes_of(graph):
    """A graph's nodes, and those of the graphs in it."""
    for node in graph.node:
        yield node
        for entry in node.attribute:
            if entry.HasField("g"):
                yield from nodes_of(entry.g)


def full_name(node):
    """A node's operator, with its domain if that is not the default one."""
    return node.op_type if node.domain in ("", "ai.onnx") else f"{node.domain}.{node.op_type}"


def check_operators(model):
    """Raises if a node's operator, or its definition in the model's opset, is not read."""
    for node in nodes_of(model.graph):
        if full_name(node) not in OPERATORS:
            kind = "operator" if node.domain in ("", "ai.onnx") else "operator of another domain:"
            raise Excluded(f"{kind} {full_name(node)}")


def is_too_old(model):
    """Whether a definition that the model uses is older than those read."""
    version = opset(model)
    return any(
        onnx.defs.get_schema(node.op_type, version).since_version < OPERATORS[node.op_type]
        for node in nodes_of(model.graph)
        if full_name(node) == node.op_type
    )


def check_features(model, values):
    """Raises if a node uses a feature that is outside; `values` are the known constants."""
    for node in nodes_of(model.graph):
        if node.op_type == "Dropout" and len(node.input) > 2 and node.input[2]:
            ratio = values.get(node.input[1], 0.5) if node.input[1] else 0.5
            if np.any(values.get(node.input[2], False)) and np.any(ratio != 0):
                raise Disputed("random numbers of numpy's generator")
        elif node.op_type in RANDOM:
            raise Disputed("random numbers of numpy's generator")
        elif node.op_type == "MaxUnpool" and len(node.input) > 2:
            # The case counts indices in the shape that would be inferred; MaxPool counts them in the given one.
            raise Disputed("MaxUnpool into a given shape")


def check_types(model):
    """Raises if a tensor is of a type that is outside."""
    graph = model.graph
    inferred = shape_inference.infer_shapes(model).graph
    for value in [*graph.input, *graph.output, *inferred.value_info]:
        require_type(element_type(value.type))
    for tensor in graph.initializer:
        require_type(tensor.data_type)
    for node in nodes_of(graph):
        for entry in node.attribute:
            if entry.type == onnx.AttributeProto.TENSOR:
                require_type(entry.t.data_type)
            elif entry.type == onnx.AttributeProto.SPARSE_TENSOR:
                raise Excluded("sparse tensor")
            elif entry.type in (onnx.AttributeProto.STRING, onnx.AttributeProto.STRINGS):
                if node.op_type == "Constant":
                    raise Excluded("type STRING")


def element_type(of):
    """The element type of a tensor, or of the tensors in what is none."""
    kind = of.WhichOneof("value")
    if kind in ("sequence_type", "optional_type"):
        return element_type(getattr(of, kind).elem_type)
    return of.tensor_type.elem_type


def require_type(dtype):
    """Raises if an element type is outside."""
    if dtype != TensorProto.UNDEFINED and dtype not in DTYPES:
        raise Excluded(f"type {TensorProto.DataType.Name(dtype)}")


def to_array(value):
    """A test's value as an array in row-major order."""
    if isinstance(value, TensorProto):
        require_type(value.data_type)
        value = numpy_helper.to_array(value)
    if isinstance(value, dict):
        raise Excluded("a map")
    array = np.asarray(value, order="C")
    try:
        require_type(onnx.helper.np_dtype_to_tensor_dtype(array.dtype))
    except ValueError as error:
        raise Excluded(f"type {array.dtype}") from error
    return array


def shape_inputs(graph):
    """The names of the graph's inputs from which shapes are computed."""
    producers = {output: node for node in nodes_of(graph) for output in node.output if output}
    pending = [
        node.input[position]
        for node in nodes_of(graph)
        for position in SHAPE_OPERANDS.get(node.op_type, [])
        if position < len(node.input)
    ]
    seen = set()
    while pending:
        name = pending.pop()
        if not name or name in seen:
            continue
        seen.add(name)
        # What Shape returns does not depend on values.
        if name in producers and producers[name].op_type != "Shape":
            pending.extend(producers[name].input)
    return {value.name for value in graph.input} & seen


def freeze(model, inputs):
    """Makes initializers of the inputs that say shapes; returns their names."""
    graph = model.graph
    present = {tensor.name for tensor in graph.initializer}
    # What is not there is a sequence or an optional.
    frozen = [name for name in sorted(shape_inputs(graph)) if name not in present and name in inputs]
    for name in frozen:
        graph.initializer.append(numpy_helper.from_array(inputs.pop(name), name))
    if model.ir_version >= 4:
        for name in frozen:
            graph.input.remove(next(value for value in graph.input if value.name == name))
    return frozen


def make_static(values, arrays):
    """Gives values of symbolic shape the shape of the test's arrays; returns their names."""
    changed = []
    for value in values:
        if value.name not in arrays or not value.type.HasField("tensor_type"):
            continue
        tensor, shape = value.type.tensor_type, arrays[value.name].shape
        dims = tensor.shape.dim
        known = tensor.HasField("shape") and all(dim.HasField("dim_value") for dim in dims)
        if not known:
            tensor.shape.Clear()
            tensor.shape.SetInParent()
            for size in shape:
                tensor.shape.dim.add().dim_value = size
            changed.append(value.name)
        elif tuple(dim.dim_value for dim in dims) != shape:
            raise Excluded("test data of another shape than the model says")
    return changed


def named(values, tensors, what):
    """A test's tensors by the names of the graph's values; those of a sequence have its name and their places."""
    names = [value.name for value in values]
    if len(names) < len(tensors):
        raise Excluded(f"more {what} than the graph names")
    arrays = {}
    for name, value in zip(names, tensors):
        if isinstance(value, list):
            arrays.update({f"{name}.{place}": to_array(part) for place, part in enumerate(value)})
        elif value is not None:
            arrays[name] = to_array(value)
    return arrays


def prepare(test):
    """A case's model, inputs, outputs and what the index says of it."""
    model, inputs, outputs = load_case(test)
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    model = copy
    check_operators(model)
    check_types(model)
    entry = {"opset": opset(model)}
    if is_too_old(model):
        raise Excluded(f"too old: opset {entry['opset']}")
    graph = model.graph
    known = {tensor.name for tensor in graph.initializer}
    # onnx's runner takes the length of each part.
    parts = [part for value in outputs if isinstance(value, list) for part in value]
    entry["comparable"] = all(np.ndim(part) > 0 for part in parts)
    inputs = named([v for v in graph.input if v.name not in known], inputs, "inputs")
    outputs = named(graph.output, outputs, "outputs")
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    check_features(model, {**constants, **inputs})
    entry["static"] = make_static(graph.input, inputs)
    make_static(graph.output, outputs)
    tensors = {value.name for value in graph.input if value.type.HasField("tensor_type")}
    entry["shapes"] = {name: list(array.shape) for name, array in inputs.items() if name not in tensors}
    given = dict(inputs)
    entry["frozen"] = freeze(model, inputs)
    entry["frozen_tensors"] = any(given[name].ndim > 1 for name in entry["frozen"])
    entry["zero_size"] = any(array.size == 0 for array in [*inputs.values(), *outputs.values()])
    return model, inputs, outputs, entry


def main_operator(test, model, operators):
    """The operator that a case is about; `operators` are those of the single-node cases."""
    base = test.name.split("_expanded")[0]
    if base in operators:
        return operators[base]
    secondary = {"Cast", "Constant", "Identity", "Reshape", "Shape", "Squeeze", "Transpose",
                 "Unsqueeze"}  # fmt: skip
    kinds = [node.op_type for node in model.graph.node]
    return next((kind for kind in kinds if kind not in secondary), kinds[0])


def load_tests():
    """All test cases, with their kinds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Some cases overflow on purpose.
        for kind in KINDS:
            for test in sorted(load_model_tests(kind=kind), key=lambda test: test.name):
                yield kind, test


# The distance of 1 from the next number.
EPSILONS = {"float16": 2**-10, "bfloat16": 2**-7}


def relative_tolerance(test, model, outputs):
    """A test's; where several operators are computed one after the other in a narrow type, they may round twice in another way."""
    widest = max((EPSILONS.get(str(array.dtype), 0) for array in outputs.values()), default=0)
    is_one = len(model.graph.node) == 1 and model.graph.node[0].op_type != "Attention"
    return test.rtol if is_one else max(test.rtol, 2 * widest)


def absolute_tolerance(test, model, outputs):
    """A test's. Terms of a Fourier transform cancel, but what f32 rounds off the largest ones stays."""
    if not any(node.op_type in ("DFT", "STFT") for node in model.graph.node):
        return test.atol
    largest = max(float(np.abs(array).max(initial=0)) for array in outputs.values())
    return max(test.atol, largest * 2**-23)


# How relayc reads and writes the types that numpy's files cannot name.
STORED_AS = {"int4": np.int8, "int2": np.int8, "uint4": np.uint8, "uint2": np.uint8}


def storable(arrays):
    """The arrays, but those of types that numpy lacks as relayc reads and writes them: floats as float32, integers as bytes."""

    def stored(array):
        is_of_numpy = array.dtype.kind in "biuf" and array.dtype.isbuiltin == 1
        return array if is_of_numpy else array.astype(STORED_AS.get(array.dtype.name, np.float32))

    return {name: stored(array) for name, array in arrays.items()}


def export(outdir):
    """Writes all cases; returns the index."""
    tests = list(load_tests())
    operators = {
        test.name: test.model.graph.node[0].op_type
        for _, test in tests
        if test.model is not None and len(test.model.graph.node) == 1
    }
    cases, excluded = [], []
    for kind, test in tests:
        name = test.name.removeprefix("test_")
        try:
            model, inputs, outputs, entry = prepare(test)
        except Excluded as reason:
            disputed = isinstance(reason, Disputed)
            excluded.append({"case": name, "kind": kind, "reason": str(reason), "disputed": disputed})
            continue
        op = main_operator(test, model, operators)
        folder = outdir / op / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "model.onnx").write_bytes(model.SerializeToString(deterministic=True))
        np.savez(folder / "inputs.npz", **storable(inputs))
        np.savez(folder / "outputs.npz", **storable(outputs))
        cases.append(
            {
                "op": op,
                "case": name,
                "path": f"{op}/{name}",
                "kind": kind,
                "expanded": "_expanded" in name,
                "rtol": relative_tolerance(test, model, outputs),
                "atol": absolute_tolerance(test, model, outputs),
                "inputs": list(inputs),
                "outputs": list(outputs),
                **entry,
            }
        )
    return {"onnx": onnx.__version__, "cases": cases, "excluded": excluded}


def verify(outdir, index):
    """Runs every case with ONNX Runtime; marks those that it cannot run, returns the wrong."""
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    wrong = []
    for case in index["cases"]:
        folder = outdir / case["path"]
        expected = np.load(folder / "outputs.npz")
        try:
            model = session(folder / "model.onnx", threads=1)
            actual = model.run(list(expected), dict(np.load(folder / "inputs.npz")))
        except Exception as error:
            case["onnxruntime"] = f"cannot run it: {str(error).splitlines()[0][:160]}"
            continue
        try:
            for name, array in zip(expected, actual):
                np.testing.assert_array_equal(expected[name].shape, array.shape)
                np.testing.assert_allclose(array, expected[name], case["rtol"], case["atol"])
            case["onnxruntime"] = "agrees"
        except AssertionError as error:
            case["onnxruntime"] = "disagrees"
            wrong.append((case["path"], " ".join(str(error).split())[:200]))
    return wrong


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("outdir", type=pathlib.Path, help="folder to write to")
    parser.add_argument(
        "--verify",
        action="store_true",
        help="also run the exported cases with ONNX Runtime, and say in the index how it fared",
    )
    options = parser.parse_args()
    options.outdir.mkdir(parents=True, exist_ok=True)
    index = export(options.outdir)
    wrong = verify(options.outdir, index) if options.verify else []
    (options.outdir / "index.json").write_text(json.dumps(index, indent=1) + "\n")

    kinds = collections.Counter(case["kind"] for case in index["cases"])
    print(f"exported {len(index['cases'])} cases:", dict(kinds))
    print(f"  {sum(bool(case['frozen']) for case in index['cases'])} with frozen inputs")
    print(f"excluded {len(index['excluded'])} cases:")
    reasons = collections.Counter(entry["reason"] for entry in index["excluded"])
    others = sum(count for reason, count in reasons.items() if reason.startswith("operator"))
    print(f"{others:6} operators that are not read")
    for reason, count in reasons.most_common():
        if not reason.startswith("operator"):
            print(f"{count:6} {reason}")
    if options.verify:
        fared = collections.Counter(case["onnxruntime"].split(":")[0] for case in index["cases"])
        print("ONNX Runtime:", dict(fared))
        for path, error in wrong:
            print(f"  {path}: {error}")


if __name__ == "__main__":
    main()
