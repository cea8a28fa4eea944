"""Random graphs with open dimensions: one library of each, at several sizes and with one and more threads, against ONNX Runtime."""

import dataclasses
import pathlib
import re
import sys

import numpy as np
import onnx
import isolated
from graphs import TOLERANCE, difference, reference
from models import pick
from onnx import TensorProto, helper, numpy_helper

sys.path.append(str(pathlib.Path(__file__).parents[1] / "python"))
from stage import stage  # noqa: E402

# The inputs that a graph may read; texts are open dimensions.
INPUTS = {"x": ["n", "s", 8], "z": ["n", "s", 8], "v": ["s"], "u": ["m", "t", 8]}

# Dimensions of inputs that have the size of another one, which a graph takes for granted and a library has to find out.
SAME = {"m": "n", "t": "s"}

# The sizes of n and s, their bounds, and sizes that are out of bounds.
SIZES = [(1, 1), (2, 5), (3, 37)]
BOUNDS = {"n": "1..3", "s": "1..37"}
BEYOND = [(4, 38), (0, 0)]

# Errors of a library at sizes that ONNX Runtime takes: it does not broadcast an open dimension.
LIMITS = ["does not broadcast"]

# The elements on each side of an output that nothing may change, and their bytes.
FENCE, MARK = 64, 0xA5

UNARY = ["Relu", "Tanh", "Sigmoid", "Abs", "Neg", "Erf"]
BINARY = ["Add", "Mul", "Sub", "Max"]


@dataclasses.dataclass
class Tensor:
    """A tensor in a graph: equal texts in its dimensions are equal sizes."""

    name: str
    dims: list

    @property
    def rank(self):
        return len(self.dims)

    @property
    def channels(self):
        """The last dimension, if it is a number and not the only one."""
        return self.dims[-1] if self.rank > 1 and isinstance(self.dims[-1], int) else None


