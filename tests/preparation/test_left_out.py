"""Components in a study: training rows have the scores that they would have had as new ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.folds import check_refitted, fold, methods
from tamis.preparation import PrincipalComponents
from tamis.study.plan import StepPlan
from tamis.study.protocol.nested_cv import Task, fold_of
from tamis.study.protocol.prepared import prepared_fold
from tamis.study.run import prepare_study

STEP = StepPlan.model_validate({"name": "pca", "n_components": 3, "left_out": True})
PLAIN = StepPlan.model_validate({"name": "pca", "n_components": 3})


def outer_fold(groups=None, n=60, p=200):
    """An outer fold of two classes of a wide table."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], n // 2)
    X = rng.normal(size=(n, p)) + 0.4 * y[:, None] * (np.arange(p) < p // 2)
    from tamis.data import as_dataset

    data = as_dataset(X, np.where(y, "case", "control"), group=groups)
    plan, design, _ = prepare_study(
        data,
        {
            "outer": {"folds": 3},
            "inner": {"folds": 2, "repeats": 1},
            "permutations": 0,
            "method": [{"select": "all", "prepare": [{"name": "pca"}]}],
        },
    )
    return fold_of(design, plan, Task(0, 0, 1, ()))


@pytest.mark.parametrize("size", [None, 3])
def test_each_row_is_on_the_components_of_the_others(size):
    groups = None if size is None else [f"g{i // size}" for i in range(60)]
    one = outer_fold(groups)
    prepared = zip(prepared_fold(one, [STEP]).views, one.parts.rows, one.tests, strict=True)
    for view, rows, held_out in prepared:
        X = one.design.matrix
        k = view.design.matrix.shape[1]
        whole = PrincipalComponents(k).fit(X[rows])
        names = rows if groups is None else rows // size
        for name in np.unique(names)[:5]:
            out = rows[names == name]
            rest = np.setdiff1d(rows, out)
            theirs = PrincipalComponents(k).fit(X[rest])
            left, _, right = np.linalg.svd(theirs.fitted_.loadings.T @ whole.fitted_.loadings)
            expected = theirs.transform(X[out]) @ left @ right
            got = view.design.matrix[view.train][names == name]
            np.testing.assert_allclose(got, expected, atol=1e-8)
        others = whole.transform(X[held_out])
        np.testing.assert_allclose(view.design.matrix[view.test], others, atol=1e-9)


def test_without_it_rows_are_on_their_own_components():
    one = outer_fold()
    view = prepared_fold(one, [PLAIN]).views[0]
    rows = one.parts.rows[0]
    expected = PrincipalComponents(3).fit_transform(one.design.matrix[rows])
    np.testing.assert_allclose(view.design.matrix[view.train], expected, atol=1e-12)
    wide = prepared_fold(one, [STEP]).views[0]
    assert wide.design.matrix[wide.train].std() < 0.8 * expected.std()


def test_held_out_rows_change_nothing_of_it():
    one = outer_fold()
    X = one.design.matrix.copy()
    X[one.tests[0]] = 9 * np.random.default_rng(1).normal(size=X[one.tests[0]].shape)
    other = replace(one, design=replace(one.design, X=X))
    ours, theirs = (prepared_fold(f, [STEP]).views[0] for f in (one, other))
    np.testing.assert_array_equal(
        ours.design.matrix[ours.train], theirs.design.matrix[theirs.train]
    )


@pytest.mark.parametrize("kind", ["plain", "mixed"])
@pytest.mark.parametrize("name", ["pearson", "all"])
def test_refitted_it_believes_what_it_was_judged_by(kind, name):
    plans = [plan for plan in methods().values() if plan.select == name]
    check_refitted(kind, [STEP], plans[0])
    assert len(prepared_fold(fold(kind), [STEP]).views[0].chain.links) == 1


@pytest.mark.parametrize(("columns", "drops"), [(8, False), (80, True)])
def test_the_transformer_leaves_no_row_out_but_drops_noise_of_a_wide_table(columns, drops):
    rng = np.random.default_rng(2)
    signal = rng.normal(size=(20, 2)) @ rng.normal(size=(2, columns)) * 5
    X = signal + rng.normal(size=(20, columns))
    plain, left_out = PrincipalComponents(6), PrincipalComponents(6, left_out=True)
    found = left_out.fit_transform(X)
    kept = found.shape[1]
    assert 2 <= kept < 6 if drops else kept == 6
    np.testing.assert_allclose(found, plain.fit_transform(X)[:, :kept], rtol=0, atol=1e-11)
    np.testing.assert_array_equal(found, left_out.fit(X).transform(X))


@pytest.mark.parametrize("scale", [False, True])
def test_units_do_not_matter(scale):
    X = np.random.default_rng(3).normal(size=(25, 40))
    y, groups = np.zeros(25, dtype=np.int64), np.arange(25) // 2
    made = PrincipalComponents(3, scale=scale, left_out=True)
    one, other = made.learn(X, y, groups), made.learn(X * 2.0**70, y, groups)
    factor = 1.0 if scale else 2.0**70
    np.testing.assert_allclose(other.training, one.training * factor, rtol=1e-9)
    assert one.training.std() < one.transform(X).std()
