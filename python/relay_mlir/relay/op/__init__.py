"""Relay's operators by their namespaces. `cargo xtask docs` writes these modules from the operators' declarations."""

from ..operator import get
from . import annotation, basic, dyn, dyn_image, dyn_nn, image, nn, op_annotation, qnn, random, vision, vm

__all__ = [
    "annotation",
    "basic",
    "dyn",
    "dyn_image",
    "dyn_nn",
    "image",
    "nn",
    "op_annotation",
    "qnn",
    "random",
    "vision",
    "vm",
    "get",
]
