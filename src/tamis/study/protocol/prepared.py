"""Steps fitted to every part of an outer fold, each to its own rows alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..._core.errors import PlanError
from ..._core.rows import find_row
from ...kernels.units import shared_units
from ...preparation.chain import Chain, Named, fit_chain
from ...preparation.on_table import fit_on_table, transformed
from ...selection._parts import TrainingParts
from ...selection._table_parts import TableParts
from ..plan import StepPlan
from .design import Design, walked
from .fold import Fold, View


def prepared_fold(fold: Fold, steps: Sequence[StepPlan]) -> Fold:
    """The fold as methods with these steps see it; the fold itself where there are none.

    Steps at the start that see one sample at a time are taken once, on all rows, whose parts go
    on sharing what they share. From the first that learns, each part has a table of its own.
    """
    named = [(step.name, step.parameters) for step in steps]
    if not isinstance(fold.design.X, np.ndarray):
        return _on_table(fold, named) if named else fold
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
    chain, _ = fit_chain(steps, design.matrix[:0], fold.y[:0], design.numeric)
    X = chain.transform(design.matrix)
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
    chain, train = fit_chain(steps, design.matrix[rows], fold.parts.labels(k), design.numeric)
    X = np.vstack([train, chain.transform(design.matrix[test])]) if len(test) else train
    view = _view_of(fold, k, chain, X)
    return view if first is None else replace(view, chain=first.followed_by(chain))


def _view_of(fold: Fold, k: int, chain: Chain, X: np.ndarray) -> View:
    """What a part sees whose rows and test rows (n, P) a chain has made."""
    if not X.shape[1]:
        raise PlanError(
            f"prepare = {[name for name, _ in chain.names]}: no column is left in a training part; "
            "let the filters keep more"
        )
    both = np.concatenate([fold.parts.rows[k], fold.tests[k]])
    own = _prepared_design(fold.design, chain, X, both)
    here, n = np.arange(len(X)), len(fold.parts.rows[k])
    parts = TrainingParts(X, fold.y[both], [here[:n]], own.incomplete, n_classes=fold.n_classes)
    return View(own, parts, 0, here[:n], here[n:], chain)


def _on_table(fold: Fold, steps: Sequence[Named]) -> Fold:
    """The fold of a table that is no matrix: what filters keep of it is one."""
    design, parts = fold.design, fold.parts
    assert not isinstance(design.X, np.ndarray)
    if all(find_row(name, "prepare").load().scope == "row" for name, _ in steps):
        table, chain = transformed(steps, design.X)
        missing, magnitudes = walked(table)
        own = replace(design, X=table, incomplete=np.flatnonzero(missing), magnitudes=magnitudes)
        units = shared_units(magnitudes)
        seen = TableParts(table, fold.y, parts.rows, own.incomplete, units, fold.n_classes)
        return replace(fold, design=own, parts=seen, chain=chain)
    views = []
    for k, chain in enumerate(fit_on_table(steps, design.X, fold.y, parts.rows)):
        less, inputs = chain.only(np.arange(len(chain.columns)))
        X = design.X.take(np.concatenate([parts.rows[k], fold.tests[k]]), inputs)
        views.append(_view_of(fold, k, chain, less.transform(X)))
    return replace(fold, chain=None, prepared=views)


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
