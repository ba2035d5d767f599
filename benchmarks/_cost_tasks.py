"""The tasks of the comparison under costs: two classes each, from the shared UCI sets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from _harness import shared_folder

YOUNG, OLD = (4, 5, 6), (12, 13, 14, 15, 16, 17, 18, 19)  # rings: at most, above
MOST_ROWS = 5000  # of adult


@dataclass(frozen=True)
class Task:
    """A table of two classes.

    Attributes
    ----------
    name : str
    source : str
        The data set that it is made of.
    X : ndarray of shape (n, p)
        Codes in place of categories; NaN is missing.
    y : ndarray of shape (n,) of 0 and 1
        1 is the rarer class.
    categorical : ndarray of shape (p,) of bool
    drawn : int
        Rows of the source, if only some were taken; else 0.
    """

    name: str
    source: str
    X: np.ndarray
    y: np.ndarray
    categorical: np.ndarray
    drawn: int = 0


def table(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """X, labels as text, and which columns are categories, of a shared set."""
    from tamis.data import read_table

    data = read_table(shared_folder() / "uci" / f"{name}.parquet", target="class")
    return data.matrix, data.y, np.isin(np.arange(data.shape[1]), list(data.levels))


def rarer_as_one(positive: np.ndarray) -> np.ndarray:
    """0 and 1, the rarer class 1."""
    return (positive if positive.mean() <= 0.5 else ~positive).astype(np.int64)


def some_rows(y: np.ndarray, most: int) -> np.ndarray:
    """At most so many rows, with the classes' shares."""
    from sklearn.model_selection import train_test_split

    if len(y) <= most:
        return np.arange(len(y))
    rows, _ = train_test_split(np.arange(len(y)), train_size=most, stratify=y, random_state=0)
    return np.sort(rows)


def abalone() -> list[Task]:
    """Eleven thresholds of one table: not independent of each other."""
    X, labels, categorical = table("abalone")
    rings = labels.astype(int)
    cuts = [("<=", k, rings <= k) for k in YOUNG] + [(">", k, rings > k) for k in OLD]
    return [
        Task(f"abalone {sign} {k}", "abalone", X, rarer_as_one(positive), categorical)
        for sign, k, positive in cuts
    ]


def plain(name: str, first: int | None = None, most: int | None = None) -> Task:
    """A set of two classes, its first rows or a stratified draw of them."""
    X, labels, categorical = table(name)
    X, labels = X[:first], labels[:first]
    y, drawn = rarer_as_one(labels == np.unique(labels)[0]), 0
    if most is not None and len(y) > most:
        rows = some_rows(y, most)
        X, y, drawn = X[rows], y[rows], len(y)
    return Task(name, name, X, y, categorical, drawn)


def covertype() -> Task:
    """Ponderosa pine (3) against cottonwood and willow (4), of the shared 20,000 rows."""
    X, labels, categorical = table("covertype20k")
    rows = np.flatnonzero(np.isin(labels, ["3", "4"]))
    return Task(
        "covertype 3/4", "covertype", X[rows], rarer_as_one(labels[rows] == "4"), categorical
    )


def every_task() -> list[Task]:
    """The eighteen that chapter 2's table and the shared sets have in common."""
    return [
        *abalone(),
        plain("adult", first=32_561, most=MOST_ROWS),
        plain("mushroom"),
        covertype(),
        *(plain(name) for name in ("german", "ionosphere", "pima", "wdbc")),
    ]
