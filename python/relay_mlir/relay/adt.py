"""Algebraic data types and matching, by TVM's names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

from .expr import Expr, Var, as_expr
from .ty import GlobalTypeVar, Type, TypeVar

__all__ = [
    "Clause",
    "Constructor",
    "Match",
    "Pattern",
    "PatternConstructor",
    "PatternTuple",
    "PatternVar",
    "PatternWildcard",
    "TypeData",
]


class Constructor(Expr):
    """A constructor of a data type. Called with fields, it makes a value of the type."""

    def __init__(self, name_hint: str, inputs: Sequence[Type] = (), belong_to: Optional[GlobalTypeVar] = None):
        super().__init__()
        self.name_hint, self.inputs, self.belong_to = name_hint, tuple(inputs), belong_to


class TypeData:
    """The definition of a data type; without constructors, it is an opaque type."""

    def __init__(
        self,
        header: Union[GlobalTypeVar, str],
        type_vars: Sequence[TypeVar],
        constructors: Sequence[Constructor],
    ):
        self.header = GlobalTypeVar(header) if isinstance(header, str) else header
        self.type_vars, self.constructors = tuple(type_vars), tuple(constructors)

    def astext(self) -> str:
        """Relay's text."""
        params = f"[{', '.join(map(str, self.type_vars))}]" if self.type_vars else ""
        if not self.constructors:
            return f"extern type {self.header}{params}"
        lines = [
            f"  {made.name_hint}{'(' + ', '.join(map(str, made.inputs)) + ')' if made.inputs else ''},\n"
            for made in self.constructors
        ]
        return f"type {self.header}{params} {{\n{''.join(lines)}}}"


class Pattern:
    """What a value is matched with."""

    def vars(self) -> list:
        """The variables that it binds."""
        return []


class PatternWildcard(Pattern):
    """Matches everything."""

    def text(self, name: Any) -> str:
        """Relay's text; `name` says what variables are called."""
        return "_"


class PatternVar(Pattern):
    """Matches everything, and binds it."""

    def __init__(self, variable: Var):
        self.var = variable

    def vars(self) -> list:
        return [self.var]

    def text(self, name: Any) -> str:
        """Relay's text; `name` says what variables are called."""
        annotation = self.var.type_annotation
        return f"%{name(self.var)}" + (f": {annotation}" if annotation is not None else "")


class PatternTuple(Pattern):
    """Matches a tuple, field by field."""

    def __init__(self, patterns: Sequence[Pattern]):
        self.patterns = tuple(patterns)

    def vars(self) -> list:
        return [variable for pattern in self.patterns for variable in pattern.vars()]

    def text(self, name: Any) -> str:
        """Relay's text; `name` says what variables are called."""
        comma = "," if len(self.patterns) == 1 else ""
        return f"({', '.join(pattern.text(name) for pattern in self.patterns)}{comma})"


class PatternConstructor(PatternTuple):
    """Matches what a constructor made, field by field."""

    def __init__(self, constructor: Union[Constructor, str], patterns: Sequence[Pattern] = ()):
        super().__init__(patterns)
        self.constructor = Constructor(constructor) if isinstance(constructor, str) else constructor

    def text(self, name: Any) -> str:
        """Relay's text; `name` says what variables are called."""
        fields = ", ".join(pattern.text(name) for pattern in self.patterns)
        return f"{self.constructor.name_hint}({fields})" if fields else self.constructor.name_hint


class Clause:
    """A pattern, and what is computed if it matches first."""

    def __init__(self, lhs: Pattern, rhs: Any):
        self.lhs, self.rhs = lhs, as_expr(rhs)


class Match(Expr):
    """The value of the first clause whose pattern matches."""

    def __init__(self, data: Any, clauses: Sequence[Clause], complete: bool = True):
        super().__init__()
        self.data, self.clauses, self.complete = as_expr(data), tuple(clauses), complete

    def children(self) -> tuple:
        return (self.data, *(clause.rhs for clause in self.clauses))

    def with_children(self, children: Sequence[Expr]) -> Expr:
        clauses = [Clause(clause.lhs, rhs) for clause, rhs in zip(self.clauses, children[1:])]
        return Match(children[0], clauses, self.complete)

    def pattern_vars(self) -> list:
        """The variables that the patterns bind."""
        return [variable for clause in self.clauses for variable in clause.lhs.vars()]
