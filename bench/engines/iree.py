"""IREE: imported with its ONNX importer, compiled by llvm-cpu for this machine's processor."""

import importlib.metadata
import pathlib

import numpy as np
import onnx
from iree import compiler, runtime
from iree.compiler.tools.import_onnx import __main__ as importer


class Adapter:
    def __init__(self, model, inputs, threads, folder, precision):
        # One thread runs on the caller's; more are a pool of workers.
        driver = "local-sync" if threads == 1 else "local-task"
        runtime.flags.parse_flags(f"--task_topology_group_count={threads}")
        program = folder / f"{pathlib.Path(model).stem}.vmfb"
        program.write_bytes(compile_model(model, folder))
        graph = onnx.load(model, load_external_data=False).graph
        self.names = [value.name for value in graph.output]
        weights = {tensor.name for tensor in graph.initializer}
        order = [value.name for value in graph.input if value.name not in weights]
        config = runtime.Config(driver)
        module = runtime.VmModule.mmap(config.vm_instance, str(program))
        context = runtime.SystemContext(vm_modules=[module], config=config)
        names = [name for name in module.function_names if not name.startswith("__")]
        entry = min(names, key=lambda name: name.endswith("$async"))
        self.function = context.modules[module.name][entry]
        device = config.device
        self.arguments = [runtime.asdevicearray(device, inputs[name]) for name in order]
        self.results = ()

    def run(self):
        results = self.function(*self.arguments)
        self.results = results if isinstance(results, tuple) else (results,)

    def outputs(self):
        return dict(zip(self.names, (np.asarray(value.to_host()) for value in self.results)))

    def version(self):
        return importlib.metadata.version("iree-base-compiler")


def compile_model(model, folder):
    """The program for a model; its weights are inside."""
    text = folder / f"{pathlib.Path(model).stem}.iree.mlir"
    command = [str(model), "-o", str(text), "--opset-version", "17"]
    importer.main(importer.parse_arguments(command))
    return compiler.compile_file(
        str(text),
        input_type="onnx",
        target_backends=["llvm-cpu"],
        extra_args=[
            "--iree-llvmcpu-target-cpu=host",
            "--iree-opt-level=O3",
            # With vectors of 512 bits a layer normalization needs more than the default of 32 KiB.
            "--iree-llvmcpu-stack-allocation-limit=262144",
        ],
    )
