"""What a method offers on a training set, and what comes of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..._core.interfaces import Beliefs, Evidence, Predictor, Term
from ..._core.parameters import Parameters
from ..plan import OWN_SIZE, MethodPlan
from .design import Design
from .fold import Fold


@dataclass(frozen=True)
class Candidate:
    """One grid point of a method.

    Attributes
    ----------
    classify : str
        Label of the classifier.
    parameters : mapping
    size : int
        Features chosen for it on the outer training set.
    step : int
        Its place on the curve of sizes.
    own : bool
        The size is the ranking's own, and each part has its own.
    """

    classify: str
    parameters: Parameters
    size: int
    step: int = 0
    own: bool = False

    @cached_property
    def settings(self) -> str:
        """The parameters as JSON text, keys in order."""
        return json.dumps(dict(self.parameters), sort_keys=True)

    @property
    def label(self) -> str:
        """ "own", or nothing."""
        return OWN_SIZE if self.own else ""


class CandidateResult(NamedTuple):
    """What a candidate does on one part: features chosen, and beliefs about the other rows."""

    features: np.ndarray  # columns of the Dataset, best first
    beliefs: Beliefs
    terms: Sequence[Term] = ()  # of features


@dataclass(frozen=True)
class Refitted:
    """A candidate's predictor, and what stands before it.

    Attributes
    ----------
    features : ndarray
        Columns of the Dataset.
    covariates : bool
        Whether the covariates come first.
    medians : ndarray
        What fills a missing value, one a column of the predictor; empty where it takes the
        table as it is.
    predictor : Predictor
        On [covariates, columns of the features].
    raw : bool
        Whether it takes the table as it is, one column a feature.
    """

    features: np.ndarray
    covariates: bool
    medians: np.ndarray
    predictor: Predictor
    raw: bool = False


Offered = tuple[
    list[Candidate], list[list[CandidateResult]]
]  # candidates; outcomes [part][candidate]


class Method(Protocol):
    """One [[method]] of a plan: what it offers on a fold, and how the winner is fitted anew."""

    @property
    def plan(self) -> MethodPlan:
        """What the plan says of it."""
        ...

    def check(self, design: Design) -> None:
        """Refuse, before anything runs, what a table cannot have; `PlanError`."""
        ...

    def shared(self, fold: Fold, plans: Sequence[MethodPlan]) -> Any:
        """What methods with one `ranker_key` compute together; None where nothing is."""
        ...

    def shared_by_folds(
        self, folds: Sequence[Fold], plans: Sequence[MethodPlan]
    ) -> Sequence[Any] | None:
        """The same of many folds of one table, whose parts see it as it is; None where it takes as
        long as one by one."""
        ...

    def outcomes(self, fold: Fold, shared: Any) -> Offered:
        """Candidates in order of preference, and what each does, part by part."""
        ...

    def evidence(self, fold: Fold, shared: Any) -> Sequence[Evidence]:
        """What is shown of the outer training set beside its candidates."""
        ...

    def refit(self, fold: Fold, chosen: Candidate, features: np.ndarray) -> Refitted:
        """A candidate on the outer training set: the same streams, no second ranking."""
        ...

    def count(self) -> int:
        """Candidates, at most."""
        ...


def grid_points(grid: Mapping[str, Sequence[Any]]) -> list[dict[str, object]]:
    """Every combination of the listed values, the first parameter slowest.

    Examples
    --------
    >>> grid_points({"k": [1, 3], "metric": ["l1"]})
    [{'k': 1, 'metric': 'l1'}, {'k': 3, 'metric': 'l1'}]
    """
    from itertools import product

    return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]


def ranker_key(method: MethodPlan) -> str:
    """Name of the ranking a method uses; methods with the same key share it."""
    key = _with_settings(method.select, method.parameters)
    steps = [
        (f"{step.block}:" if step.block else "") + _with_settings(step.name, step.parameters)
        for step in method.prepare
    ]
    blocks = [",".join(method.blocks) + ":"] if method.blocks else []
    return "+".join([*blocks, *steps, key])


def _with_settings(name: str, parameters: Parameters) -> str:
    return ",".join([name, *(f"{k}={v}" for k, v in sorted(parameters.items()))])
