"""Columns as categories: scikit-learn's OneHotEncoder, levels for tables as they are, and files."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from common.examples import settings
from common.folds import same_beliefs
from tamis._core.errors import ModelError, PlanError
from tamis._core.registry import find_row
from tamis._core.rows import ClassifierRow
from tamis.classifiers.as_categories import SeenValues
from tamis.classifiers.base.scaling import fit_in_units, from_arrays
from tamis.classifiers.classifier_labels import build_classifier, parts_of, takes_raw
from tamis.data.dataset import Dataset
from tamis.model.file import load_model
from tamis.study import run_study

RAW = ["tree", "c45", "aode", "bagging(c45)"]
GIVEN = {"aode": {"min_support": 5.0}, "bagging(c45)": {"n_estimators": 3}}


def genotypes(seed=0, n=120, C=2):
    """Copies of alleles, of which heterozygotes are ill; a value or two are rare."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % C
    X = rng.binomial(2, 0.4, (n, 4)).astype(float)
    X[:, 0] = np.where(rng.random(n) < 0.6, np.where(y == 1, 1, rng.choice([0, 2], n)), X[:, 0])
    X[:, 3] = rng.choice([-0.5, 0.25, 7.0], n)
    return X, y


def built(of, **given):
    return build_classifier(f"as_categories({of})", {**GIVEN.get(of, {}), **given})


def read_back(classifier, fitted, k, C):
    arrays = {name: np.ascontiguousarray(a, float) for name, a in fitted.to_arrays().items()}
    return from_arrays(classifier, arrays, k, C)


@pytest.mark.parametrize("C", [2, 3])
@pytest.mark.parametrize(
    ("of", "peer"),
    [
        ("naive_bayes", GaussianNB()),
        (
            "logistic",
            make_pipeline(
                StandardScaler(),
                LogisticRegression(C=0.1, solver="newton-cholesky", tol=1e-12),
            ),
        ),
    ],
)
def test_equals_the_one_hot_encoder_before_the_classifier(of, peer, C):
    """Values that training has not seen too."""
    (X, y), (new, _) = genotypes(C=C), genotypes(1, C=C)
    new[:5, 1], new[5, 3] = 3, 0.2500001
    ours = fit_in_units(built(of), X, y, C, 0)
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    expected = make_pipeline(encoder, peer).fit(X, y).predict_proba(new)
    np.testing.assert_allclose(ours.beliefs(new).proba, expected, rtol=0, atol=1e-10)
    by_hand = fit_in_units(build_classifier(of, {}), encoder.fit_transform(X), y, C, 0)
    same_beliefs(ours.beliefs(new), by_hand.beliefs(encoder.transform(new)), 1e-12)


def encoded(X, rows, most):
    """By hand: the columns of `spread`."""
    found = []
    for column, new in zip(X.T, rows.T, strict=True):
        values = sorted(set(column.tolist()))
        few = len(values) <= most
        found += [[float(v == value) for v in new] for value in values] if few else [new.tolist()]
    return np.array(found).T


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6))
def test_columns_of_more_values_stay_numbers(seed, most):
    rng = np.random.default_rng(seed)
    X, new = (rng.integers(0, rng.integers(1, 9, 5), (n, 5)) / 4 for n in (20, 7))
    seen = SeenValues.up_to(most, X, {})
    np.testing.assert_array_equal(seen.spread(new), encoded(X, new, most))
    assert seen.spread(new).shape == (7, seen.width)
    assert [n for n in seen.counts if n >= 0] == [
        len(set(x)) for x in X.T.tolist() if len(set(x)) <= most
    ]


def test_it_sees_what_the_number_of_copies_hides():
    X, y = genotypes(n=400)
    new, truth = genotypes(1, n=400)
    rates = [
        (fit_in_units(one, X, y, 2, 0).beliefs(new).proba.argmax(axis=1) == truth).mean()
        for one in (build_classifier("logistic", {}), built("logistic"))
    ]
    assert rates[0] < 0.6 < 0.7 < rates[1]


@pytest.mark.parametrize("of", RAW)
@pytest.mark.parametrize("C", [2, 3])
def test_of_tables_as_they_are_the_classifier_is_told_levels(of, C):
    """Codes in their place; a value not seen is missing, and a column with levels stays its own."""
    (X, y), (new, _) = genotypes(C=C), genotypes(1, C=C)
    X[::9, 1] = new[::7, 0] = np.nan
    new[3, 3], new[4, 1] = 0.3, -1
    numbers = np.random.default_rng(5).normal(size=(120, 1))
    X, new = np.hstack([X, numbers]), np.hstack([new, numbers])
    ours = fit_in_units(built(of), X, y, C, 3, {2: 40})
    codes, shown = X.copy(), new.copy()
    for table in (codes, shown):
        known = np.array([-0.5, 0.25, 7.0])
        table[:, 3] = [np.flatnonzero(known == v)[0] if v in known else np.nan for v in table[:, 3]]
        table[table[:, 1] == -1, 1] = np.nan
    levels = {0: 3, 1: 3, 2: 3, 3: 3}
    peer = fit_in_units(build_classifier(of, GIVEN.get(of, {})), codes, y, C, 3, levels)
    same_beliefs(ours.beliefs(new), peer.beliefs(shown), 1e-12)
    again = read_back(built(of), ours, 5, C)
    same_beliefs(again.beliefs(new), ours.beliefs(new))


