"""A simple genetic search over subsets of columns, on islands.

Goldberg (1989): tournaments choose parents, uniform crossover mixes two of them, mutation flips
bits, and the best go on as they are. Islands evolve by themselves and every few generations hand
their best to the next in a ring. What an island draws follows from the seed, its number and the
generation, so the answer does not depend on the processes that compute it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .._core.interfaces import Seeds
from ._halves import child_seed


@dataclass(frozen=True)
class GeneticSettings:
    """How subsets are bred.

    Attributes
    ----------
    population : int
        Subsets of an island.
    tournament : int
        Subsets that a parent is the best of.
    crossover : float
        Probability that two parents are mixed, each bit from either.
    mutation : float
        Probability that a chosen column is dropped; in expectation as many come in.
    elite : int
        The best that go on as they are.
    start : int
        Columns of a subset at the beginning, on average.
    least, most : int
        Columns of a subset.
    """

    population: int
    tournament: int
    crossover: float
    mutation: float
    elite: int
    start: int
    least: int
    most: int


@dataclass(frozen=True)
class Generation:
    """An island at one moment: masks (m, q), and their fitness (m,), the best first."""

    masks: np.ndarray
    fitness: np.ndarray


Fitness = Callable[[np.ndarray], float]


def first_generation(q: int, fitness: Fitness, how: GeneticSettings, stream: Seeds) -> Generation:
    """Random subsets of q columns."""
    rng = np.random.default_rng(stream)
    masks = rng.random((how.population, q)) < how.start / q
    return _judged_masks(within_bounds(masks, how, rng), fitness)


def next_generation(
    now: Generation, fitness: Fitness, how: GeneticSettings, stream: Seeds
) -> Generation:
    """The elite, and children of parents that won tournaments."""
    rng = np.random.default_rng(stream)
    m, q = now.masks.shape
    n_children = m - how.elite
    # the best first, so that the winner of a tournament is the lowest place drawn
    parents = rng.integers(m, size=(2, n_children, how.tournament)).min(axis=2)
    first, second = now.masks[parents[0]], now.masks[parents[1]]
    swapped = (rng.random((n_children, q)) < 0.5) & (rng.random(n_children) < how.crossover)[
        :, None
    ]
    children = np.where(swapped, second, first)
    children = within_bounds(mutated_masks(children, how.mutation, rng), how, rng)
    return _judged_masks(np.vstack([now.masks[: how.elite], children]), fitness)


def mutated_masks(masks: np.ndarray, rate: float, rng: np.random.Generator) -> np.ndarray:
    """Masks with bits flipped: each chosen one at the rate, the others so that the expected size
    stays. Flips at one rate for all bits would drive small subsets of many columns to half of
    them."""
    sizes = masks.sum(axis=1, keepdims=True)
    others = np.maximum(masks.shape[1] - sizes, 1)
    rates = np.where(masks, rate, np.minimum(rate * sizes / others, 1.0))
    return masks ^ (rng.random(masks.shape) < rates)


def within_bounds(masks: np.ndarray, how: GeneticSettings, rng: np.random.Generator) -> np.ndarray:
    """Masks with columns dropped or taken at random until their number is allowed."""
    masks = masks.copy()
    for mask in masks:
        size = int(mask.sum())
        if size > how.most:
            mask[rng.choice(np.flatnonzero(mask), size - how.most, replace=False)] = False
        elif size < how.least:
            mask[rng.choice(np.flatnonzero(~mask), how.least - size, replace=False)] = True
    return masks


def _judged_masks(masks: np.ndarray, fitness: Fitness) -> Generation:
    """With their fitness, the best first; of equal ones the earlier."""
    found = np.array([fitness(np.flatnonzero(mask)) for mask in masks])
    order = np.argsort(-found, kind="stable")
    return Generation(masks[order], found[order])


def evolved_generations(
    now: Generation | None,
    q: int,
    fitness: Fitness,
    how: GeneticSettings,
    stream: Seeds,
    generations: range,
) -> list[Generation]:
    """An island through some generations, every one of them; the first begins it."""
    found = []
    for g in generations:
        seed = child_seed(stream, g)
        if now is None:
            now = first_generation(q, fitness, how, seed)
        else:
            now = next_generation(now, fitness, how, seed)
        found.append(now)
    return found


def migrated_islands(islands: list[Generation]) -> list[Generation]:
    """Each island with the best of the one before it in place of its own worst."""
    if len(islands) == 1:
        return islands
    found = []
    for here, before in zip(islands, [islands[-1], *islands[:-1]], strict=True):
        masks = np.vstack([here.masks[:-1], before.masks[:1]])
        fitness = np.append(here.fitness[:-1], before.fitness[0])
        order = np.argsort(-fitness, kind="stable")
        found.append(Generation(masks[order], fitness[order]))
    return found
