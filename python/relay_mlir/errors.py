"""The exceptions. Each has the full text of the compiler or the runtime."""

from __future__ import annotations

from collections.abc import Callable
from typing import Optional

__all__ = [
    "CompileError",
    "CompileWarning",
    "Error",
    "IRError",
    "InputError",
    "LoadError",
    "MissingLibraryError",
    "OpError",
    "RunError",
]


class Error(Exception):
    """The base of all exceptions of relay_mlir.

    code: the error's code, such as "R0104". `relay_mlir.explain` has a page for it. None for errors of this package alone.
    """

    def __init__(self, text: str = "", code: Optional[str] = None):
        super().__init__(text)
        self.code = code

    def reworded(self, reword: Callable[[str], str]) -> Error:
        """The same error with another text."""
        return type(self)(reword(str(self)), self.code)


class CompileError(Error):
    """The compiler refuses a model. The text names the file, the nodes and the reasons."""


class IRError(CompileError):
    """The IR is invalid, a pass failed, or an operation does not exist any more."""


class OpError(Error, ValueError):
    """Operands or attributes do not fit an operator: for type relations of operators that `relay_mlir.register_op` declares."""


class LoadError(Error):
    """A file is no compiled model, is damaged, or has another version of the interface."""


class InputError(Error, ValueError):
    """A value does not fit an input or output of the model."""


class RunError(Error):
    """A compiled model reported an error while it ran."""


class MissingLibraryError(Error, ImportError):
    """A library is missing that the compiler or a cluster needs."""


class CompileWarning(UserWarning):
    """A warning of the compiler about a model that it compiled."""
