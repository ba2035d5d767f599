"""Steps fitted to every part of an outer fold, each to its own rows alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..._core.errors import PlanError
from ..._core.interfaces import FittedStep
from ...preparation.chain import Chain, Fitted, NamedStep, fit_chain
from ...preparation.on_table import (
    fit_leading_steps,
    kept_on_table,
    kept_steps,
    leading_steps,
    on_table,
    transformed_table,
)
from ...selection._parts import TrainingParts
from ...selection._prepared_part import PreparedPart
from ..plan import StepPlan
from .design import Design, missing_and_sizes
from .fold import Fold, View, parts_of
from .observed_levels import observed_level_columns

MAX_HELD_BYTES = 1 << 29  # bytes of views that are kept
# of a table that a view holds: about so many, as it is, in codes, and on the way
COPIES_PER_VIEW = 3


def prepared_fold(fold: Fold, steps: Sequence[StepPlan], blocks: Sequence[str] = ()) -> Fold:
    """The fold as methods with these steps, on these blocks, see it; the fold itself where there
    are none.

    Steps at the start that see one sample at a time are taken once, on all rows, whose parts go
    on sharing what they share. From the first that learns, each part has a table of its own.
    """
    if not steps and not blocks and is_seen_alike(fold.design):
        return fold
    if blocks:
        design = fold.design.restricted(blocks)
        fold = replace(fold, design=design, parts=parts_of(design, fold.y, fold.parts.rows))
    named = [step.named for step in steps]
    matrix = isinstance(fold.design.X, np.ndarray)
    for step in named if matrix else named[leading_steps(named) :]:
        if not step.row.load().on_matrix:
            raise PlanError(
                f"prepare: {step.name!r} goes on packed tables alone, and on the full table: "
                "put it first, and for no block, in a study of genotypes (.bed, .pgen, .bgen, .vcf)"
            )
    if not matrix:
        return _parts_apart(_on_table(fold, named) if named else fold)
    own = OwnViews(fold, named)
    if not all(kept.all() for kept in own.kept) or (
        len(fold) > 1 and fold.design.steady_rows is None
    ):
        return replace(fold, chain=None, prepared=own)
    alone = 0
    while alone < len(named) and named[alone].row.load().scope == "row":
        alone += 1
    first = None
    if alone:
        fold, first = _by_row(fold, named[:alone])
    if alone == len(named):
        return fold
    views = [_part_view(fold, k, named[alone:], first) for k in range(len(fold))]
    return replace(fold, chain=None, prepared=views)


def is_seen_alike(design: Design) -> bool:
    """Whether, without steps and blocks, all parts of any fold see this table itself: a matrix of
    numbers, whose columns have one unit in every part."""
    matrix = isinstance(design.X, np.ndarray)
    return bool(matrix and design.numeric.all() and design.steady_rows is not None)


class OwnViews(Sequence[View]):
    """What each part sees where some parts have no row of a level, or columns may differ in their
    units: a table of its own, and steps behind it. Methods ask for the same again and again: as
    many as `MAX_HELD_BYTES` are kept."""

    def __init__(self, fold: Fold, steps: Sequence[NamedStep]):
        self.fold, self.steps = fold, steps
        design = fold.design
        owner = np.where(design.numeric, -1, design.owner)
        every = np.ones(len(owner), dtype=bool)
        self.kept = [
            observed_level_columns(design.matrix, rows, owner)
            if len(test) and design.code_levels
            else every
            for rows, test in zip(fold.parts.rows, fold.tests, strict=True)
        ]
        self._size = COPIES_PER_VIEW * design.matrix.nbytes
        self._held: dict[int, View] = {}

    def __len__(self) -> int:
        return len(self.kept)

    def __getitem__(self, k: Any) -> Any:
        if k not in self._held:
            if self._held and (len(self._held) + 1) * self._size > MAX_HELD_BYTES:
                self._held.popitem()  # the last: who goes through all again finds the first ones
            self._held[k] = self._view(k)
        return self._held[k]

    def _view(self, k: int) -> View:
        fold, rows, test = self.fold, self.fold.parts.rows[k], self.fold.tests[k]
        columns = np.flatnonzero(self.kept[k])
        X = fold.design.matrix[:, columns]
        own = _prepared_design(fold.design, columns, X, np.arange(len(X)))
        parts = parts_of(own, fold.y, [rows])
        if not self.steps:
            return View(own, parts, 0, rows, test)
        alone = replace(fold, design=own, parts=parts, tests=[test], prepared=())
        return prepared_fold(alone, [StepPlan(**vars(s)) for s in self.steps]).views[0]


def _by_row(fold: Fold, steps: Sequence[NamedStep]) -> tuple[Fold, Chain]:
    """The fold of the table that such steps give; they are shown no row, so learn from none."""
    design = fold.design
    fitted = _fitted_steps(design, steps, design.matrix[:0], fold.learnt[:0], None)
    chain, X = fitted.chain, fitted.chain.transform(design.matrix)
    if not np.array_equal(fitted.columns, np.arange(design.matrix.shape[1])):
        raise PlanError(
            f"prepare: {steps[0].name!r} sees one sample at a time and may drop no column"
        )
    own = _prepared_design(design, fitted.columns, X, np.arange(len(X)))
    parts = parts_of(own, fold.y, fold.parts.rows)
    return replace(fold, design=own, parts=parts, chain=chain), chain


def _fitted_steps(
    design: Design,
    steps: Sequence[NamedStep],
    X: np.ndarray,
    y: np.ndarray,
    batch: np.ndarray | None,
    known: Mapping[int, FittedStep] | None = None,
    groups: np.ndarray | None = None,
) -> Fitted:
    """Steps fitted to some rows of a design."""
    blocks = {name: design.columns_of_block(name) for name in {s.block for s in steps} - {""}}
    by_names = any(step.row.learns_by("names") for step in steps)
    names = [design.names[j] for j in design.owner] if by_names else ()
    return fit_chain(
        steps, X, y, design.numeric, batch, blocks, design.created, known, names, groups
    )


def _part_view(
    fold: Fold,
    k: int,
    steps: Sequence[NamedStep],
    first: Chain | None,
    known: Mapping[int, FittedStep] | None = None,
) -> View:
    """What a part sees: steps fitted to its rows, and both its rows and its test rows by them."""
    design, rows, test = fold.design, fold.parts.rows[k], fold.tests[k]
    codes = design.labels.batch_codes
    here, there = (None, None) if codes is None else (codes[rows], codes[test])
    groups = design.labels.group_codes[rows]
    fitted = _fitted_steps(
        design, steps, design.matrix[rows], fold.parts.labels(k), here, known, groups
    )
    chain, train = fitted.chain, fitted.X
    if not train.shape[1]:
        raise PlanError(
            f"prepare = {[step.name for step in steps]}: no column is left in a training set; "
            "let the filters keep more"
        )
    X = np.vstack([train, chain.transform(design.matrix[test], there)]) if len(test) else train
    both = np.concatenate([rows, test])
    own = _prepared_design(design, fitted.columns, X, both)
    every = np.arange(len(X))
    holes = np.isin(fitted.columns, design.incomplete)
    same = np.where(fitted.same & ~holes, fitted.columns, -1)
    parts = PreparedPart(X, len(rows), fold.parts, k, both, same, own.incomplete)
    full_chain = chain if first is None else first.followed_by(chain)
    return View(own, parts, 0, every[: len(rows)], every[len(rows) :], full_chain)


def _parts_apart(fold: Fold) -> Fold:
    """The fold of a table that is no matrix; each part by itself where single columns may have
    other units there."""
    design = fold.design
    if fold.prepared or len(fold) == 1 or design.steady_rows is not None:
        return fold
    views = [
        View(design, parts_of(design, fold.y, [rows]), 0, rows, test, fold.chain)
        for rows, test in zip(fold.parts.rows, fold.tests, strict=True)
    ]
    return replace(fold, chain=None, prepared=views)


def _on_table(fold: Fold, steps: Sequence[NamedStep]) -> Fold:
    """The fold of a table that is no matrix: what filters keep of it is one, for each part."""
    design, rows = fold.design, fold.parts.rows
    assert not isinstance(design.X, np.ndarray)
    if all(step.row.load().scope == "row" for step in steps):
        table = transformed_table(steps, design.X)
        missing, by_size = missing_and_sizes(table)
        own = replace(design, X=table, incomplete=np.flatnonzero(missing), by_size=by_size)
        return replace(fold, design=own, parts=parts_of(own, fold.y, rows), chain=table.chain)
    lead = leading_steps(steps)
    if lead:
        led = [_led_view(fold, k, steps, lead) for k in range(len(fold))]
        return replace(fold, chain=None, prepared=led)
    views = []
    for k, kept in enumerate(kept_on_table(steps, design.X, fold.learnt, rows)):
        few = design.narrowed(kept, design.X.take(None, kept))
        units = fold.parts.units[kept]  # of the outer part, which has the rows of all others
        parts = TrainingParts(few.matrix, fold.learnt, rows, few.incomplete, units, fold.n_classes)
        known = kept_steps(steps, len(kept))
        view = _part_view(replace(fold, design=few, parts=parts), k, steps, None, known)
        assert view.chain is not None
        views.append(replace(view, chain=on_table(view.chain, kept, design.X)))
    return replace(fold, chain=None, prepared=views)


def _led_view(fold: Fold, k: int, steps: Sequence[NamedStep], lead: int) -> View:
    """What a part sees of such a table behind steps of which some go on it by themselves."""
    design, rows, test = fold.design, fold.parts.rows[k], fold.tests[k]
    assert not isinstance(design.X, np.ndarray)
    led = fit_leading_steps(
        steps[:lead],
        design.X,
        rows,
        fold.parts.labels(k),
        design.created,
        design.labels.group_codes[rows],
    )
    if isinstance(led.X, np.ndarray):
        own = _prepared_design(design, led.columns, led.X, np.arange(len(led.X)))
    else:
        own = design.narrowed(led.columns, led.X)
    parts = parts_of(own, fold.y, [rows])
    view = View(own, parts, 0, rows, test, led.chain)
    if lead == len(steps):
        return view
    alone = replace(fold, design=own, parts=parts, tests=[test], prepared=())
    rest = prepared_fold(alone, [StepPlan(**vars(s)) for s in steps[lead:]]).views[0]
    assert rest.chain is not None
    return replace(rest, chain=led.chain.followed_by(rest.chain))


def _prepared_design(
    design: Design, columns: np.ndarray, X: np.ndarray, rows: np.ndarray
) -> Design:
    """What steps leave of a design in some of its rows; features keep their numbers.

    `columns` are those of the design behind the columns of X, then those that steps create.
    """
    owner = design.possible_owner[columns]
    numeric = np.concatenate([design.numeric, np.ones(len(design.created), dtype=bool)])[columns]
    raw, discrete, levels = None, None, {}
    if design.raw is not None and design.discrete is not None:
        features = np.unique(owner)
        known = np.isin(features, design.features)
        at = np.searchsorted(design.features, features[known])
        raw, discrete = np.empty((len(X), len(features))), np.zeros(len(features), dtype=bool)
        raw[:, known], discrete[known] = design.raw[rows][:, at], design.discrete[at]
        raw[:, np.searchsorted(features, owner[numeric])] = X[:, numeric]
        place = {int(feature): k for k, feature in enumerate(features)}
        codes = {int(design.features[f]): n for f, n in design.code_levels.items()}
        levels = {place[j]: n for j, n in codes.items() if j in place}
    return replace(
        design,
        X=X,
        owner=owner,
        Z=design.Z[rows],
        raw=raw,
        discrete=discrete,
        incomplete=np.flatnonzero(np.isnan(X).any(axis=0)),
        by_size=None,
        code_levels=levels,
        numeric=numeric,
        raw_z=None if design.raw_z is None else design.raw_z[rows],
    )
