"""Steps fitted to every part of an outer fold, each to its own rows alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..._core.errors import PlanError
from ...preparation.chain import Chain, Named, fit_chain
from ...selection._parts import TrainingParts
from ..plan import StepPlan
from .design import Design
from .fold import Fold, View


def prepared_fold(fold: Fold, steps: Sequence[StepPlan]) -> Fold:
    """The fold as methods with these steps see it; the fold itself where there are none."""
    if not steps:
        return fold
    named = [(step.name, step.parameters) for step in steps]
    return replace(fold, prepared=[_view(fold, k, named) for k in range(len(fold))])


def _view(fold: Fold, k: int, steps: Sequence[Named]) -> View:
    """What a part sees: steps fitted to its rows, and both its rows and its test rows by them."""
    design, rows, test = fold.design, fold.parts.rows[k], fold.tests[k]
    chain, train = fit_chain(steps, design.X[rows], fold.parts.labels(k), design.numeric)
    if not train.shape[1]:
        raise PlanError(
            f"prepare = {[name for name, _ in steps]}: no column is left in a training part; "
            "let the filters keep more"
        )
    X = np.vstack([train, chain.transform(design.X[test])]) if len(test) else train
    own = _prepared_design(design, chain, X, np.concatenate([rows, test]))
    y = fold.y[np.concatenate([rows, test])]
    here = np.arange(len(X))
    parts = TrainingParts(X, y, [here[: len(rows)]], own.incomplete, n_classes=fold.n_classes)
    return View(own, parts, 0, here[: len(rows)], here[len(rows) :], chain)


def _prepared_design(design: Design, chain: Chain, X: np.ndarray, rows: np.ndarray) -> Design:
    """The columns that the steps leave, in rows of the table; features keep their numbers."""
    columns = chain.columns
    raw, discrete, levels = None, None, {}
    if design.raw is not None and design.discrete is not None:
        kept = np.isin(design.features, design.owner[columns])
        raw = design.raw[rows][:, kept]
        discrete = design.discrete[kept]
        place = {int(j): at for at, j in enumerate(design.features[kept])}
        for at, j in enumerate(columns):
            if design.numeric[j]:
                raw[:, place[int(design.owner[j])]] = X[:, at]
        codes = {int(design.features[f]): n for f, n in design.code_levels.items()}
        levels = {place[j]: n for j, n in codes.items() if j in place}
    return replace(
        design, X=X, owner=design.owner[columns], Z=design.Z[rows], raw=raw, discrete=discrete,
        incomplete=np.flatnonzero(np.isnan(X).any(axis=0)), order=None, code_levels=levels,
        numeric=design.numeric[columns],
    )  # fmt: skip
