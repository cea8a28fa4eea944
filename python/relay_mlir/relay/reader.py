"""From trees of Relay's text, as the compiler writes them in JSON, to expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import IRError
from .adt import Clause, Constructor, Match, PatternConstructor, PatternTuple, PatternVar, PatternWildcard, TypeData
from .expr import (
    Call,
    Constant,
    Expr,
    Function,
    GlobalVar,
    If,
    Let,
    Op,
    RefCreate,
    RefRead,
    RefWrite,
    Tuple,
    TupleGetItem,
    Var,
    numpy_type,
)
from .ty import FuncType, GlobalTypeVar, RefType, TensorType, TupleType, Type, TypeCall, TypeVar
from .ty import Any as Unknown

__all__ = ["read"]

_INFIX = {
    "Multiply": "multiply",
    "Divide": "divide",
    "Add": "add",
    "Subtract": "subtract",
    "Less": "less",
    "LessEqual": "less_equal",
    "Greater": "greater",
    "GreaterEqual": "greater_equal",
    "Equal": "equal",
    "NotEqual": "not_equal",
}


def read(program: dict, constants: Sequence[tuple]) -> tuple:
    """The functions and the types that a tree defines, by name."""
    reader = _Reader(constants)
    functions, types = {}, {}
    for definition in program["definitions"]:
        ((kind, value),) = definition.items()
        if kind != "Function":
            types[value["name"]] = reader.data(value)
    for definition in program["definitions"]:
        ((kind, value),) = definition.items()
        if kind == "Function":
            functions[value[0]] = reader.function(value[1], {})
    return functions, types


class _Reader:
    """Reads trees. A scope says what names stand for."""

    def __init__(self, constants: Sequence[tuple]):
        self.constants = [
            Constant(np.frombuffer(data, numpy_type(dtype)).reshape(shape)) for dtype, shape, data in constants
        ]
        self.constructors: dict = {}
        self.type_params: set = set()

    def data(self, value: dict) -> TypeData:
        """A data type, whose constructors are known then."""
        self.type_params = set(value["type_params"])
        header = GlobalTypeVar(value["name"])
        made = [
            Constructor(one["name"], [self.type(field) for field in one["fields"]], header)
            for one in value["constructors"]
        ]
        self.constructors.update({one.name_hint: one for one in made})
        return TypeData(header, [TypeVar(name) for name in value["type_params"]], made)

    def function(self, value: dict, scope: dict) -> Function:
        """A function."""
        around = self.type_params
        self.type_params = around | set(value["type_params"])
        params = [Var(param["name"], self.annotation(param["ty"])) for param in value["params"]]
        scope = {**scope, **{f"%{param.name_hint}": param for param in params}}
        body = self.sequence(value["body"], scope)
        attrs = {one["name"]: self.attribute(one["value"]) for one in value["attributes"]}
        types = [TypeVar(name) for name in value["type_params"]]
        made = Function(params, body, self.annotation(value["result"]), types, attrs)
        self.type_params = around
        return made

    def sequence(self, value: dict, scope: dict) -> Expr:
        """Steps and a value."""
        scope, lets = dict(scope), []
        for step in value["steps"]:
            ((kind, held),) = step.items()
            if kind == "Let":
                name, ty, given = held
                bound = self.expr(given, scope)
                variable = scope[f"%{name}"] = Var(name, self.annotation(ty))
                lets.append((variable, bound))
            elif kind == "Bind":
                scope[f"%{held[0]}"] = self.expr(held[1], scope)
            elif kind == "Free":
                scope[f"%{held[0]}"] = Var(held[0], self.annotation(held[1]))
            else:
                lets.append((Var("_"), self.expr(held, scope)))
        made = self.expr(value["value"], scope)
        for variable, bound in reversed(lets):
            made = Let(variable, bound, made)
        return made

    def expr(self, value: Any, scope: dict) -> Expr:
        """An expression."""
        ((kind, held),) = value.items()
        return getattr(self, f"_{kind}")(held, scope)

    def _Number(self, held: dict, scope: dict) -> Expr:
        ((kind, (number, bits)),) = held.items()
        return Constant(np.asarray(float(number) if kind == "Float" else number, f"{kind.lower()}{bits}"))

    def _Bool(self, held: bool, scope: dict) -> Expr:
        return Constant(np.asarray(held))

    def _Meta(self, held: dict, scope: dict) -> Expr:
        if held["key"] != "relay.Constant" or held["index"] >= len(self.constants):
            raise IRError(f"meta[{held['key']}][{held['index']}] is no constant of the program")
        return self.constants[held["index"]]

    def _Local(self, held: str, scope: dict) -> Expr:
        return self._found(f"%{held}", scope)

    def _Graph(self, held: int, scope: dict) -> Expr:
        return self._found(f"%{held}", scope)

    @staticmethod
    def _found(name: str, scope: dict) -> Expr:
        if name not in scope:
            raise IRError(f"nothing is called {name} here")
        return scope[name]

    def _Global(self, held: str, scope: dict) -> Expr:
        return GlobalVar(held)

    def _Named(self, held: str, scope: dict) -> Expr:
        known = self.constructors.get(held)
        return known or (Constructor(held) if held[:1].isupper() else Op(held))

    def _Function(self, held: dict, scope: dict) -> Expr:
        return self.function(held, scope)

    def _If(self, held: list, scope: dict) -> Expr:
        return If(*(self.sequence(part, scope) for part in held))

    def _Match(self, held: dict, scope: dict) -> Expr:
        clauses = []
        for lhs, rhs in held["arms"]:
            pattern = self.pattern(lhs)
            bound = {f"%{variable.name_hint}": variable for variable in pattern.vars()}
            clauses.append(Clause(pattern, self.sequence(rhs, {**scope, **bound})))
        return Match(self.expr(held["value"], scope), clauses, not held["partial"])

    def _RefCreate(self, held: dict, scope: dict) -> Expr:
        return RefCreate(self.sequence(held, scope))

    def _RefRead(self, held: dict, scope: dict) -> Expr:
        return RefRead(self.sequence(held, scope))

    def _RefWrite(self, held: list, scope: dict) -> Expr:
        return RefWrite(*(self.sequence(part, scope) for part in held))

    def _Tuple(self, held: list, scope: dict) -> Expr:
        return Tuple([self.sequence(part, scope) for part in held])

    def _Project(self, held: list, scope: dict) -> Expr:
        return TupleGetItem(self.expr(held[0], scope), held[1])

    def _Call(self, held: dict, scope: dict) -> Expr:
        arguments = [self.expr(argument, scope) for argument in held["arguments"]]
        attrs = {one["name"]: self.attribute(one["value"]) for one in held["attributes"]}
        return Call(self.expr(held["callee"], scope), arguments, attrs)

    def _Infix(self, held: list, scope: dict) -> Expr:
        return Call(Op(_INFIX[held[0]]), [self.expr(operand, scope) for operand in held[1]])

    def _Block(self, held: dict, scope: dict) -> Expr:
        return self.sequence(held, scope)

    def pattern(self, value: Any) -> Any:
        """A pattern."""
        if value == "Wildcard":
            return PatternWildcard()
        ((kind, held),) = value.items()
        if kind == "Variable":
            return PatternVar(Var(held[0], self.annotation(held[1])))
        if kind == "Tuple":
            return PatternTuple([self.pattern(one) for one in held])
        made = self.constructors.get(held[0]) or Constructor(held[0])
        return PatternConstructor(made, [self.pattern(one) for one in held[1]])

    def attribute(self, value: Any) -> Any:
        """An attribute's value."""
        if value == "Nothing":
            return None
        ((kind, held),) = value.items()
        if kind == "Text":
            return held
        if kind == "List":
            return [self.attribute(one) for one in held]
        made = self.expr(held, {})
        return made.data.item() if isinstance(made, Constant) and made.data.ndim == 0 else made

    def annotation(self, value: Any) -> Any:
        """A type, or None if nothing is said of it."""
        return None if value in (None, "Incomplete") else self.type(value)

    def type(self, value: Any) -> Type:
        """A type."""
        if value == "Incomplete":
            return TypeVar("_")
        ((kind, held),) = value.items()
        if kind == "Tensor":
            return TensorType([self.dimension(one) for one in held[0]], held[1])
        if kind == "Tuple":
            return TupleType([self.type(one) for one in held])
        if kind == "Function":
            return FuncType([self.type(one) for one in held[1]], self.type(held[2]), [TypeVar(one) for one in held[0]])
        if kind == "Ref":
            return RefType(self.type(held))
        name, args = held
        if name in self.type_params and not args:
            return TypeVar(name)
        return TypeCall(name, [self.type(one) for one in args])

    @staticmethod
    def dimension(value: Any) -> Any:
        """A dimension."""
        if value == "Unknown":
            return Unknown()
        ((kind, held),) = value.items()
        if kind != "Known":
            raise IRError("a dimension that is an expression of the metadata is not read")
        return held
