"""Text and pandas categoricals in data frames, for every estimator with `categorical_features`."""

from __future__ import annotations

import inspect

import numpy as np
import pandas as pd
import pytest

import tamis.classifiers
import tamis.data
import tamis.selection
from tamis._core.errors import DataError, TamisError
from tamis.classifiers import AODEClassifier, C45Classifier
from tamis.data.categories import code_text, read_text
from tamis.selection import MonteCarloSelector

QUICK = {"s": 60, "t": 1, "size": 3, "meetings": 10, "random_state": 0}
ROOMS = (tamis.data, tamis.classifiers, tamis.selection)
KINDS = [
    kind
    for room in ROOMS
    for kind in (getattr(room, name) for name in room.__all__)
    if inspect.isclass(kind)
    and hasattr(kind, "fit")
    and "categorical_features" in inspect.signature(kind).parameters
]
DISCRETIZERS = [kind for kind in KINDS if kind.__module__.startswith("tamis.data")]
every = pytest.mark.parametrize("kind", KINDS)
every_discretizer = pytest.mark.parametrize("kind", DISCRETIZERS)
DTYPES = ["category", "object", "string"]
WORDS = ["red", "amber", "green"]


def make(kind, given):
    quick = dict(QUICK) if kind is MonteCarloSelector else {}
    names = inspect.signature(kind).parameters
    quick |= {k: v for k, v in {"n_trees": 20, "max_rounds": 30}.items() if k in names}
    if "random_state" in names:
        quick.setdefault("random_state", 0)
    return kind(categorical_features=given, **quick)


