"""Made-up tables, small and always the same, on which methods are checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from .._core.rows import PlanRow
from ..data.dataset import Dataset
from . import roles

CATEGORY_LEVELS = {2: tuple("lmn"), 4: tuple("no"), 5: tuple("pqrs"), 8: tuple("uvw")}


def shifted_normals(
    seed: int = 0,
    n: int = 40,
    p: int = 60,
    informative: int = 3,
    classes: Sequence[str] = ("a", "b"),
    shift: float = 1.5,
    **extra: Any,
) -> Dataset:
    """Normal noise with the first features shifted by class."""
    rng = np.random.default_rng(seed)
    y = np.array(classes)[np.arange(n) % len(classes)]
    X = rng.normal(size=(n, p))
    for k, name in enumerate(classes):
        X[y == name, :informative] += shift * k
    return Dataset(X, y, tuple(f"g{j}" for j in range(p)), name="made", **extra)


@cache
def made_up_table(kind: str) -> Dataset:
    """One of the tables.

    - "plain": two classes, numbers.
    - "strong": two classes that the first two of its columns separate, each by itself.
    - "other": the same of other samples.
    - "holes": "plain" with missing values.
    - "mixed": three classes, missing values, categories of two to four levels, a covariate of
      three, and three batches.
    - "levels": "mixed" without missing values.
    """
    if kind in ("plain", "other"):
        seed = 3 if kind == "plain" else 5
        return shifted_normals(seed, n=36, p=12, informative=2, shift=1.0)
    if kind == "strong":
        return shifted_normals(7, n=36, p=12, informative=2, shift=8.0)
    if kind == "holes":
        plain = made_up_table("plain")
        gaps = np.random.default_rng(8).random(plain.shape) < [0.3] + [0.1] * 9 + [0.0] * 2
        return replace(plain, X=np.where(gaps, np.nan, plain.take(None)))
    made = shifted_normals(4, n=48, p=9, informative=2, shift=1.0, classes=("a", "b", "c"))
    rng = np.random.default_rng(9)
    X = made.take(None)
    X[:, 2] = np.where(rng.random(48) < 0.8, made.codes, rng.integers(0, 3, 48))
    X[:, 4], X[:, 5], X[:, 8] = (rng.integers(0, k, 48) for k in (2, 4, 3))
    if kind == "mixed":
        X[3, 2] = X[5, 0] = X[11, 6] = X[20, 8] = np.nan
    batches = np.array(["north", "south", "west"])[rng.integers(0, 3, 48)]
    X[batches == "west", :2] += 3
    return replace(made, X=X, levels=CATEGORY_LEVELS, covariates=(8,), batches=batches)


def in_batches(data: Dataset) -> Dataset:
    """The table with two batches, if it has none."""
    if data.batches is not None:
        return data
    return replace(data, batches=np.array(["x", "y"])[np.arange(data.shape[0]) // 2 % 2])


def in_counts(data: Dataset) -> Dataset:
    """The table with numbers made into sequencing counts, larger ones into larger ones."""
    X, numeric = data.take(None), np.delete(np.arange(data.shape[1]), list(data.levels))
    X[:, numeric] = np.floor(np.exp2(np.clip(X[:, numeric], -20, 20) + 6))
    return replace(data, X=X)


def in_numbers(data: Dataset) -> Dataset:
    """The table with a number in the place of the class: two a class, and noise."""
    rng = np.random.default_rng(10)
    numbers = 2.0 * data.codes + rng.normal(size=data.shape[0])
    return replace(data, y=None, classes=(), numbers=numbers)


def suited_table(data: Dataset, row: PlanRow, response: str = "class") -> Dataset:
    """The table with what a method needs: a number as outcome, batches, or counts."""
    if response == "number":
        data = in_numbers(data)
    if roles.by_batch(row):
        data = in_batches(data)
    return in_counts(data) if roles.by_counts(row) else data


def noise_table(seed: int) -> Dataset:
    """Two classes that no feature separates."""
    rng = np.random.default_rng([seed, 1])
    y = np.array(["a", "b"])[np.arange(32) % 2]
    return Dataset(rng.normal(size=(32, 60)), y, tuple(f"g{j}" for j in range(60)))


def with_a_new_level(data: Dataset, rows: np.ndarray) -> Dataset:
    """Every category, covariates too, has one level more, or a gap, in some rows alone."""
    X, levels = data.take(None), dict(data.levels)
    for j in levels:
        X[rows, j] = np.where(np.arange(len(rows)) % 3 == 1, np.nan, len(levels[j]))
        levels[j] = (*levels[j], "new")
    numbers = np.setdiff1d(np.arange(data.shape[1]), list(levels))
    X[np.ix_(rows[::3], numbers)] = np.nan
    return replace(data, X=X, levels=levels)


def with_a_level_before(data: Dataset, rows: np.ndarray) -> Dataset:
    """Every category, covariates too, has one level more in some rows alone, the first in order."""
    found = with_a_new_level(data, rows)
    X, levels = found.take(None), dict(found.levels)
    for j in levels:
        X[:, j] = (X[:, j] + 1) % len(levels[j])
        levels[j] = (levels[j][-1], *levels[j][:-1])
    return replace(found, X=X, levels=levels)


def two_levels(data: Dataset) -> Dataset:
    """The table with categories of two levels alone."""
    X = data.take(None)
    for j in data.levels:
        X[:, j] = np.minimum(X[:, j], 1)
    return replace(data, X=X, levels={j: levels[:2] for j, levels in data.levels.items()})
