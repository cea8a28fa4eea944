"""The choices that a template leaves open, and one choice of each: AutoTVM's configurations."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Union

from ..errors import IRError
from .entity import (
    Axis,
    OtherOptionEntity,
    SplitEntity,
    annotations,
    divisors,
    entity_of,
    known_extent,
    orders,
    splits,
)

__all__ = ["ConfigEntity", "ConfigSpace", "FallbackConfigEntity", "Knobs"]


class Knobs:
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


class ConfigSpace(Knobs):
    """All choices of a template. While knobs are defined, each is its first value."""

    def __init__(self) -> None:
        super().__init__()
        self.space_map: dict = {}
        self.extents: dict = {}

    def define_split(self, name: str, axis: Any, policy: str = "factors", **how: Any) -> list:
        self.extents[name] = known_extent(axis)
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
            size = max(divisor for divisor in divisors(extent) if divisor <= max(limit, 1))
            sizes.insert(0, size)
            extent //= size
        self.chosen[name] = SplitEntity([-1, *sizes])


class ConfigEntity(Knobs):
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
        chosen = {name: entity_of(kind, value) for name, kind, value in written["entity"]}
        return ConfigEntity(written["index"], chosen)

    def features(self) -> list:
        """Numbers for a cost model."""
        return [number for one in self.chosen.values() for number in one.features()]

    def __repr__(self) -> str:
        return f"{list(self.chosen.items())},{self.index}"
