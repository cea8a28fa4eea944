"""From expressions to Relay's text.

An expression that stands in a graph is bound to a number, `%0 = ...;`, in the innermost block around all who read it: what only a
branch reads is computed in the branch only.
"""

from __future__ import annotations

import re
from typing import Any, Optional

from .adt import Constructor, Match
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
    as_expr,
    free_vars,
    post_order,
)

VERSION = '#[version = "0.0.5"]'

# What stands where it is read.
_ATOMS = (Var, GlobalVar, Op, Constructor)


class Text:
    """Lines, the places in Python that they come from, and the constants that they refer to."""

    def __init__(self) -> None:
        self.lines: list = []
        self.places: list = []
        self.constants: list = []
        self._known: dict = {}

    def add(self, lines: list) -> None:
        """Adds lines with their places."""
        for line, place in lines:
            self.lines.append(line)
            self.places.append(place)

    def constant(self, node: Constant) -> str:
        """How a constant is written: as a number, or as an entry of the metadata."""
        if (number := _number(node.data)) is not None:
            return number
        if id(node) not in self._known:
            self._known[id(node)] = len(self.constants)
            self.constants.append(node)
        return f"meta[relay.Constant][{self._known[id(node)]}]"

    def __str__(self) -> str:
        return "\n".join(self.lines) + "\n"


def _number(data: Any) -> Optional[str]:
    """How a constant of rank 0 is written as a number; None if it cannot be."""
    suffix = {"int32": "", "int64": "i64", "float32": "f", "float64": "f64", "bool": ""}.get(data.dtype.name)
    if data.ndim or suffix is None or data != data or data.dtype.kind == "f" and abs(data) == float("inf"):
        return None
    # Numbers of Python lose no digit of an integer; those of numpy are the shortest of their type.
    return f"{data.item() if data.dtype.kind != 'f' else data}{suffix}"


class _Block:
    """A block of the text, which may lie in another one."""

    def __init__(self, around: Optional[_Block]):
        self.around = around
        self.nodes: list = []

    def depth(self) -> int:
        depth, block = 0, self.around
        while block is not None:
            depth, block = depth + 1, block.around
        return depth

    def common(self, other: _Block) -> _Block:
        one, two = self, other
        depths = one.depth(), two.depth()
        for _ in range(depths[0] - depths[1]):
            one = one.around
        for _ in range(depths[1] - depths[0]):
            two = two.around
        while one is not two:
            one, two = one.around, two.around
        return one


class _Blocks:
    """Which block each expression of a function is bound in."""

    def __init__(self, body: Expr):
        self.root = _Block(None)
        self.of: dict = {}
        self.inner: dict = {}
        stack = [(body, self.root)]
        while stack:
            node, block = stack.pop()
            known = self.of.get(id(node))
            found = block if known is None else known.common(block)
            if found is known:
                continue
            self.of[id(node)] = found
            stack.extend(self._reads(node, found))
        for node in post_order(body):
            if not isinstance(node, _ATOMS):
                self.of[id(node)].nodes.append(node)

    def _reads(self, node: Expr, block: _Block) -> list:
        """The expressions that one reads, with the blocks that they are read in."""
        children = node.children()
        if isinstance(node, (Function, If, Match, Let)):
            first = 0 if isinstance(node, Function) else 1
            inner = self.inner.setdefault(id(node), [_Block(block) for _ in children[first:]])
            for own in inner:
                own.around = block
            return [(child, block) for child in children[:first]] + list(zip(children[first:], inner))
        return [(child, block) for child in children]


