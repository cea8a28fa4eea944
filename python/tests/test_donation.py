"""Inputs that may lie in the memory of outputs."""

import numpy as np
import pytest
from conftest import CACHE

import relay_mlir


@pytest.fixture(scope="module")
def cache():
    """A model whose first input may lie in the memory of its output."""
    return relay_mlir.compile(relay_mlir.ir.Module(CACHE))


def test_donated_inputs_are_replaced(cache):
    assert [info.donated for info in cache.inputs] == ["next", None, None]
    past, new, at = np.arange(4, dtype=np.float32), np.array([9], np.float32), np.array(2)
    wanted = [0, 1, 9, 3]
    assert cache(past, new, at).tolist() == wanted and past.tolist() == [0, 1, 2, 3]
    other = past.copy()
    assert (
        cache.run({"past": other, "new": new, "at": at}, {"next": other})["next"] is other and other.tolist() == wanted
    )
    assert cache.run({"past": past, "new": new, "at": at}, donate=True)["next"] is past and past.tolist() == wanted


def test_donated_inputs_can_be_written(cache):
    fixed = np.zeros(4, np.float32)
    fixed.flags.writeable = False
    other = np.zeros(6, np.float32)
    for past, outputs in [(fixed, None), ([0, 1, 2, 3], None), (other[:4], {"next": other[2:]})]:
        with pytest.raises(relay_mlir.InputError):
            cache.run({"past": past, "new": [9], "at": 2}, outputs, donate=True)
