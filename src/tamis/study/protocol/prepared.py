"""Steps fitted to every part of an outer fold, each to its own rows alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..._core.errors import PlanError
from ..._core.rows import find_row
from ...preparation.chain import Chain, Named, fit_chain
from ...selection._parts import TrainingParts
from ..plan import StepPlan
from .design import Design
from .fold import Fold, View


def prepared_fold(fold: Fold, steps: Sequence[StepPlan]) -> Fold:
    """The fold as methods with these steps see it; the fold itself where there are none.

    Steps at the start that see one sample at a time are taken once, on all rows, whose parts go
    on sharing what they share. From the first that learns, each part has a table of its own.
    """
    named = [(step.name, step.parameters) for step in steps]
    alone = 0
    while alone < len(named) and find_row(named[alone][0], "prepare").load().scope == "row":
        alone += 1
    first = None
    if alone:
        fold, first = _by_row(fold, named[:alone])
    if alone == len(named):
        return fold
    views = [_view(fold, k, named[alone:], first) for k in range(len(fold))]
    return replace(fold, chain=None, prepared=views)


def _by_row(fold: Fold, steps: Sequence[Named]) -> tuple[Fold, Chain]:
    """The fold of the table that such steps give; they are shown no row, so learn from none."""
    design = fold.design
    chain, _ = fit_chain(steps, design.X[:0], fold.y[:0], design.numeric)
    X = chain.transform(design.X)
    if X.shape[1] < design.X.shape[1]:
        raise PlanError(
            f"prepare: {steps[0][0]!r} sees one sample at a time and may drop no column"
        )
    own = _prepared_design(design, chain, X, np.arange(len(X)))
    parts = TrainingParts(X, fold.y, fold.parts.rows, own.incomplete, n_classes=fold.n_classes)
    return replace(fold, design=own, parts=parts, chain=chain), chain


def _view(fold: Fold, k: int, steps: Sequence[Named], first: Chain | None) -> View:
    """What a part sees: steps fitted to its rows, and both its rows and its test rows by them."""
    design, rows, test = fold.design, fold.parts.rows[k], fold.tests[k]
    chain, train = fit_chain(steps, design.X[rows], fold.parts.labels(k), design.numeric)
    if not train.shape[1]:
        raise PlanError(
            f"prepare = {[name for name, _ in steps]}: no column is left in a training part; "
            "let the filters keep more"
        )
    X = np.vstack([train, chain.transform(design.X[test])]) if len(test) else train
    both = np.concatenate([rows, test])
    own = _prepared_design(design, chain, X, both)
    here = np.arange(len(X))
    parts = TrainingParts(
        X, fold.y[both], [here[: len(rows)]], own.incomplete, n_classes=fold.n_classes
    )
    whole = chain if first is None else first.followed_by(chain)
    return View(own, parts, 0, here[: len(rows)], here[len(rows) :], whole)


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
        raw_z=None if design.raw_z is None else design.raw_z[rows],
    )  # fmt: skip
