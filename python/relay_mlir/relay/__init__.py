"""Relay from Python: programs of a typed functional language of tensors, by the names that TVM gave them.

    from relay_mlir import relay

    x = relay.var("x", shape=(1, 3, 224, 224))
    w = relay.var("w", shape=(16, 3, 3, 3))
    y = relay.nn.relu(relay.nn.conv2d(x, w, padding=(1, 1)))
    module = relay.IRModule.from_expr(relay.Function([x, w], y))
    module = relay.transform.InferType()(module)
    model = relay.build(module, params={"w": weights})
    model(image)

A program is checked by the compiler: an `IRError` names the operator, what is wrong, and the line of Python that made it.
"""

from . import dataflow_pattern, op, transform
from .adt import (
    Clause,
    Constructor,
    Match,
    Pattern,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    PatternWildcard,
    TypeData,
)
from .build import Executor, build, create_executor
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
    TupleWrapper,
    Var,
    bind,
    const,
    free_vars,
    post_order_visit,
    var,
)
from .module import IRModule, fromtext, parse, structural_equal
from .op import annotation, dyn, image, nn, qnn, random, vision, vm
from .op.basic import *  # noqa: F403
from .op.basic import __all__ as _basic
from .special import meshgrid, split
from .ty import (
    Any,
    FuncType,
    GlobalTypeVar,
    RefType,
    TensorType,
    TupleType,
    Type,
    TypeCall,
    TypeVar,
    scalar_type,
)

__all__ = [
    "Any",
    "Call",
    "Clause",
    "Constant",
    "Constructor",
    "Executor",
    "Expr",
    "FuncType",
    "Function",
    "GlobalTypeVar",
    "GlobalVar",
    "IRModule",
    "If",
    "Let",
    "Match",
    "Op",
    "Pattern",
    "PatternConstructor",
    "PatternTuple",
    "PatternVar",
    "PatternWildcard",
    "RefCreate",
    "RefRead",
    "RefType",
    "RefWrite",
    "TensorType",
    "Tuple",
    "TupleGetItem",
    "TupleType",
    "TupleWrapper",
    "Type",
    "TypeCall",
    "TypeData",
    "TypeVar",
    "Var",
    "annotation",
    "bind",
    "build",
    "const",
    "create_executor",
    "dataflow_pattern",
    "dyn",
    "free_vars",
    "fromtext",
    "image",
    "meshgrid",
    "nn",
    "op",
    "parse",
    "post_order_visit",
    "qnn",
    "random",
    "scalar_type",
    "split",
    "structural_equal",
    "transform",
    "var",
    "vision",
    "vm",
    *_basic,
]
