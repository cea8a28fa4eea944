"""Runs an ONNX model with ONNX Runtime, and saves tensors that its nodes compute.

usage: onnxruntime.py MODEL FOLDER

The folder's request.json has `names`, the tensors to save, `given`, tensors that are read instead of computed, and the
number of `cases`. Case N reads inputs-N.npz and writes outputs-N.npz.
"""

import json
import os
import sys

try:
    import numpy
    import onnxruntime
except ImportError as error:
    sys.exit(f"cannot import {error.name}")

# Fields of ONNX's messages, by their numbers.
MODEL_GRAPH = 7
GRAPH_NODE, GRAPH_INPUT, GRAPH_OUTPUT = 1, 11, 12
NODE_OUTPUT = 2
VALUE_NAME, VALUE_TYPE = 1, 2
TYPE_TENSOR, TENSOR_ELEMENT = 1, 1

# How fields are written: a number, bytes after their count, or the bytes of a number.
VARINT, BYTES, WIDTHS = 0, 2, {1: 8, 5: 4}

# ONNX's numbers of element types.
ELEMENTS = {"float32": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5}


def varint(number):
    """A number as protocol buffers write it."""
    parts = []
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes(parts + [number])


def field(number, content):
    """A field that holds bytes."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def read_varint(content, place):
    """A number, and where it ends."""
    number = shift = 0
    while True:
        byte = content[place]
        number |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return number, place


def fields(content):
    """The fields of a message: the number, the whole field, and its bytes, if it holds bytes."""
    place = 0
    while place < len(content):
        start = place
        key, place = read_varint(content, place)
        inner, kind = None, key & 7
        if kind == VARINT:
            _, place = read_varint(content, place)
        elif kind == BYTES:
            length, place = read_varint(content, place)
            inner = content[place : place + length]
            place += length
        else:
            place += WIDTHS[kind]
        yield key >> 3, content[start:place], inner


def changed(content, wanted, change):
    """A message in which `change` replaces the bytes of the fields with a number."""
    return b"".join(
        field(number, change(inner)) if number == wanted and inner is not None else bytes(whole)
        for number, whole, inner in fields(content)
    )


def with_given(content, given):
    """A model that reads tensors, by their names and arrays, which nodes of it compute: the nodes' results have other names."""
    aside = {name.encode(): f"{name} as computed".encode() for name in given}
    rename = lambda name: aside.get(bytes(name), bytes(name))
    graph = lambda inner: changed(inner, GRAPH_NODE, lambda node: changed(node, NODE_OUTPUT, rename))
    inputs = b""
    for name, array in given.items():
        tensor = varint(TENSOR_ELEMENT << 3) + varint(ELEMENTS[array.dtype.name])
        value = field(VALUE_NAME, name.encode()) + field(VALUE_TYPE, field(TYPE_TENSOR, tensor))
        inputs += field(GRAPH_INPUT, value)
    # Messages that follow one another are merged.
    return changed(memoryview(content), MODEL_GRAPH, graph) + field(MODEL_GRAPH, inputs)


def main():
    model, folder = sys.argv[1:]
    with open(os.path.join(folder, "request.json"), encoding="utf-8") as file:
        request = json.load(file)
    names = request["names"]
    case = lambda number: numpy.load(os.path.join(folder, f"inputs-{number}.npz"))
    with open(model, "rb") as file:
        content = file.read()
    if request["given"]:
        with case(0) as arrays:
            content = with_given(content, {name: arrays[name] for name in request["given"]})
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    external = os.path.dirname(os.path.abspath(model))
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", external)
    load = lambda content: onnxruntime.InferenceSession(
        content, options, providers=["CPUExecutionProvider"]
    )
    own = {output.name for output in load(content).get_outputs()}
    more = [field(GRAPH_OUTPUT, field(VALUE_NAME, name.encode())) for name in names if name not in own]
    session = load(content + field(MODEL_GRAPH, b"".join(more)))
    for number in range(request["cases"]):
        with case(number) as given:
            feed = {port.name: given[port.name] for port in session.get_inputs()}
        outputs = os.path.join(folder, f"outputs-{number}.npz")
        numpy.savez(outputs, **dict(zip(names, session.run(names, feed))))


main()
