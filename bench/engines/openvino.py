"""OpenVINO on the CPU, for latency, with inputs in memory that it shares."""

import numpy as np
import openvino


class Adapter:
    def __init__(self, model, inputs, threads, folder, precision):
        core = openvino.Core()
        settings = {
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_NUM_THREADS": threads,
            "NUM_STREAMS": 1,
            # Its default is bf16 wherever the processor has it.
            "INFERENCE_PRECISION_HINT": precision,
        }
        self.compiled = core.compile_model(core.read_model(str(model)), "CPU", settings)
        self.request = self.compiled.create_infer_request()
        self.arrays = {name: np.ascontiguousarray(array) for name, array in inputs.items()}
        for name, array in self.arrays.items():
            self.request.set_tensor(name, openvino.Tensor(array, shared_memory=True))

    def run(self):
        self.request.infer()

    def outputs(self):
        return {
            port.get_any_name(): self.request.get_tensor(port).data.copy()
            for port in self.compiled.outputs
        }

    def version(self):
        return openvino.__version__.split("-")[0]
