"""Damaged models: a valid graph in whose protocol buffer something is changed. Whatever it is, the importer takes it or
says what is wrong with it."""

import numpy as np
from onnx import helper

from operators import random_network

# Numbers that sizes, axes and counts are never expected to be.
NUMBERS = [0, -1, 1, 2, 3, 7, -2, 255, 1 << 31, -(1 << 31), (1 << 31) - 1, 1 << 40, (1 << 63) - 1, -(1 << 63), 1 << 62]


def pick(rng, items):
    items = list(items)
    return items[int(rng.integers(len(items)))] if items else None


def number(rng):
    return pick(rng, NUMBERS)


def change_attribute(rng, graph):
    node = pick(rng, [node for node in graph.node if node.attribute])
    if node is None:
        return
    attribute = pick(rng, node.attribute)
    what = rng.integers(6)
    if what == 0:
        node.attribute.remove(attribute)
    elif what == 1:
        attribute.type = int(rng.integers(0, 15))
    elif what == 2:
        attribute.name = pick(rng, ["", "axis", "pads", "kernel_shape", "group", "nothing", "to"])
    elif attribute.ints and what < 5:
        values = list(attribute.ints)
        values[int(rng.integers(len(values)))] = number(rng)
        if rng.integers(3) == 0:
            values = values[:-1] if rng.integers(2) else [*values, number(rng)]
        del attribute.ints[:]
        attribute.ints.extend(values)
    elif attribute.type == 1:
        attribute.f = float(pick(rng, [0.0, -1.0, np.inf, np.nan, 3e38, 1e-45]))
    else:
        attribute.i = number(rng)


def change_node(rng, graph):
    node = pick(rng, graph.node)
    what = rng.integers(9)
    if node is None:
        return
    if what == 0:
        node.op_type = pick(rng, ["Conv", "MatMul", "Reshape", "Concat", "Softmax", "Pad", "Resize", "Split", "", "No\0thing"])
    elif what == 1 and node.input:
        node.input[int(rng.integers(len(node.input)))] = pick(rng, [n for other in graph.node for n in other.output] + ["", "none"])
    elif what == 2 and node.input:
        del node.input[int(rng.integers(len(node.input)))]
    elif what == 3:
        node.input.append(pick(rng, [w.name for w in graph.initializer] + ["", "none"]))
    elif what == 4 and node.output:
        node.output[0] = pick(rng, ["", "x0", "v0_0", node.output[0] + "\0"])
    elif what == 5:
        node.output.append(pick(rng, ["", "more", "x0"]))
    elif what == 6:
        graph.node.remove(node)
    elif what == 7:
        graph.node.append(node)
    else:
        node.domain = pick(rng, ["", "ai.onnx", "com.microsoft", "x" * 300])


def change_tensor(rng, graph):
    tensor = pick(rng, graph.initializer)
    if tensor is None:
        return
    what = rng.integers(7)
    if what == 0 and tensor.dims:
        tensor.dims[int(rng.integers(len(tensor.dims)))] = number(rng)
    elif what == 1:
        tensor.dims.append(number(rng))
    elif what == 2:
        tensor.data_type = int(rng.integers(0, 26))
    elif what == 3 and tensor.raw_data:
        tensor.raw_data = tensor.raw_data[: int(rng.integers(len(tensor.raw_data)))]
    elif what == 4 and tensor.raw_data:
        data = bytearray(tensor.raw_data)
        for _ in range(8):
            data[int(rng.integers(len(data)))] = int(rng.integers(256))
        tensor.raw_data = bytes(data)
    elif what == 5:
        tensor.data_location = 1
        entry = tensor.external_data.add()
        entry.key, entry.value = pick(rng, [("location", "../x"), ("location", "/dev/zero"), ("offset", "-1"), ("length", "9" * 30)])
    else:
        tensor.name = pick(rng, ["", "x0", "v0_0", tensor.name + "\0"])


def change_interface(rng, graph):
    info = pick(rng, [*graph.input, *graph.output])
    shape = info.type.tensor_type.shape
    what = rng.integers(6)
    if what == 0 and shape.dim:
        pick(rng, shape.dim).dim_value = number(rng)
    elif what == 1 and shape.dim:
        pick(rng, shape.dim).dim_param = pick(rng, ["", "batch", "N\0", "batch"])
    elif what == 2:
        info.type.tensor_type.elem_type = int(rng.integers(0, 26))
    elif what == 3:
        info.type.tensor_type.ClearField("shape")
    elif what == 4:
        info.name = pick(rng, ["", "x0", "v0_0", info.name + "\0"])
    else:
        graph.output.append(info)


def change_model(rng, model):
    what = rng.integers(4)
    if what == 0 and model.opset_import:
        model.opset_import[0].version = number(rng)
    elif what == 1:
        model.ir_version = number(rng)
    elif what == 2:
        del model.opset_import[:]
    else:
        model.opset_import.append(helper.make_opsetid(pick(rng, ["", "other", "ai.onnx.ml"]), abs(number(rng)) % (1 << 62)))


def damage(rng, data):
    """Changes bytes of a file."""
    data = bytearray(data)
    for _ in range(int(rng.integers(1, 6))):
        at = int(rng.integers(len(data)))
        what = rng.integers(4)
        if what == 0:
            data[at] ^= 1 << int(rng.integers(8))
        elif what == 1:
            data[at] = int(rng.integers(256))
        elif what == 2:
            del data[at : at + int(rng.integers(1, 16))]
        else:
            data[at:at] = data[at : at + int(rng.integers(1, 16))]
        if not data:
            break
    return bytes(data)


def case(rng, folder, programs):
    """Damages a model, and compiles it."""
    network = random_network(rng)
    model = network.model()
    changes = [change_attribute, change_attribute, change_node, change_node, change_tensor, change_tensor, change_interface]
    for _ in range(int(rng.integers(1, 4))):
        if rng.integers(10) == 0:
            change_model(rng, model)
        else:
            pick(rng, changes)(rng, model.graph)
    data = model.SerializeToString()
    if rng.integers(4) == 0:
        data = damage(rng, data)
    path = folder / "model.onnx"
    path.write_bytes(data)
    for words in (["inspect", path], ["run", path, "--threads", "2"]):
        outcome = programs.relayc(*words)
        fault = outcome.fault()
        if fault:
            return "wrong", fault
    return ("refused" if outcome.refused else "agrees"), outcome.errors
