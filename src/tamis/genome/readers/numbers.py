"""A phenotype that is a number, of the samples of a scan."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._core.errors import DataError, counted_noun, listed_names
from ...data.raw import parse_number
from .classes import are_missing, labels_known
from .genotypes import Genotypes, requested_indices
from .samples import MISSING_LABELS, Samples


def own_numbers(samples: Samples) -> tuple[np.ndarray, str]:
    """Phenotypes of the files (n,), None where they are unknown (-9, NA, but not 0), and what they
    are called."""
    labels = samples.phenotype.copy()
    labels[np.isin(labels.astype(str), MISSING_LABELS)] = None
    return labels, "the phenotype of the files (0 is a value)"


def numbers_of(genotypes: Genotypes, y: Any, samples: Any = None) -> np.ndarray:
    """Values (n,) of the samples taken, NaN of those that have none.

    Parameters
    ----------
    genotypes : Genotypes
    y : array-like of shape (n,), or None
        Numbers; None, NaN and "" are missing. None: the phenotype of the .fam, of which -9 and NA
        are unknown.
    samples : mask of shape (n,), or indices, or list of ids, or None
        Those that are looked at; the others are as if they had no value.

    Raises
    ------
    DataError
        As of `parsed_numbers`, or there are as many values as no one has samples.
    """
    n = genotypes.shape[0]
    given, who = own_numbers(genotypes.samples) if y is None else (y, "y")
    labels, known = labels_known(given, n)
    if samples is not None:
        chosen = np.zeros(n, dtype=bool)
        chosen[requested_indices(samples, genotypes.samples.id, "sample")] = True
        known &= chosen
    values = np.full(n, np.nan)
    values[known] = parsed_numbers(labels[known], who)
    return values


def parsed_numbers(labels: Any, who: str, log: bool = False) -> np.ndarray:
    """Numbers (n,) of labels of which none is missing; with `log` their natural logarithms.

    Raises
    ------
    DataError
        There is none, one is text or infinite, all are equal, or there are two, which are classes;
        or one has no logarithm.

    Examples
    --------
    >>> parsed_numbers(["2.5", 4, "1e3"], "y").tolist()
    [2.5, 4.0, 1000.0]
    """
    labels = np.asarray(labels, dtype=object)
    assert not are_missing(labels).any()
    if not len(labels):
        raise DataError(f"{who} has no value of any sample: give a column of numbers")
    found = [parse_number(one) if isinstance(one, str) else one for one in labels]
    odd = [str(one) for one, value in zip(labels, found, strict=True) if value is None]
    if odd:
        raise DataError(
            f"{who} has text in {counted_noun(len(odd), 'sample')} ({listed_names(odd, 3)}): a "
            "number is needed; write NA where it is unknown"
        )
    try:
        values = np.array(found, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"{who}: give numbers") from None
    if not np.isfinite(values).all():
        raise DataError(f"{who} has an infinite value: a finite number is needed, or NA")
    levels = np.unique(values)
    if len(levels) == 1:
        raise DataError(
            f"{who} has the value {levels[0]:g} in all samples: there is nothing to explain"
        )
    if len(levels) == 2:
        raise DataError(
            f"{who} has two different values, {levels[0]:g} and {levels[1]:g}: these are classes, "
            "which `tamis genome mtd` and `mixed` (without --regression) compare"
        )
    if not log:
        return values
    if levels[0] <= 0:
        n = int((values <= 0).sum())
        raise DataError(
            f"{who} has {counted_noun(n, 'value')} of 0 or below, such as {levels[0]:g}, which "
            "have no logarithm: leave out log_target=True"
        )
    return np.log(values)
