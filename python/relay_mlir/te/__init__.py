"""Tensor expressions from Python, by the names that TVM gave them: what is computed, and how, apart from each other.

    from relay_mlir import te

    n = 1024
    a = te.placeholder((n, n), name="a")
    b = te.placeholder((n, n), name="b")
    k = te.reduce_axis((0, n), name="k")
    c = te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="c")
    s = te.create_schedule(c.op)
    i, j = s[c].op.axis
    io, jo, ii, ji = s[c].tile(i, j, 32, 32)
    s[c].reorder(io, jo, k, ii, ji)
    s[c].vectorize(ji)
    s[c].parallel(io)
    product = te.build(s, [a, b, c])
    product(x, y)

Extents are numbers. A schedule never changes a value.
"""

from .build import Built, build, lower, module_of
from .functions import (
    all,
    any,
    ceil,
    cos,
    erf,
    exp,
    floor,
    log,
    maximum,
    minimum,
    power,
    rsqrt,
    sigmoid,
    sin,
    sqrt,
    tanh,
)
from .scalar import IterVar, Reduce, Scalar, cast, constant, if_then_else, select
from .schedule import Schedule, Stage, create_schedule, thread_axis
from .tensor import ComputeOp, PlaceholderOp, Tensor, compute, max, min, placeholder, prod, reduce_axis, sum

__all__ = [
    "Built",
    "ComputeOp",
    "IterVar",
    "PlaceholderOp",
    "Reduce",
    "Scalar",
    "Schedule",
    "Stage",
    "Tensor",
    "all",
    "any",
    "build",
    "cast",
    "ceil",
    "compute",
    "constant",
    "cos",
    "create_schedule",
    "erf",
    "exp",
    "floor",
    "if_then_else",
    "log",
    "lower",
    "max",
    "maximum",
    "min",
    "minimum",
    "module_of",
    "placeholder",
    "power",
    "prod",
    "reduce_axis",
    "rsqrt",
    "select",
    "sigmoid",
    "sin",
    "sqrt",
    "sum",
    "tanh",
    "thread_axis",
]
