"""Tables that were made with the classes before they came here: gaps filled within classes, values
centred within classes, columns chosen by the class.

No single column is odd in these. So all are looked at together, at most `LOOKED_AT` of them spread
evenly.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from ..._core.errors import listed_names
from .interface import Suspect
from .separation import by_chance, rank_p_values, rank_statistics
from .watched import Watched

LOOKED_AT = 2000  # columns
MIN_COLUMNS = 10  # columns that show it
MIN_FILLED_SHARE = 0.8  # of the columns with repeated values: the commonest is of one class
# of the columns, in which two samples have one value: they are alike everywhere
MAX_ALIKE_SHARE = 0.2
MAX_CHANCE_P = 1e-6
MIN_EQUAL_P = 0.99  # a p-value: means of classes differ by a hundredth of a standard error or so
MOST_EQUAL = 0.5  # of the columns
CHOSEN_P, TRIMMED_SHARE = 0.3, 0.02  # a p-value, above which there are next to no columns
EDGE_SHARE, MIN_EDGE_COLUMNS = 0.08, 7  # of the columns, between half of the largest p-value and it
MAX_PERFECT_RATIO = 4.0  # times the p-value of a perfect separation, up to which an edge is that
# columns, and how many independent ones they are worth
MIN_CHOSEN_COLUMNS, MIN_INDEPENDENT_COLUMNS = 20, 10.0


def find_prepared(table: Watched) -> list[Suspect]:
    """Whether columns were filled, centred or chosen by the class."""
    numbers = np.setdiff1d(np.arange(len(table.names)), table.few_valued)
    if len(numbers) < MIN_COLUMNS:
        return []
    spread = np.linspace(0, len(numbers) - 1, min(LOOKED_AT, len(numbers))).round().astype(int)
    columns = numbers[spread]
    X = table.X[:, columns]
    return [*_filled(X, columns, table), *_centred(X, columns, table), *_chosen(X, numbers, table)]


def _filled(X: np.ndarray, columns: np.ndarray, table: Watched) -> Iterator[Suspect]:
    """Of each column the value that most samples share, neither its least nor its greatest: in
    nearly all columns it is of one class. Samples that are alike everywhere are left out, and where
    it is of three samples in enough columns, those of two: rounded numbers coincide.

    How often m values are of one class by chance is known from the others of the column: m
    neighbouring ones are so often.
    """
    sorted_values = np.sort(X, axis=0)
    repeated = (sorted_values[1:] == sorted_values[:-1]).any(axis=0)
    kept = {
        k: rows
        for k in map(int, np.flatnonzero(repeated))
        if len(rows := _commonest(X[:, k])) and np.mean(X[rows[0]] == X[rows[1]]) <= MAX_ALIKE_SHARE
    }
    several = {k: rows for k, rows in kept.items() if len(rows) > 2}
    kept = several if len(several) >= MIN_COLUMNS else kept
    if len(kept) < MIN_COLUMNS:
        return
    chance = float(np.mean([_of_one_class(X[:, k], rows, table.y) for k, rows in kept.items()]))
    own = [k for k, rows in kept.items() if len(np.unique(table.y[rows])) == 1]
    if len(own) < MIN_FILLED_SHARE * len(kept):
        return
    from scipy.special import bdtrc

    if bdtrc(len(own) - 1, len(kept), chance) > MAX_CHANCE_P:
        return
    yield Suspect(
        "class-filled",
        (),
        f"in {len(own)} of {len(kept)} columns with repeated values the commonest is of one class "
        f"only ({chance:.0%} by chance), as in {listed_names([table.names[columns[own[0]]]])}: "
        "missing values seem to have been filled in within classes",
    )


def _commonest(x: np.ndarray) -> np.ndarray:
    """Rows of the value that most samples have, two or more; of the least and greatest none."""
    values, counts = np.unique(x[~np.isnan(x)], return_counts=True)
    if len(values) < 3 or counts[1:-1].max() < 2:
        return np.zeros(0, dtype=np.int64)
    return np.flatnonzero(x == values[1 + counts[1:-1].argmax()])


def _of_one_class(x: np.ndarray, rows: np.ndarray, y: np.ndarray) -> float:
    """How often as many neighbouring values as `rows`, in rising order, are of one class; `rows`
    themselves are left out."""
    rest = np.setdiff1d(np.flatnonzero(~np.isnan(x)), rows)
    if len(rest) < len(rows):
        return 1.0
    changes = np.cumsum(np.diff(y[rest][np.argsort(x[rest], kind="stable")]) != 0)
    before = np.concatenate([[0], changes])
    windows = changes[len(rows) - 2 :] - before[: len(changes) - len(rows) + 2]
    return float(np.mean(windows == 0))


def _centred(X: np.ndarray, columns: np.ndarray, table: Watched) -> Iterator[Suspect]:
    """Class means that are equal in half of the columns, by an analysis of variance. Columns with
    the same values in two classes, as of pairs, are left out."""
    member = np.eye(len(table.classes))[table.y].T
    there = ~np.isnan(X)
    n = member @ there
    full = (n > 1).all(axis=0) & ~_paired(X, table.y)
    if full.sum() < MIN_COLUMNS:
        return
    X, there, n = X[:, full], there[:, full], n[:, full]
    Z = np.where(there, X - np.nanmean(X, axis=0), 0.0)
    Z = Z / np.maximum(np.abs(Z).max(axis=0), np.finfo(float).tiny)
    sums = member @ Z
    between, free = (sums**2 / n).sum(axis=0), n.sum(axis=0) - len(member)
    within = np.maximum((Z**2).sum(axis=0) - between, np.finfo(float).tiny)
    F = between / (len(member) - 1) / (within / np.maximum(free, 1))
    least = max(MIN_COLUMNS, MOST_EQUAL * len(F))
    # from F = .01 on with two classes, and from 1 on with more, p is below MIN_EQUAL_P whatever the
    # degrees of freedom: .94 and .69 at most
    border = 0.01 if len(member) == 2 else 1.0
    if (border > F).sum() < least:
        return
    from scipy.special import fdtrc

    equal = fdtrc(len(member) - 1, np.maximum(free, 1), F) > MIN_EQUAL_P
    if equal.sum() < least:
        return
    yield Suspect(
        "class-centred",
        (),
        f"the classes have equal means in {equal.sum()} of {len(equal)} columns, as in "
        f"{listed_names([table.names[columns[full][equal.argmax()]]])}: values seem to have been "
        "centred within classes, after which held-out samples are predicted worse than by chance",
    )


def _paired(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Columns in which two classes have the same values, in some order, (k,)."""
    ranked = [np.sort(X[y == c], axis=0) for c in np.unique(y)]
    found = np.zeros(X.shape[1], dtype=bool)
    for a, b in combinations(ranked, 2):
        if a.shape == b.shape:
            found |= ((a == b) | (np.isnan(a) & np.isnan(b))).all(axis=0)
    return found


