"""Searches over the choices of a task."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Optional

import numpy as np

from .measure import Measurer
from .space import ConfigEntity
from .task import Task

__all__ = ["GATuner", "GridSearchTuner", "RandomTuner", "Tuner", "XGBTuner"]


class Tuner:
    """A search. `next_indices` proposes numbers of choices, and `learn` gets what was measured of them."""

    def __init__(self, task: Task):
        self.task, self.space = task, task.config_space
        self.best_config: Optional[ConfigEntity] = None
        self.best_flops, self.best_measure_pair = 0.0, None
        self.ttl_measured, self.best_iter = 0, 0
        self.visited: set = set()
        self.random = random.Random(0)

    def next_indices(self, count: int) -> list:
        """The next choices to measure, at most so many; none if there is none left."""
        raise NotImplementedError

    def learn(self, index: int, flops: float) -> None:
        """Takes the rate of a choice: operations per second, 0 after an error."""

    def has_next(self) -> bool:
        """Whether choices are left that were not tried."""
        return len(self.visited) < len(self.space)

    def tune(
        self,
        n_trial: int,
        measure_option: dict,
        early_stopping: Optional[int] = None,
        callbacks: Sequence[Callable] = (),
        si_prefix: str = "G",
    ) -> None:
        """Measures up to `n_trial` choices, and ends after `early_stopping` ones without a better one.

        Each of `callbacks` is called with the tuner, the inputs and the results of a batch. Ctrl-C ends the search; all
        that was written is kept.
        """
        patience = early_stopping or math.inf
        with Measurer(self.task, measure_option) as measurer:
            batch = measurer.builder.n_parallel
            while self.ttl_measured < n_trial and self.has_next() and self.ttl_measured - self.best_iter < patience:
                indices = self.next_indices(min(batch, n_trial - self.ttl_measured))
                if not indices:
                    break
                self.visited.update(indices)
                pairs = measurer.measure([self.space.get(index) for index in indices])
                self._take(pairs)
                for callback in callbacks:
                    callback(self, [inp for inp, _ in pairs], [result for _, result in pairs])

    def _take(self, pairs: Iterable[tuple]) -> None:
        for inp, result in pairs:
            self.ttl_measured += 1
            flops = self.task.flop / result.mean if result.error_no == 0 else 0.0
            if flops > self.best_flops:
                self.best_flops, self.best_config, self.best_iter = flops, inp.config, self.ttl_measured
                self.best_measure_pair = inp, result
            self.learn(inp.config.index, flops)

    def load_history(self, data_set: Iterable[tuple]) -> None:
        """Learns from records of the same task, which are not measured again."""
        for inp, result in data_set:
            if inp.workload == self.task.workload and inp.config.index < len(self.space):
                self.visited.add(inp.config.index)
                self.learn(inp.config.index, self.task.flop / result.mean if result.error_no == 0 else 0.0)

    def _unseen(self, count: int) -> list:
        """Random choices that were not tried."""
        size, found = len(self.space), set()
        left = size - len(self.visited)
        if left <= 4 * count or left < size // 2:
            candidates = [index for index in range(size) if index not in self.visited]
            return self.random.sample(candidates, min(count, len(candidates)))
        while len(found) < count:
            index = self.random.randrange(size)
            if index not in self.visited:
                found.add(index)
        return list(found)


class RandomTuner(Tuner):
    """Tries choices in random order."""

    def next_indices(self, count: int) -> list:
        return self._unseen(count)


class GridSearchTuner(Tuner):
    """Tries choices in their order."""

    def __init__(self, task: Task):
        super().__init__(task)
        self.rest = iter(range(len(self.space)))

    def next_indices(self, count: int) -> list:
        return list(itertools.islice((index for index in self.rest if index not in self.visited), count))


class GATuner(Tuner):
    """Combines the knobs of good choices, and changes some at random.

    pop_size: the choices of a generation.
    elite_num: how many of all are sure to be parents.
    mutation_prob: how likely a knob changes.
    """

    def __init__(self, task: Task, pop_size: int = 100, elite_num: int = 3, mutation_prob: float = 0.1):
        super().__init__(task)
        self.pop_size, self.elite_num, self.mutation_prob = min(pop_size, len(self.space)), elite_num, mutation_prob
        self.scores: dict = {}
        self.generation: list = []
        self.proposed: list = []

    def learn(self, index: int, flops: float) -> None:
        self.scores[index] = flops
        self.generation.append(index)

    def next_indices(self, count: int) -> list:
        if not self.proposed:
            self.proposed = self._children() if self.generation else self._unseen(self.pop_size)
            self.generation = []
        taken, self.proposed = self.proposed[:count], self.proposed[count:]
        return taken

    def _children(self) -> list:
        elite = sorted(self.scores, key=self.scores.__getitem__, reverse=True)[: self.elite_num]
        parents = list(dict.fromkeys([*self.generation, *elite]))
        weights = [self.scores[index] + 1e-9 for index in parents]
        children: set = set()
        for _ in range(4 * self.pop_size):
            if len(children) == self.pop_size:
                break
            first, second = (self.space.knobs_of(index) for index in self.random.choices(parents, weights, k=2))
            child = self.space.index_of([self._knob(*pair) for pair in zip(first, second, self.space.dims)])
            if child not in self.visited:
                children.add(child)
        return list(children) or self._unseen(self.pop_size)

    def _knob(self, first: int, second: int, count: int) -> int:
        if self.random.random() < self.mutation_prob:
            return self.random.randrange(count)
        return self.random.choice((first, second))


class XGBTuner(Tuner):
    """Learns how fast choices are, and tries those that it expects to be fast: AutoTVM's tuner with a cost model, by its name.

    The model here is a regression on the knobs' numbers, their squares and products, of the logarithm of the rate; it needs
    no library. Simulated annealing over the space finds the choices that it prefers. `relayc tune --tuner annealing` has
    boosted trees instead.

    plan_size: how many choices are planned from one state of the model.
    """

    # Steps of annealing, and the states that walk at a time.
    STEPS, STATES = 60, 64

    def __init__(self, task: Task, plan_size: int = 32, **_: Any):
        super().__init__(task)
        self.plan_size = plan_size
        self.known: dict = {}
        self.plan: list = []

    def learn(self, index: int, flops: float) -> None:
        self.known[index] = flops

    def next_indices(self, count: int) -> list:
        self.plan = [index for index in self.plan if index not in self.visited]
        if len(self.plan) < count:
            self.plan = self._planned() if len(self.known) >= self.plan_size else self._unseen(self.plan_size)
        taken, self.plan = self.plan[:count], self.plan[count:]
        return taken

    def _features(self, indices: Sequence[int]) -> np.ndarray:
        rows = np.array([self.space.get(index).features() for index in indices], dtype=float).reshape(len(indices), -1)
        left, right = np.triu_indices(rows.shape[1])
        return np.concatenate([np.ones((len(rows), 1)), rows, rows[:, left] * rows[:, right]], axis=1)

    def _fitted(self) -> Callable[[Sequence[int]], np.ndarray]:
        """What the measured choices say of others: a ridge regression."""
        indices = list(self.known)
        features = self._features(indices)
        scale = np.abs(features).max(axis=0) + 1e-9
        rates = np.log2([self.known[index] / max(self.best_flops, 1.0) + 1e-3 for index in indices])
        matrix = features / scale
        gram = matrix.T @ matrix + 1e-2 * np.eye(matrix.shape[1])
        weights = np.linalg.solve(gram, matrix.T @ rates)
        return lambda some: self._features(some) / scale @ weights

    def _planned(self) -> list:
        """Annealing: states walk to neighbours, less and less often to worse ones. The best ones that were met, then random ones."""
        predict = self._fitted()
        states = self._unseen(self.STATES)
        scores = predict(states)
        met = dict(zip(states, scores))
        for step in range(self.STEPS):
            moved = [self._neighbour(index) for index in states]
            others = predict(moved)
            met.update(zip(moved, others))
            heat = 1 - step / self.STEPS
            for place, gain in enumerate(others - scores):
                if gain > 0 or self.random.random() < math.exp(min(gain / max(heat, 1e-3), 0)):
                    states[place], scores[place] = moved[place], others[place]
        best = sorted((index for index in met if index not in self.visited), key=met.__getitem__, reverse=True)
        greedy = best[: self.plan_size * 7 // 8]
        return greedy + [index for index in self._unseen(self.plan_size - len(greedy)) if index not in greedy]

    def _neighbour(self, index: int) -> int:
        places, dims = self.space.knobs_of(index), self.space.dims
        knob = self.random.randrange(len(dims))
        places[knob] = self.random.randrange(dims[knob])
        return self.space.index_of(places)
