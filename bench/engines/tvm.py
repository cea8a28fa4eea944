"""TVM without tuning: its ONNX frontend for Relax, and its default pipeline for LLVM."""

import os

import numpy as np
import onnx
import tvm
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx


class Adapter:
    def __init__(self, model, inputs, threads, folder, precision):
        os.environ["TVM_NUM_THREADS"] = str(threads)
        proto = onnx.load(model)
        self.names = [value.name for value in proto.graph.output]
        weights = {tensor.name for tensor in proto.graph.initializer}
        order = [value.name for value in proto.graph.input if value.name not in weights]
        cpu = tvm.target.codegen.llvm_get_system_cpu()
        target = tvm.target.Target({"kind": "llvm", "mcpu": cpu, "num-cores": threads})
        program = tvm.compile(from_onnx(proto), target)
        self.machine = relax.VirtualMachine(program, tvm.cpu())
        arguments = [tvm.runtime.tensor(inputs[name], tvm.cpu()) for name in order]
        self.machine.set_input("main", *arguments)

    def run(self):
        self.machine.invoke_stateful("main")

    def outputs(self):
        results = self.machine.get_outputs("main")
        results = results if isinstance(results, (list, tuple)) else [results]
        return dict(zip(self.names, (np.asarray(value.numpy()) for value in results)))

    def version(self):
        return tvm.__version__
