"""Imports the compiler's extension module when it is needed first: it links MLIR and LLVM."""

from __future__ import annotations

from .errors import MissingLibraryError


def compiler():
    """The extension module of the compiler."""
    try:
        from . import _compiler
    except ImportError as error:
        raise MissingLibraryError(
            f"the compiler cannot be loaded: {error}\n"
            "A wheel without LLVM's libraries needs them installed. Debian: apt install libmlir-22 libllvm22 lld-22, "
            "from https://apt.llvm.org where the release has no LLVM 22. Loading and running compiled models works "
            "without them."
        ) from error
    return _compiler