class Graph:
    """A graph that grows by random operators."""

    def __init__(self, rng):
        self.rng, self.nodes, self.constants = rng, [], []
        self.tensors = [Tensor(name, [SAME.get(dim, dim) for dim in dims]) for name, dims in INPUTS.items()]

    def constant(self, value):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def weights(self, *shape):
        return self.constant(self.rng.standard_normal(shape).astype(np.float32) / 2)

    def open(self):
        """A dimension that is equal to no other one."""
        return f"of{len(self.nodes)}"

    def add(self, op, reads, dims, **attributes):
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, reads, [name], **attributes))
        self.tensors.append(Tensor(name, list(dims)))

    def part(self, op, *reads, **attributes):
        """A node between those that make tensors of their own; its output."""
        name = f"p{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(reads), [name], **attributes))
        return name

    def extent(self, x, axis):
        """The size of an axis, as a list of one number."""
        of = self.part("Shape", x.name)
        return self.part("Gather", of, self.constant([axis]), axis=0)

    def grow(self):
        """Adds an operator on one of the last tensors, if it fits."""
        tensor = pick(self.rng, self.tensors[-4:])
        pick(self.rng, OPERATORS)(self, tensor)

    def model(self):
        read = {name for node in self.nodes for name in node.input}
        ports = [helper.make_tensor_value_info(name, TensorProto.FLOAT, dims) for name, dims in INPUTS.items() if name in read]
        outputs = [onnx.ValueInfoProto(name=node.output[0]) for node in self.nodes]
        graph = helper.make_graph(self.nodes, "sizes", ports, outputs, self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def unary(graph, x):
    graph.add(pick(graph.rng, UNARY), [x.name], x.dims)


def binary(graph, x):
    same = [other.name for other in graph.tensors if other.dims == x.dims]
    graph.add(pick(graph.rng, BINARY), [x.name, pick(graph.rng, same)], x.dims)


def biased(graph, x):
    if x.channels:
        graph.add("Add", [x.name, graph.weights(x.channels)], x.dims)


def product(graph, x):
    if x.channels:
        units = int(pick(graph.rng, [1, 3, 8, 16, 17]))
        graph.add("MatMul", [x.name, graph.weights(x.channels, units)], [*x.dims[:-1], units])


def scores(graph, x):
    if x.rank == 3:
        first, rows, _ = x.dims
        graph.add("Transpose", [x.name], [first, x.dims[2], rows], perm=[0, 2, 1])
        graph.add("MatMul", [x.name, graph.tensors[-1].name], [first, rows, rows])


def softmax(graph, x):
    graph.add(pick(graph.rng, ["Softmax", "LogSoftmax"]), [x.name], x.dims, axis=int(graph.rng.integers(x.rank)))


def normalized(graph, x):
    if x.channels:
        graph.add("LayerNormalization", [x.name, graph.weights(x.channels)], x.dims, axis=-1)


def reduced(graph, x):
    axis, keeps = int(graph.rng.integers(x.rank)), int(graph.rng.integers(2))
    if x.rank > 1:
        dims = [*x.dims[:axis], *([1] * keeps), *x.dims[axis + 1 :]]
        graph.add(pick(graph.rng, ["ReduceMean", "ReduceMax"]), [x.name], dims, axes=[axis], keepdims=keeps)


def transposed(graph, x):
    order = [int(axis) for axis in graph.rng.permutation(x.rank)]
    graph.add("Transpose", [x.name], [x.dims[axis] for axis in order], perm=order)


def doubled(graph, x):
    axis = int(graph.rng.integers(x.rank))
    twice = 2 * x.dims[axis] if isinstance(x.dims[axis], int) else graph.open()
    graph.add("Concat", [x.name, x.name], [*x.dims[:axis], twice, *x.dims[axis + 1 :]], axis=axis)


def sliced(graph, x):
    axis = int(graph.rng.integers(x.rank))
    begin, end, step = pick(graph.rng, [(0, -1, 1), (1, 2**31, 1), (0, 2**31, 2), (-1, -(2**31), -1)])
    reads = [x.name, *(graph.constant([number]) for number in (begin, end, axis, step))]
    graph.add("Slice", reads, [*x.dims[:axis], graph.open(), *x.dims[axis + 1 :]])


def flattened(graph, x):
    rows = graph.open()
    graph.add("Flatten", [x.name], [rows, f"{rows}_columns"], axis=int(graph.rng.integers(x.rank + 1)))


def pooled(graph, x):
    if x.rank == 3:
        # A window always fits: where it does not, ONNX Runtime counts as C rounds.
        pads = pick(graph.rng, [[1, 1], [1, 0], [0, 1]])
        stride, counts = int(graph.rng.integers(1, 3)), int(graph.rng.integers(2))
        dims = [*x.dims[:2], graph.open()]
        graph.add("AveragePool", [x.name], dims, kernel_shape=[2], strides=[stride], pads=list(pads), count_include_pad=counts)


def greatest(graph, x):
    if x.channels:
        count, name = int(graph.rng.integers(1, min(x.channels, 4) + 1)), f"t{len(graph.nodes)}"
        reads, axis = [x.name, graph.constant([count])], x.rank - 1
        graph.nodes.append(helper.make_node("TopK", reads, [name, f"{name}_places"], axis=axis, largest=int(graph.rng.integers(2))))
        graph.tensors.append(Tensor(name, [*x.dims[:-1], count]))


def cumulated(graph, x):
    axis = graph.constant(np.array(graph.rng.integers(x.rank)))
    graph.add("CumSum", [x.name, axis], x.dims, exclusive=int(graph.rng.integers(2)), reverse=int(graph.rng.integers(2)))


def triangle(graph, x):
    if x.rank > 1:
        graph.add("Trilu", [x.name, graph.constant(np.array(graph.rng.integers(-2, 3)))], x.dims, upper=int(graph.rng.integers(2)))


def numbered(graph, x):
    end = graph.part("Squeeze", graph.extent(x, x.rank - 1))
    places = graph.part("Range", graph.constant(np.array(0)), end, graph.constant(np.array(1)))
    graph.add("Add", [x.name, graph.part("Cast", places, to=TensorProto.FLOAT)], x.dims)


def padded(graph, x):
    axis = int(graph.rng.integers(x.rank))
    before, behind = [0] * axis, [0] * (x.rank - axis - 1)
    around = graph.constant(np.array(before + [1] + behind + before)), graph.extent(x, axis), graph.constant(np.array(behind, np.int64))
    pads = graph.part("Concat", *around, axis=0)
    graph.add("Pad", [x.name, pads], [*x.dims[:axis], graph.open(), *x.dims[axis + 1 :]])


def tiled(graph, x):
    axis = int(graph.rng.integers(x.rank))
    ones = [graph.constant(np.ones(count, np.int64)) for count in (axis, x.rank - axis - 1)]
    times = graph.part("Concat", ones[0], graph.extent(x, 0), ones[1], axis=0)
    graph.add("Tile", [x.name, times], [*x.dims[:axis], graph.open(), *x.dims[axis + 1 :]])


def halved(graph, x):
    axis = int(graph.rng.integers(x.rank))
    half = graph.part("Div", graph.extent(x, axis), graph.constant([2]))
    begin, end = pick(graph.rng, [(graph.constant([0]), half), (half, graph.constant([2**31]))])
    graph.add("Slice", [x.name, begin, end, graph.constant([axis])], [*x.dims[:axis], graph.open(), *x.dims[axis + 1 :]])


def rounded(graph, x):
    """A tensor whose elements are equal or far apart, so that the last bit of a sum says nothing of their order."""
    return graph.part("Floor", graph.part("Mul", x.name, graph.constant(np.array(7.3, np.float32))))


def picked(graph, x):
    axis = int(graph.rng.integers(x.rank))
    places = graph.part("ArgMax", rounded(graph, x), axis=axis)
    graph.add("GatherElements", [x.name, places], [*x.dims[:axis], 1, *x.dims[axis + 1 :]], axis=axis)


def scattered(graph, x):
    axis = int(graph.rng.integers(x.rank))
    places = graph.part("ArgMin", rounded(graph, x), axis=axis)
    updates = graph.part("ReduceMax", x.name, axes=[axis])
    graph.add("ScatterElements", [x.name, places, updates], x.dims, axis=axis, reduction=str(pick(graph.rng, ["none", "add"])))


def blank(graph, x):
    less = graph.part("Sub", graph.extent(x, int(graph.rng.integers(x.rank))), graph.constant([2]))
    graph.add("ConstantOfShape", [less], [graph.open()])


def resized(graph, x):
    if x.rank == 3:
        mode, scale = pick(graph.rng, [("linear", 2), ("linear", 3), ("nearest", 2), ("cubic", 2)])
        scales = graph.constant(np.array([1, 1, scale], np.float32))
        graph.add("Resize", [x.name, "", scales], [*x.dims[:2], graph.open()], mode=mode)


OPERATORS = [
    blank, greatest, cumulated, triangle, numbered, padded, tiled, halved, picked, scattered, resized,
    unary, binary, biased, product, scores, softmax, normalized, reduced, transposed, doubled, sliced, flattened, pooled,
]  # fmt: skip


def package(programs):
    """The Python package of the programs' folder."""
    sys.path.insert(0, str(stage(programs.folder)))
    import relay_mlir

    return relay_mlir


def fenced(shape, dtype):
    """An array with numbers around it that nobody may change, and these numbers."""
    around = np.full(int(np.prod(shape)) + 2 * FENCE, MARK, np.uint8).repeat(np.dtype(dtype).itemsize).view(dtype)
    return around[FENCE : len(around) - FENCE].reshape(shape), around


def is_intact(around, is_filled):
    """Whether nothing is written beside an array, and nothing into it unless it is filled."""
    parts = (around[:FENCE], around[len(around) - FENCE :]) if is_filled else (around,)
    return all((part.view(np.uint8) == MARK).all() for part in parts)


def all_results(package, library, chosen):
    """For each of some inputs the results with one, two and three threads, or the error."""
    models = [package.load(library, threads=threads) for threads in (1, 2, 3)]
    return [[results_of(package, model, feeds, shapes) for model in models] for feeds, shapes in chosen]


def results_of(package, model, feeds, shapes):
    """Results, or an error. Results of known shapes go to arrays of this function, and nothing may be written beside them."""
    known = {port.name for port in model.outputs if not any(computed_in(model, dim) for dim in port.shape)}
    arrays = {name: fenced(shape, dtype) for name, (shape, dtype) in shapes.items() if name in known}
    try:
        results = model.run(feeds, {name: array for name, (array, _) in arrays.items()})
    except (package.Error, MemoryError) as error:
        results = str(error) or "it takes more memory than there is"
    if broken := [name for name, (_, around) in arrays.items() if not is_intact(around, not isinstance(results, str))]:
        raise RuntimeError(f"something is written beside {', '.join(broken)}")
    return results if isinstance(results, str) else {name: np.array(array) for name, array in results.items()}


def computed_in(model, dim):
    """Whether a run computes a dimension."""
    given = {name for port in model.inputs for size in port.shape for name in words(size)}
    return bool(words(dim) - given)


def words(dim):
    """The symbols in a dimension."""
    return set(re.findall(r"[A-Za-z_][\w.]*", dim)) - {"min", "max"} if isinstance(dim, str) else set()


def feeds_of(model, sizes):
    """Inputs of these sizes."""
    rng = np.random.default_rng(sizes)
    known = dict(zip("ns", sizes))
    known.update({name: known[same] for name, same in SAME.items()})
    feeds = {}
    for port in model.graph.input:
        shape = [known[dim.dim_param] if dim.dim_param else dim.dim_value for dim in port.type.tensor_type.shape.dim]
        feeds[port.name] = rng.standard_normal(shape).astype(np.float32)
    return feeds


def wrong_results(expected, results):
    """What is wrong with the results of one, two and three threads; ONNX Runtime's may be an error."""
    errors = [result for result in results if isinstance(result, str)]
    if isinstance(expected, str) or errors:
        is_allowed = isinstance(expected, str) or (len(errors) == len(results) and any(known in errors[0] for known in LIMITS))
        return None if is_allowed else f"an error: {errors[0]}"
    # What ONNX Runtime computes of no elements is not always what ONNX says, such as their mean.
    is_empty = any(array.size == 0 for array in expected.values())
    shapes = [{name: array.shape for name, array in arrays.items()} for arrays in (expected, results[0])]
    fault = f"shapes are {shapes[1]}, expected {shapes[0]}" if shapes[0] != shapes[1] else None
    if fault := fault if is_empty else difference(expected, results[0], TOLERANCE):
        return fault
    same = [np.array_equal(results[0][name], other[name], equal_nan=True) for other in results[1:] for name in expected]
    return None if all(same) else "the number of threads changes the results"


def at_sizes(model, folder, programs):
    """What is wrong with the library's results at some sizes, and with what it says of sizes that are out of range."""
    chosen = [feeds_of(model, sizes) for sizes in SIZES]
    expected = [reference(model, feeds) for feeds in chosen]
    known = [isinstance(right, str) or {name: (array.shape, array.dtype) for name, array in right.items()} for right in expected]
    beyond = [feeds_of(model, sizes) for sizes in BEYOND]
    calls = [(feeds, shapes if isinstance(shapes, dict) else {}) for feeds, shapes in zip(chosen, known)]
    calls += [(feeds, known[0] if isinstance(known[0], dict) else {}) for feeds in beyond]
    found, fault = isolated.call(all_results, package(programs), str(folder / "model.so"), calls)
    if fault:
        return fault
    for sizes, right, results in zip(SIZES, expected, found):
        if fault := wrong_results(right, results):
            return f"n, s = {sizes}: {fault}"
    for sizes, results in zip(BEYOND, found[len(SIZES) :]):
        if not all(isinstance(result, str) and "bound" in result or "from" in result for result in results):
            return f"n, s = {sizes} is out of range: {results[0]}"
    return None


def case(rng, folder, programs):
    """Makes a graph, and compiles it once; what is wrong with the results at any size."""
    graph = Graph(rng)
    for _ in range(int(rng.integers(3, 9))):
        graph.grow()
    model = graph.model()
    if not graph.nodes or not model.graph.input:
        return "refused", "it reads no input"
    path = folder / "model.onnx"
    path.write_bytes(model.SerializeToString())
    named = {dim.dim_param for port in model.graph.input for dim in port.type.tensor_type.shape.dim if dim.dim_param}
    options = [option for name in sorted(named) for option in ("--dim", f"{name}={BOUNDS[SAME.get(name, name)]}")]
    outcome = programs.relayc("compile", path, "-o", folder / "model.so", *options)
    if fault := outcome.fault():
        return "wrong", fault
    if outcome.refused:
        return "refused", outcome.errors
    fault = at_sizes(model, folder, programs)
    return ("wrong", fault) if fault else ("agrees", "")
