"""Made-up tables of many designs, and the default study of each as a user runs it.

A table has `FEATURES` columns, of which `INFORMATIVE` differ between the classes by `shift`
standard deviations (0: nothing does).
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import numpy as np

from tamis.data import Dataset
from tamis.study import run_study

FEATURES, INFORMATIVE = 300, 10
PERMUTATIONS = 19
Generator = np.random.Generator


def table(rng: Generator, y: np.ndarray, shift: float, **parts: np.ndarray) -> Dataset:
    """Independent noise; columns of which some differ; further effects by group and by batch."""
    names = np.array(["control", "case", "other"])[y]
    X = rng.normal(size=(len(y), FEATURES))
    for j in range(INFORMATIVE):
        X[:, j] += shift * (y == 1 + j % max(y.max(), 1))
    for labels in parts.values():
        levels, codes = np.unique(labels, return_inverse=True)
        X += rng.normal(size=(len(levels), FEATURES))[codes]
    return Dataset(X, names, tuple(f"g{j:03}" for j in range(FEATURES)), **parts)


def shares(rng: Generator, n: int, *parts: float) -> np.ndarray:
    """Classes of these shares, in random order."""
    sizes = np.round(np.array(parts) * n).astype(int)
    return rng.permutation(np.repeat(np.arange(len(parts)), sizes))


# --- plain designs --------------------------------------------------------------------------------


def plain(rng: Generator, shift: float) -> Dataset:
    return table(rng, shares(rng, 60, 0.5, 0.5), shift)


def rare(rng: Generator, shift: float) -> Dataset:
    return table(rng, shares(rng, 75, 0.8, 0.2), shift)


def three(rng: Generator, shift: float) -> Dataset:
    return table(rng, shares(rng, 75, 0.4, 0.4, 0.2), shift)


def small(rng: Generator, shift: float) -> Dataset:
    return table(rng, shares(rng, 30, 0.5, 0.5), 1.3 * shift)


def patients(rng: Generator, shift: float) -> Dataset:
    y = shares(rng, 24, 0.5, 0.5)
    return table(rng, np.repeat(y, 3), 1.5 * shift, groups=_named("p", np.repeat(range(24), 3)))


def pairs(rng: Generator, shift: float) -> Dataset:
    """Tumour and normal of each patient."""
    y = np.tile([0, 1], 30)
    return table(rng, y, shift, groups=_named("p", np.repeat(range(30), 2)))


def plates(rng: Generator, shift: float) -> Dataset:
    return table(rng, shares(rng, 60, 0.5, 0.5), shift, batches=_named("b", np.arange(60) % 3))


def gaps(rng: Generator, shift: float) -> Dataset:
    data = plain(rng, shift)
    X = np.where(rng.random(data.X.shape) < 0.05, np.nan, data.X)
    return replace(data, X=X)


def levels(rng: Generator, shift: float) -> Dataset:
    """Every third column has three categories."""
    data = plain(rng, shift)
    X, columns = data.X.copy(), range(0, FEATURES, 3)
    for j in columns:
        X[:, j] = np.digitize(X[:, j], [-0.5, 0.9])
    return replace(data, X=X, levels=dict.fromkeys(columns, ("low", "mid", "high")))


def skewed(rng: Generator, shift: float) -> Dataset:
    """Intensities."""
    data = plain(rng, shift)
    return replace(data, X=np.exp2(8 + data.X))


PLAIN: dict[str, Callable[[Generator, float], Dataset]] = {
    "two classes, 30 and 30": plain,
    "a rare class, 60 and 15": rare,
    "three classes, 30, 30, 15": three,
    "15 and 15": small,
    "24 patients, 3 samples each": patients,
    "30 matched pairs": pairs,
    "three batches": plates,
    "5 % missing": gaps,
    "a third categories": levels,
    "intensities": skewed,
}


# --- groups and batches that cross ----------------------------------------------------------------


def crossed(
    n_groups: int = 24,
    n_batches: int = 6,
    rows: int = 3,
    depends: float = 0.0,
    order: bool = False,
    alone: float = 0.0,
    uneven: bool = False,
) -> Callable[[Generator, float], Dataset]:
    """What makes animals in one to three batches each.

    Parameters
    ----------
    depends : float
        How far the log odds of the class differ by batch.
    order : bool
        Batches are dates: animals lie in neighbouring ones, and later ones have more cases.
    alone : float
        Share of the animals that lie in one batch.
    uneven : bool
        One animal in four has thrice the rows.
    """

    def make(rng: Generator, shift: float) -> Dataset:
        odds = depends * rng.normal(size=n_batches)
        if order:
            odds = depends * np.linspace(-1, 1, n_batches)
        group, batch, mean = [], [], []
        for g in range(n_groups):
            width = 1 if rng.random() < alone else int(rng.integers(2, 4))
            first = rng.integers(n_batches - width + 1)
            near = np.arange(first, first + width)
            own = near if order else rng.permutation(n_batches)[:width]
            count = rows * (3 if uneven and g % 4 == 0 else 1)
            places = own[np.arange(count) % width]
            group += [g] * count
            batch += places.tolist()
            mean.append(odds[places].mean())
        chance = 1 / (1 + np.exp(np.median(mean) - 2 * np.array(mean)))
        y = (rng.random(n_groups) < chance).astype(int)
        y[rng.permutation(n_groups)[:12]] = np.arange(12) % 2  # six of each class at least
        names = {"groups": _named("p", group), "batches": _named("b", batch)}
        return table(rng, y[group], shift, **names)

    return make


def _named(letter: str, codes: object) -> np.ndarray:
    return np.array([f"{letter}{k:02}" for k in np.asarray(codes)])


CROSSED = {
    "class independent of batch": crossed(),
    "class depends on batch": crossed(depends=0.7),
    "class depends much on batch": crossed(depends=1.5),
    "more cases in later batches": crossed(depends=1.0, order=True),
    "half of the groups in one batch": crossed(depends=0.7, alone=0.5),
    "groups of 3 and 9 rows, 4 batches": crossed(depends=0.7, n_batches=4, uneven=True),
}
DESIGNS = {**PLAIN, **CROSSED}


# --- studies --------------------------------------------------------------------------------------


def study_of(job: tuple[str, float, int]) -> tuple[tuple[str, float, int], dict]:
    """The default study of a table, with few permutations (and three inner folds drawn once where
    groups and batches cross): p, how much moved, and the warnings by code."""
    design, shift, seed = job
    rng = np.random.default_rng([seed, [*DESIGNS].index(design), int(10 * shift)])
    data = DESIGNS[design](rng, shift)
    with tempfile.TemporaryDirectory() as folder:
        plan = {"permutations": PERMUTATIONS, "seed": seed, "final": False}
        if design in CROSSED:  # groups take longest to split
            plan["inner"] = {"folds": 3, "repeats": 1}
        found = run_study(data, plan, f"{folder}/study").to_dict()
    permutation = found["permutation"]
    codes = {one["code"]: one["text"] for one in found["warnings"]}
    return job, {
        "p": permutation["p_value"],
        "moved": permutation.get("moved"),
        "codes": codes,
    }


def studies_of(jobs: list[tuple[str, float, int]]) -> Iterator[tuple[tuple, dict]]:
    """All of them, in as many processes as there are cores."""
    spawned = get_context("spawn")
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), mp_context=spawned) as pool:
        yield from pool.map(study_of, jobs, chunksize=4)
