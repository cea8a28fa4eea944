"""Operators that a program declares: what they are of, what they compute, and which operators of models become them.

def swish(x, gate, *, alpha=1.0):
    return te.compute(x.shape, lambda *i: x[i] * te.sigmoid(alpha * x[i]) * gate[i])

def same(x, gate, *, alpha):
    if x != gate:
        raise relay_mlir.OpError(f"x is {x}, and the gate is {gate}")
    return x

relay_mlir.register_op("mylib.swish_gate", same, swish, fusion="elementwise", torch="mylib::swish_gate")
y = relay.op.get("mylib.swish_gate")(x, gate, alpha=1.5)
"""

from __future__ import annotations

import inspect
import math
import os
import re
import struct
from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, Callable, Optional, Union, get_args, get_origin, get_type_hints

from ._dims import Dim
from ._lazy import compiler
from .errors import OpError

__all__ = ["load_operators", "register_op"]

# What attributes hold, by Python's types.
_KINDS = {bool: "bool", int: "int", float: "float", str: "str"}
# What attributes hold that are lists, by the type of an element.
_LISTS = {int: "ints", float: "floats"}


def load_operators(path: Union[str, os.PathLike]) -> None:
    """Loads the operators of a plugin. They stay registered. Raises `CompileError` if it is no plugin."""
    compiler().load_operators(path)


def register_op(
    name: str,
    relation: Callable[..., Any],
    compute: Callable[..., Any],
    *,
    schedule: Optional[Callable[..., Any]] = None,
    fusion: Optional[str] = None,
    results: int = 1,
    onnx: Optional[Sequence[str]] = None,
    torch: Optional[str] = None,
) -> None:
    """Declares an operator, for as long as the process lives.

    name: its name with a namespace, such as "mylib.swish_gate".
    relation: gets the types of the operands, and the attributes by name; returns the type of the result, or a list of types. A type is a
        `relay.TensorType`, whose extents are numbers, or forms of open dimensions that can be computed with. It refuses
        operands by raising `OpError`.
    compute: gets tensors of `relay_mlir.te`, and the attributes by name; returns the tensor of the result, or a list of them. Its signature
        declares the operator: parameters by position are operands (`*x`: any number of them), those by name only are attributes. An
        attribute has a default, `alpha=1.0`, or says what it holds, `alpha: float`: int, float, bool, str, list[int] or list[float].
    schedule: gets the result (or the list of results), and returns a `te.Schedule`. Without it, the compiler chooses one.
    fusion: "elementwise", "broadcast", "injective", "reduction", "complex" (others may follow it in its kernel), or "opaque": a kernel of its
        own, which is the default. With a schedule, an operator is opaque.
    results: how many there are.
    onnx: the domain and the type of the ONNX operator that becomes this one.
    torch: the PyTorch operator that becomes this one, such as "mylib::swish_gate".

    Raises `IRError` if an operator of this name is there already.
    """
    if schedule is not None and fusion not in (None, "opaque"):
        raise OpError(
            f"{name} has a schedule and the fusion {fusion}; with a schedule, an operator is a kernel of its own"
        )
    count, is_open, attributes = _declared(name, compute)
    maker = _Maker(name, relation, compute, schedule)
    declaration = {
        "name": name,
        "operands": (count, is_open),
        "results": results,
        "attributes": attributes,
        "fusion": fusion or "opaque",
        "onnx": None if onnx is None else tuple(onnx),
        "torch": torch,
    }
    compiler().register_op(declaration, maker.types, maker.module)


def _declared(name: str, compute: Callable[..., Any]) -> tuple:
    """What a signature declares: how many operands there are, whether there may be more, and the attributes."""
    count, is_open, attributes = 0, False, []
    annotations = _annotations(compute)
    for parameter in inspect.signature(compute).parameters.values():
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            is_open = True
        elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
            raise OpError(f"{name}: **{parameter.name} declares no attributes; write them one by one")
        elif parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            attributes.append(_attribute(name, parameter, annotations.get(parameter.name)))
        else:
            count += 1
    return count, is_open, attributes


def _annotations(function: Callable[..., Any]) -> Mapping[str, Any]:
    """The types that annotations of a function name; none if it has no names for them here, or is an object that is called."""
    try:
        return get_type_hints(function)
    except (NameError, TypeError):
        return {}


def _attribute(operator: str, parameter: inspect.Parameter, annotation: Any) -> tuple:
    """An attribute's name, what it holds, and its default in MLIR's text."""
    default = None if parameter.default is inspect.Parameter.empty else parameter.default
    holds = _annotated(annotation) or _held(default)
    if holds is None:
        raise OpError(
            f"{operator}: attribute '{parameter.name}' has no default, or one of no known type, and no annotation: int, float, bool, "
            "str, list[int] or list[float]"
        )
    return parameter.name, holds, None if default is None else _text(holds, default)


