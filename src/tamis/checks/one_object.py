"""Fits of one object after another, by its role; each gives what says what was learnt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._core.rows import PlanRow
from ..classifiers.base.natural_scale import fit_natural
from ..classifiers.classifier_labels import build_classifier, takes_raw
from ..study.plan import MethodPlan
from ..study.protocol.fold import Fold
from . import roles
from .fold_run import beliefs_arrays
from .procedure import Arrays
from .verdict import Inapplicable

FitPart = Callable[[int], Arrays]  # to a part of a fold


def fit_of_one_object(row: PlanRow, plan: MethodPlan, fold: Fold) -> FitPart:
    """What fits one and the same object to parts of a fold of numbers."""
    if roles.is_classifier(row):
        return _classifier_fits(plan, fold)
    if roles.is_step(row):
        return _step_fits(row, plan, fold)
    return _path_fits(row, plan, fold) if roles.is_path(row) else _ranker_fits(row, plan, fold)


def made_classifier(plan: MethodPlan, n_classes: int) -> Any:
    """The classifier of a plan's only method, at its first grid point."""
    label = plan.classify[0]
    point = {k: v[0] for k, v in plan.grid.get(label, {}).items()}
    return build_classifier(label, point, 1 - np.eye(n_classes), plan.response)


def _classifier_fits(plan: MethodPlan, fold: Fold) -> FitPart:
    made = made_classifier(plan, fold.n_classes)
    levels: dict[int, int] | None = {} if takes_raw(plan.classify[0], plan.response) else None

    def fit_classifier_part(k: int) -> Arrays:
        part = fold.part(k)
        found = fit_natural(made, part.X, part.y, part.n_classes, 0, levels)
        return beliefs_arrays(found.beliefs(fold.design.matrix))

    return fit_classifier_part


def _step_fits(row: PlanRow, plan: MethodPlan, fold: Fold) -> FitPart:
    step, X = row.build(plan.prepare[0].parameters), fold.design.matrix
    batches = [fold.design.labels.batch_codes] if roles.by_batch(row) else []

    def fit_step_part(k: int) -> Arrays:
        rows = fold.parts.rows[k]
        found = step.learn(X[rows], fold.y[rows], *(b[rows] for b in batches if b is not None))
        return {"values": found.transform(X, *batches)}

    return fit_step_part


def _path_fits(row: PlanRow, plan: MethodPlan, fold: Fold) -> FitPart:
    follower = row.build(plan.parameters)

    def fit_path_part(k: int) -> Arrays:
        stream = fold.streams("one object")[k]  # anew: to spawn from one changes it
        path = follower.follow(fold.part(k), None, stream)
        said = path.beliefs(fold.design.matrix, fold.design.Z)
        found = {f"columns of step {i}": columns for i, columns in enumerate(path.columns)}
        return {
            **found,
            **{
                f"{what} of step {i}": array
                for i, one in enumerate(said)
                for what, array in beliefs_arrays(one).items()
            },
        }

    return fit_path_part


def _ranker_fits(row: PlanRow, plan: MethodPlan, fold: Fold) -> FitPart:
    ranker = row.build(plan.parameters)
    if ranker is None:
        raise Inapplicable("it ranks nothing")
    sizes = [size for size in plan.sizes if isinstance(size, int)]

    def fit_ranker_part(k: int) -> Arrays:
        part = fold.part(k, "own" in plan.sizes, filled=not roles.ranks_as_it_is(row))
        stream = fold.streams("one object")[k]  # anew: to spawn from one changes it
        ranking = ranker.rank(part, sizes, stream)
        path = {f"columns of size {size}": columns for size, columns in ranking.path.items()}
        return {"scores": ranking.scores, **path}

    return fit_ranker_part