class _Writer:
    """Writes a function."""

    def __init__(self, text: Text, taken: Optional[dict] = None):
        self.text = text
        self.names: dict = {}
        self.taken: set = set()
        self.numbers: dict = {}

    def name(self, variable: Var) -> str:
        """What a variable is called. No two have one name."""
        if id(variable) not in self.names:
            hint = re.sub(r"[^A-Za-z0-9_]", "_", variable.name_hint) or "v"
            hint = hint if re.match(r"[A-Za-z_]", hint) else f"v{hint}"
            name, number = hint, 0
            while name in self.taken:
                number += 1
                name = f"{hint}_{number}"
            self.taken.add(name)
            self.names[id(variable)] = name
        return self.names[id(variable)]

    def typed(self, variable: Var) -> str:
        """A variable with its type."""
        annotation = variable.type_annotation
        return f"%{self.name(variable)}" + (f": {annotation}" if annotation is not None else "")

    def function(self, head: str, node: Function, blocks: _Blocks, block: _Block) -> list:
        """A function's lines; `head` is `def @name` or `fn `."""
        types = f"[{', '.join(map(str, node.type_params))}]" if node.type_params else ""
        params = [self.typed(param) for param in node.params]
        params += [f"{name}={attribute(value)}" for name, value in node.attrs.items()]
        result = f" -> {node.ret_type}" if node.ret_type is not None else ""
        first = f"{head}{types}({', '.join(params)}){result} {{"
        return [(first, node.span), *indented(self.sequence(node.body, blocks, block)), ("}", None)]

    def sequence(self, value: Expr, blocks: _Blocks, block: _Block) -> list:
        """The lines of a block whose value this is."""
        lines = self.bindings(value, blocks, block)
        while isinstance(value, Let) and blocks.of[id(value)] is block and id(value) not in self.numbers:
            written = self.written(value.value, blocks)
            lines += ended(prefixed(f"let {self.typed(value.var)} = ", written))
            (block,) = blocks.inner[id(value)]
            value = value.body
            lines += self.bindings(value, blocks, block)
        return lines + self.written(value, blocks)

    def bindings(self, value: Expr, blocks: _Blocks, block: _Block) -> list:
        """The bindings of a block, but for its value."""
        lines = []
        for node in block.nodes:
            is_small = isinstance(node, Constant) or node is value and not self.is_read_again(value, block)
            if not is_small:
                written = self.shape(node, blocks)
                self.numbers[id(node)] = len(self.numbers)
                lines += ended(prefixed(f"{self.atom(node)} = ", written))
        return lines

    @staticmethod
    def is_read_again(value: Expr, block: _Block) -> bool:
        """Whether another expression of the block reads its value."""
        return any(value is child for node in block.nodes for child in node.children())

    def written(self, node: Expr, blocks: _Blocks) -> list:
        """What an expression is where it is read: its name, or all of it if it has none."""
        if isinstance(node, (*_ATOMS, Constant)) or id(node) in self.numbers:
            return [(self.atom(node), node.span)]
        return self.shape(node, blocks)

    def atom(self, node: Expr) -> str:
        """The name of an expression."""
        if isinstance(node, Var):
            return f"%{self.name(node)}"
        if isinstance(node, GlobalVar):
            return f"@{node.name_hint}"
        if isinstance(node, Op):
            return node.name
        if isinstance(node, Constructor):
            return node.name_hint
        if isinstance(node, Constant):
            return self.text.constant(node)
        return f"%{self.numbers[id(node)]}"

    def shape(self, node: Expr, blocks: _Blocks) -> list:
        """The lines of an expression that is no atom."""
        inner = blocks.inner.get(id(node), [])
        if isinstance(node, Function):
            return self.function("fn ", node, blocks, inner[0])
        if isinstance(node, If):
            yes, no = (
                indented(self.sequence(branch, blocks, block))
                for branch, block in zip((node.true_branch, node.false_branch), inner)
            )
            return [(f"if ({self.atom(node.cond)}) {{", node.span), *yes, ("} else {", None), *no, ("}", None)]
        if isinstance(node, Match):
            lines = [(f"match{'' if node.complete else '?'} ({self.atom(node.data)}) {{", node.span)]
            for clause, block in zip(node.clauses, inner):
                lines.append((f"  {clause.lhs.text(self.name)} => {{", None))
                lines += indented(indented(self.sequence(clause.rhs, blocks, block)))
                lines.append(("  },", None))
            return [*lines, ("}", None)]
        if isinstance(node, Let):
            return [("{", node.span), *indented(self.sequence(node, blocks, blocks.of[id(node)])), ("}", None)]
        return [(self.simple(node), node.span)]

    def simple(self, node: Expr) -> str:
        """An expression on one line."""
        parts = [self.atom(child) for child in node.children()]
        if isinstance(node, Tuple):
            return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
        if isinstance(node, TupleGetItem):
            return f"{parts[0]}.{node.index}"
        if isinstance(node, Call):
            given = parts[1:] + [f"{name}={attribute(value)}" for name, value in node.attrs.items()]
            return f"{parts[0]}({', '.join(given)})"
        names = {RefCreate: "ref", RefRead: "ref_read", RefWrite: "ref_write"}
        return f"{names[type(node)]}({', '.join(parts)})"


def attribute(value: Any) -> str:
    """An attribute's value in Relay's text."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        return "inff" if value == float("inf") else "-inff" if value == float("-inf") else f"{value!r}f64"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(attribute, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def prefixed(prefix: str, lines: list) -> list:
    """Lines behind a text."""
    (first, place), *rest = lines
    return [(prefix + first, place), *rest]


def ended(lines: list) -> list:
    """Lines with a semicolon."""
    *rest, (last, place) = lines
    return [*rest, (last + ";", place)]


def indented(lines: list) -> list:
    """Lines in braces."""
    return [("  " + line, place) for line, place in lines]


def write_function(text: Text, name: str, function: Function) -> None:
    """Adds a function of a module to a text."""
    blocks = _Blocks(function.body)
    text.add(_Writer(text).function(f"def @{name}", function, blocks, blocks.root))


def text_of(expr: Any) -> str:
    """The text of an expression: of a function as it is, of another one with its free variables."""
    expr, text = as_expr(expr), Text()
    writer = _Writer(text)
    text.add([(VERSION, None)])
    if isinstance(expr, _ATOMS):
        text.add([(writer.atom(expr), None)])
        return str(text)
    if isinstance(expr, Function):
        blocks = _Blocks(expr.body)
        text.add(writer.function("fn ", expr, blocks, blocks.root))
        return str(text)
    blocks = _Blocks(expr)
    text.add([(f"free_var {writer.typed(variable)};", None) for variable in free_vars(expr)])
    text.add(writer.sequence(expr, blocks, blocks.root))
    return str(text)


__all__ = ["Text", "attribute", "text_of", "write_function"]
