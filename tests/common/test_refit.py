"""Every method: what is refitted and read back is what was judged, and knows no test row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.folds import KINDS, fold, methods, results, same_beliefs
from common.studies import offered
from tamis._core.rows import selecting_row
from tamis.kernels.medians import impute
from tamis.model.file import revived_predictor
from tamis.model.model import Named
from tamis.selection._parts import TrainingParts
from tamis.study.protocol.methods import method_of

every = pytest.mark.parametrize("name", methods())
kinds = pytest.mark.parametrize("kind", KINDS)


def refitted(one, plan, candidate, features):
    """The predictor of a candidate, and the matrix of the test rows as it wants them."""
    found = method_of(plan).refit(one, candidate, features)
    design, test = one.design, one.tests[0]
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
    role = "method" if row.role == "method" else "classify"
    for at in {0, len(candidates) - 1}:
        candidate = candidates[at]
        predictor, X = refitted(one, plan, candidate, outcomes[0][at].features)
        arrays = predictor.to_arrays()
        assert all(isinstance(a, np.ndarray) for a in arrays.values())
        kept = {k: v for k, v in candidate.parameters.items()
                if role == "classify" or k in row.parameters}  # fmt: skip
        stored = {k: np.ascontiguousarray(a, dtype=np.float64) for k, a in arrays.items()}
        named = Named(role, candidate.classify, kept)
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


@kinds
@every
def test_nothing_is_learnt_from_test_rows(kind, name):
    """Wild values and other labels in the rows of the outer test part, and in those alone."""
    plan, one = methods()[name], fold(kind)
    design, test = one.design, one.tests[0]
    rng = np.random.default_rng(1)
    wild = {"X": design.X.copy(), "Z": design.Z.copy()}
    for X in wild.values():
        X[test] = rng.normal(1e5, 1e5, size=(len(test), X.shape[1]))
    if design.raw is not None:
        wild["raw"] = design.raw.copy()
        wild["raw"][test] = wild["raw"][test][::-1]
    y = one.y.copy()
    y[test] = (y[test] + 1) % one.n_classes
    other = replace(design, **wild)
    if design.order is not None:
        from tamis.kernels.wasserstein import sort_columns

        filled = other.X.copy()
        filled[:, other.incomplete] = 0.0
        other = replace(other, order=sort_columns(filled))
    parts = TrainingParts(other.X, y, one.parts.rows, other.incomplete, other.order)
    parts.units[:] = one.parts.units  # of the table, which no study learns from labels
    candidates, outcomes = results(kind, name)
    again, twins = offered(replace(one, design=other, y=y, parts=parts), plan)
    assert again == candidates
    for part, twin in zip(outcomes, twins, strict=True):
        for a, b in zip(part, twin, strict=True):
            assert a.features.tolist() == b.features.tolist(), name
    for part, twin in zip(outcomes[1:], twins[1:], strict=True):  # these predict training rows
        for a, b in zip(part, twin, strict=True):
            same_beliefs(a.beliefs, b.beliefs, 1e-9, name)
