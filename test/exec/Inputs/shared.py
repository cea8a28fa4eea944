"""The model, its inputs and the expected results of shared.mlir, by numpy."""

import sys

import numpy as np

LEVELS = 30


def model():
    vector = "tensor<40xf32>"
    lines = []
    doubled = gathered = "%x"
    for level in range(LEVELS):
        lines.append(f"%d{level} = relay.add {doubled}, {doubled} : ({vector}, {vector}) -> {vector}")
        lines.append(
            f'%t{level} = relay.take {gathered}, %i {{axis = 0 : i64, mode = "clip"}}'
            f" : ({vector}, tensor<40xi64>) -> {vector}"
        )
        lines.append(f"%g{level} = relay.maximum {gathered}, %t{level} : ({vector}, {vector}) -> {vector}")
        doubled, gathered = f"%d{level}", f"%g{level}"
    body = "\n  ".join(lines)
    return f"""func.func @main(%x: {vector} {{relay.name = "x"}}, %i: tensor<40xi64> {{relay.name = "i"}})
    -> ({vector} {{relay.name = "doubled"}}, {vector} {{relay.name = "gathered"}}) {{
  {body}
  return {doubled}, {gathered} : {vector}, {vector}
}}"""


command, inputs, *results = sys.argv[1:]
if command == "model":
    rng = np.random.default_rng(0)
    i = np.minimum(np.arange(40) + 1, 39)
    np.savez(inputs, x=rng.standard_normal(40, np.float32), i=i.astype(np.int64))
    print(model())
else:
    given, got = np.load(inputs), np.load(results[0])
    gathered = given["x"]
    for _ in range(LEVELS):
        gathered = np.maximum(gathered, gathered[given["i"]])
    np.testing.assert_array_equal(got["doubled"], given["x"] * np.float32(2**LEVELS))
    np.testing.assert_array_equal(got["gathered"], gathered)
