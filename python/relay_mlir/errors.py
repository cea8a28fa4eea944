"""What can go wrong, as exceptions; each carries the compiler's or the runtime's full text."""

__all__ = [
    "CompileError",
    "CompileWarning",
    "Error",
    "IRError",
    "InputError",
    "LoadError",
    "MissingLibraryError",
    "RunError",
]


class Error(Exception):
    """Whatever goes wrong in relay_mlir."""


class CompileError(Error):
    """A model cannot be compiled. The text names the file, the nodes and the reasons."""


class IRError(CompileError):
    """IR is not as it must be, or a pass failed, or an operation is gone that was asked for something."""


class LoadError(Error):
    """A file is no compiled model, or one of another version of the interface."""


class InputError(Error, ValueError):
    """What was given for an input or output does not fit the model."""


class RunError(Error):
    """A compiled model reported an error while it ran."""


class MissingLibraryError(Error, ImportError):
    """The compiler's half, or a cluster, cannot be used here, because a library that it needs is missing."""


class CompileWarning(UserWarning):
    """What the compiler has to say of a model that it compiled."""