def _chosen(X: np.ndarray, numbers: np.ndarray, table: Watched) -> Iterator[Suspect]:
    """No column without a relation to the class, and an edge: of the p-values (Kruskal and Wallis)
    none is above some bound, though many lie just below it.

    Strong signal without a choice has p-values that become rare towards 1, without an edge, but
    for that of a perfect separation. Columns that are nearly one have nearly one p-value.
    """
    if len(numbers) < MIN_CHOSEN_COLUMNS:
        return
    ranked = [part[numbers] for part in table.rank_sums]
    H = rank_statistics(*ranked)
    H = np.sort(H[~np.isnan(H)])
    if len(H) < MIN_CHOSEN_COLUMNS:
        return
    # below its mean a chi-squared statistic has a p-value of .31 or more, which is above CHOSEN_P
    if H[int(TRIMMED_SHARE * len(H))] <= len(table.classes) - 1:
        return
    p = rank_p_values(*ranked)
    p = np.sort(p[~np.isnan(p)])
    largest = p[len(p) - 1 - int(TRIMMED_SHARE * len(p))]
    if largest >= CHOSEN_P or largest <= MAX_PERFECT_RATIO * by_chance(1.0, table.sizes):
        return
    near = np.count_nonzero((p > largest / 2) & (p <= largest))
    if (
        near < max(MIN_EDGE_COLUMNS, EDGE_SHARE * len(p))
        or _independent(X, table) < MIN_INDEPENDENT_COLUMNS
    ):
        return
    yield Suspect(
        "preselected",
        (),
        f"every column differs by class (p below {largest:.2g} in "
        f"{np.mean(p <= largest):.0%} of {len(p)}, many just below): were they chosen by it",
    )


def _independent(X: np.ndarray, table: Watched) -> float:
    """How many independent columns these are worth: (sum of eigenvalues)^2 over the sum of their
    squares, of correlations within classes."""
    Z = X[:, np.linspace(0, X.shape[1] - 1, min(500, X.shape[1])).astype(int)]
    Z = np.where(np.isnan(Z), np.nanmean(Z, axis=0), Z)
    member = np.eye(len(table.classes))[table.y]
    Z = Z - member @ ((member.T @ Z) / table.sizes[:, None])
    Z = Z / np.maximum(np.sqrt((Z**2).sum(axis=0)), np.finfo(float).tiny)
    return float((Z**2).sum() ** 2 / ((Z.T @ Z) ** 2).sum())
