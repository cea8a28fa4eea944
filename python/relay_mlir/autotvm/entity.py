"""The values of knobs, and the lists of those that a knob may have: AutoTVM's entities."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Optional

from ..errors import IRError

__all__ = [
    "AnnotateEntity",
    "Axis",
    "OtherOptionEntity",
    "ReorderEntity",
    "SplitEntity",
    "annotations",
    "divisors",
    "entity_of",
    "known_extent",
    "orders",
    "splits",
]

# The most orders that one knob chooses among: those of seven loops.
MOST_ORDERS = 5040


class Axis:
    """A loop that a split will make, for the knobs that are defined behind it."""

    # It is a choice itself.
    extent = None

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return f"<autotvm.Axis {self.name}>"


class SplitEntity:
    """The extents of the loops that an axis is split into, outermost first. The first one, -1, follows from the others."""

    kind = "sp"

    def __init__(self, size: Sequence[int]):
        self.size = list(size)

    def apply(self, sch: Any, op: Any, axis: Any) -> list:
        """Splits an axis of a stage. Returns its loops, outermost first."""
        loops = []
        for place in range(1, len(self.size)):
            outer, axis = sch[op].split(axis, factor=math.prod(self.size[place:]))
            loops.append(outer)
        return [*loops, axis]

    def encoded(self) -> list:
        """What records write."""
        return self.size

    def features(self) -> list:
        """Numbers for a cost model: logarithms of extents."""
        return [math.log2(size) for size in self.size[1:]]

    def __repr__(self) -> str:
        return str(self.size)


class ReorderEntity:
    """An order of loops, by their numbers."""

    kind = "re"

    def __init__(self, perm: Sequence[int]):
        self.perm = list(perm)

    def apply(self, sch: Any, op: Any, axes: Sequence) -> list:
        """Puts loops of a stage into this order. Returns them in it."""
        if len(axes) == len(self.perm):
            axes = [axes[number] for number in self.perm]
        sch[op].reorder(*axes)
        return list(axes)

    def encoded(self) -> list:
        """What records write."""
        return self.perm

    def features(self) -> list:
        """Numbers for a cost model: the place of each loop."""
        return [float(self.perm.index(number)) for number in range(len(self.perm))]

    def __repr__(self) -> str:
        return str(self.perm)


class AnnotateEntity:
    """How each loop runs: "none", "unroll" or "vec"."""

    kind = "an"

    def __init__(self, anns: Sequence[str]):
        self.anns = list(anns)

    def apply(
        self,
        sch: Any,
        op: Any,
        axes: Sequence,
        axis_lens: Optional[Sequence[int]] = None,
        max_unroll: Optional[int] = None,
        vec_size: Optional[Sequence[int]] = None,
        **_: Any,
    ) -> list:
        """Annotates loops. Longer ones than `max_unroll` are not unrolled, and only those of an extent in `vec_size` are vectors."""
        lengths = axis_lens or [axis.extent for axis in axes]
        for annotation, axis, length in zip(self.anns, axes, lengths):
            if annotation == "unroll" and (max_unroll is None or length <= max_unroll):
                sch[op].unroll(axis)
            if annotation == "vec" and (vec_size is None or length in vec_size):
                sch[op].vectorize(axis)
        return list(axes)

    def encoded(self) -> list:
        """What records write."""
        return self.anns

    def features(self) -> list:
        """Numbers for a cost model: one for each annotation of each loop."""
        return [float(annotation == name) for annotation in self.anns for name in ("unroll", "vec")]

    def __repr__(self) -> str:
        return str(self.anns)


class OtherOptionEntity:
    """One of the values of a knob: `val`."""

    kind = "ot"

    def __init__(self, val: Any):
        self.val = val

    def encoded(self) -> Any:
        """What records write."""
        return self.val

    def features(self) -> list:
        """Numbers for a cost model: the value, or 0 if it is no number."""
        return [float(self.val) if isinstance(self.val, (bool, int, float)) else 0.0]

    def __repr__(self) -> str:
        return str(self.val)


_ENTITIES = {one.kind: one for one in (SplitEntity, ReorderEntity, AnnotateEntity, OtherOptionEntity)}


def entity_of(kind: str, value: Any) -> Any:
    """The entity of what records write."""
    return _ENTITIES[kind](value)


def divisors(number: int) -> list:
    """The numbers that divide a number, in order."""
    return [divisor for divisor in range(1, number + 1) if number % divisor == 0]


def _powers(extent: int) -> list:
    return [1 << power for power in range(max(extent, 1).bit_length()) if 1 << power <= extent]


# The extents that a loop may get, by the policy of a split.
POLICIES: dict = {
    "factors": divisors,
    "power2": _powers,
    "verbose": lambda extent: sorted({*divisors(extent), *_powers(extent)}),
}


def known_extent(axis: Any) -> int:
    """The number of an axis' iterations; a number stands for itself."""
    extent = axis if isinstance(axis, int) else axis.extent
    if extent is None:
        raise IRError(f"the extent of {axis.name} is a choice itself; split an axis of the stage")
    if not isinstance(extent, int):
        raise IRError(
            f"the extent of {axis.name} is {extent}, which is open; a template that is tuned has known extents"
        )
    return extent


