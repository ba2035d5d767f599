"""The nested protocol: nothing is learnt from held-out rows, and nobody shifts anybody."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.null_methods import PRICED, QUICK_PARAMETERS, every_method
from common.studies import QUICK, inner_of, make_data, offered, run_in_memory
from tamis.classifiers.decisions.arg_max import ArgMax, likeliest_class
from tamis.study.protocol import nested_cv
from tamis.study.protocol.candidates import ranker_key
from tamis.study.protocol.cellfile import decode_cell
from tamis.study.protocol.methods import method_of
from tamis.study.protocol.nested_cv import Task, fold_of
from tamis.study.protocol.tuning import best_index, cross_fitted, inner_scores
from tamis.study.results.candidates import tuned_candidates
from tamis.study.run import prepare_study

PLAN = {
    **PRICED,
    "outer": {"folds": 4},
    "inner": {"folds": 2, "repeats": 1},
    "permutations": 0,
    "final": False,
    "method": every_method(),
}


def task(design, plan, fold=1):
    rankers = dict.fromkeys(ranker_key(m) for m in plan.method)
    return Task(0, 0, fold, tuple(rankers))


@pytest.mark.full
@pytest.mark.longer
@pytest.mark.parametrize("missing", [False, True])
def test_held_out_rows_change_nothing_that_is_learnt(missing):
    """Wild values in the test rows: the same rankings, the same inner scores, to the bit."""
    data = make_data(seed=3, n=36, p=40)
    if missing:
        X = data.X.copy()
        X[np.random.default_rng(0).random(X.shape) < 0.03] = np.nan
        data = replace(data, X=X)
    plan, design, _ = prepare_study(data, PLAN)
    test = nested_cv.splits_of(design, plan, 0, 0)[1][0]
    wild = data.X.copy()
    wild[test] = np.random.default_rng(1).normal(1e6, 1e6, size=(len(test), 40))
    _, other, _ = prepare_study(replace(data, X=wild), PLAN)
    other = replace(other, incomplete=design.incomplete)
    ours = nested_cv.run_nested_fold(design, plan, task(design, plan))
    theirs = nested_cv.run_nested_fold(other, plan, task(other, plan))
    for key in ours:
        cell, twin = decode_cell(ours[key]), decode_cell(theirs[key])
        inner = {name for name in cell.lists if name.startswith("inner_")}
        assert "inner_proba" in inner
        assert cell.columns.keys() == twin.columns.keys()
        assert cell.lists.keys() == twin.lists.keys()
        np.testing.assert_array_equal(cell.columns["size"], twin.columns["size"], err_msg=key)
        for name in ("features", *inner):
            for x, y in zip(cell.lists[name], twin.lists[name], strict=True):
                np.testing.assert_array_equal(x, y, err_msg=f"{key} {name}")
        for method in plan.method:
            if ranker_key(method) == key:
                one, two = (
                    tuned_candidates(plan, method, c, design.labels.y, design.costs)
                    for c in (cell, twin)
                )
                np.testing.assert_array_equal(one.tune, two.tune, err_msg=method.name)
                np.testing.assert_array_equal(one.inner, two.inner, err_msg=method.name)


@pytest.mark.parametrize("far", [1e300, 1e70, 1e-300])
def test_units_are_those_of_the_training_part(far):
    """Held-out values so far off that a table with them has other units: the same to the bit.

    Of the outer part, and of the inner part that does not have the rows either.
    """
    one = ["fold_change", "mtd", "hsic_gaussian", "svm_rfe", "chi2", "trend"]
    methods = [{"select": s, "sizes": [3], "classify": "naive_bayes"} for s in one]
    methods += [{"select": "pam", "parameters": {"n_thresholds": 4}}, {"select": "elastic_net"}]
    methods += [{"select": "irf", "parameters": QUICK_PARAMETERS["irf"]}]
    novel = {"name": "with_novelty", "of": "logistic"}
    methods += [{"select": "welch_t", "sizes": [3], "classify": novel}]
    made = make_data(seed=3, n=36, p=12)
    X = np.where(np.arange(12) == 11, np.arange(36)[:, None] // 3 % 3, made.X)
    data = replace(made, X=X, levels={11: ("u", "v", "w")}, covariates=(10,))
    plan, design, _ = prepare_study(data, {**PLAN, "method": methods})
    outer, inner = nested_cv.splits_of(design, plan, 0, 0)[1]
    ours = nested_cv.run_nested_fold(design, plan, task(design, plan))
    for rows in (outer, inner[0][::2]):
        wild = data.X.copy()
        wild[np.ix_(rows, [0, 1, 2, 3, 10])] *= far  # of fewer than half of the columns
        other = prepare_study(replace(data, X=wild), {**PLAN, "method": methods})[1]
        theirs = nested_cv.run_nested_fold(other, plan, task(other, plan))
        for key in ours:
            cell, twin = decode_cell(ours[key]), decode_cell(theirs[key])
            if rows is not outer and key.startswith(("pam", "elastic_net", "irf")):
                continue  # their candidates are those of the outer part, which has the rows
            for row in range(len(cell.columns["method"])):
                a, b = cell.inner(row), twin.inner(row)
                there = np.ones(len(a.samples), dtype=bool)
                if rows is outer:
                    np.testing.assert_array_equal(cell.features(row), twin.features(row), key)
                else:
                    there = np.arange(len(there)) < len(inner[0])
                    there &= ~np.isin(a.samples, rows)
                np.testing.assert_array_equal(a.proba[there], b.proba[there], err_msg=key)
                found = twin.beliefs(row)
                assert np.isfinite(found.proba).all(), key
                assert found.novelty is None or np.isfinite(found.novelty).all()


@pytest.mark.longer
def test_test_labels_are_never_read():
    """Flipping the classes of held-out rows (splits kept) changes no prediction of them."""
    data = make_data(seed=4, n=36, p=40)
    plan, design, _ = prepare_study(data, PLAN)
    fold = fold_of(design, plan, task(design, plan))
    flipped = design.labels.y.copy()
    flipped[fold.tests[0]] = 1 - flipped[fold.tests[0]]
    other = replace(fold, y=flipped, parts=type(fold.parts)(design.X, flipped, fold.parts.rows))
    for method in plan.method:
        a = offered(fold, method)[1][0]
        b = offered(other, method)[1][0]
        for x, y in zip(a, b, strict=True):
            np.testing.assert_array_equal(x.beliefs.proba, y.beliefs.proba, err_msg=method.name)
            np.testing.assert_array_equal(x.features, y.features, err_msg=method.name)


@pytest.mark.longer
def test_predicting_rows_one_at_a_time_equals_predicting_them_together():
    data = make_data(seed=5, n=36, p=40)
    plan, design, _ = prepare_study(data, PLAN)
    fold = fold_of(design, plan, task(design, plan))
    for method in plan.method:
        engine = method_of(method)
        shared = engine.shared(fold, [method])
        together = engine.outcomes(fold, shared)[1][0]
        for position, row in enumerate(fold.tests[0][:4]):
            single = replace(fold, tests=[np.array([row]), *fold.tests[1:]])
            alone = engine.outcomes(single, shared)[1][0]
            for a, b in zip(together, alone, strict=True):
                np.testing.assert_allclose(
                    a.beliefs.proba[position],
                    b.beliefs.proba[0],
                    rtol=1e-9,
                    atol=1e-12,
                    err_msg=method.name,
                )
                assert likeliest_class(a.beliefs)[position] == likeliest_class(b.beliefs)[0]


def test_adding_a_method_changes_no_other_methods_numbers():
    data = make_data(seed=6)
    few = {**QUICK, "method": QUICK["method"][:1]}
    more = {
        **QUICK,
        "method": [
            {"select": "mutual_information", "sizes": [3]},
            {
                "name": "second",
                "select": "moderated_t",
                "sizes": [7],
                "classify": "forest",
                "grid": {"n_estimators": [3]},
            },
            *QUICK["method"],
        ],
    }
    _, _, _, _, a = run_in_memory(data, few)
    _, _, _, _, b = run_in_memory(data, more)
    for x, y in zip(a.methods["moderated_t"], b.methods["moderated_t"], strict=True):
        assert (x.size, x.inner, x.settings) == (y.size, y.inner, y.settings)
        np.testing.assert_array_equal(x.features, y.features)
        np.testing.assert_array_equal(x.proba, y.proba)


def test_the_protocol_equals_one_written_out_with_scikit_learn():
    """Outer and inner loops, ranking in every part, LDA on the top k: from scratch."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.metrics import balanced_accuracy_score

    from tamis.selection import moderated_t

    data = make_data(seed=7, n=44, p=50, informative=2, shift=0.8)
    sizes = [1, 2, 3, 5, 8]
    plan = {
        "recalibrate": False,
        "outer": {"folds": 5},
        "inner": {"folds": 3, "repeats": 1},
        "permutations": 0,
        "final": False,
        "tune": "bcr",
        "decide": "arg_max",
        "method": [
            {"name": "moderated_t", "select": "moderated_t", "sizes": sizes, "classify": "lda"}
        ],
    }
    plan, tasks, design, _, found = run_in_memory(data, plan)
    y = design.labels.y

    def top(rows, k):
        scores = np.abs(moderated_t(data.X[rows], y[rows])[0])
        return np.argsort(-scores, kind="stable")[:k]

    for t, choice in zip(tasks, found.methods["moderated_t"], strict=True):
        fold = fold_of(design, plan, t)
        scores = []
        for k in sizes:
            values = []
            for rows, test in zip(fold.parts.rows[1:], fold.tests[1:], strict=True):
                columns = top(rows, k)
                lda = LinearDiscriminantAnalysis().fit(data.X[np.ix_(rows, columns)], y[rows])
                guess = lda.predict(data.X[np.ix_(test, columns)])
                values.append(balanced_accuracy_score(y[test], guess))
            scores.append(np.mean(values))
        size = sizes[int(np.round(scores, 12).argmax())]
        rows, test = fold.parts.rows[0], fold.tests[0]
        columns = top(rows, size)
        lda = LinearDiscriminantAnalysis().fit(data.X[np.ix_(rows, columns)], y[rows])
        assert choice.size == size
        assert choice.features.tolist() == columns.tolist()
        np.testing.assert_allclose(
            choice.proba, lda.predict_proba(data.X[np.ix_(test, columns)]), atol=1e-8
        )


