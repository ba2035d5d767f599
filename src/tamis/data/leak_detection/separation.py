"""How well each column by itself separates the classes: 0 as chance would, 1 perfectly."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .watched import BLOCK_COLUMNS, MOST_VALUES, Watched

PERFECT_SEPARATION = 0.995  # a separation, from which all are as good


class Separations(NamedTuple):
    """Of each column that is watched; `valued` where it is by values, not by ranks, (k,)."""

    found: np.ndarray
    valued: np.ndarray


def class_separations(table: Watched) -> Separations:
    """How well each column separates the classes.

    Of numbers, by ranks: the sum of squares between classes over what it is where each class has a
    stretch of ranks of its own. With two classes that is (2 AUC - 1)^2, and its root is given.
    Of categories and of a few different numbers also by values (`by_values`), whichever is larger.
    """
    X, y, C = table.X, table.y, len(table.classes)
    found, valued = by_ranks(*table.rank_sums, table.sizes), table.coded.copy()
    found[valued] = 0.0
    few = table.few_valued
    for at in np.array_split(few, len(few) // BLOCK_COLUMNS + 1):
        rates = by_values(X[:, at], y, C)
        valued[at] |= rates > found[at]
        found[at] = np.maximum(found[at], rates)
    return Separations(found, valued)


def separation_words(separation: float, n_classes: int, valued: bool) -> str:
    """By values the balanced accuracy, by ranks the AUC of two classes.

    Examples
    --------
    >>> separation_words(0.9, 2, True), separation_words(0.9, 2, False)
    ('balanced accuracy 0.950', 'AUC 0.950')
    >>> separation_words(0.9, 3, False)
    'separation 0.90 of 1'
    """
    if valued:
        return f"balanced accuracy {(separation * (n_classes - 1) + 1) / n_classes:.3f}"
    return (
        f"AUC {(1 + separation) / 2:.3f}" if n_classes == 2 else f"separation {separation:.2f} of 1"
    )


def by_ranks(sums: np.ndarray, counts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """From rank sums and numbers of values by column and class, (k, C), and class sizes, (C,);
    0 where half a class has no value.

    Examples
    --------
    >>> by_ranks(np.array([[3.0, 7.0], [4.0, 6.0]]), np.full((2, 2), 2.0), np.array([2, 2]))
    array([1. , 0.5])
    """
    n = counts.sum(axis=1)
    defined = (2 * counts >= sizes).all(axis=1) & (counts > 0).all(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        between = (sums**2 / counts).sum(axis=1) - sums.sum(axis=1) ** 2 / n
        most = (n**3 - n - (counts**3 - counts).sum(axis=1)) / 12
        return np.where(defined, np.sqrt(np.clip(between / most, 0, 1)), 0.0)


def rank_statistics(sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Kruskal and Wallis's statistic of each column, from rank sums and numbers of values by class,
    (k, C); without a correction for ties, and NaN where a class has no value.

    Examples
    --------
    >>> rank_statistics(np.array([[6.0, 15.0], [10.0, 11.0]]), np.full((2, 2), 3.0)).round(4)
    array([3.8571, 0.0476])
    """
    n = counts.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        H = 12 / (n * (n + 1)) * (sums**2 / counts).sum(axis=1) - 3 * (n + 1)
    return np.maximum(H, 0.0)


def rank_p_values(sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """P-values of `rank_statistics`.

    Examples
    --------
    >>> rank_p_values(np.array([[6.0, 15.0], [10.0, 11.0]]), np.full((2, 2), 3.0)).round(4)
    array([0.0495, 0.8273])
    """
    from scipy.special import chdtrc

    return np.asarray(chdtrc(counts.shape[1] - 1, rank_statistics(sums, counts)))


def by_values(X: np.ndarray, y: np.ndarray, n_classes: int) -> np.ndarray:
    """Of each column the balanced accuracy of the class that other samples of the same value have,
    brought to 0 at chance and 1 at best, (k,); missing is a value.

    Each sample is left out of the counts that decide on it, or values that few samples share would
    seem to tell them apart.

    Examples
    --------
    >>> y = np.array([0, 0, 0, 1, 1, 1])
    >>> by_values(np.array([[7.0, 1], [7, 2], [7, 3], [2, 4], [2, 5], [2, 6]]), y, 2)
    array([1., 0.])
    """
    codes, member = value_codes(X), np.eye(n_classes)[y]
    sizes = member.sum(axis=0)
    rates = np.zeros(X.shape[1])
    wide = codes.max(axis=0, initial=0) > MOST_VALUES
    few = np.flatnonzero(~wide)
    for code in range(MOST_VALUES + 1 if len(few) else 0):
        rates[few] += _decided_shares((codes[:, few] == code).T.astype(float) @ member, sizes)
    for j in np.flatnonzero(wide).tolist():
        counts = np.zeros((codes[:, j].max() + 1, n_classes))
        np.add.at(counts, (codes[:, j], y), 1)
        rates[j] = _decided_shares(counts, sizes).sum()
    return np.maximum((rates - 1) / (n_classes - 1), 0)


def _decided_shares(counts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Shares of the classes, added up, whose samples the others of their value decide on rightly;
    `counts` of a value are (k, C)."""
    shares, found = counts / sizes, np.zeros(len(counts))
    for c, size in enumerate(sizes):
        others = np.delete(shares, c, axis=1).max(axis=1)
        own = (counts[:, c] - 1) / max(size - 1, 1)
        found += np.where(own > others, shares[:, c], 0)
    return found


def value_codes(X: np.ndarray) -> np.ndarray:
    """0, 1, ... for the values of each column, in their order; missing comes last.

    Examples
    --------
    >>> value_codes(np.array([[7.0, 1], [np.nan, 1], [2, 1]])).T
    array([[1, 2, 0],
           [0, 0, 0]])
    """
    order = np.argsort(X, axis=0, kind="stable")
    risen = np.take_along_axis(X, order, axis=0)
    new = (np.diff(risen, axis=0) > 0) | (np.isnan(risen[1:]) & ~np.isnan(risen[:-1]))
    codes = np.zeros(X.shape, dtype=np.int64)
    np.put_along_axis(codes, order[1:], np.cumsum(new, axis=0), axis=0)
    return codes


def on_open_scale(separation: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Fisher's transform, in which distances near 1 count; but none above `PERFECT_SEPARATION`, or
    with many
    samples 1 would lie far beyond .999, and with few ones half a pair of samples below 1."""
    pairs = (sizes.sum() ** 2 - (sizes**2).sum()) / 2
    return np.arctanh(np.minimum(separation, min(PERFECT_SEPARATION, 1 - 1 / max(pairs, 2))))


def by_chance(separation: float, sizes: np.ndarray, columns: int = 1) -> float:
    """How likely such a separation is by chance, roughly: by the chi-squared distribution of
    Kruskal and Wallis's statistic, with a degree of freedom more for each column after the first.
    """
    from scipy.special import chdtrc

    n = sizes.sum()
    most = (n**3 - n - (sizes**3 - sizes).sum()) / (n**3 - n)
    return float(chdtrc(len(sizes) - 2 + columns, (n - 1) * most * separation**2))