@pytest.mark.parametrize("of", ["naive_bayes", "svm_linear", "knn", "lda", "bagging(naive_bayes)"])
def test_read_back_it_believes_the_same_row_by_row(of):
    (X, y), (new, _) = genotypes(), genotypes(1)
    new[2, 0] = 5
    fitted = fit_in_units(built(of), X, y, 2, 0)
    again = read_back(built(of), fitted, 4, 2)
    batch = fitted.beliefs(new)
    same_beliefs(again.beliefs(new), batch)
    for i in range(20):
        same_beliefs(again.beliefs(new[i : i + 1]), batch.take(np.array([i])), 1e-12)


@pytest.mark.parametrize("units", [2.0**-200, 2.0**300])
@pytest.mark.parametrize("of", ["naive_bayes", "logistic"])
def test_units_do_not_matter(of, units):
    (X, y), (new, _) = genotypes(), genotypes(1)
    ours = fit_in_units(built(of), X, y, 2, 0).beliefs(new)
    same_beliefs(fit_in_units(built(of), X * units, y, 2, 0).beliefs(new * units), ours, 1e-12)


@pytest.mark.parametrize("levels", [None, {}], ids=["filled", "as it is"])
def test_damaged_arrays_are_refused(levels):
    X, y = genotypes()
    classifier = built("tree")
    arrays = fit_in_units(classifier, X, y, 2, 0, levels).to_arrays()
    assert from_arrays(classifier, arrays, 4, 2) is not None
    codes, counts = arrays["levels.codes"], arrays["levels.counts"]
    wrong = [
        {"spread": np.array([0.5])},
        {"spread": np.array([2.0])},
        {"spread": np.array([1.0, 1.0])},
        {"levels.codes": codes[::-1].copy()},
        {"levels.codes": codes[:-1]},
        {"levels.codes": np.where(codes == 2, np.nan, codes)},
        {"levels.counts": counts + 1},
        {"levels.counts": counts[:-1]},
        {"levels.counts": counts - 0.5},
        {"of.feature": arrays["of.feature"] + 90},
    ]
    for change in wrong:
        with pytest.raises(ModelError):
            from_arrays(classifier, {**arrays, **change}, 4, 2)
    for name in arrays:
        if name.startswith(("levels", "spread", "of.feature")):
            with pytest.raises(ModelError):
                from_arrays(classifier, {k: a for k, a in arrays.items() if k != name}, 4, 2)


@pytest.mark.parametrize("of", ["naive_bayes", "tree"])
def test_weights_go_to_the_classifier_inside(of):
    """A row of weight 3 is a row given three times, as far as sums of classes go."""
    X, y = genotypes()
    weights = np.where(y == 1, 3.0, 1.0)
    rows = np.repeat(np.arange(len(y)), weights.astype(int))
    ours = fit_in_units(built(of), X, y, 2, 0, weights=weights).beliefs(X).proba
    copied = fit_in_units(built(of), X[rows], y[rows], 2, 0).beliefs(X).proba
    np.testing.assert_allclose(ours, copied, atol=1e-6)


def test_names_and_what_goes_together():
    assert takes_raw("as_categories(aode)")
    assert takes_raw("bagging(as_categories(tree))")
    assert not takes_raw("as_categories(lda)")
    parts_of("cost_weighted(as_categories(naive_bayes))")
    with pytest.raises(PlanError, match="'lda' takes no weights"):
        parts_of("cost_weighted(as_categories(lda))")
    with pytest.raises(PlanError, match="is one around another"):
        parts_of("as_categories")
    with pytest.raises(PlanError, match="most = 1"):
        find_row("as_categories", ClassifierRow).validated({"most": 1})


def test_in_a_plan_dosages_or_categories_are_a_choice(tmp_path):
    """Gaps are filled before; the model of the study predicts by categories."""
    X, y = genotypes(n=80)
    X[np.random.default_rng(2).random(X.shape) < 0.05] = np.nan
    data = Dataset(X, np.array(["well", "ill"])[y], tuple("abcd"), name="made")
    view = {"name": "as_categories", "of": "logistic", "grid": {"most": [2, 5]}}
    methods = [
        {"name": name, "select": "chi2", "sizes": [2, 4], "classify": classify}
        for name, classify in (("dosages", "logistic"), ("categories", view))
    ]
    plan = {"outer": {"folds": 4}, "inner": {"folds": 3, "repeats": 1}, "permutations": 0}
    rates = run_study(data, {**plan, "method": methods}, tmp_path / "s").frame()["bcr"]
    assert rates["categories"] > rates["dosages"] + 0.1
    model = load_model(tmp_path / "s" / "model.npz")
    assert model.made_by.name == "as_categories(logistic)"
    assert model.made_by.parameters == {"most": 5}
    proba = model.predict_proba(data)
    alone = replace(data, X=X[3:4], y=data.y[3:4])
    np.testing.assert_allclose(model.predict_proba(alone), proba[3:4], rtol=0, atol=1e-12)
