"""A classifier that selects along its own path: each step is a candidate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..._core.errors import MethodError, counted_noun
from ..._core.interfaces import Evidence, Part, Path, PathClassifier, Term
from ..._core.method_data import has_interface
from ..._core.parameters import Parameters, StepSettings
from ..._core.registry import find_row
from ..._core.rows import PathRow
from ...classifiers.base.constant_predictor import constant_predictor
from ...classifiers.base.scaling import ScaledPredictor
from ...kernels.medians import impute_medians
from ..plan import MethodPlan
from .candidates import Candidate, CandidateResult, Offered, Refitted, grid_points, ranker_key
from .cuts import first_owners
from .design import Design, refuse_undense
from .fold import Fold

UP_TO = "features"  # setting of a candidate whose size the plan gives: features at most


@dataclass(frozen=True)
class OnPath:
    """A path for each grid point. The plan's sizes, if any, cut every part's own path: the last
    step with no more features. Else every step of the outer part's path is a candidate."""

    plan: MethodPlan

    @cached_property
    def row(self) -> PathRow:
        """The method's row."""
        return find_row(self.plan.select, PathRow, self.plan.response)

    @cached_property
    def points(self) -> list[dict[str, object]]:
        """Grid points, in the plan's order."""
        return grid_points(self.plan.grid.get(self.plan.select, {}))

    def check(self, design: Design) -> None:
        """Refuse, before anything runs, a table that is no matrix."""
        refuse_undense(self.plan.select, design)

    def shared(self, fold: Fold, plans: Sequence[MethodPlan]) -> None:
        """Nothing is shared."""

    def shared_by_folds(self, folds: Sequence[Fold], plans: Sequence[MethodPlan]) -> None:
        """Nor here."""

    def outcomes(self, fold: Fold, shared: None) -> Offered:
        """The simplest step of every grid point first, then the next of each."""
        numbered: list[tuple[int, int, Candidate]] = []
        by_part: list[list[list[CandidateResult]]] = [[] for _ in range(len(fold))]
        grids: list[Sequence[StepSettings] | None] = [None] * len(self.points)
        for k in range(len(fold)):
            part, others = fold.part(k), fold.others(k)
            for point, settings in enumerate(self.points):
                path = self._followed(fold, k, part, grids[point], settings)
                if k == 0 and not self.plan.sizes:
                    grids[point] = path.settings
                design = fold.views[k].design
                steps, offered = self._steps(design, path)
                outcomes = self._outcomes(fold, design, others, path)
                by_part[k].append([outcomes[step] for step in steps])
                if k == 0:
                    for place, (step, own) in enumerate(zip(steps, offered, strict=True)):
                        size = len(outcomes[step].features)
                        one = Candidate(self.plan.select, {**settings, **own}, size, place)
                        numbered.append((place, point, one))
        numbered.sort(key=lambda entry: entry[:2])
        found = [[part[point][place] for place, point, _ in numbered] for part in by_part]
        return [candidate for _, _, candidate in numbered], found

    def evidence(self, fold: Fold, shared: None) -> Sequence[Evidence]:
        """None: what a path shows are its terms."""
        return ()

    def refit(self, fold: Fold, chosen: Candidate, features: np.ndarray) -> Refitted:
        """The same step of the same path on the outer training set."""
        settings = {k: v for k, v in chosen.parameters.items() if k in self.row.parameters}
        step_settings = {k: v for k, v in chosen.parameters.items() if k not in settings}
        design = fold.views[0].design
        grid, most = None if UP_TO in step_settings else [step_settings], step_settings.get(UP_TO)
        path = self._followed(fold, 0, fold.part(0), grid, settings)
        step = 0
        if isinstance(most, int):
            step = last_within(self.plan.select, design, path, most)
        columns = design.columns_of(features)
        carried = self.row.takes.covariates
        X = fold.fitted_on(columns, carried)
        medians = impute_medians(X, np.arange(X.shape[1]))
        if X.shape[1] == 0:
            y = fold.parts.labels(0)
            nothing = constant_predictor(y, fold.n_classes)
            return Refitted(features, carried, medians, nothing)
        predictor = path.predictor(step, columns)
        units = np.concatenate(
            [fold.covariate_units if carried else [], fold.views[0].parts.units[columns]]
        )
        if (units != 1).any():
            k = len(units)
            predictor = ScaledPredictor(units, np.zeros(k), np.ones(k), predictor)
        return Refitted(features, carried, medians, predictor)

    def count(self) -> int:
        """Grid points times steps or sizes."""
        steps = [self._classifier(settings).count() for settings in self.points]
        return len(self.plan.sizes) * len(steps) if self.plan.sizes else sum(steps)

    def _classifier(self, settings: Parameters) -> PathClassifier:
        return self.row.build({**self.plan.parameters, **settings})

    def _followed(self, fold: Fold, k: int, part: Part, grid: Any, settings: Parameters) -> Path:
        stream = fold.streams("path", ranker_key(self.plan), repr(sorted(settings.items())))[k]
        path = self._classifier(settings).follow(part, grid, stream)
        has_interface(self.plan.select, path, Path, "follow")
        return path

    def _outcomes(
        self, fold: Fold, design: Design, others: tuple[np.ndarray, np.ndarray], path: Path
    ) -> list[CandidateResult]:
        """Of every step on the rows a part predicts; terms are of features."""
        owner = design.owner
        columns = list(path.columns)
        if len(others[0]):
            beliefs = path.beliefs(*others)
        else:
            nothing = constant_predictor(fold.parts.labels(0), fold.n_classes)
            beliefs = [nothing.beliefs(others[0])] * len(columns)
        found = []
        for step, (chosen, one) in enumerate(zip(columns, beliefs, strict=True)):
            terms = path.terms(step)
            of_features = [_of_features(term, owner) for term in terms]
            found.append(CandidateResult(first_owners(owner[chosen]), one, of_features))
        return found

    def _steps(self, design: Design, path: Path) -> tuple[list[int], list[StepSettings]]:
        """Which steps are offered, and what identifies each."""
        if not self.plan.sizes:
            return list(range(len(path.settings))), list(path.settings)
        sizes = [k for k in self.plan.sizes if isinstance(k, int)]
        return [last_within(self.plan.select, design, path, k) for k in sizes], [
            {UP_TO: k} for k in sizes
        ]


def last_within(name: str, design: Design, path: Path, most: int) -> int:
    """The last step of a path with at most so many features, before any with more.

    Raises
    ------
    MethodError
        The first step has more.
    """
    for step, columns in enumerate(path.columns):
        found = len(first_owners(design.owner[columns]))
        if found > most:
            if step == 0:
                raise MethodError(
                    f"{name!r} follows a path whose first step has "
                    f"{counted_noun(found, 'feature')}, so that it has none for sizes = [{most}]: "
                    "let `follow` begin with a step without features",
                    "sizes",
                )
            return step - 1
    return len(path.settings) - 1


def _of_features(term: Term, owner: np.ndarray) -> Term:
    features = tuple(int(owner[j]) for j in term.features)
    return Term(features, term.signs, term.class_, term.about)
