"""Runs a model of ONNX whose inputs get their values at compile time, and compares it with ONNX Runtime, which gets them at run time.

values.py OUT: OUT.onnx, OUT.npz and OUT.out.npz are written.
"""

import subprocess
import sys

import numpy as np
import onnx
import onnxruntime as ort
from programs import difference

TEXT = """
<ir_version: 8, opset_import: ["" : 17]>
main (float[n, 4] x, int64[2] shape, int64 rate, bool flag, float[3, k] table) => (y, z) {
    flat = Reshape (x, shape)
    limit = Constant <value = int64 {9000}> ()
    fast = Less (limit, rate)
    y = If (fast) <
        then_branch = first () => (p) { p = Exp (flat) },
        else_branch = second () => (q) { q = ReduceSum (flat) }
    >
    flags = Cast <to = 1> (flag)
    z = Mul (table, flags)
}
"""

GIVEN = {"shape": np.array([2, -1]), "rate": np.array(16000), "flag": np.array(True), "table": np.array([[1.5, 2], [3, 4], [-5, 0]], "f4")}


def main():
    out = sys.argv[1]
    model = onnx.parser.parse_model(TEXT)
    for value in model.graph.output:
        value.type.tensor_type.elem_type = onnx.TensorProto.FLOAT
    onnx.save(model, f"{out}.onnx")
    x = np.random.RandomState(1).uniform(-1, 1, (3, 4)).astype("f4")
    np.savez(f"{out}.npz", x=x)
    expected = ort.InferenceSession(f"{out}.onnx").run(["y", "z"], {"x": x, **GIVEN})
    said = [f"--value={name}={value.tolist()}" for name, value in GIVEN.items()]
    command = ["relayc", "run", f"{out}.onnx", *said, "--shape", "x=3,4", "--inputs", f"{out}.npz", "--outputs", f"{out}.out.npz"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(done.stderr)
    if done.returncode == 0:
        found = np.load(f"{out}.out.npz")
        print([difference(found[name], array) or "agrees" for name, array in zip(["y", "z"], expected, strict=True)])


if __name__ == "__main__":
    main()
