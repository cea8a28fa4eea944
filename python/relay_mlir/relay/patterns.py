"""Patterns of expressions and their matching; `dataflow_pattern` is what users see of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Callable, Optional

from .adt import Constructor
from .expr import Call, Constant, Expr, GlobalVar, If, Let, Op, Tuple, TupleGetItem, Var, as_expr, plain
from .ty import TensorType, Type

# Operators whose operands may stand in either order.
_COMMUTATIVE = ("add", "multiply", "maximum", "minimum")


class Found:
    """What patterns stand for until now. What is noted after a mark can be taken back."""

    def __init__(self) -> None:
        self.found: dict = {}
        self.order: list = []

    def note(self, pattern: DFPattern, expr: Expr) -> bool:
        """Notes that a pattern stands for an expression. It is one expression wherever the pattern occurs."""
        known = self.found.get(pattern)
        if known is None:
            self.found[pattern] = expr
            self.order.append(pattern)
        return known is None or _same(known, expr)

    def back(self, mark: int) -> None:
        """Forgets what was noted since there were so many."""
        while len(self.order) > mark:
            del self.found[self.order.pop()]


def _same(one: Expr, other: Expr) -> bool:
    """Whether two expressions are one; names of functions and operators are not compared by place."""
    if isinstance(one, (Op, GlobalVar, Constructor)) and type(one) is type(other):
        return vars(one).get("name", getattr(one, "name_hint", None)) == vars(other).get(
            "name", getattr(other, "name_hint", None)
        )
    return one is other


class DFPattern:
    """A pattern. Called with patterns, it is one of calls; `|` is one of two, and numbers' operators are Relay's."""

    def __call__(self, *args: Any) -> CallPattern:
        return CallPattern(self, [_pattern(arg) for arg in args])

    def __or__(self, other: DFPattern) -> DFPattern:
        return AltPattern(self, other)

    def __add__(self, other: Any) -> DFPattern:
        return is_op("add")(self, other)

    def __sub__(self, other: Any) -> DFPattern:
        return is_op("subtract")(self, other)

    def __mul__(self, other: Any) -> DFPattern:
        return is_op("multiply")(self, other)

    def __truediv__(self, other: Any) -> DFPattern:
        return is_op("divide")(self, other)

    def has_attr(self, attrs: Mapping[str, Any]) -> DFPattern:
        """The same pattern for calls, and functions, with these attributes."""
        return AttrPattern(self, attrs)

    def has_type(self, ttype: Type) -> DFPattern:
        """The same pattern for expressions of this type."""
        return TypePattern(self, lambda found: found == ttype)

    def has_dtype(self, dtype: str) -> DFPattern:
        """The same pattern for tensors of this element type."""
        return TypePattern(self, lambda found: isinstance(found, TensorType) and found.dtype == dtype)

    def has_shape(self, shape: Sequence[Any]) -> DFPattern:
        """The same pattern for tensors of this shape."""
        text = str(TensorType(shape))
        return TypePattern(self, lambda found: isinstance(found, TensorType) and str(TensorType(found.shape)) == text)

    def optional(self, option_constructor: Callable[[DFPattern], DFPattern]) -> DFPattern:
        """The pattern, or what is made of it."""
        return AltPattern(option_constructor(self), self)

    def dominates(self, parent: DFPattern, path: Optional[DFPattern] = None) -> DFPattern:
        """The pattern, if all that it reads comes from `parent` through calls of `path`."""
        return DominatorPattern(parent, path or wildcard(), self)

    def match(self, expr: Any) -> bool:
        """Whether an expression is of this pattern."""
        return self.matches(as_expr(expr), Found())

    def rewrite(self, callback: Callable, expr: Any) -> Expr:
        """As `rewrite`, with `callback(pre, post, node_map)`."""
        from .dataflow_pattern import DFPatternCallback, rewrite

        made = DFPatternCallback()
        made.pattern, made.callback = self, callback
        return rewrite(made, expr)

    def partition(self, expr: Any, attrs: Optional[Mapping[str, Any]] = None, check: Callable = lambda _: True) -> Expr:
        """As `partition`."""
        from .dataflow_pattern import partition

        return partition(self, expr, attrs, check)

    def matches(self, expr: Expr, so_far: Found) -> bool:
        """Whether an expression is of this pattern, where others are known; notes what it and its parts stand for."""
        mark = len(so_far.order)
        if self.fits(expr, so_far) and so_far.note(self, expr):
            return True
        so_far.back(mark)
        return False

    def fits(self, expr: Expr, so_far: Found) -> bool:
        """Whether an expression is of this pattern, but for its own note."""
        raise NotImplementedError

    def is_inside(self) -> bool:
        """Whether what it stands for is a part of a match, and no input of it."""
        return True


class WildcardPattern(DFPattern):
    """Everything."""

    def fits(self, expr: Expr, so_far: Found) -> bool:
        return True

    def is_inside(self) -> bool:
        return False


class VarPattern(DFPattern):
    """Variables, perhaps of one name."""

    def __init__(self, name: str = ""):
        self.name = name

    def fits(self, expr: Expr, so_far: Found) -> bool:
        return isinstance(expr, Var) and self.name in ("", expr.name_hint)

    def is_inside(self) -> bool:
        return False


class ConstantPattern(DFPattern):
    """Constants."""

    def fits(self, expr: Expr, so_far: Found) -> bool:
        return isinstance(expr, Constant)


class ExprPattern(DFPattern):
    """One expression, or one operator."""

    def __init__(self, expr: Expr):
        self.expr = expr

    def fits(self, expr: Expr, so_far: Found) -> bool:
        return _same(self.expr, expr)


class CallPattern(DFPattern):
    """Calls."""

    def __init__(self, op: DFPattern, args: Sequence[DFPattern]):
        self.op, self.args = op, list(args)

    def fits(self, expr: Expr, so_far: Found) -> bool:
        if not isinstance(expr, Call) or len(expr.args) != len(self.args):
            return False
        mark = len(so_far.order)
        orders = [expr.args]
        if isinstance(expr.op, Op) and expr.op.name in _COMMUTATIVE:
            orders.append(expr.args[::-1])
        for args in orders:
            if self.op.matches(expr.op, so_far) and all(
                pattern.matches(arg, so_far) for pattern, arg in zip(self.args, args)
            ):
                return True
            so_far.back(mark)
        return False


class PartsPattern(DFPattern):
    """Expressions of a kind, whose parts are of patterns."""

    def __init__(self, kind: type, parts: Optional[Sequence[DFPattern]], index: Optional[int] = None):
        self.kind, self.parts, self.index = kind, parts, index

    def fits(self, expr: Expr, so_far: Found) -> bool:
        if not isinstance(expr, self.kind) or self.index is not None and expr.index != self.index:
            return False
        if self.parts is None:
            return True
        children = expr.children()
        return len(children) == len(self.parts) and all(
            pattern.matches(child, so_far) for pattern, child in zip(self.parts, children)
        )


class AltPattern(DFPattern):
    """One of two patterns."""

    def __init__(self, left: DFPattern, right: DFPattern):
        self.left, self.right = left, right

    def fits(self, expr: Expr, so_far: Found) -> bool:
        return self.left.matches(expr, so_far) or self.right.matches(expr, so_far)


class AttrPattern(DFPattern):
    """A pattern with attributes."""

    def __init__(self, pattern: DFPattern, attrs: Mapping[str, Any]):
        self.pattern, self.attrs = pattern, {name: plain(value) for name, value in attrs.items()}

    def fits(self, expr: Expr, so_far: Found) -> bool:
        given = getattr(expr, "attrs", {})
        has_all = all(name in given and given[name] == value for name, value in self.attrs.items())
        return has_all and self.pattern.matches(expr, so_far)


class TypePattern(DFPattern):
    """A pattern with a condition on the type."""

    def __init__(self, pattern: DFPattern, is_right: Callable[[Type], bool]):
        self.pattern, self.is_right = pattern, is_right

    def fits(self, expr: Expr, so_far: Found) -> bool:
        return self.pattern.matches(expr, so_far) and self.is_right(_type(expr))


class DominatorPattern(DFPattern):
    """A child all of whose operands come from one parent."""

    def __init__(self, parent: DFPattern, path: DFPattern, child: DFPattern):
        self.parent, self.path, self.child = parent, path, child

    def fits(self, expr: Expr, so_far: Found) -> bool:
        return self.child.matches(expr, so_far) and self._reaches(expr, so_far) is True

    def _reaches(self, expr: Expr, so_far: Found) -> Optional[bool]:
        """Whether the operands lead to the parent; None if there is nothing but constants."""
        found = None
        for operand in expr.children():
            if isinstance(operand, (Op, Constant)):
                continue
            if self.parent.matches(operand, so_far):
                found = True
            elif self.path.matches(operand, Found()):
                if self._reaches(operand, so_far) is not True:
                    return False
                found = True
            else:
                return False
        return found


def _type(expr: Expr) -> Type:
    """The type of an expression."""
    if isinstance(expr, Constant):
        return TensorType(expr.data.shape, expr.data.dtype.name)
    if isinstance(expr, Var) and expr.type_annotation is not None:
        return expr.type_annotation
    return expr.checked_type


def _pattern(value: Any) -> DFPattern:
    return value if isinstance(value, DFPattern) else is_expr(value)


def wildcard() -> DFPattern:
    """Everything."""
    return WildcardPattern()


def is_var(name: str = "") -> DFPattern:
    """Variables; with a name, those of it."""
    return VarPattern(name)


def is_constant() -> DFPattern:
    """Constants."""
    return ConstantPattern()


def is_expr(expr: Any) -> DFPattern:
    """This expression."""
    return ExprPattern(as_expr(expr))


def is_op(op_name: str) -> DFPattern:
    """An operator: called, it is a pattern of its calls."""
    return ExprPattern(Op(op_name))


def is_tuple(fields: Optional[Sequence[DFPattern]] = None) -> DFPattern:
    """Tuples of such fields, or all tuples."""
    return PartsPattern(Tuple, fields)


def is_tuple_get_item(tuple_value: DFPattern, index: Optional[int] = None) -> DFPattern:
    """A field of such a tuple; with an index, this one."""
    return PartsPattern(TupleGetItem, [tuple_value], index)


def is_if(cond: DFPattern, true_branch: DFPattern, false_branch: DFPattern) -> DFPattern:
    """An `If` of such parts."""
    return PartsPattern(If, [cond, true_branch, false_branch])


def is_let(var: DFPattern, value: DFPattern, body: DFPattern) -> DFPattern:
    """A `Let` of such a value and body."""
    return PartsPattern(Let, [value, body])


def has_attr(attrs: Mapping[str, Any], pattern: Optional[DFPattern] = None) -> DFPattern:
    """A pattern with attributes."""
    return (pattern or wildcard()).has_attr(attrs)


def has_type(ttype: Type, pattern: Optional[DFPattern] = None) -> DFPattern:
    """A pattern of a type."""
    return (pattern or wildcard()).has_type(ttype)


def has_dtype(dtype: str, pattern: Optional[DFPattern] = None) -> DFPattern:
    """A pattern of an element type."""
    return (pattern or wildcard()).has_dtype(dtype)


def has_shape(shape: Sequence[Any], pattern: Optional[DFPattern] = None) -> DFPattern:
    """A pattern of a shape."""
    return (pattern or wildcard()).has_shape(shape)


def dominates(parent: DFPattern, path: DFPattern, child: DFPattern) -> DFPattern:
    """`child`, if all that it reads comes from `parent` through calls of `path`."""
    return DominatorPattern(parent, path, child)