def frame(dtype, n=60, seed=0):
    """Two columns of numbers, one of text, one of pandas' numbered categories; gaps in all."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    light = np.array(WORDS, dtype=object)[np.where(rng.random(n) < 0.8, y, 2)]
    light[3] = None
    X = pd.DataFrame(rng.normal(size=(n, 2)) + y[:, None], columns=["a", "b"])
    X.insert(1, "light", pd.Series(light).astype(dtype))
    X["grade"] = pd.Categorical(pd.Series(rng.integers(2, 5, n)).where(np.arange(n) != 5))
    X.loc[7, "a"] = np.nan
    return X, np.array(["u", "v"])[y]


def by_hand(X, words):
    """The same in numbers."""
    codes = [words.index(v) if isinstance(v, str) and v in words else np.nan for v in X["light"]]
    grade = [np.nan if pd.isna(v) else float(v) for v in X["grade"]]
    return np.column_stack([X["a"], codes, X["b"], grade]).astype(float)


def what_is_learnt(fitted, X):
    if isinstance(fitted, MonteCarloSelector):
        return fitted.scores_
    if hasattr(fitted, "predict_proba"):
        return fitted.predict_proba(X)
    return fitted.transform(X)


def test_all_kinds_are_here():
    assert len(DISCRETIZERS) == 6
    assert {C45Classifier, MonteCarloSelector} < set(KINDS)


@pytest.mark.longer
@every
@pytest.mark.parametrize("dtype", DTYPES)
def test_text_is_what_its_codes_are(kind, dtype):
    """By type, by name, by number and by mask; declared or found."""
    X, y = frame(dtype)
    words = sorted(WORDS)
    numbers = by_hand(X, words)
    expected = what_is_learnt(make(kind, [1, 3]).fit(numbers, y), numbers)
    for given in ("from_dtype", ["light", "grade"], [1, -1], [False, True, False, True]):
        fitted = make(kind, given).fit(X, y)
        assert fitted.is_categorical_.tolist() == [False, True, False, True]
        assert fitted.categories_[1].tolist() == words
        assert fitted.feature_names_in_.tolist() == list(X.columns)
        np.testing.assert_allclose(what_is_learnt(fitted, X), expected, rtol=1e-12)


@every
def test_without_being_named_text_is_refused_in_one_line(kind):
    X, y = frame("object")
    for given in (None, ["grade"]):
        with pytest.raises(DataError, match="column 'light' holds values that are not num") as told:
            make(kind, given).fit(X, y)
        assert "\n" not in str(told.value)
    X["light"] = [1, "x"] * 30
    with pytest.raises(DataError, match="column 'light' mixes kinds of categories"):
        make(kind, "from_dtype").fit(X, y)
    for given, words in (("from_dtype", "needs a data frame"), (["light"], "has no names")):
        with pytest.raises(TamisError, match=words):
            make(kind, given).fit(np.ones((60, 4)), y)


@every
def test_from_dtype_leaves_frames_of_numbers_alone(kind):
    X, y = frame("object")
    X = X[["a", "b"]].assign(flag=np.arange(60) % 3 == 0, whole=np.arange(60) % 5)
    named, plain = make(kind, "from_dtype").fit(X, y), make(kind, None).fit(X, y)
    assert not named.is_categorical_.any()
    np.testing.assert_array_equal(what_is_learnt(named, X), what_is_learnt(plain, X))


@every_discretizer
def test_codes_of_text_come_out_and_go_back(kind):
    X, y = frame("object")
    fitted = kind(categorical_features="from_dtype").fit(X, y)
    new = X.copy()
    new.loc[0, "light"] = "blue"
    new.loc[1, "grade"] = np.nan
    codes = fitted.transform(new)
    np.testing.assert_array_equal(codes[:, [1, 3]], by_hand(new, sorted(WORDS))[:, [1, 3]])
    assert np.isnan(codes[0, 1])
    out = kind(categorical_features="from_dtype").set_output(transform="pandas").fit(X, y)
    assert list(out.transform(new).columns) == list(X.columns)
    back = fitted.inverse_transform(pd.DataFrame(codes, columns=X.columns))
    known = [isinstance(v, str) and v != "blue" for v in new["light"]]
    assert back[known, 1].tolist() == new["light"][known].tolist()
    with pytest.raises(DataError, match="column 1 holds 3: give the codes of transform, 0 to 2"):
        fitted.inverse_transform(pd.DataFrame([[0.0, 3.0, 0.0, 0.0]], columns=X.columns))
    with (
        pytest.warns(UserWarning, match="valid feature names"),
        pytest.raises(DataError, match="has the categories 'amber', 'green', 'red'"),
    ):
        fitted.transform(codes)
    with pytest.raises(TamisError, match="'light' is categorical"):
        fitted.inverse_labels("light")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind is not AODEClassifier])
def test_a_category_of_new_rows_alone_moves_nothing(kind):
    """Cuts, rankings and trees are of the rows they were given, whatever pandas declares of text
    columns; a declared category of no row leaves the ranking and the cuts as they are. Estimates
    of AODE count declared categories, by definition."""
    X, y = frame("category")
    wider = X.assign(light=X["light"].cat.add_categories("blue"))
    one, other = (make(kind, "from_dtype").fit(table, y) for table in (X, wider))
    np.testing.assert_allclose(what_is_learnt(one, X), what_is_learnt(other, X), rtol=1e-12)


def test_selected_columns_of_a_frame_are_those_of_the_frame():
    X, y = frame("object")
    fitted = make(MonteCarloSelector, "from_dtype").set_output(transform="pandas").fit(X, y)
    kept = list(X.columns[fitted.get_support()])
    pd.testing.assert_frame_equal(fitted.transform(X), X[kept])
    assert "light" in kept
    plain = make(MonteCarloSelector, "from_dtype").fit(X, y)
    assert plain.transform(X)[0, kept.index("light")] == X["light"][0]


def test_rules_on_text_say_the_words():
    X, y = frame("object", n=200)
    fitted = make(MonteCarloSelector, "from_dtype").fit(X, y)
    found = [c for rule in fitted.rules_.rule_list for c in rule.conditions if c[0] == "light"]
    found += [c for rule in fitted.rules_.rules for c in rule.conditions if c[0] == "light"]
    assert found
    assert {value for _, _, value in found} <= set(WORDS)


def test_other_columns_of_numbers_stay_what_they_are():
    X, _ = frame("object")
    coded, mask, categories = read_text(X, "from_dtype")
    assert mask.tolist() == [False, True, False, True]
    assert [known is None for known in categories] == [True, False, True, True]
    assert coded["b"].equals(X["b"])
    assert coded["grade"].isna().sum() == 1
    numbers = X[["a", "b"]]
    assert read_text(numbers, "from_dtype")[0] is numbers
    again = code_text(X.assign(light="violet"), categories)
    assert again["light"].isna().all()
    empty = X.assign(light=pd.Series([None] * len(X), dtype=object))
    assert read_text(empty, "from_dtype")[0]["light"].isna().all()
