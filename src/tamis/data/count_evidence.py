"""Whether numbers are counts of reads: small ones are frequent, and samples with more counts
have more features."""

from __future__ import annotations

import numpy as np

from .._core.tables import Columns
from .walks import each_block

MIN_ONES_SHARE = 0.02  # of the values above the least, that are the next whole number
MAX_FALL_RATIO = 0.9  # of these, that those two higher are at most
# of the number before, that the next is at least: unlike in columns of 0 and 1
MIN_FALL_RATIO = 0.1
LEAST_ONES = 5
# rank correlation of samples' sums with how many features they have
MIN_DETECTION_CORRELATION = 0.25
SIGNIFICANT_Z = 1.645  # 5 % of a normal variable lie above: the correlation times sqrt(n - 1)
MIN_INTEGER_SHARE = 0.5  # of the values above the least, that are integers where they may be counts
# least value from which on whole numbers are no counts: some of these are small
MAX_COUNTS_MINIMUM = 100.0
MIN_FLOOR_SHARE = 0.01  # of the values, that are the least where they were raised to it
BLOCK_VALUES = 1 << 18  # values looked at together


def are_counts(X: np.ndarray | Columns, values: np.ndarray, least: float) -> bool:
    """Whether a table holds counts of reads, or of the like; estimated ones have some fractions.

    All of: most values are whole numbers, the least is 0 (or 1, where 1 was added to all); of the
    larger ones 2 % or more are the next whole number, and the two after it are rarer, by steps of
    less than ten; a sample's sum goes with the number of its features that are above the least, or
    all sums are equal.
    Intensities with a floor at 0 have no more small values than others.

    Parameters
    ----------
    X : ndarray or table of shape (n, p)
    values : ndarray
        Some of its values.
    least : float
        The least of all.
    """
    if least not in (0, 1) or not may_be_counts(values, least):
        return False
    above = int((values > least).sum())
    ones, twos, threes = (int((values == least + k).sum()) for k in (1, 2, 3))
    if ones < max(LEAST_ONES, MIN_ONES_SHARE * above) or threes > MAX_FALL_RATIO * ones:
        return False
    if twos < MIN_FALL_RATIO * ones or threes < MIN_FALL_RATIO * twos:
        return False
    return _sums_go_with_detection(X, least)


def may_be_counts(values: np.ndarray, least: float) -> bool:
    """Whether values that look raw may be counts for all that is seen: most are whole numbers, none
    is negative, and they do not end at a floor above 1, nor far from 0."""
    there = values[~np.isnan(values)]
    above = there[there > least]
    if not 0 <= least < MAX_COUNTS_MINIMUM or not len(above):
        return False
    mostly_integers = (np.floor(above) == above).mean() >= MIN_INTEGER_SHARE
    return bool(mostly_integers and (least <= 1 or (there == least).mean() < MIN_FLOOR_SHARE))


def holds_whole_numbers(X: np.ndarray | Columns) -> bool:
    """Whether all values of a table are, which are not missing."""
    if not isinstance(X, np.ndarray):
        return all(each_block(X, lambda _, block: holds_whole_numbers(block)))
    step = max(1, BLOCK_VALUES // max(X.shape[1], 1))
    blocks = (X[at : at + step] for at in range(0, len(X), step))
    return all(bool(((np.floor(one) == one) | np.isnan(one)).all()) for one in blocks)


def _sums_go_with_detection(X: np.ndarray | Columns, least: float) -> bool:
    """Whether samples with larger sums have more features, or all sums are the same."""
    sums, features = np.zeros((2, X.shape[0]))

    def add(rows: slice, block: np.ndarray) -> None:
        above = np.nan_to_num(block - least)
        sums[rows] += above.sum(axis=1)
        features[rows] += np.count_nonzero(above, axis=1)

    if isinstance(X, np.ndarray):
        step = max(1, BLOCK_VALUES // max(X.shape[1], 1))
        for at in range(0, len(X), step):
            add(slice(at, at + step), X[at : at + step])
    else:
        each_block(X, lambda _, block: add(slice(None), block))
    if np.ptp(sums) == 0:  # brought to one size
        return True
    if np.ptp(features) == 0:
        return False
    ranks = np.corrcoef(_average_ranks(sums), _average_ranks(features))[0, 1]
    return bool(ranks >= max(MIN_DETECTION_CORRELATION, SIGNIFICANT_Z / np.sqrt(len(sums) - 1)))


def _average_ranks(values: np.ndarray) -> np.ndarray:
    _, place, times = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(times) - (times - 1) / 2)[place]
