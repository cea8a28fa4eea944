"""TVM with Relay, 0.18 or older, without tuning: its ONNX frontend for Relay and its graph executor."""

import os

# Else it would look for tuned schedules on the network.
os.environ["TOPHUB_LOCATION"] = "NONE"

import onnx
import tvm
from tvm import relay
from tvm.contrib import graph_executor


def target():
    """This machine's processor, as TVM names it."""
    return tvm.target.Target(f"llvm -mcpu={tvm.target.codegen.llvm_get_system_cpu()}")


class Adapter:
    def __init__(self, model, inputs, threads, folder, precision):
        os.environ["TVM_NUM_THREADS"] = str(threads)
        proto = onnx.load(model)
        self.names = [value.name for value in proto.graph.output]
        shapes = {name: array.shape for name, array in inputs.items()}
        module, weights = relay.frontend.from_onnx(proto, shapes, freeze_params=True)
        with tvm.transform.PassContext(opt_level=3):
            library = relay.build(module, target=target(), params=weights)
        self.executor = graph_executor.GraphModule(library["default"](tvm.cpu()))
        for name, array in inputs.items():
            self.executor.set_input(name, array)

    def run(self):
        self.executor.run()

    def outputs(self):
        count = self.executor.get_num_outputs()
        results = (self.executor.get_output(index).numpy() for index in range(count))
        return dict(zip(self.names, results))

    def version(self):
        return tvm.__version__
