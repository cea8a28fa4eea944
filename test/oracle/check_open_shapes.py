"""Compares the shapes of models that are imported with open dimensions with those of ONNX Runtime.

The importer gives each output a shape of numbers and forms, such as [n, (h + 1) / 2, 8]. A model is imported once; then
the forms are evaluated for several sizes, and ONNX Runtime runs the model on inputs of these sizes.
"""

import json
import re
import subprocess

import numpy as np
import onnx

from run_ort import session

# What an input's elements are made as.
TYPES = {1: np.float32, 6: np.int32, 7: np.int64, 9: np.bool_, 11: np.float64}


def imported(relayc, path, options):
    """The shapes of the outputs, as lists of texts, by name; and what keeps the model from being imported."""
    command = [relayc, "inspect", str(path), "--json", *options]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    try:
        summary = json.loads(result.stdout)
    except json.JSONDecodeError:
        return None, result.stderr.strip()[-400:]
    found = {port["name"]: port["resolved"] for port in summary["outputs"]}
    if None in found.values():
        errors = [error["message"] for error in summary["errors"]]
        return None, "; ".join(errors) or str(summary["unsupported"])
    return {name: dims_of(text) for name, text in found.items()}, None


def dims_of(text):
    """The dimensions in `f32[n, max(n, 2)]`."""
    inner = text[text.index("[") + 1 : text.rindex("]")]
    dims, depth = [""], 0
    for letter in inner:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            dims.append("")
        else:
            dims[-1] += letter
    return [dim.strip() for dim in dims if dim.strip()]


def evaluated(dim, sizes):
    """The size that a form is, where symbols have these sizes."""
    names = {f"_{name}": size for name, size in sizes.items()}
    python = re.sub(r"(?<![\w.])(?!max\(|min\()[^\W\d][\w.]*", lambda name: f"_{name.group()}", dim)
    return eval(python.replace("/", "//"), {"max": max, "min": min}, names)  # pylint: disable=eval-used


def feeds_of(model, sizes, seed=0):
    """Inputs of a model whose named dimensions have these sizes; whole numbers are 0 or 1."""
    random = np.random.default_rng(seed)
    initialized = {tensor.name for tensor in model.graph.initializer}
    feeds = {}
    for port in model.graph.input:
        if port.name in initialized:
            continue
        tensor = port.type.tensor_type
        shape = [sizes[dim.dim_param] if dim.dim_param else dim.dim_value for dim in tensor.shape.dim]
        dtype = TYPES[tensor.elem_type]
        numbers = random.standard_normal(shape) if np.issubdtype(dtype, np.floating) else random.integers(0, 2, shape)
        feeds[port.name] = np.asarray(numbers, dtype)
    return feeds


def names_in(model):
    """The names of dimensions in the inputs."""
    dims = [dim for port in model.graph.input for dim in port.type.tensor_type.shape.dim]
    return sorted({dim.dim_param for dim in dims if dim.dim_param})


def check(relayc, path, sizes_of_names):
    """What is wrong with the shapes of a model, at each choice of sizes; and whether it was imported."""
    model = onnx.load(path)
    options = [option for name in names_in(model) for option in ("--dim", f"{name}=?")]
    shapes, reason = imported(relayc, path, options)
    if shapes is None:
        return [f"not imported: {reason}"]
    runner, wrong = session(model.SerializeToString(), 1), []
    outputs = [output.name for output in runner.get_outputs()]
    for sizes in sizes_of_names:
        results = runner.run(outputs, feeds_of(model, sizes))
        for name, result in zip(outputs, results):
            found = [evaluated(dim, sizes) for dim in shapes[name]]
            if found != list(result.shape):
                wrong.append(f"{name} is {shapes[name]}, so {found} for {sizes}; ONNX Runtime has {list(result.shape)}")
    return wrong