def test_the_default_procedure_equals_one_written_out_with_scikit_learn():
    """Ridge logistic regression on the top k, k by the balanced logarithmic score of the inner
    folds, labels of the largest p / share: classes of unequal size, from scratch."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from tamis.data import Dataset
    from tamis.selection import moderated_t

    rng = np.random.default_rng(11)
    y = np.repeat([0, 1], [36, 18])
    X = rng.normal(size=(54, 70)) + (y == 1)[:, None] * (np.arange(70) < 4)
    data = Dataset(X, np.array(["a", "b"])[y], tuple(f"g{j}" for j in range(70)))
    plan = {
        "recalibrate": False,
        "outer": {"folds": 3},
        "inner": {"folds": 3, "repeats": 2},
        "permutations": 0,
        "final": False,
    }
    plan, tasks, design, _, found = run_in_memory(data, plan)
    y = design.labels.y
    assert len(np.unique([c.size for c in found.headline])) > 1

    def fitted(rows, test, k):
        scores = np.abs(moderated_t(X[rows], y[rows])[0])
        columns = np.argsort(-scores, kind="stable")[:k]
        model = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, tol=1e-10, max_iter=9999))
        proba = model.fit(X[np.ix_(rows, columns)], y[rows]).predict_proba(X[np.ix_(test, columns)])
        return proba, proba / (np.bincount(y[rows]) / len(rows))

    for t, choice in zip(tasks, found.headline, strict=True):
        fold = fold_of(design, plan, t)
        scores = []
        for k in (5, 10, 20, 50):
            logs, truth = [], []
            for rows, test in zip(fold.parts.rows[1:], fold.tests[1:], strict=True):
                ratios = fitted(rows, test, k)[1]
                own = ratios[np.arange(len(test)), y[test]] / ratios.sum(axis=1)
                logs.append(np.log(np.maximum(own, 0.01)))
                truth.append(y[test])
            logs, truth = np.concatenate(logs), np.concatenate(truth)
            scores.append(np.mean([logs[truth == c].mean() for c in (0, 1)]))
        size = (5, 10, 20, 50)[int(np.argmax(scores))]
        proba, ratios = fitted(fold.parts.rows[0], fold.tests[0], size)
        assert choice.size == size
        np.testing.assert_allclose(choice.proba, proba, atol=1e-6)
        assert choice.codes.tolist() == ratios.argmax(axis=1).tolist()


def test_ties_go_to_the_earlier_candidate_and_nan_comes_last():
    assert best_index([np.nan, 0.5, 0.5 + 1e-14, 0.4]) == 1
    assert best_index([np.nan, np.nan]) == 0


def test_inner_scores_pool_where_a_fold_lacks_a_class():
    """With single-row inner folds the balanced accuracy is that of the pooled predictions."""
    data = make_data(seed=8, n=18, p=20)
    raw = {
        "outer": {"folds": 3},
        "inner": {"kind": "leave-one-out"},
        "permutations": 0,
        "method": [{"select": "pearson", "sizes": [2], "classify": "lda"}],
    }
    plan, design, _ = prepare_study(data, raw)
    fold = fold_of(design, plan, Task(0, 0, 0, ("pearson",)))
    _, outcomes = offered(fold, plan.method[0])
    (score,) = inner_scores("bcr", cross_fitted(ArgMax(), inner_of(fold, outcomes)))
    y = np.concatenate([fold.y[test] for test in fold.tests[1:]])
    guess = np.concatenate([part[0].beliefs.proba.argmax(axis=1) for part in outcomes[1:]])
    expected = np.mean([np.mean(guess[y == c] == c) for c in (0, 1)])
    assert score == pytest.approx(expected)


@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        ({"kind": "holdout", "repeats": 3}, {"folds": 3}),
        ({"folds": 3, "repeats": 2}, {"folds": 3, "repeats": 2}),
        ({"kind": "leave-one-out"}, {"folds": 2}),
        ({"kind": "predefined"}, {"kind": "predefined"}),
        ({"folds": 3}, {"kind": "holdout"}),
        ({"folds": 3}, {"kind": "leave-one-out"}),
    ],
)
@pytest.mark.parametrize("grouped", [False, True])
def test_every_kind_of_split_runs_and_covers_its_rows(tmp_path, outer, inner, grouped):
    from tamis.study import run_study

    groups = np.array([f"p{k // 2}" for k in range(24)]) if grouped else None
    y_names = np.array(["a", "a", "b", "b"] * 6)
    made = make_data(seed=9, n=24, p=20)
    data = replace(
        made,
        y=y_names,
        groups=groups,
        split=np.array(["u", "v", "w"] * 8)
        if not grouped
        else np.array([f"s{(k // 4) % 3}" for k in range(24)]),
    )
    plan = {
        "outer": outer,
        "inner": inner,
        "permutations": 1,
        "method": [{"select": "pearson", "sizes": [2]}],
    }
    result = run_study(data, plan, tmp_path / "s").to_dict()
    assert 0 <= result["metrics"]["bcr"]["mean"] <= 1
    assert result["permutation"]["n"] == 1
