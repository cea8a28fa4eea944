"""ONNX Runtime with all optimisations, inputs and outputs bound to memory."""

import onnxruntime


class Adapter:
    def __init__(self, model, inputs, threads, folder, precision):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        providers = ["CPUExecutionProvider"]
        self.session = onnxruntime.InferenceSession(str(model), options, providers=providers)
        self.binding = self.session.io_binding()
        for name, array in inputs.items():
            self.binding.bind_cpu_input(name, array)
        self.names = [value.name for value in self.session.get_outputs()]
        for name in self.names:
            self.binding.bind_output(name, "cpu")

    def run(self):
        self.session.run_with_iobinding(self.binding)

    def outputs(self):
        return dict(zip(self.names, self.binding.copy_outputs_to_cpu()))

    def version(self):
        return onnxruntime.__version__
