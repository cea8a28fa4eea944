"""The choices that a template leaves open, and one choice of each: AutoTVM's configurations."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Optional, Union

from ..errors import IRError

__all__ = [
    "AnnotateEntity",
    "Axis",
    "ConfigEntity",
    "ConfigSpace",
    "FallbackConfigEntity",
    "OtherOptionEntity",
    "ReorderEntity",
    "SplitEntity",
]

# The most orders that one knob chooses among: those of seven loops.
MOST_ORDERS = 5040


class Axis:
    """A loop that a split will make, for the knobs that are defined behind it."""

    def __init__(self, name: str, extent: Optional[int] = None):
        self.name, self.extent = name, extent

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
        """Numbers for a cost model; a value that is no number has none."""
        return [float(self.val)] if isinstance(self.val, (bool, int, float)) else []

    def __repr__(self) -> str:
        return str(self.val)


ENTITIES = {one.kind: one for one in (SplitEntity, ReorderEntity, AnnotateEntity, OtherOptionEntity)}


def _divisors(number: int) -> list:
    return [divisor for divisor in range(1, number + 1) if number % divisor == 0]


def _powers(extent: int) -> list:
    return [1 << power for power in range(max(extent, 1).bit_length()) if 1 << power <= extent]


# The extents that a loop may get, by the policy of a split.
POLICIES: dict = {
    "factors": _divisors,
    "power2": _powers,
    "verbose": lambda extent: sorted({*_divisors(extent), *_powers(extent)}),
}


def _extent(axis: Any) -> int:
    """The number of an axis' iterations; a number stands for itself."""
    extent = axis if isinstance(axis, int) else axis.extent
    if extent is None:
        raise IRError(f"the extent of {axis.name} is a choice itself; split an axis of the stage")
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
    extent = _extent(axis)
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


class _Knobs:
    """What a template calls. The definitions do nothing where the choices are made already."""

    def __init__(self) -> None:
        self.chosen: dict = {}
        self.errors: list = []
        self.flop = 0.0
        self.is_fallback = False

    def _define(self, name: str, entities: Callable[[], list]) -> None:
        pass

    def define_split(self, name: str, axis: Any, policy: str = "factors", **how: Any) -> list:
        """A knob: how an axis is split. `how` has `num_outputs`, `max_factor`, `filter`, `candidate`."""
        self._define(name, lambda: splits(axis, policy, **how))
        return [Axis(f"{name}.{number}") for number in range(how.get("num_outputs", 2))]

    def define_reorder(self, name: str, axes: Sequence, policy: str, **how: Any) -> list:
        """A knob: the order of loops."""
        self._define(name, lambda: orders(axes, policy, **how))
        return list(axes)

    def define_annotate(self, name: str, axes: Sequence, policy: str, **how: Any) -> list:
        """A knob: which loops are unrolled or run as vectors."""
        self._define(name, lambda: annotations(axes, policy, **how))
        return list(axes)

    def define_knob(self, name: str, candidate: Sequence[Any]) -> None:
        """A knob: one of some values."""
        self._define(name, lambda: [OtherOptionEntity(value) for value in candidate])

    def add_flop(self, flop: Union[int, float]) -> None:
        """Says how many operations the function does, instead of having them counted."""
        self.flop += float(flop)

    def raise_error(self, msg: str) -> None:
        """Says that this choice is not to be tried."""
        self.errors.append(msg)

    def valid(self) -> bool:
        """Whether the choice may be tried."""
        return not self.errors

    def __contains__(self, name: str) -> bool:
        return name in self.chosen

    def __getitem__(self, name: str) -> Any:
        if name not in self.chosen:
            raise IRError(f"there is no knob '{name}'; there are {', '.join(self.chosen) or 'none'}")
        return self.chosen[name]

    def __setitem__(self, name: str, entity: Any) -> None:
        self.chosen[name] = entity


class ConfigSpace(_Knobs):
    """All choices of a template. While knobs are defined, each is its first value."""

    def __init__(self) -> None:
        super().__init__()
        self.space_map: dict = {}
        self.extents: dict = {}

    def define_split(self, name: str, axis: Any, policy: str = "factors", **how: Any) -> list:
        self.extents[name] = _extent(axis)
        return super().define_split(name, axis, policy, **how)

    def _define(self, name: str, entities: Callable[[], list]) -> None:
        if name in self.space_map:
            return
        made = entities()
        if not made:
            raise IRError(f"the knob '{name}' has no value to choose")
        self.space_map[name], self.chosen[name] = made, made[0]

    def __len__(self) -> int:
        return math.prod(len(values) for values in self.space_map.values())

    @property
    def dims(self) -> list:
        """How many values each knob has."""
        return [len(values) for values in self.space_map.values()]

    def get(self, index: int) -> ConfigEntity:
        """The choice of a number. The first knob changes from one number to the next."""
        if not 0 <= index < len(self):
            raise IndexError(f"there are {len(self)} choices, and none has the number {index}")
        rest, chosen = index, {}
        for name, values in self.space_map.items():
            rest, place = divmod(rest, len(values))
            chosen[name] = values[place]
        return ConfigEntity(index, chosen)

    def knobs_of(self, index: int) -> list:
        """The place of each knob's value among its values."""
        places = []
        for count in self.dims:
            index, place = divmod(index, count)
            places.append(place)
        return places

    def index_of(self, places: Sequence[int]) -> int:
        """The number of the choice with these places."""
        index = 0
        for place, count in zip(reversed(places), reversed(self.dims)):
            index = index * count + place
        return index

    def __repr__(self) -> str:
        lines = [f"  {name}: {len(values)} values, {_shortened(values)}" for name, values in self.space_map.items()]
        return "\n".join([f"ConfigSpace of {len(self)} choices", *lines])


def _shortened(values: Sequence) -> str:
    """The first three values of a list."""
    more = ", ..." if len(values) > 3 else ""
    return ", ".join(map(repr, values[:3])) + more


class FallbackConfigEntity(ConfigSpace):
    """What a template gets where nothing was tuned: the first value of each knob, unless it sets another one."""

    def __init__(self) -> None:
        super().__init__()
        self.is_fallback = True

    def fallback_split(self, name: str, constraints: Sequence[int]) -> None:
        """Splits by the largest divisors that are at most `constraints`, from the innermost loop on. The first limit is -1: none."""
        extent, sizes = self.extents[name], []
        for limit in reversed(constraints[1:]):
            size = max(divisor for divisor in _divisors(extent) if divisor <= max(limit, 1))
            sizes.insert(0, size)
            extent //= size
        self.chosen[name] = SplitEntity([-1, *sizes])


class ConfigEntity(_Knobs):
    """One choice of a template, with its number."""

    def __init__(self, index: int, chosen: dict):
        super().__init__()
        self.index, self.chosen = index, chosen

    def to_json_dict(self) -> dict:
        """What records write."""
        entity = [[name, one.kind, one.encoded()] for name, one in self.chosen.items()]
        return {"index": self.index, "code_hash": None, "entity": entity}

    @staticmethod
    def from_json_dict(written: dict) -> ConfigEntity:
        """The choice that a record has."""
        chosen = {name: ENTITIES[kind](value) for name, kind, value in written["entity"]}
        return ConfigEntity(written["index"], chosen)

    def features(self) -> list:
        """Numbers for a cost model."""
        return [number for one in self.chosen.values() for number in one.features()]

    def __repr__(self) -> str:
        return f"{list(self.chosen.items())},{self.index}"
