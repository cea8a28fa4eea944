"""Where a model's time goes."""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Mapping
from typing import Any, Optional

import numpy as np

from .errors import InputError

__all__ = ["NodeTime", "Profile", "measure"]


@dataclasses.dataclass(frozen=True)
class NodeTime:
    """The time of one node of the model in a run."""

    name: str  # as the model has it
    kernel: str  # the function that computes it
    flops: int  # floating-point operations of a run; 0 where not counted
    seconds: float  # the median of the runs


class Profile(list):
    """The times of all nodes, longest first; printed, it is a table."""

    def __str__(self) -> str:
        total = sum(node.seconds for node in self) or 1.0
        lines = [f"{'ms':>10}  {'%':>6}  {'GFLOP/s':>8}  node (kernel)"]
        for node in self:
            rate = f"{node.flops / max(node.seconds, 1e-9) / 1e9:.2f}" if node.flops else "-"
            share = 100 * node.seconds / total
            lines.append(f"{node.seconds * 1e3:10.4f}  {share:6.2f}  {rate:>8}  {node.name} ({node.kernel})")
        return "\n".join(lines)


def random_inputs(model, seed: int = 0) -> dict:
    """Inputs of the model's types and shapes: floats from -1 to 1, whole numbers 0 and 1."""
    numbers = np.random.default_rng(seed)

    def one(info):
        if any(isinstance(extent, str) for extent in info.shape):
            raise InputError(f"input {info.name!r} has open dimensions: give `inputs`, which say their sizes")
        if "float" in info.dtype:
            values = numbers.uniform(-1, 1, info.shape)
        else:
            values = numbers.integers(0, 2, info.shape)
        try:
            dtype = np.dtype(info.dtype)
        except TypeError:  # One that numpy lacks.
            import ml_dtypes

            dtype = getattr(ml_dtypes, info.dtype)
        return np.asarray(values, dtype)

    return {info.name: one(info) for info in model.inputs}


def measure(model, inputs: Optional[Mapping[str, Any]], repeat: int) -> Profile:
    """The medians of a model's node times over some runs, after one that does not count."""
    feeds = random_inputs(model) if inputs is None else inputs
    model.run(feeds)
    before = model.node_times()
    runs = [[] for _ in before]
    for _ in range(max(repeat, 1)):
        model.run(feeds)
        after = model.node_times()
        for times, old, new in zip(runs, before, after):
            times.append(new[4] - old[4])
        before = after
    nodes = [
        NodeTime(name, kernel, flops, statistics.median(times) / 1e9)
        for (name, kernel, flops, _, _), times in zip(before, runs)
    ]
    return Profile(sorted(nodes, key=lambda node: -node.seconds))
