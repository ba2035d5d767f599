"""Forward, backward and floating search for subsets of items (columns, or groups of them)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from .subset_scores import SubsetScores

MIN_LEFT_ITEMS = 2  # items that a floating search leaves alone at either end


@dataclass(frozen=True)
class Step:
    """One item more, or one less.

    Attributes
    ----------
    added : bool
    item : int
    items : tuple of int
        All that are chosen after it, rising.
    score : float
        Mean over the folds.
    """

    added: bool
    item: int
    items: tuple[int, ...]
    score: float


@dataclass
class SequentialSearch:
    """A search over items, and what it has seen.

    Attributes
    ----------
    scores : SubsetScores
    items : sequence of ndarray
        Columns of each item.
    steps : list of Step
    best : dict
        From a size to the best step that left so many items; the earliest of equal ones.
    """

    scores: SubsetScores
    items: Sequence[np.ndarray]
    steps: list[Step] = field(default_factory=list)
    best: dict[int, Step] = field(default_factory=dict)

    def columns(self, items: Sequence[int]) -> np.ndarray:
        """Columns of some items, rising."""
        if not len(items):
            return np.zeros(0, dtype=np.int64)
        return np.sort(np.concatenate([self.items[i] for i in items]))

    def start(self, items: Sequence[int]) -> None:
        """A subset that the search begins with, at the score that it has."""
        chosen = tuple(sorted(items))
        if chosen:
            score = self.scores.mean_of(self.columns(chosen))
            self.best[len(chosen)] = Step(True, -1, chosen, score)

    def best_addition(self, chosen: Sequence[int], barred: int = -1) -> Step:
        """The item that does best beside the chosen ones; of equal ones the first."""
        left_out = {*chosen, barred}
        among = [i for i in range(len(self.items)) if i not in left_out]

        def subset_with(place: int) -> list[int]:
            return [*chosen, among[place]]

        if all(len(self.items[i]) == 1 for i in among):
            new = np.array([self.items[i][0] for i in among])
            found = self.scores.with_each(self.columns(chosen), new)
        else:
            found = self._one_by_one(subset_with, len(among))
        return self._step(True, among, subset_with, found)

    def best_removal(self, chosen: Sequence[int], barred: int = -1) -> Step:
        """The item without which the others do best; of equal ones the first."""
        among = [i for i in chosen if i != barred]

        def subset_without(place: int) -> list[int]:
            return [i for i in chosen if i != among[place]]

        if all(len(self.items[i]) == 1 for i in chosen):
            columns = self.columns(chosen)
            all_scores = self.scores.without_each(columns)
            place = np.searchsorted(columns, [self.items[i][0] for i in among])
            found = all_scores[place]
        else:
            found = self._one_by_one(subset_without, len(among))
        return self._step(False, among, subset_without, found)

    def _one_by_one(self, subset: Callable[[int], list[int]], n: int) -> np.ndarray:
        return np.array([self.scores.mean_of(self.columns(subset(i))) for i in range(n)])

    def _step(
        self,
        added: bool,
        among: Sequence[int],
        subset: Callable[[int], list[int]],
        found: np.ndarray,
    ) -> Step:
        place = self.scores.best(found, lambda i: self.columns(subset(i)))
        items = tuple(sorted(subset(place)))
        return Step(added, among[place], items, self.scores.mean_of(self.columns(items)))

    def accepts(self, step: Step) -> bool:
        """Whether a floating step back is taken: it beats the best subset of its size so far,
        whatever the score before it (Pudil, Novovicova & Kittler 1994)."""
        return step.score > self.best[len(step.items)].score

    def take(self, step: Step) -> tuple[int, ...]:
        """Note a step, and give the items chosen after it."""
        self.steps.append(step)
        known = self.best.get(len(step.items))
        if known is None or step.score > known.score:
            self.best[len(step.items)] = step
        return step.items


def search_forward(
    search: SequentialSearch,
    most: int,
    floating: bool,
    patience: int | None,
    advance: Callable[[int], None],
    least: int = 0,
) -> None:
    """Add the best item until there are `most` of them.

    A floating search (Pudil, Novovicova & Kittler 1994) then takes items away for as long as what
    is left is better than the best subset of its size so far; the one that was just added stays.
    It ends when the best score has not risen for `patience` additions, and `least` items are in.
    """
    chosen: tuple[int, ...] = ()
    leader, idle, largest = -np.inf, 0, 0
    while len(chosen) < most:
        step = search.best_addition(chosen)
        chosen = search.take(step)
        while floating and len(chosen) > MIN_LEFT_ITEMS:
            fewer = search.best_removal(chosen, step.item)
            if not search.accepts(fewer):
                break
            chosen = search.take(fewer)
        top = max(one.score for one in search.best.values())
        leader, idle = (top, 0) if top > leader else (leader, idle + 1)
        if len(chosen) > largest:
            advance(len(chosen) - largest)
            largest = len(chosen)
        if patience is not None and idle >= patience and largest >= least:
            break


def search_backward(
    search: SequentialSearch,
    floating: bool,
    patience: int | None,
    advance: Callable[[int], None],
    most: int = sys.maxsize,
) -> None:
    """Begin with every item and drop the one whose loss hurts least, down to a single one.

    A floating search then takes items back for as long as what comes of it is better than the
    best subset of its size so far; the one that was just dropped stays out. `patience` ends it as
    of `search_forward`, once no more than `most` items are left.
    """
    every = len(search.items)
    chosen = tuple(range(every))
    search.start(chosen)
    leader, idle, least = search.best[every].score, 0, every
    while len(chosen) > 1:
        step = search.best_removal(chosen)
        chosen = search.take(step)
        while floating and every - len(chosen) > MIN_LEFT_ITEMS:
            more = search.best_addition(chosen, step.item)
            if not search.accepts(more):
                break
            chosen = search.take(more)
        top = max(one.score for one in search.best.values())
        leader, idle = (top, 0) if top > leader else (leader, idle + 1)
        if len(chosen) < least:
            advance(least - len(chosen))
            least = len(chosen)
        if patience is not None and idle >= patience and least <= most:
            break
