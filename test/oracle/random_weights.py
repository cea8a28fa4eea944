"""Makes models with random weights from the topologies of onnx's light models.

Writes OUTDIR/<model>.onnx, a random input <model>.inputs.npz and what ONNX Runtime computes from
it with one thread, <model>.outputs.npz. All weights are initializers: convolutions and dense
layers as He et al. initialise them, batch normalizations near the identity with positive
variances, and the last layer scaled so that the classes' scores differ by a few units. The values
do not depend on the order of the tensors in the file, only on their names and the seed.
"""

import argparse
import pathlib
import zlib

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

from light_models import light_model_path, light_models, model_inputs, random_input
from run_ort import session

SCORE_DEVIATION = 2.0


def weight_shapes(graph):
    """The shapes of all float weights by name, whether stored or made by ConstantOfShape."""
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    shapes = {
        name: tuple(tensor.dims)
        for name, tensor in tensors.items()
        if tensor.data_type == TensorProto.FLOAT
    }
    for node in graph.node:
        if node.op_type == "ConstantOfShape":
            shape = numpy_helper.to_array(tensors[node.input[0]])
            shapes[node.output[0]] = tuple(int(size) for size in shape)
    return shapes


def attribute(node, name, default):
    """The value of a node's attribute."""
    values = [entry for entry in node.attribute if entry.name == name]
    return onnx.helper.get_attribute_value(values[0]) if values else default


def residual_norms(graph):
    """The scales of the normalizations whose results are summed with a shortcut."""
    producers = {output: node for node in graph.node for output in node.output}
    sums = [node for node in graph.node if node.op_type in ("Add", "Sum")]
    summed = {name for node in sums for name in node.input}
    return {
        producers[name].input[1]
        for name in summed
        if name in producers and producers[name].op_type == "BatchNormalization"
    }


def roles(graph):
    """What each weight is for: (role, node)."""
    found = {}
    aliases = {}
    names = {
        "Conv": {1: "kernel", 2: "bias"},
        "Gemm": {1: "matrix", 2: "bias"},
        "BatchNormalization": {1: "scale", 2: "bias", 3: "mean", 4: "variance"},
        "Mul": {0: "scale", 1: "scale"},
        "Add": {0: "bias", 1: "bias"},
    }
    for node in graph.node:
        if node.op_type in ("Reshape", "Unsqueeze"):
            aliases[node.output[0]] = node.input[0]
        for position, name in enumerate(node.input):
            role = names.get(node.op_type, {}).get(position)
            if role:
                found.setdefault(aliases.get(name, name), (role, node))
    return found


def values(name, shape, role, node, seed, damped):
    """Random values for a weight."""
    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    if role == "kernel":
        array = rng.standard_normal(shape, np.float32) * np.sqrt(2 / np.prod(shape[1:]))
    elif role == "matrix":
        fan_in = shape[-1] if attribute(node, "transB", 0) else shape[-2]
        array = rng.standard_normal(shape, np.float32) * np.sqrt(2 / fan_in)
    elif role == "variance":
        array = rng.uniform(0.8, 1.2, shape)
    elif role == "scale":
        array = rng.uniform(0.8, 1.2, shape) * (0.3 if name in damped else 1)
    else:
        array = rng.standard_normal(shape) * 0.05
    return array.astype(np.float32)


def randomize(model, seed=0):
    """A copy of a model with random weights; returns it."""
    graph = model.graph
    shapes, uses, damped = weight_shapes(graph), roles(graph), residual_norms(graph)
    result = onnx.ModelProto()
    result.CopyFrom(model)
    result.ir_version = max(model.ir_version, 4)  # The first where weights need not be inputs.
    new = result.graph
    inputs = list(model_inputs(graph))
    nodes = [node for node in graph.node if node.op_type != "ConstantOfShape"]
    read = {name for node in nodes for name in node.input}
    kept = [t for t in graph.initializer if t.name in read and t.name not in shapes]
    for field, content in [("input", inputs), ("node", nodes), ("initializer", kept)]:
        del getattr(new, field)[:]
        getattr(new, field).extend(content)
    for name, shape in shapes.items():
        if name in read:
            role, node = uses[name]
            array = values(name, shape, role, node, seed, damped)
            new.initializer.append(numpy_helper.from_array(array, name))
    scale_scores(result, seed)
    onnx.checker.check_model(result)
    return result


def last_layer(graph):
    """The weight that makes the scores, and the name of the scores."""
    producers = {output: node for node in graph.node for output in node.output}
    node = producers[graph.output[0].name]
    scores = node.input[0] if node.op_type == "Softmax" else node.output[0]
    node = producers[scores]
    while node.op_type not in ("Gemm", "Conv"):
        node = producers[node.input[0]]
    weight = node.input[1]
    while weight in producers:  # Reshaped from the stored one.
        weight = producers[weight].input[0]
    return weight, scores


def scale_scores(model, seed):
    """Scales the last layer's weights so that the scores of a random input spread as wanted."""
    weight, scores = last_layer(model.graph)
    probe = onnx.ModelProto()
    probe.CopyFrom(model)
    probe.graph.output.append(onnx.helper.make_empty_tensor_value_info(scores))
    inputs = {value.name: random_input(value, seed) for value in model_inputs(model.graph)}
    found = session_of(probe).run([scores], inputs)[0]
    factor = np.float32(SCORE_DEVIATION / max(float(found.std()), 1e-30))
    for tensor in model.graph.initializer:
        if tensor.name == weight:
            scaled = numpy_helper.to_array(tensor) * factor
            tensor.CopyFrom(numpy_helper.from_array(scaled, tensor.name))


def session_of(model):
    """A session for a model in memory."""
    return session(model.SerializeToString(), threads=1)


def save(model, path, seed):
    """Writes a model, a random input and the output; returns the output."""
    onnx.save_model(model, path)
    inputs = {value.name: random_input(value, seed) for value in model_inputs(model.graph)}
    names = [value.name for value in model.graph.output]
    outputs = dict(zip(names, session(path, threads=1).run(names, inputs)))
    np.savez(path.with_suffix(".inputs.npz"), **inputs)
    np.savez(path.with_suffix(".outputs.npz"), **outputs)
    return outputs


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("outdir", type=pathlib.Path, help="folder to write to")
    parser.add_argument("--models", nargs="+", default=light_models(), choices=light_models())
    parser.add_argument("--seed", type=int, default=0, help="default: %(default)s")
    options = parser.parse_args()
    options.outdir.mkdir(parents=True, exist_ok=True)
    for name in options.models:
        path = options.outdir / f"{name}.onnx"
        model = randomize(onnx.load(light_model_path(name)), options.seed)
        for output, array in save(model, path, options.seed + 1).items():
            size = path.stat().st_size / 2**20
            print(f"{path}: {size:.1f} MiB, {output} {array.min():.3g} to {array.max():.3g}")


if __name__ == "__main__":
    main()
