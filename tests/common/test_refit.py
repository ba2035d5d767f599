"""Every method: what is refitted and read back is what was judged, and knows no test row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.folds import KINDS, fold, methods, results, same_beliefs
from common.own_estimators import trusting
from common.studies import offered
from tamis._core.registry import selecting_row
from tamis._core.rows import PathRow
from tamis.kernels.medians import impute
from tamis.kernels.wasserstein import sort_columns
from tamis.model.file import revived_predictor
from tamis.selection._parts import TrainingParts
from tamis.study.protocol.methods import method_of
from tamis.study.protocol.outcomes import ranker_key
from tamis.study.results.final import made_by

every = pytest.mark.parametrize("name", methods())
kinds = pytest.mark.parametrize("kind", KINDS)


def on_path(plan):
    """Whether a method classifies along a path of its own."""
    return isinstance(selecting_row(plan.select), PathRow)


def refitted(one, plan, candidate, features):
    """The predictor of a candidate, and the matrix of the test rows as it wants them."""
    found = method_of(plan).refit(one, candidate, features)
    design, test = one.design, one.tests[0]
    if found.raw:
        return found.predictor, one.as_it_is(0, found.features)[1]
    columns = design.columns_of(found.features)
    Z = design.Z if found.covariates else design.Z[:, :0]
    X = np.hstack([Z[test], design.X[np.ix_(test, columns)]])
    impute(X, np.arange(X.shape[1]), found.medians)
    return found.predictor, X


@kinds
@every
def test_refitted_on_its_features_a_candidate_believes_what_it_was_judged_by(kind, name):
    plan, one = methods()[name], fold(kind)
    candidates, outcomes = results(kind, name)
    assert candidates
    for candidate, outcome in zip(candidates, outcomes[0], strict=True):
        predictor, X = refitted(one, plan, candidate, outcome.features)
        two_routes = "lda" in candidate.classify  # all sizes at once, and one by one
        tolerance = 1e-8 if two_routes else 1e-10
        found, expected = predictor.beliefs(X), outcome.beliefs
        if candidate.size == 0 and expected.margin is not None:  # the class shares, as margins
            a, b = (s - s[:, :1] for s in (found.scores, expected.margin))
            np.testing.assert_allclose(a, b, atol=1e-10)
            expected = replace(expected, margin=None)
        same_beliefs(found, expected, tolerance, f"{name} {candidate}")


@kinds
@every
def test_a_predictor_is_its_arrays_to_the_bit(kind, name):
    plan, one = methods()[name], fold(kind)
    candidates, outcomes = results(kind, name)
    row = selecting_row(plan.select)
    role = "method" if isinstance(row, PathRow) else "classify"
    for at in {0, len(candidates) - 1}:
        candidate = candidates[at]
        predictor, X = refitted(one, plan, candidate, outcomes[0][at].features)
        arrays = predictor.to_arrays()
        assert all(isinstance(a, np.ndarray) for a in arrays.values())
        kept = {k: v for k, v in candidate.parameters.items()
                if role == "classify" or k in row.parameters}  # fmt: skip
        stored = {k: np.ascontiguousarray(a, dtype=np.float64) for k, a in arrays.items()}
        named = made_by(candidate.classify, kept, role == "method")
        with trusting():
            again = revived_predictor(named, stored, X.shape[1], one.n_classes)
        same_beliefs(again.beliefs(X), predictor.beliefs(X), 0.0, name)


@kinds
@every
def test_rows_one_at_a_time_equal_the_batch(kind, name):
    plan, one = methods()[name], fold(kind)
    candidates, outcomes = results(kind, name)
    predictor, X = refitted(one, plan, candidates[-1], outcomes[0][-1].features)
    batch = predictor.beliefs(X)
    for i in range(len(X)):
        same_beliefs(predictor.beliefs(X[i : i + 1]), batch.take(np.array([i])), 1e-12, name)


def changed(one, rows, values=True):
    """The fold with other labels in some rows, and wild values."""
    design, rng = one.design, np.random.default_rng(1)
    y = one.y.copy()
    y[rows] = (y[rows] + 1) % one.n_classes
    if values:
        wild = {"X": design.X.copy(), "Z": design.Z.copy()}
        for X in wild.values():
            X[rows] = rng.normal(1e5, 1e5, size=(len(rows), X.shape[1]))
        if design.raw is not None:
            wild["raw"] = design.raw.copy()
            wild["raw"][rows] = wild["raw"][rows][::-1]
        if design.raw_z is not None:
            wild["raw_z"] = design.raw_z.copy()
            wild["raw_z"][rows] = wild["raw_z"][rows][::-1]
        filled = wild["X"].copy()
        filled[:, design.incomplete] = 0.0
        order = None if design.order is None else sort_columns(filled)
        design = replace(design, **wild, order=order)
    parts = TrainingParts(design.X, y, one.parts.rows, design.incomplete, design.order)
    np.testing.assert_array_equal(parts.units, one.parts.units)
    return replace(one, design=design, y=y, parts=parts)


@kinds
@every
def test_nothing_is_learnt_from_test_rows(kind, name):
    """Wild values and other labels in the rows of the outer test part, and in those alone."""
    plan, one = methods()[name], fold(kind)
    candidates, outcomes = results(kind, name)
    again, twins = offered(changed(one, one.tests[0]), plan)
    assert again == candidates
    for part, twin in zip(outcomes, twins, strict=True):
        for a, b in zip(part, twin, strict=True):
            assert a.features.tolist() == b.features.tolist(), name
    for part, twin in zip(outcomes[1:], twins[1:], strict=True):  # these predict training rows
        for a, b in zip(part, twin, strict=True):
            same_beliefs(a.beliefs, b.beliefs, 1e-9, name)


@kinds
@pytest.mark.parametrize("name", [n for n, m in methods().items() if not on_path(m)])
def test_an_inner_part_learns_nothing_from_the_rows_it_predicts(kind, name):
    plan, one = methods()[name], fold(kind)
    _, outcomes = results(kind, name)
    _, wild = offered(changed(one, one.tests[1]), plan)
    _, flipped = offered(changed(one, one.tests[1], values=False), plan)
    for a, b, c in zip(outcomes[1], wild[1], flipped[1], strict=False):  # "own" may not be offered
        assert a.features.tolist() == b.features.tolist() == c.features.tolist(), name
        same_beliefs(a.beliefs, c.beliefs, 1e-9, name)


@kinds
@pytest.mark.parametrize("name", [n for n, m in methods().items() if on_path(m)])
def test_a_path_is_followed_on_the_rows_of_each_part(kind, name):
    """Its settings are those of the outer training part, and nothing else is; with sizes each
    part has settings of its own."""
    plan, one = methods()[name], fold(kind)
    _, outcomes = results(kind, name)
    follower, design = selecting_row(plan.select).build(plan.parameters), one.design
    settings = None
    for k, part in enumerate(outcomes):
        stream = one.streams("path", ranker_key(plan), "[]")[k]
        path = follower.follow(one.part(k), settings, stream)
        if settings is None and not plan.sizes:
            settings = path.settings
        sets = [list(dict.fromkeys(design.owner[columns].tolist())) for columns in path.columns]
        steps = list(range(len(sets)))
        if plan.sizes:  # the last before any step with more
            over = [[len(s) > most for s in sets] for most in plan.sizes]
            steps = [max(o.index(True) - 1, 0) if any(o) else len(o) - 1 for o in over]
        beliefs = path.beliefs(*one.others(k))
        assert [o.features.tolist() for o in part] == [sets[step] for step in steps]
        for outcome, step in zip(part, steps, strict=True):
            same_beliefs(outcome.beliefs, beliefs[step], 0.0, name)


@kinds
def test_a_part_is_its_own_rows(kind):
    one = fold(kind)
    for k, rows in enumerate(one.parts.rows):
        assert not set(rows) & {*one.tests[k], *one.tests[0]}
        assert set(rows) | set(one.tests[k]) == set(one.parts.rows[0]) | set(one.tests[k])
        for part in (one.part(k), one.code_part(k)) if one.design.raw is not None else (
            one.part(k),
        ):  # fmt: skip
            assert part.y.tolist() == one.y[rows].tolist()
            assert len(part.X) == len(part.covariates) == len(rows)
        X = one.design.X[rows]
        filled = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)
        np.testing.assert_allclose(one.part(k).X, filled)
        test = one.design.X[one.tests[k]]
        expected = np.where(np.isnan(test), np.nanmedian(X, axis=0), test)
        np.testing.assert_allclose(one.others(k)[0], expected)
