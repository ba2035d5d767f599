"""What one method offers on one training part: its candidates, and what each predicts.

A candidate is a grid point: a classifier with its parameters, and a size (or a threshold).
A *route* lists the candidates of a method for one outer training part and runs all of them
on that part and on each inner part.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np

from .._core.streams import random_state, stream
from ..kernels.units import in_units, table_units
from ..selection._base import Ranking
from ..selection._parts import TrainingParts, impute
from . import classify, registry
from .design import Design
from .plan import MethodPlan

MIXED_PERMUTATIONS = 200  # for ranking a table of categories and numbers, in every part


@dataclass(frozen=True)
class Candidate:
    """One grid point of a method."""

    classify: str
    parameters: dict[str, Any]
    size: int  # features; for PAM those that survive on the outer training part
    threshold: float | None = None

    @property
    def settings(self) -> str:
        """The parameters as JSON text, keys in order."""
        extra = {} if self.threshold is None else {"threshold": self.threshold}
        return json.dumps({**self.parameters, **extra}, sort_keys=True)


@dataclass(frozen=True)
class Outcome:
    """What a candidate does on one part: features chosen, and predictions of the other rows."""

    features: np.ndarray  # columns of the Dataset, best first
    predicted: np.ndarray  # (m,) codes
    proba: np.ndarray  # (m, C)


@dataclass(frozen=True)
class Fold:
    """One outer training part with its inner parts, and the rows each predicts."""

    design: Design
    y: np.ndarray
    parts: TrainingParts
    tests: Sequence[np.ndarray]
    seed: int
    key: tuple[Any, ...]  # (permutation, repeat, fold)
    n_classes: int = field(default=2)

    def filled(self, part: int, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Covariates and columns of X for a part's rows and its test rows, NaN filled."""
        design, rows, tests = self.design, self.parts.rows[part], self.tests[part]
        train = np.hstack([design.Z[rows], design.X[np.ix_(rows, columns)]])
        test = np.hstack([design.Z[tests], design.X[np.ix_(tests, columns)]])
        q = design.Z.shape[1]
        own = np.flatnonzero(np.isin(columns, design.incomplete)) + q
        holes = np.concatenate([design.incomplete_z, own])
        if len(holes):
            impute(test, holes, impute(train, holes))
        return train, test


def ranker_key(method: MethodPlan) -> str:
    """Name of the ranking a method uses; methods with the same key share it."""
    if not method.parameters:
        return method.select
    tail = ",".join(f"{k}={v}" for k, v in sorted(method.parameters.items()))
    return f"{method.select},{tail}".replace("/", "_")


def _ranker(row: registry.Row, method: MethodPlan) -> Any:
    return row.load()(**{**row.fixed, **method.parameters})


def check(design: Design, method: MethodPlan) -> None:
    """Refuse, before anything runs, an error control that so many features cannot have.

    Raises
    ------
    PlanError
        From `StabilitySelector`: naming q, threshold and PFER.
    """
    row = registry.row(method.select, role="select")
    if "pfer" in row.parameters:
        _ranker(row, method).error_control(design.X.shape[1])


def rank(fold: Fold, method: MethodPlan) -> list[Ranking] | None:
    """One ranking a part, from the training rows alone; None where nothing is ranked."""
    row = registry.row(method.select, role="select")
    ranker = _ranker(row, method)
    if ranker is None:
        return None
    key = ranker_key(method)
    streams = [stream(fold.seed, "rank", key, *fold.key, k) for k in range(len(fold.parts))]
    if row.codes and fold.design.raw is not None:
        return _rank_codes(fold, method, ranker, streams)
    width = fold.design.X.shape[1]
    most = max(method.sizes, default=1) if fold.design.plain else width
    sizes = sorted({min(k, width) for k in [*method.sizes, most]})
    if hasattr(ranker, "rank_parts"):
        return ranker.rank_parts(fold.parts, sizes, streams)
    return [
        ranker.rank(fold.parts.matrix(k), fold.parts.labels(k), sizes, streams[k])
        for k in range(len(fold.parts))
    ]


def _rank_codes(
    fold: Fold, method: MethodPlan, ranker: Any, streams: list[np.random.SeedSequence]
) -> list[Ranking]:
    """Rank features whose categories are codes; missing values are left out, not filled.

    Discrete and continuous scores are not on one scale: with both kinds in a table, mtd and
    mutual information rank by permutation p-values (`mixed_scores`).
    """
    design = fold.design
    assert design.raw is not None
    assert design.discrete is not None
    raw = in_units(design.raw, np.where(design.discrete, 1.0, table_units(design.raw)))
    if method.select in ("mtd", "mutual_information"):
        draws = method.parameters.get("n_permutations", MIXED_PERMUTATIONS)
        ranker.set_params(discrete_features=design.discrete, n_permutations=draws)
    sizes = sorted({min(k, len(design.features)) for k in [*method.sizes, len(design.features)]})
    rankings = []
    for k, rows in enumerate(fold.parts.rows):
        found = ranker.rank(raw[rows], fold.parts.labels(k), sizes, streams[k])
        path = {s: design.columns_of(design.features[f]) for s, f in found.path.items()}
        rankings.append(replace(found, path=path))
    return rankings


@dataclass(frozen=True)
class Cut:
    """Ordered columns of one part, and where each size ends among them.

    A ranking may hold fewer columns than a size asks for (mtfc's gate): the size then ends
    with the ranking.
    """

    columns: np.ndarray
    features: np.ndarray
    ends: dict[int, int]


