"""Scores of methods on data sets, as people hand them over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._core.errors import DataError, listed_names, shorten_text


def names_for(given: Sequence[str] | None, n: int, what: str, parameter: str) -> tuple[str, ...]:
    """The names given, or ``method 1``, ``method 2``, ...; as many as there should be, no two
    the same.
    """
    if given is None:
        return tuple(f"{what} {i + 1}" for i in range(n))
    names = tuple(str(name) for name in given)
    if len(names) != n:
        raise DataError(f"{parameter} has {len(names)} names for {n} {what}s: give one each")
    twice = sorted(name for name, times in Counter(names).items() if times > 1)
    if twice:
        raise DataError(
            f"{parameter} repeats {listed_names(twice)}: every {what} needs its own name"
        )
    return names


def unfold_scores(
    scores: Mapping[str, Mapping[str, object]], names: Sequence[str] | None
) -> tuple[list[list[Any]], tuple[str, ...], tuple[str, ...]]:
    """``{data set: {method: value}}`` as rows, the methods' and the data sets' names."""
    if not scores:
        raise DataError("scores is empty: give a score for every data set and method")
    datasets = tuple(str(name) for name in scores)
    first = next(iter(scores.values()))
    methods = tuple(str(name) for name in (first if names is None else names))
    rows = []
    for dataset, given in scores.items():
        lacking = [m for m in methods if m not in given]
        if lacking:
            raise DataError(
                f"no score of method {shorten_text(lacking[0])!r} on data set "
                f"{shorten_text(dataset)!r}: compare the methods that every set has"
            )
        rows.append([given[m] for m in methods])
    return rows, methods, datasets


def score_table(
    scores: Any, names: Sequence[str] | None, datasets: Sequence[str] | None
) -> tuple[np.ndarray, tuple[str, ...], tuple[str, ...]]:
    """(N, k) finite scores, and the names of methods and data sets.

    `scores` is an array, a pandas frame (its labels are the names unless others are given) or
    a dictionary of dictionaries.
    """
    if isinstance(scores, Mapping):
        scores, names, datasets = unfold_scores(scores, names)
    elif hasattr(scores, "columns"):
        names = list(scores.columns) if names is None else names
        datasets = list(scores.index) if datasets is None else datasets
    try:
        table = np.array(scores, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"scores is not a table of numbers: {error}") from error
    if table.ndim != 2:
        raise DataError(
            f"scores has shape {table.shape}: give one row a data set and one column a method"
        )
    N, k = table.shape
    methods = names_for(names, k, "method", "names")
    sets = names_for(datasets, N, "data set", "datasets")
    if k < 2:
        raise DataError(f"{k} method: a comparison needs at least two")
    if N < 2:
        raise DataError(f"{N} data set: a comparison by ranks needs at least two, better ten")
    missing = np.argwhere(~np.isfinite(table))
    if len(missing):
        i, j = missing[0]
        raise DataError(
            f"the score of method {shorten_text(methods[j])!r} on data set "
            f"{shorten_text(sets[i])!r} is {table[i, j]}: give a finite number, or leave out the "
            "method or the data set"
        )
    return table, methods, sets


def source_of_each(
    sources: Mapping[str, str | None] | Sequence[str | None] | None, datasets: Sequence[str]
) -> tuple[str, ...] | None:
    """The source of every data set, its own name where none is given; None if none is shared."""
    if sources is None:
        return None
    if isinstance(sources, Mapping):
        unknown = [name for name in sources if name not in datasets]
        if unknown:
            raise DataError(
                f"sources names {listed_names(unknown)}, which no data set is called: choose from "
                f"{listed_names(datasets)}"
            )
        given: list[str | None] = [sources.get(name) for name in datasets]
    else:
        given = list(sources)
        if len(given) != len(datasets):
            raise DataError(
                f"sources has {len(given)} names for {len(datasets)} data sets: give one each, "
                "None for a set that is its own source"
            )
    named_ = tuple(d if s is None else str(s) for s, d in zip(given, datasets, strict=True))
    return named_ if len(set(named_)) < len(named_) else None
