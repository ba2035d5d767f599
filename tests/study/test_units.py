"""A study does not depend on the units of its table, as far from 1 as they may be."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

from common.null_methods import PRICED, every_method
from common.studies import make_data, run_in_memory
from tamis._core.interfaces import Classifier, Part
from tamis._core.registry import find_row, row_names
from tamis._core.rows import ClassifierRow
from tamis.classifiers.base.by_size import beliefs_by_size
from tamis.classifiers.base.scaling import fit_in_units
from tamis.classifiers.classifier_labels import build_classifier
from tamis.classifiers.iterative_forest import IterativeForestMethod
from tamis.model.file import load_model
from tamis.study import run_study
from tamis.study.protocol.cellfile import decode_cell

pytestmark = pytest.mark.longer

PLAN = {**PRICED, "outer": {"folds": 3}, "inner": {"folds": 3, "repeats": 1}, "permutations": 0}
SOLVED = 1e-6  # to which support vector machines are, from other roundings in each unit
UNITS = [2.0**-660, 1e-200, 1e200]


def found_by(data, methods):
    """Features and probabilities of every candidate on every fold, by method."""
    *_, files, _ = run_in_memory(data, {**PLAN, "method": methods})
    found = {}
    for path in sorted(files):
        cell = decode_cell(files[path])
        for row, method in enumerate(cell.columns["method"]):
            proba = cell.beliefs(row).proba if len(cell.test) else np.zeros(0)  # the final fit
            found[path, method, row] = cell.features(row).tolist(), proba
    return found


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_every_method_finds_the_same_in_other_units():
    data, methods = make_data(n=36, p=12), every_method(own=False)
    expected = found_by(data, methods)
    for unit in UNITS:
        found = found_by(replace(data, X=data.X * unit), methods)
        assert found.keys() == expected.keys()
        for key, (features, proba) in found.items():
            assert features == expected[key][0], (unit, key)
            near = SOLVED if "svm" in key[1] else 1e-9
            np.testing.assert_allclose(proba, expected[key][1], atol=near, err_msg=str(key))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("select", ["welch_t", "pam"])
def test_results_and_model_are_in_the_units_of_the_table(tmp_path, select):
    data = make_data(n=36, p=12)
    method = (
        {"select": select}
        if select == "pam"
        else {"select": select, "sizes": [2, 3], "classify": ["lda", "knn", "tree", "naive_bayes"]}
    )
    plan = {**PLAN, "method": [method]}
    expected = run_study(data, plan, tmp_path / "one").to_dict()
    proba = load_model(tmp_path / "one" / "model.npz").predict_proba(data)
    for unit in UNITS:
        other = replace(data, X=data.X * unit)
        folder = tmp_path / f"{unit:.0e}"
        found = run_study(other, plan, folder).to_dict()
        assert found["final"]["features"] == expected["final"]["features"]
        assert found["final"]["classify"] == expected["final"]["classify"]
        assert found["metrics"]["bcr"] == expected["metrics"]["bcr"]
        again = load_model(folder / "model.npz").predict_proba(other)
        np.testing.assert_allclose(again, proba, atol=1e-9)
        for one, two in zip(found["features"], expected["features"], strict=True):
            assert one["group"] == two["group"]
            score = one["scores"]["fold_change"]["score"] / unit
            assert score == pytest.approx(two["scores"]["fold_change"]["score"])


@pytest.mark.parametrize("unit", [2.0**-30, 2.0**-90, 2.0**40])
def test_forests_of_interactions_do_not_see_the_unit_of_some_columns(unit):
    """Of a table whose other columns are ordinary, so that it stays in its units."""
    rng = np.random.default_rng(5)
    X, more = rng.normal(size=(60, 8)), rng.normal(size=(20, 8))
    y = ((X[:, 0] > 0) & (X[:, 1] > -0.5)).astype(int)
    units = np.where(np.arange(8) < 3, unit, 1.0)
    classifier = IterativeForestMethod(2, n_estimators=20, n_trees=50, n_bootstraps=2)
    one, two = (
        classifier.follow(Part.of(table, y), None, np.random.SeedSequence(1))
        for table in (X, X * units)
    )
    assert {0, 1} <= set(one.columns[-1].tolist())
    np.testing.assert_array_equal(one.columns[-1], two.columns[-1])
    none = np.zeros((20, 0))
    for a, b in zip(one.beliefs(more, none), two.beliefs(more * units, none), strict=True):
        np.testing.assert_array_equal(a.proba, b.proba)
    every = np.arange(8)
    a, b = (path.predictor(len(path.columns) - 1, every) for path in (one, two))
    np.testing.assert_array_equal(a.beliefs(more).proba, b.beliefs(more * units).proba)


def small_classifier(name):
    """With few members, around another if it has to be."""
    row = find_row(name, ClassifierRow)
    parameters = {"n_estimators": 10} if "n_estimators" in row.parameters else {}
    label = (
        f"{name}({'logistic' if row.takes.sets_sample_weight else 'lda'})"
        if row.takes.is_meta_estimator
        else name
    )
    return build_classifier(label, parameters)


# naive Bayes widens each column by a share of the largest variance: there units matter
@pytest.mark.parametrize("name", [n for n in row_names(ClassifierRow) if n != "naive_bayes"])
def test_classifiers_do_not_see_the_unit_of_one_column(name):
    rng = np.random.default_rng(4)
    y = np.arange(40) % 2
    X = rng.normal(size=(60, 5)) + 3
    X[:40] += y[:, None]
    classifier = small_classifier(name)
    sizes = [1, 3, 5]

    def proba(X):
        train, test = X[:40], X[40:]
        fitted = [fit_in_units(classifier, train[:, :k], y, 2, seed=0) for k in sizes]
        found = [one.beliefs(test[:, :k]).proba for one, k in zip(fitted, sizes, strict=True)]
        if find_row(name, ClassifierRow).load().beliefs_by_size is not Classifier.beliefs_by_size:
            at_once = beliefs_by_size(classifier, train, y, 2, test, sizes, 0)
            found += [one.proba for one in at_once]
        return np.array(found)

    expected = proba(X)
    units = np.array([1e-200, 1.0, 2.0**-40, 1e200, 1e-12])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        near = 1e-6 if name.startswith("svm") else 1e-9  # to which machines are solved
        np.testing.assert_allclose(proba(X * units), expected, rtol=near, atol=near)


# of splits that are equally good the first column's is taken; a forest draws columns by number
SPLITTING = {"tree", "c45", "c44", "adaboost", "forest"}


@pytest.mark.parametrize("name", [n for n in row_names(ClassifierRow) if n not in SPLITTING])
def test_classifiers_do_not_see_the_order_of_columns(name):
    rng = np.random.default_rng(5)
    y = np.arange(40) % 2
    X = rng.normal(size=(60, 5)) + 3
    X[:40] += y[:, None] * [1.5, 0.0, 1.0, 0.0, 0.5]
    classifier = small_classifier(name)

    def proba(X):
        return fit_in_units(classifier, X[:40], y, 2, seed=0).beliefs(X[40:]).proba

    order = [3, 0, 4, 1, 2]
    np.testing.assert_allclose(proba(X[:, order]), proba(X), rtol=1e-6, atol=1e-9)