def cut(design: Design, method: MethodPlan, ranking: Ranking | None) -> list[Cut]:
    """Columns for each size: one cut where the path is nested, else one a size."""
    n_features = len(design.features)
    if method.select == "covariates":
        return [Cut(np.zeros(0, int), np.zeros(0, int), {0: 0})]
    if ranking is None:
        every = np.arange(design.X.shape[1])
        return [Cut(every, design.features, {n_features: len(every)})]
    sizes = sorted({min(k, n_features) for k in method.sizes})
    if not design.plain:
        order = design.owner[ranking.path[max(ranking.path)]]
        _, first = np.unique(order, return_index=True)
        return [_spread_cut(design, order[np.sort(first)][: sizes[-1]], sizes)]
    longest = ranking.path[sizes[-1]]
    if all(np.array_equal(ranking.path[k], longest[:k]) for k in sizes):
        return [Cut(longest, design.owner[longest], {k: min(k, len(longest)) for k in sizes})]
    return [
        Cut(ranking.path[k], design.owner[ranking.path[k]], {k: len(ranking.path[k])})
        for k in sizes
    ]


def _spread_cut(design: Design, features: np.ndarray, sizes: list[int]) -> Cut:
    columns = design.columns_of(features)
    widths = [len(design.columns_of(features[:k])) for k in sizes]
    return Cut(columns, features, dict(zip(sizes, widths, strict=True)))


def ranked_route(
    fold: Fold, method: MethodPlan, rankings: list[Ranking] | None
) -> tuple[list[Candidate], list[list[Outcome]]]:
    """Candidates in order of preference (smaller first) and their outcomes, part by part."""
    q = fold.design.Z.shape[1]
    points = [(name, p) for name in method.classify for p in grid_points(method.grid.get(name, {}))]
    first = cut(fold.design, method, None if rankings is None else rankings[0])
    sizes = [k for piece in first for k in piece.ends]
    candidates = [Candidate(name, p, k) for k in sizes for name, p in points]
    outcomes: list[list[Outcome]] = []
    for part in range(len(fold.parts)):
        pieces = cut(fold.design, method, None if rankings is None else rankings[part])
        by_candidate = {}
        for piece in pieces:
            train, test = fold.filled(part, piece.columns)
            ends = [q + end for end in piece.ends.values()]
            for name, p in points:
                settings = json.dumps(p, sort_keys=True)
                key = ("classify", ranker_key(method), name, settings, *fold.key, part)
                results = classify.outcomes(
                    name, p, train, fold.parts.labels(part), test, ends, fold.n_classes,
                    random_state(fold.seed, *key),
                )  # fmt: skip
                for size, (predicted, proba) in zip(piece.ends, results, strict=True):
                    outcome = Outcome(piece.features[:size], predicted, proba)
                    by_candidate[size, name, settings] = outcome
        outcomes.append([by_candidate[c.size, c.classify, c.settings] for c in candidates])
    return candidates, outcomes


def grid_points(grid: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """Every combination of the listed values, the first parameter slowest.

    Examples
    --------
    >>> grid_points({"k": [1, 3], "metric": ["l1"]})
    [{'k': 1, 'metric': 'l1'}, {'k': 3, 'metric': 'l1'}]
    """
    return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]


def shrunken_route(
    fold: Fold, method: MethodPlan, rankings: object = None
) -> tuple[list[Candidate], list[list[Outcome]]]:
    """PAM: thresholds of the outer training part, the larger (fewer features) preferred."""
    from ..classifiers.shrunken_centroids import threshold_grid
    from ..kernels.shrunken_centroids import class_centroids, class_probabilities

    design, parts = fold.design, fold.parts
    count = int(method.parameters.get("thresholds", 30))
    thresholds = np.zeros(0)
    candidates: list[Candidate] = []
    outcomes: list[list[Outcome]] = []
    for part in range(len(parts)):
        train, test = parts.matrix(part), parts.X[fold.tests[part]]
        if len(design.incomplete):
            medians = impute(parts.X[parts.rows[part]], design.incomplete)
            impute(test, design.incomplete, medians)
        centroids = class_centroids(train, parts.labels(part), fold.n_classes)
        if part == 0:
            thresholds = threshold_grid(centroids.d, count)[::-1]
        proba, kept = class_probabilities(test, centroids, thresholds)
        features = [_owners(design, columns) for columns in kept]
        outcomes.append(
            [Outcome(f, p.argmax(axis=1), p) for f, p in zip(features, proba, strict=True)]
        )
        if part == 0:
            candidates = [
                Candidate("pam", {}, len(f), float(t))
                for f, t in zip(features, thresholds, strict=True)
            ]
    return candidates, outcomes


def _owners(design: Design, columns: np.ndarray) -> np.ndarray:
    """Features behind some columns, in the order of their first column."""
    owners = design.owner[columns]
    if design.plain:
        return owners
    _, first = np.unique(owners, return_index=True)
    return owners[np.sort(first)]


def route(
    fold: Fold, method: MethodPlan, rankings: list[Ranking] | None
) -> tuple[list[Candidate], list[list[Outcome]]]:
    """The candidates of a method and their outcomes, [part][candidate]."""
    if registry.row(method.select, role="select").embedded:
        return shrunken_route(fold, method)
    return ranked_route(fold, method, rankings)