def _annotated(annotation: Any) -> Optional[str]:
    """What an attribute of this type holds: `int`, `list[int]`."""
    if get_origin(annotation) not in (list, tuple, Sequence):
        return _KINDS.get(annotation)
    elements = {element for element in get_args(annotation) if element is not Ellipsis}
    return _LISTS.get(elements.pop()) if len(elements) == 1 else None


def _held(default: Any) -> Optional[str]:
    """What an attribute with this default holds."""
    if isinstance(default, (list, tuple)) and default:
        kinds = {type(one) for one in default}
        return "ints" if kinds == {int} else "floats" if kinds <= {int, float} else None
    return _KINDS.get(type(default))


def _text(holds: str, value: Any) -> str:
    """A value as an attribute of MLIR."""
    if holds == "bool":
        return "true" if value else "false"
    if holds == "str":
        return _quoted(value)
    if holds == "int":
        return f"{index(value)} : i64"
    if holds == "float":
        return f"{_float(value)} : f64"
    element = "i64" if holds == "ints" else "f64"
    items = ", ".join(str(index(one)) if holds == "ints" else _float(one) for one in value)
    return f"array<{element}: {items}>" if value else f"array<{element}>"


def _quoted(text: str) -> str:
    """A text as MLIR quotes it: a byte that is no plain letter is a backslash and its two digits."""
    plain = [chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\' else f"\\{byte:02X}" for byte in text.encode()]
    return f'"{"".join(plain)}"'


def _float(value: Any) -> str:
    if not math.isfinite(value):
        return f"0x{struct.pack('>d', value).hex().upper()}"
    text = repr(float(value))
    # MLIR writes a point in front of an exponent.
    return text if "." in text or "e" not in text else text.replace("e", ".0e")


class _Maker:
    """Between an operator's functions and the texts that the compiler asks for."""

    def __init__(self, name: str, relation: Callable, compute: Callable, schedule: Optional[Callable]):
        self.name, self.relation, self.compute, self.schedule = name, relation, compute, schedule

    def types(self, operands: Sequence[str], attributes: Mapping[str, Any]) -> list:
        """The types of the results."""
        given = [_type(text) for text in operands]
        found = self.relation(*given, **attributes)
        found = found if isinstance(found, (list, tuple)) else [found]
        return [self._type_text(one) for one in found]

    def _type_text(self, found: Any) -> str:
        from . import _expression
        from .relay.ty import TensorType
        from .te.scalar import mlir_type

        if not isinstance(found, TensorType):
            raise TypeError(f"the type relation of {self.name} returned {found!r}, which is no relay.TensorType")
        return _expression._tensor(found.shape, mlir_type(found.dtype))

    def module(self, operands: Sequence[str], results: Sequence[str], attributes: Mapping[str, Any]) -> str:
        """The module of the computes."""
        from . import te
        from .te.build import kernel_text

        types = [_type(text) for text in operands]
        given = [te.placeholder(ty.shape, ty.dtype, f"x{number}") for number, ty in enumerate(types)]
        made = self.compute(*given, **attributes)
        outputs = list(made) if isinstance(made, (list, tuple)) else [made]
        for output in outputs:
            if not isinstance(output, te.Tensor):
                raise TypeError(f"the compute of {self.name} returned {output!r}, which is no te.Tensor")
        self._check(outputs, [_type(text) for text in results])
        schedule = self.schedule(made) if self.schedule else None
        return kernel_text(given, outputs, schedule)

    def _check(self, outputs: Sequence[Any], wanted: Sequence[Any]) -> None:
        """Compares what is computed with what the relation says."""
        if len(outputs) != len(wanted):
            raise OpError(
                f"its compute returned {len(outputs)} tensors, and its type relation gives {len(wanted)} types"
            )
        for number, (output, ty) in enumerate(zip(outputs, wanted)):
            if output.shape != ty.shape or output.dtype != ty.dtype:
                found = type(ty)(output.shape, output.dtype)
                raise OpError(f"its compute returned {found} for result {number}, and its type relation says {ty}")


def _type(text: str) -> Any:
    """The type of a tensor from MLIR's text."""
    from .relay.ty import Any as Unknown
    from .relay.ty import TensorType
    from .te.scalar import dtype_of

    body, _, encoding = text[len("tensor<") : -1].partition(", ")
    # A split at each "x" would cut element types that have this letter.
    extents, element = re.fullmatch(r"((?:(?:\d+|\?)x)*)(.*)", body).groups()
    forms = iter(re.findall(r'"([^"]*)"', encoding))

    def extent(one: str) -> Any:
        if one != "?":
            return int(one)
        form = next(forms, "?")
        return Unknown() if form == "?" else Dim(form)

    return TensorType([extent(one) for one in extents.split("x")[:-1]], dtype_of(element))
