"""The engines that are measured, each an adapter in a file of its own.

An adapter is a class `Adapter` in the module of the engine's name here. One is made in a process of
its own (worker.py) for one model and one number of threads:

    Adapter(model, inputs, threads, folder, precision)   compiles or loads; inputs are arrays by name
    run()                                                one run; nothing else may be timed with it
    outputs()                                            the results of the last run, arrays by name
    version()                                            of the engine, as text
    facts(), close()                                     optional: figures of its own; frees it

What a module imports is imported in that process only. tract is written in Rust: bench/tract is a
program that speaks worker.py's protocol itself.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Engine:
    """What can be known of an engine without starting it."""

    name: str
    title: str
    requirements: str = ""
    """The file in bench/ of what it needs beside requirements.txt."""


RELAY = "tvm_relay"
"""TVM with Relay, which a Python of its own imports: --tvm names it."""

AGAINST = "against"
"""Ours as another build of relayc compiles it, an older one most of the time: it has no module here."""

ENGINES = {
    engine.name: engine
    for engine in [
        Engine("ours", "ours"),
        Engine(AGAINST, "other build"),
        Engine("onnxruntime", "ONNX Runtime"),
        Engine("openvino", "OpenVINO"),
        Engine("iree", "IREE", "requirements-iree.txt"),
        Engine("tract", "tract"),
        Engine("tvm", "TVM untuned", "requirements-tvm.txt"),
        Engine(RELAY, "TVM with Relay, untuned"),
    ]
}
PEERS = [name for name in ENGINES if name not in ("ours", AGAINST)]
DEFAULT_PEERS = ["onnxruntime", "openvino"]
