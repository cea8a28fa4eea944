"""The inputs of each program, and what it has to give, from plain Python and numpy."""

from . import applications, language  # noqa: F401
from .table import PROGRAMS

__all__ = ["PROGRAMS"]
