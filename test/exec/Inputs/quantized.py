"""Compiles random networks of quantised operators, and compares them with ONNX Runtime's, which computes those between QuantizeLinear and
DequantizeLinear in floats when it does not optimise."""

import pathlib
import sys

import numpy as np
import onnx
import relay_mlir

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "testing"))
import emulated
from quantized import LEVELS, network, reference, steps_apart

NETWORKS = 12
"""How many networks there are."""

EVERY = 6
"""Each so many networks is compiled for all levels, and for AArch64, where there is an emulator."""


def under_emulator(model, inputs, folder):
    """The bytes that another architecture computes, by target."""
    path = folder / "model.onnx"
    onnx.save_model(model, path)
    found = {target: emulated.outputs("relayc", path, inputs, target, folder) for target in emulated.TARGETS}
    return {target: result for target, outputs in found.items() for result in outputs.values()}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    wrong = 0
    for seed in range(NETWORKS):
        model, inputs, form = network(np.random.default_rng(seed))
        [expected] = reference(model).run(None, inputs)
        results = {}
        for level in LEVELS if seed % EVERY == 0 else LEVELS[:1]:
            for threads in (1, 2):
                compiled = relay_mlir.compile(model, target=level, threads=threads, cache=False)
                [results[level, threads]] = compiled.run(inputs).values()
        if seed % EVERY == 0 and emulated.is_here():
            results |= under_emulator(model, inputs, folder)
        first, *others = results.values()
        steps = steps_apart(first, expected)
        if steps > 1 or any(not np.array_equal(first, other) for other in others):
            wrong += 1
            print(f"network {seed} ({form}) differs by {steps} steps; the same bits: {[np.array_equal(first, other) for other in others]}")
    print(f"{NETWORKS - wrong} networks are right")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
