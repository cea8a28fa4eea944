"""Products of f32 with weights of narrower floats, against numpy.

narrow_weights.py model OUT.mlir INPUTS.npz
narrow_weights.py check INPUTS.npz OUTPUTS.npz
"""

import sys

import numpy as np

# The operator, the shapes of data and weight, and attributes. Weights are constants or inputs.
CASES = {
    "row": ("nn.dense", (1, 40), (24, 40), ""),
    "rows": ("nn.dense", (70, 96), (33, 96), ""),
    "one_unit": ("nn.dense", (9, 40), (1, 40), ""),
    "many": ("nn.dense", (130, 256), (160, 256), ""),
    "matmul": ("nn.matmul", (7, 40), (40, 24), "{transpose_a = false, transpose_b = false}"),
    "batches": ("nn.batch_matmul", (3, 70, 16), (3, 16, 20), "{transpose_a = false, transpose_b = false}"),
    "few_columns": ("nn.batch_matmul", (2, 5, 16), (2, 3, 16), "{transpose_a = false, transpose_b = true}"),
}
ELEMENTS = ("f16", "bf16")


def rounded(array, element):
    """The numbers of f32 that a narrow float has, and its bits."""
    if element == "f16":
        narrow = array.astype(np.float16)
        return narrow.astype(np.float32), narrow.view(np.uint16)
    bits = (array.view(np.uint32) >> 16).astype(np.uint16)
    return (bits.astype(np.uint32) << 16).view(np.float32), bits


def cases():
    rng = np.random.default_rng(3)
    for element in ELEMENTS:
        for name, (op, data, weight, attrs) in CASES.items():
            x = rng.standard_normal(data, np.float32)
            w, bits = rounded(rng.standard_normal(weight, np.float32), element)
            yield f"{name}_{element}", op, attrs, element, x, w, bits


def tensor(shape, element):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def model(path, inputs):
    arguments, lines, results, types, arrays = [], [], [], [], {}
    for place, (name, op, attrs, element, x, _, bits) in enumerate(cases()):
        given, stored = tensor(x.shape, "f32"), tensor(bits.shape, element)
        arguments.append(f'%x{place}: {given} {{relay.name = "{name}"}}')
        shape = expected(op, attrs, x, np.zeros(bits.shape, np.float32)).shape
        made = tensor(shape, "f32")
        text = bits.astype("<u2").tobytes().hex().upper()
        lines.append(f'  %w{place} = relay.constant dense<"0x{text}"> : {stored}')
        lines.append(f"  %y{place} = relay.{op} %x{place}, %w{place} {attrs} : ({given}, {stored}) -> {made}")
        results.append(f"%y{place}")
        types.append(f'{made} {{relay.name = "{name}_result"}}')
        arrays[name] = x
    text = [f"func.func @main({', '.join(arguments)}) -> ({', '.join(types)}) {{", *lines]
    plain = [one.split(" {")[0] for one in types]
    text += [f"  return {', '.join(results)} : {', '.join(plain)}", "}"]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(text) + "\n")
    np.savez(inputs, **arrays)


def expected(op, attrs, x, w):
    transposes = op == "nn.dense" or "transpose_b = true" in attrs
    return np.matmul(x.astype(np.float64), (np.swapaxes(w, -1, -2) if transposes else w).astype(np.float64))


def check(inputs, outputs):
    found = np.load(outputs)
    for name, op, attrs, _, x, w, _ in cases():
        np.testing.assert_allclose(found[f"{name}_result"], expected(op, attrs, x, w), rtol=1e-4, atol=1e-4, err_msg=name)


{"model": model, "check": check}[sys.argv[1]](*sys.argv[2:])
