"""A function of Relay operators, put together one by one, with what numpy says of each."""

import itertools

import numpy as np

TYPES = {"bool": "i1", "float16": "f16", "float32": "f32", "float64": "f64", "int8": "i8", "int16": "i16", "int32": "i32",
         "int64": "i64", "uint8": "ui8", "uint16": "ui16", "uint32": "ui32"}


class Value:
    def __init__(self, name, array):
        self.name, self.array = name, np.asarray(array)

    @property
    def type(self):
        dims = "".join(f"{extent}x" for extent in self.array.shape)
        return f"tensor<{dims}{TYPES[self.array.dtype.name]}>"


class Program:
    """A function that computes all instances of a rule. The prefix tells its inputs and outputs from those of other programs."""

    def __init__(self, rng, prefix=""):
        self.rng, self.prefix, self.numbers = rng, prefix, itertools.count()
        self.lines, self.inputs, self.outputs = [], {}, {}

    def shape(self, least=0, most=4):
        return tuple(int(extent) for extent in self.rng.integers(1, 6, self.rng.integers(least, most + 1)))

    def narrower(self, shape):
        """A shape that broadcasts to this one."""
        start = self.rng.integers(len(shape) + 1)
        return tuple(1 if self.rng.integers(3) == 0 else extent for extent in shape[start:])

    def array(self, shape, dtype=np.float32):
        if np.issubdtype(dtype, np.integer):
            return self.rng.integers(0 if np.issubdtype(dtype, np.unsignedinteger) else -100, 100, shape).astype(dtype)
        # No element is near 0, by which something may be divided.
        return (self.rng.uniform(0.5, 2, shape) * self.rng.choice([-1, 1], shape)).astype(dtype)

    def input(self, shape, dtype=np.float32):
        value = Value(f"{self.prefix}x{next(self.numbers)}", self.array(shape, dtype))
        self.inputs[value.name] = value
        return value

    def constant(self, array):
        value = Value(f"c{next(self.numbers)}", array)
        text = np.vectorize(lambda number: f"{number:.17e}" if value.array.dtype.kind == "f" else str(number), otypes=[object])
        elements = str(text(value.array).tolist()).replace("'", "").lower()
        self.lines.append(f"%{value.name} = relay.constant dense<{elements}> : {value.type}")
        return value

    def same(self, number, shape, dtype=np.float32):
        return self.constant(np.full(shape, number, dtype))

    def op(self, name, operands, array, **attrs):
        value = Value(f"v{next(self.numbers)}", array)
        attrs = ", ".join(f"{key} = {attribute(item)}" for key, item in attrs.items())
        reads = ", ".join(f"%{operand.name}" for operand in operands)
        types = ", ".join(operand.type for operand in operands)
        self.lines.append(f"%{value.name} = relay.{name} {reads} {{{attrs}}} : ({types}) -> {value.type}")
        return value

    def binary(self, name, lhs, rhs, either=False):
        function = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide}[name]
        operands = [rhs, lhs] if either and self.rng.integers(2) else [lhs, rhs]
        array = function(operands[0].array, operands[1].array)
        return self.op(name, operands, array.astype(lhs.array.dtype))

    def result(self, value):
        self.outputs[f"{self.prefix}y{len(self.outputs)}"] = value

    def text(self):
        inputs = ", ".join(f'%{name}: {value.type} {{relay.name = "{name}"}}' for name, value in self.inputs.items())
        results = ", ".join(f'{value.type} {{relay.name = "{name}"}}' for name, value in self.outputs.items())
        values = ", ".join(f"%{value.name}" for value in self.outputs.values())
        types = ", ".join(value.type for value in self.outputs.values())
        lines = [f"func.func @main({inputs}) -> ({results}) {{", *self.lines, f"return {values} : {types}", "}"]
        return "\n".join(lines) + "\n"


def attribute(item):
    if isinstance(item, str):
        return item if item in TYPES.values() else f'"{item}"'
    if isinstance(item, bool):
        return str(item).lower()
    if isinstance(item, (tuple, list)):
        return f"array<i64: {', '.join(str(int(part)) for part in item)}>" if len(item) else "array<i64>"
    return f"{item:.17e} : f64" if isinstance(item, float) else f"{item} : i64"
