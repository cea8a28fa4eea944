"""Compiles a model with a plugin's pass from Python, and runs the pass on a module."""

import pathlib
import sys
import tempfile

import numpy as np

import relay_mlir
from relay_mlir import ir


def main():
    model, plugin = sys.argv[1:]
    replace = {"insert_pass": "func.func(replace-gelu)", "load_pass_plugin": plugin, "cache": False}
    with tempfile.TemporaryDirectory() as folder:
        compiled = relay_mlir.compile(model, dump_ir=folder, **replace)
        texts = [path.read_text() for path in pathlib.Path(folder).glob("*fuse-ops.mlir")]
    print("the kernel has a tanh:", any("relay.tanh" in text for text in texts))
    x = np.linspace(-3, 3, 8, dtype=np.float32).reshape(2, 4)
    gelu = 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
    np.testing.assert_allclose(compiled(x), gelu, rtol=1e-4, atol=1e-5)
    ir.load_pass_plugin(plugin)
    module = ir.Module.load(model).run("func.func(replace-gelu)")
    print("the module has a tanh:", "relay.tanh" in str(module))


main()
