"""Rows drawn by what errors on them cost."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._core.errors import DataError, PlanError

METHODS = ("over", "under", "smote")
MAX_GROWTH = 1000  # times as many rows as there are
MAX_DRAWS = 100  # draws of a class that may come out empty, before one row is drawn for it


def kept_by_cost(
    rng: np.random.Generator, codes: np.ndarray, n_classes: int, importance: np.ndarray
) -> np.ndarray:
    """Rows kept with probability `importance` / its maximum, each by itself; rising.

    Zadrozny, Langford & Abe (2003): rejection sampling, without replacement. A class of which
    nothing was kept is drawn again, so that the sample is one given that all classes are in it.
    """
    chance = importance / importance.max()
    kept = rng.random(len(codes)) < chance
    for c in range(n_classes):
        rows = np.flatnonzero(codes == c)
        for _ in range(MAX_DRAWS):
            if kept[rows].any():
                break
            kept[rows] = rng.random(len(rows)) < chance[rows]
        else:  # what is left as the chance goes to 0: one row, drawn by its chance
            kept[rng.choice(rows, p=chance[rows] / chance[rows].sum())] = True
    return np.flatnonzero(kept)


def drawn_weights(codes: np.ndarray, n_classes: int, importance: np.ndarray) -> np.ndarray:
    """What all rows of each class count in such draws (C,): the sum of their importance, and more
    of a class that is often drawn again.

    Of a class with chances p_i, sum(p_i) rows are expected, and sum(p_i) / (1 - prod(1 - p_i))
    given that it is there.
    """
    chance = importance / importance.max()
    with np.errstate(divide="ignore"):  # of a row that is always kept
        some = -np.expm1(np.bincount(codes, np.log1p(-chance), n_classes))
    return np.bincount(codes, importance, n_classes) / some


def resampled_sizes(counts: np.ndarray, weights: np.ndarray, method: str) -> np.ndarray:
    """Class sizes in the ratio n_j w_j (C,): "under" leaves the class of the largest weight as it
    is and takes from all others, of which a row is left; else that of the least weight is left as
    it is, and all others grow.

    Raises
    ------
    PlanError
        The table would grow beyond reason.
    """
    if method == "under":
        return np.maximum(np.rint(counts * (weights / weights.max())), 1).astype(np.int64)
    sizes = np.rint(counts * (weights / weights.min()))
    if sizes.sum() > MAX_GROWTH * counts.sum():
        raise PlanError(
            f"costs so far apart would make {sizes.sum():.3g} rows of {counts.sum()}: weigh "
            'samples instead (cost_weighted), or take method="under"'
        )
    return sizes.astype(np.int64)


def resampled_rows(rng: np.random.Generator, codes: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Rows of classes brought to these sizes, rising.

    Each row as often as all others of its class, and what is left over drawn without replacement.
    """
    found = []
    for c, size in enumerate(sizes):
        rows = np.flatnonzero(codes == c)
        times, rest = divmod(int(size), len(rows))
        found += [np.repeat(rows, times), rng.choice(rows, rest, replace=False)]
    return np.sort(np.concatenate(found))


def with_synthetic_rows(
    X: np.ndarray, codes: np.ndarray, sizes: np.ndarray, k_neighbors: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Rows and codes with what SMOTE adds to bring classes to these sizes (Chawla et al. 2002).

    A synthetic row lies between a row of its class and one of its k nearest in that class; of a
    class of at most k members all others are neighbours, and a single member is copied. A column
    of two values keeps them: a synthetic row has the value of the nearer of its two, in all such
    columns, so that the 0/1 columns of a category stay those of one category.

    Raises
    ------
    DataError
        A value is missing.
    PlanError
        imbalanced-learn is not installed.
    """
    smote = smote_class()
    if np.isnan(X).any():
        raise DataError("X has missing values, between which SMOTE cannot draw: fill them first")
    counts = np.bincount(codes, minlength=len(sizes))
    low, high = X.min(axis=0), X.max(axis=0)
    two = ((low == X) | (high == X)).all(axis=0)
    draws = np.random.SeedSequence(seed).generate_state(len(sizes)) >> 1
    rows, labels = [X], [codes]
    for c in np.flatnonzero(sizes > counts):
        more = int(sizes[c] - counts[c])
        if counts[c] == 1:
            new = np.repeat(X[codes == c], more, axis=0)
        else:
            k = int(min(k_neighbors, counts[c] - 1))
            drawing = smote(
                sampling_strategy={1: int(sizes[c])}, k_neighbors=k, random_state=int(draws[c])
            )
            new = drawing.fit_resample(X, (codes == c).astype(np.int64))[0][len(X) :]
            near_high = new - low > high - new
            new = np.where(two, np.where(near_high, high, low), new)
        rows.append(new)
        labels.append(np.full(more, c))
    return np.concatenate(rows), np.concatenate(labels)


def smote_class() -> Any:
    """imbalanced-learn's SMOTE.

    Raises
    ------
    PlanError
        It is not installed.
    """
    try:
        from imblearn.over_sampling import SMOTE
    except ImportError as error:
        raise PlanError(
            "SMOTE needs the package imbalanced-learn: pip install '.[sampling]'"
        ) from error
    return SMOTE