def splits(
    axis: Any,
    policy: str,
    num_outputs: int = 2,
    max_factor: Optional[int] = None,
    filter: Optional[Callable[[SplitEntity], bool]] = None,
    candidate: Optional[Sequence[Sequence[int]]] = None,
) -> list:
    """The ways to split an axis into `num_outputs` loops."""
    extent = known_extent(axis)
    if policy == "candidate":
        sizes: Iterator = iter(candidate or [])
    elif policy in POLICIES:
        allowed = [size for size in POLICIES[policy](extent) if max_factor is None or size <= max_factor]
        inner = itertools.product(allowed, repeat=num_outputs - 1)
        fits = (lambda product: extent % product == 0) if policy == "factors" else (lambda product: product <= extent)
        sizes = ([-1, *sizes] for sizes in inner if fits(math.prod(sizes)))
    else:
        raise IRError(f"there is no policy '{policy}' of splits; there are {', '.join(POLICIES)}, candidate")
    made = [SplitEntity(size) for size in sizes]
    return made if filter is None else [one for one in made if filter(one)]


def orders(
    axes: Sequence,
    policy: str,
    candidate: Optional[Sequence[Sequence]] = None,
    interval: Optional[tuple] = None,
) -> list:
    """The orders of loops: "all", "identity", the "candidate" lists, or "interval_all" of those from one place to below another."""
    count = len(axes)
    begin, end = interval if policy == "interval_all" and interval else (0, count)
    if policy == "identity":
        return [ReorderEntity(range(count))]
    if policy == "candidate":
        return [ReorderEntity([list(axes).index(axis) for axis in order]) for order in candidate or []]
    if policy not in ("all", "interval_all"):
        raise IRError(f"there is no policy '{policy}' of orders; there are all, identity, interval_all, candidate")
    if math.factorial(end - begin) > MOST_ORDERS:
        raise IRError(
            f"{end - begin} loops have more than {MOST_ORDERS} orders; name some of them with policy='candidate'"
        )
    head, tail = range(begin), range(end, count)
    return [ReorderEntity([*head, *order, *tail]) for order in itertools.permutations(range(begin, end))]


def annotations(axes: Sequence, policy: str, candidate: Optional[Sequence[Sequence[str]]] = None, **_: Any) -> list:
    """The ways to run loops: the innermost ones unrolled, the very innermost one as vectors, or the "candidate" lists."""
    count = len(axes)
    plain, unrolled = ["none"] * count, [["none"] * (count - some) + ["unroll"] * some for some in range(1, count + 1)]
    vectors = [[*one[:-1], "vec"] for one in [plain, *unrolled[1:]]] if count else []
    known = {
        "candidate": list(candidate or []),
        "try_unroll": [plain, *unrolled],
        "try_vec": [plain, *vectors[:1]],
        "try_unroll_vec": [plain, *unrolled, *vectors],
        "try_vec_unroll": [plain, *vectors, *unrolled],
    }
    if policy not in known:
        raise IRError(f"there is no policy '{policy}' of annotations; there are {', '.join(known)}")
    return [AnnotateEntity(one) for one in known[policy]]
