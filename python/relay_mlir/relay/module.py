"""Modules of Relay's functions and data types."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Optional, Union

from .._lazy import compiler
from ..errors import IRError
from ..ir import Module
from .adt import TypeData
from .expr import Expr, Function, GlobalVar, as_expr, bind, free_vars
from .printer import VERSION, Text, write_function
from .reader import read
from .ty import GlobalTypeVar

__all__ = ["IRModule", "fromtext", "parse", "structural_equal"]

# The name of the text in messages of the compiler.
_FILE = "program.relay"


class IRModule:
    """Functions by name, of which `main` is what a model computes, and data types."""

    def __init__(
        self,
        functions: Optional[Mapping[Union[GlobalVar, str], Function]] = None,
        type_definitions: Optional[Mapping[Union[GlobalTypeVar, str], TypeData]] = None,
    ):
        self.functions: dict = {}
        self.type_definitions: dict = {}
        for name, data in (type_definitions or {}).items():
            self[name] = data
        for name, function in (functions or {}).items():
            self[name] = function

    @classmethod
    def from_expr(cls, expr: Any, functions: Any = None, type_defs: Any = None) -> IRModule:
        """A module whose `main` is a function, or computes an expression of its free variables."""
        expr = as_expr(expr)
        main = expr if isinstance(expr, Function) else Function(free_vars(expr), expr)
        return cls({**(functions or {}), "main": main}, type_defs)

    @classmethod
    def from_ir(cls, module: Module) -> IRModule:
        """The program of a module of MLIR, which has operators of Relay only."""
        return cls._of_tree(*compiler().relay_tree(module._module))

    @classmethod
    def _of_tree(cls, tree: str, constants: list) -> IRModule:
        return cls(*read(json.loads(tree), constants))

    def to_ir(self) -> Module:
        """The module of MLIR. Raises `IRError` where the program is not right: with the place in Python, where that is known."""
        text = self._text()
        constants = [(*_described(node.data), node.data.tobytes()) for node in text.constants]
        try:
            return Module(compiler().relay_module(str(text), _FILE, constants))
        except IRError as error:
            raise IRError(_with_places(str(error), text)) from None

    def infer(self) -> IRModule:
        """The same program with the types of all functions: `infer-type`."""
        return IRModule.from_ir(self.to_ir().run("infer-type"))

    def _text(self) -> Text:
        text = Text()
        text.add([(VERSION, None)])
        for data in self.type_definitions.values():
            text.add([(line, None) for line in data.astext().split("\n")])
        for name, function in self.functions.items():
            write_function(text, name, function)
        return text

    def astext(self, show_meta_data: bool = False) -> str:
        """Relay's text; with the constants that it refers to, the compiler and TVM read it."""
        if not show_meta_data:
            return str(self._text())
        from .transform import relay_text

        return relay_text(self.to_ir())

    def __str__(self) -> str:
        return self.astext()

    def to_bytecode(self) -> bytes:
        """The module of MLIR as bytecode: with it, `relay_mlir.compile` reads the program."""
        return self.to_ir().to_bytecode()

    def __getitem__(self, name: Union[GlobalVar, GlobalTypeVar, str]) -> Any:
        key = name if isinstance(name, str) else name.name_hint
        found = self.functions.get(key, self.type_definitions.get(key))
        if found is None:
            raise KeyError(key)
        return found

    def __setitem__(self, name: Union[GlobalVar, GlobalTypeVar, str], value: Union[Function, TypeData]) -> None:
        key = name if isinstance(name, str) else name.name_hint
        if isinstance(value, TypeData):
            self.type_definitions[key] = value
        elif isinstance(value, Function):
            self.functions[key] = value
        else:
            raise IRError(f"{key}: a module holds functions and data types, not {value!r}")

    def __contains__(self, name: Union[GlobalVar, str]) -> bool:
        key = name if isinstance(name, str) else name.name_hint
        return key in self.functions or key in self.type_definitions

    def __iter__(self) -> Iterator[str]:
        return iter(self.functions)

    def items(self) -> Any:
        """The functions with their names."""
        return self.functions.items()

    def get_global_var(self, name: str) -> GlobalVar:
        """The name of a function of the module."""
        if name not in self.functions:
            raise KeyError(name)
        return GlobalVar(name)

    def get_global_vars(self) -> list:
        """The names of all functions."""
        return [GlobalVar(name) for name in self.functions]

    def update(self, other: IRModule) -> None:
        """Adds the functions and types of another module, which replace those of the same names."""
        self.functions.update(other.functions)
        self.type_definitions.update(other.type_definitions)

    def bound(self, params: Optional[Mapping[str, Any]]) -> IRModule:
        """The same module, in which arrays stand for parameters of `main`, by name."""
        main = self["main"]
        by_name = {param.name_hint: param for param in main.params}
        if unknown := sorted(set(params or {}) - set(by_name)):
            raise IRError(f"main has no parameter {', '.join(unknown)}; its parameters are {', '.join(by_name)}")
        values = {by_name[name]: value for name, value in (params or {}).items()}
        bound = IRModule(self.functions, self.type_definitions)
        bound["main"] = bind(main, values) if values else main
        return bound


def _described(data: Any) -> tuple:
    """An array's element type, by Relay's name, and its shape."""
    return data.dtype.name, list(data.shape)


def _with_places(message: str, text: Text) -> str:
    """A message of the compiler, which names a line of the text, with the place in Python that this is of."""
    found = re.search(rf"{re.escape(_FILE)}:(\d+)", message)
    if found is None or not 0 < int(found[1]) <= len(text.lines):
        return message
    number = int(found[1]) - 1
    place = text.places[number]
    made = f", made at {place}" if place else ""
    return f"{message}\n  in: {text.lines[number].strip()}{made}"


def parse(source: str, name: str = "from_string") -> IRModule:
    """The program of a text of Relay. Raises `IRError` with the place where it does not read."""
    return IRModule._of_tree(*compiler().relay_parse(source, name))


fromtext = parse


def structural_equal(lhs: Union[Expr, IRModule], rhs: Union[Expr, IRModule]) -> bool:
    """Whether two programs are the same, whatever their variables are called."""
    return _canonical(lhs) == _canonical(rhs)


def _canonical(program: Union[Expr, IRModule]) -> tuple:
    """The text of a program with names by number, and its constants."""
    module = program if isinstance(program, IRModule) else IRModule.from_expr(program)
    text = module._text()
    numbers: dict = {}

    def number(found: re.Match) -> str:
        return f"%v{numbers.setdefault(found[0], len(numbers))}"

    lines = [re.sub(r"%[A-Za-z_][A-Za-z0-9_]*", number, line) for line in text.lines]
    return lines, [(*_described(node.data), node.data.tobytes()) for node in text.constants]
