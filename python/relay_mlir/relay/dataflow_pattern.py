"""Patterns of expressions, by the names of TVM's `tvm.relay.dataflow_pattern`: matching, rewriting, partitioning.

from relay_mlir.relay.dataflow_pattern import is_op, wildcard

x, w, b = wildcard(), wildcard(), wildcard()
pattern = is_op("nn.relu")(is_op("nn.bias_add")(is_op("nn.conv2d")(x, w), b))
pattern.match(expr)
pattern.partition(expr, {"Composite": "conv_bias_relu"})
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Callable, Optional, Union

from ..errors import IRError
from .expr import Call, Constant, Expr, Function, GlobalVar, Op, Var, as_expr, post_order, rewritten
from .patterns import (
    DFPattern,
    Found,
    dominates,
    has_attr,
    has_dtype,
    has_shape,
    has_type,
    is_constant,
    is_expr,
    is_if,
    is_let,
    is_op,
    is_tuple,
    is_tuple_get_item,
    is_var,
    wildcard,
)

__all__ = [
    "DFPattern",
    "DFPatternCallback",
    "dominates",
    "has_attr",
    "has_dtype",
    "has_shape",
    "has_type",
    "is_constant",
    "is_expr",
    "is_if",
    "is_let",
    "is_op",
    "is_tuple",
    "is_tuple_get_item",
    "is_var",
    "match",
    "partition",
    "rewrite",
    "wildcard",
]


def match(pattern: DFPattern, expr: Any) -> bool:
    """Whether an expression is of a pattern."""
    return pattern.match(expr)


class DFPatternCallback:
    """A rewrite: a pattern, and `callback(pre, post, node_map)`, which returns what stands in the place of a match.

    `pre` is the match in the expression as it was, `post` the same with rewritten parts. `node_map[pattern]` are the expressions that
    a part of the pattern stands for in `post`; it is a list with one.
    """

    pattern: DFPattern

    def __init__(self, require_type: bool = False, rewrite_once: bool = False):
        self.require_type, self.rewrite_once = require_type, rewrite_once

    def rewrite(self, expr: Any) -> Expr:
        """As `rewrite`."""
        return rewrite(self, expr)

    def callback(self, pre: Expr, post: Expr, node_map: Mapping[DFPattern, list]) -> Expr:
        """What stands in the place of a match."""
        raise NotImplementedError("a DFPatternCallback needs the method callback(pre, post, node_map)")


# The most rounds of rewriting: a rewrite that always finds something new does not end.
_ROUNDS = 100


def rewrite(callbacks: Union[DFPatternCallback, Iterable[DFPatternCallback]], expr: Any) -> Expr:
    """An expression in which matches are replaced, until there are none that callbacks change."""
    callbacks = [callbacks] if isinstance(callbacks, DFPatternCallback) else list(callbacks)
    expr = as_expr(expr)
    for _ in range(_ROUNDS):
        changed = False

        def replaced(pre: Expr, post: Expr) -> Expr:
            nonlocal changed
            for callback in callbacks:
                found = Found()
                if callback.pattern.matches(post, found):
                    nodes = {pattern: [node] for pattern, node in found.found.items()}
                    made = as_expr(callback.callback(pre, post, nodes))
                    changed = changed or made is not post
                    post = made
            return post

        expr = rewritten(expr, replaced)
        if not changed or all(callback.rewrite_once for callback in callbacks):
            return expr
    raise IRError(f"the expression still changes after {_ROUNDS} rounds of rewriting")


def partition(
    pattern: DFPattern,
    expr: Any,
    attrs: Optional[Mapping[str, Any]] = None,
    check: Callable[[Expr], bool] = lambda _: True,
) -> Expr:
    """An expression in which matches are calls of functions with attributes: `{"Composite": name}`.

    A match is taken if `check` says so, and if nothing outside reads what it computes between its inputs and its result. Inputs that
    are wildcards and variables become parameters; constants that the pattern asks for stay.
    """
    expr = as_expr(expr)
    readers: dict = {}
    order = post_order(expr)
    for node in order:
        for child in node.children():
            readers.setdefault(id(child), []).append(node)
    taken: dict = {}
    inside_all: set = set()
    for node in reversed(order):
        found = Found()
        if id(node) in inside_all or isinstance(node, (Op, Var)) or not pattern.matches(node, found):
            continue
        inside = _inside(node, found)
        is_own = all(
            id(reader) in inside for one in inside.values() if one is not node for reader in readers.get(id(one), [])
        )
        if is_own and not inside_all & set(inside) and check(node):
            taken[id(node)] = inside
            inside_all |= set(inside)

    def replaced(pre: Expr, post: Expr) -> Expr:
        return _composite(pre, post, taken[id(pre)], attrs) if id(pre) in taken else post

    return rewritten(expr, replaced)


def _inside(root: Expr, found: Found) -> dict:
    """What a match computes, by identity: not its inputs, operators and constants."""
    kept = {id(node) for pattern, node in found.found.items() if pattern.is_inside()}
    inputs = {id(node) for pattern, node in found.found.items() if not pattern.is_inside()} - kept
    inside: dict = {}
    stack = [root]
    while stack:
        node = stack.pop()
        if id(node) in inside or id(node) in inputs or isinstance(node, (Op, Constant)):
            continue
        if node is root or id(node) in kept:
            inside[id(node)] = node
            stack.extend(node.children())
    return inside


def _composite(pre: Expr, post: Expr, inside: Mapping[int, Expr], attrs: Optional[Mapping[str, Any]]) -> Expr:
    """A call of a function that computes a match."""
    params: list = []
    args: list = []
    made: dict = {}
    stack = [(pre, post, False)]
    while stack:
        old, new, is_read = stack.pop()
        if id(old) in made:
            continue
        if id(old) not in inside:
            if isinstance(old, (Op, GlobalVar, Constant)):
                made[id(old)] = new
                continue
            params.append(Var(f"input_{len(params)}", old.type_annotation if isinstance(old, Var) else None))
            args.append(new)
            made[id(old)] = params[-1]
        elif is_read:
            made[id(old)] = old.with_children([made[id(child)] for child in old.children()])
        else:
            stack.append((old, new, True))
            stack.extend((one, two, False) for one, two in reversed(list(zip(old.children(), new.children()))))
    return Call(Function(params, made[id(pre)], attrs=dict(attrs or {})), args)
