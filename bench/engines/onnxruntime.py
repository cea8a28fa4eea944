"""ONNX Runtime with all optimisations, inputs and outputs bound to memory; an output of `in_place` to the memory of its input."""

import onnxruntime


class Adapter:
    def __init__(self, model, inputs, threads, folder, precision, in_place=None):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        providers = ["CPUExecutionProvider"]
        self.session = onnxruntime.InferenceSession(str(model), options, providers=providers)
        self.binding = self.session.io_binding()
        # A value has the memory of its array.
        self.inputs = inputs
        values = {name: onnxruntime.OrtValue.ortvalue_from_numpy(array) for name, array in inputs.items()}
        for name, value in values.items():
            self.binding.bind_ortvalue_input(name, value)
        self.names = [value.name for value in self.session.get_outputs()]
        for name in self.names:
            if name in (in_place or {}):
                self.binding.bind_ortvalue_output(name, values[in_place[name]])
            else:
                self.binding.bind_output(name, "cpu")

    def run(self):
        self.session.run_with_iobinding(self.binding)

    def outputs(self):
        return dict(zip(self.names, self.binding.copy_outputs_to_cpu()))

    def version(self):
        return onnxruntime.__version__
