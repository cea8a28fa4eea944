"""The stubs of the extension modules name what is there, and whatever is public says what it is."""

import ast
import inspect
import pathlib

import pytest

import relay_mlir
from relay_mlir import _compiler, _runtime, backend, ir, relay, te

SOURCES = pathlib.Path(__file__).resolve().parents[1] / "relay_mlir"
KEPT = {"__call__", "__dlpack__", "__dlpack_device__", "__getitem__"}


def is_public(name):
    return not name.startswith("_") or name in KEPT


@pytest.mark.parametrize("module", [_runtime, _compiler], ids=lambda module: module.__name__)
def test_stubs_name_what_is_there(module):
    tree = ast.parse((SOURCES / f"{module.__name__.rpartition('.')[2]}.pyi").read_text())
    stubs = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    assert stubs.keys() == {name for name in vars(module) if is_public(name)}
    for name, stub in stubs.items():
        if isinstance(stub, ast.FunctionDef):
            parameters = [argument.arg for argument in stub.args.args]
            assert parameters == list(inspect.signature(getattr(module, name)).parameters), name
            continue
        declared = {member.name for member in stub.body if isinstance(member, ast.FunctionDef)}
        found = {member for member in vars(getattr(module, name)) if is_public(member)}
        assert declared - {"__new__"} == found, name


PUBLIC = [relay_mlir, backend, ir, relay, relay.dataflow_pattern, relay.transform, te]


@pytest.mark.parametrize("module", PUBLIC, ids=lambda module: module.__name__)
def test_everything_public_says_what_it_is(module):
    for name in module.__all__:
        assert inspect.getdoc(getattr(module, name)), name
