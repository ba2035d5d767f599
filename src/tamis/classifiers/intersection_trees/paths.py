"""Intersection trees in a study: what is tuned inside, step by step, the simplest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._core.interfaces import Arrays, Beliefs, Part, Path, PathClassifier, Seeds, Term
from ..._core.parameters import StepSettings
from .rules import SetRules
from .search import Sample, SearchSettings, SetParameters, no_rules, settings_of

SCREENED_SIZES = (5, 10, 20, 40)  # features of a step, after one without any: the class shares


@dataclass(frozen=True)
class SetsPath(Path):
    """Sets of one training set, for every step.

    Attributes
    ----------
    settings : sequence of mapping
    rules : sequence of SetRules
        Of each step, on its own columns.
    among : sequence of ndarray
        Those columns.
    """

    settings: Sequence[StepSettings]
    rules: Sequence[SetRules]
    among: Sequence[np.ndarray]

    @property
    def columns(self) -> list[np.ndarray]:
        """Columns that stand in sets, the one in most of them first."""
        return [of[rules.columns] for rules, of in zip(self.rules, self.among, strict=True)]

    def beliefs(self, X: np.ndarray, covariates: np.ndarray) -> list[Beliefs]:
        """Of other rows."""
        pairs = zip(self.rules, self.among, strict=True)
        return [rules.beliefs(X[:, columns]) for rules, columns in pairs]

    def predictor(self, step: int, columns: np.ndarray) -> SetRules:
        """One step's sets on X[:, columns]."""
        return self.rules[step].among(self.among[step], columns)

    def terms(self, step: int) -> list[Term]:
        """The sets, intervals aside."""
        of = self.among[step]
        return [
            Term(tuple(sorted(int(of[j]) for j in term.features)), (), term.class_, term.about)
            for term in self.rules[step].terms()
        ]


class SetsClassifier(SetParameters, PathClassifier):
    """A `PathClassifier` by sets; covariates play no part. A subclass says which."""

    def steps(self) -> list[StepSettings]:
        """What is tuned, the simplest first."""
        raise NotImplementedError

    def sets(self, sample: Sample, step: StepSettings, settings: SearchSettings) -> SetRules:
        """The sets of a training set by one step's settings."""
        raise NotImplementedError

    def follow(
        self, part: Part, settings: Sequence[StepSettings] | None, stream: Seeds
    ) -> SetsPath:
        """Every step, or those given."""
        steps = self.steps() if settings is None else list(settings)
        chosen = settings_of(self, part.n_classes, self.rule, int(stream.generate_state(1)[0]))
        rules, among = zip(*self.found(part, steps, chosen), strict=True)
        return SetsPath(steps, rules, among)

    def found(
        self, part: Part, steps: Sequence[StepSettings], settings: SearchSettings
    ) -> Iterator[tuple[SetRules, np.ndarray]]:
        """Of every step its sets and the columns that they are of: those that differ most."""
        order = differing_columns(part.X, part.y, part.n_classes)
        for step in steps:
            columns = np.sort(order[: int(step["best"])])
            sample = sample_of(part, columns)
            if len(columns):
                yield self.sets(sample, step, settings), columns
            else:
                yield no_rules(sample, settings), columns

    def count(self) -> int:
        """Steps."""
        return len(self.steps())

    def from_arrays(self, arrays: Arrays, n_columns: int, n_classes: int) -> SetRules:
        """As of the predictor."""
        return SetRules.from_arrays(arrays, n_columns, n_classes)


def screened_steps(screened: Sequence[int], name: str, values: Sequence[Any]) -> list[StepSettings]:
    """Every value of a setting for so many features, few first; before them a step with none."""
    none: list[StepSettings] = [{"best": 0, name: values[0]}]
    return none + [{"best": k, name: value} for k in sorted(screened) for value in values]


def sample_of(part: Part, columns: np.ndarray) -> Sample:
    """Some columns of a training set, all of them numbers."""
    X = np.ascontiguousarray(part.X[:, columns])
    return Sample(X, part.y, part.n_classes, np.zeros(len(columns), dtype=bool))


def differing_columns(X: np.ndarray, y: np.ndarray, n_classes: int) -> np.ndarray:
    """Columns by the F statistic of their class means, the largest first; ties by column."""
    sizes = np.bincount(y, minlength=n_classes)
    there = np.flatnonzero(sizes)
    means = np.array([X[y == c].mean(axis=0) for c in there])
    between = (sizes[there, None] * (means - X.mean(axis=0)) ** 2).sum(axis=0)
    within = ((X - means[np.searchsorted(there, y)]) ** 2).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(between > 0, between / within, 0.0)
    return np.argsort(-ratio, kind="stable")
