"""Runs an ONNX model with ONNX Runtime, and saves tensors that its nodes compute.

usage: onnxruntime.py MODEL INPUTS.npz OUTPUTS.npz < names of tensors, one in a line
"""

import os
import sys

try:
    import numpy
    import onnxruntime
except ImportError as error:
    sys.exit(f"cannot import {error.name}")


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


def main():
    model, inputs, outputs = sys.argv[1:]
    names = sys.stdin.read().splitlines()
    with open(model, "rb") as file:
        content = file.read()
    # Messages that follow one another are merged: more outputs (12) of the graph (7), each with its name (1).
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    folder = os.path.dirname(os.path.abspath(model))
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", folder)
    load = lambda content: onnxruntime.InferenceSession(
        content, options, providers=["CPUExecutionProvider"]
    )
    own = {output.name for output in load(content).get_outputs()}
    more = b"".join(field(12, field(1, name.encode())) for name in names if name not in own)
    session = load(content + field(7, more))
    with numpy.load(inputs) as given:
        feed = {port.name: given[port.name] for port in session.get_inputs()}
    numpy.savez(outputs, **dict(zip(names, session.run(names, feed))))


main()
