"""A user's own classes and objects in Python: copied, seeded, told apart, left as they are."""

from __future__ import annotations

import json
from functools import partial

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_selection import RFECV, SelectFromModel, SelectKBest
from sklearn.linear_model import Lasso, LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from common.studies import make_data
from tamis._core.errors import PlanError, StoreError
from tamis._core.own_code import OwnCodeError, own_given
from tamis._core.own_source import described_object, settings_digest, source_versions
from tamis.data.dataset import Dataset
from tamis.model.file import load_model
from tamis.selection import MonteCarloSelector, StabilitySelector
from tamis.study import Method, Plan, run_study
from tamis.study.protocol.cellfile import decode_cell

SHORT = {
    "outer": {"folds": 3},
    "inner": {"folds": 2, "repeats": 1},
    "permutations": 0,
    "describe": False,
}


class Seen(ClassifierMixin, BaseEstimator):
    """Remembers what it was given, in its class."""

    given: list = []

    def __init__(self, random_state=None, inner=None):
        self.random_state = random_state
        self.inner = inner

    def fit(self, X, y):
        seed = None if self.inner is None else self.inner.random_state
        self.given.append((self.random_state, seed, X.shape, np.unique(y).tolist()))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


MACHINE = LogisticRegression()


FROZEN: list = []


def frozen():
    return FROZEN[0]


def shared_machine():
    return MACHINE


def cells_of(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*.arrow")}


def test_every_random_state_is_seeded_and_nothing_is_changed(tmp_path):
    forest = RandomForestClassifier(3)
    one = Seen(inner=forest)
    Seen.given.clear()
    run_study(make_data(), SHORT, tmp_path / "s", methods=[Method(select="all", classify=one)])
    seeds = [s for s, *_ in Seen.given] + [s for _, s, *_ in Seen.given]
    assert None not in seeds
    assert len(set(seeds)) > 0.9 * len(seeds)  # the refit on all rows repeats one
    assert (one.random_state, one.inner is forest, forest.random_state) == (None, True, None)
    assert {tuple(classes) for *_, classes in Seen.given} == {(0, 1)}
    again = list(Seen.given)
    Seen.given.clear()
    run_study(make_data(), SHORT, tmp_path / "t", methods=[Method(select="all", classify=one)])
    assert Seen.given == again


@pytest.mark.parametrize(
    "given",
    [
        {"select": RFECV(LogisticRegression(), step=0.5, cv=StratifiedKFold(2, shuffle=True))},
        {"select": SelectFromModel(Lasso(0.05), threshold=1e-9)},
        {"select": StabilitySelector(RandomForestClassifier(5), n_pairs=2), "sizes": [2]},
        {"select": MonteCarloSelector(s=10, t=1), "sizes": [2]},
        {"select": SelectKBest, "sizes": [2, 4], "classify": [SVC(), "lda"]},
        {"select": "all", "classify": make_pipeline(StandardScaler(), SelectKBest(k=3), SVC())},
        {
            "select": "pearson",
            "sizes": [2],
            "classify": {
                "name": "bagging",
                "of": KNeighborsClassifier(3),
                "grid": {"n_estimators": [3]},
            },
        },
        {
            "select": "pearson",
            "classify": {"name": KNeighborsClassifier(), "grid": {"n_neighbors": [1, 5]}},
        },
    ],
    ids=["rfecv", "lasso", "stability", "mcfs", "class", "pipeline", "bagging", "grid"],
)
def test_objects_give_the_same_bytes_in_one_process_and_in_two(given, tmp_path):
    method = Method(**given)
    data = make_data(p=20, shift=2.0)
    found = run_study(data, SHORT, tmp_path / "one", methods=[method])
    run_study(data, SHORT, tmp_path / "two", methods=[Method(**given)], n_jobs=2)
    assert cells_of(tmp_path / "one") == cells_of(tmp_path / "two")
    assert found.metrics["bcr"]["mean"] > 0.7


def test_a_class_of_this_very_session_runs_in_workers(tmp_path):
    """One that no other process could import, as in a notebook."""
    code = """
class Local(Base):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.means_ = np.array([X[y == c].mean(axis=0) for c in self.classes_])
        return self
    def predict(self, X):
        return ((X[:, None] - self.means_) ** 2).sum(axis=2).argmin(axis=1)
"""
    scope = {"Base": BaseEstimator, "np": np, "__name__": "__main__"}
    exec(code, scope)
    method = {"select": "pearson", "sizes": [3], "classify": scope["Local"]()}
    data = make_data(shift=2.0)
    result = run_study(data, SHORT, tmp_path / "s", methods=[method], n_jobs=2)
    assert result.metrics["bcr"]["mean"] > 0.8
    run_study(data, SHORT, tmp_path / "t", methods=[method])
    assert cells_of(tmp_path / "s") == cells_of(tmp_path / "t")
    with pytest.raises(StoreError, match="cannot be read"):
        run_study(data, SHORT, tmp_path / "t", methods=[method], if_exists="resume")


def test_workers_follow_an_edit(tmp_path, monkeypatch):
    """They outlive a study, and have imported what was there before."""
    import importlib

    monkeypatch.syspath_prepend(str(tmp_path))
    text = """
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
class Always(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self
    def predict(self, X):
        return np.full(len(X), {})
"""
    for k in (0, 1):
        (tmp_path / "edited_code.py").write_text(text.format(k) + "#" * k)
        importlib.invalidate_caches()
        module = importlib.import_module("edited_code")
        if k:
            importlib.reload(module)
        for name, given in (("object", module.Always()), ("class", module.Always)):
            method = Method(select="all", classify=given)
            folder = tmp_path / f"{name}{k}"
            found = run_study(make_data(), SHORT, folder, methods=[method], n_jobs=2).to_dict()
            matrix = np.array(found["headline"]["confusion"])
            assert matrix[1 - k].sum() == 0, (k, name)


@pytest.mark.quick
def test_objects_are_told_apart_by_their_settings(tmp_path):
    data = make_data(p=12)
    one, two = (Method(select="pearson", sizes=[2], classify=SVC(C=c)) for c in (1.0, 2.0))
    assert one.classify != two.classify
    assert one.classify == Method(select="pearson", classify=SVC()).classify
    run_study(data, SHORT, tmp_path / "s", methods=[one])
    run_study(data, SHORT, tmp_path / "s", methods=[one], if_exists="resume")
    with pytest.raises(StoreError, match="the plan differs"):
        run_study(data, SHORT, tmp_path / "s", methods=[two], if_exists="resume")
    both = [
        Method(name=str(k), select="pearson", sizes=[2], classify=m.classify)
        for k, m in enumerate((one, two))
    ]
    found = run_study(data, SHORT, tmp_path / "u", methods=both).to_dict()
    assert [m["classify"] for m in found["methods"]] == [one.classify, two.classify]


def gap_of(X, y, best=0):
    scores = np.zeros(X.shape[1])
    scores[best] = 1.0
    return scores


def test_functions_with_other_arguments_are_other_objects(tmp_path):
    methods = [
        Method(name=f"g{k}", select=SelectKBest(partial(gap_of, best=k)), sizes=[1]) for k in (0, 9)
    ]
    methods += [
        Method(name=f"l{k}", select=SelectKBest(lambda X, y, k=k: gap_of(X, y, k)), sizes=[1])
        for k in (3, 4)
    ]
    run_study(make_data(p=12), SHORT, tmp_path / "s", methods=methods)
    for path in (tmp_path / "s" / "cells").rglob("*.arrow"):
        cell = decode_cell(path.read_bytes())
        (name,) = set(cell.columns["method"])
        assert cell.features(0).tolist() == [int(name[1:])]


def test_a_method_keeps_what_it_was_given(tmp_path):
    """Whatever happens to the object afterwards; and what a function returns is copied."""
    machine = LogisticRegression(C=1e-6)
    one = Method(select="pearson", sizes=[2], classify=machine)
    machine.set_params(C=1e6)
    assert one.own[0].made().C == 1e-6
    two = Method(select="pearson", sizes=[2], classify=shared_machine)
    run_study(make_data(), SHORT, tmp_path / "s", methods=[two])
    assert MACHINE.random_state is None
    assert not hasattr(MACHINE, "coef_")


def test_what_is_fitted_already_knows_nothing_of_it(tmp_path):
    from sklearn.frozen import FrozenEstimator

    data = make_data(shift=0.0)
    fitted = KNeighborsClassifier(1).fit(data.X, data.codes)
    found = run_study(data, SHORT, tmp_path / "s", methods=[Method(select="all", classify=fitted)])
    assert found.metrics["bcr"]["mean"] < 0.8
    FROZEN.append(FrozenEstimator(fitted))
    for given in (FROZEN[0], frozen):  # an object, and what a function makes
        with pytest.raises(PlanError, match="stays fitted"):
            Method(select="all", classify=given)


@pytest.mark.parametrize("scale", [1.0, 1e3])
@pytest.mark.parametrize("classes", [("a", "b"), ("a", "b", "c")])
def test_the_area_of_margins_is_that_of_scikit_learn(tmp_path, scale, classes):
    """However large they are: pairs within folds, each class against the rest."""
    from sklearn.linear_model import SGDClassifier
    from sklearn.metrics import roc_auc_score

    data = make_data(n=60, p=6, classes=classes, shift=0.6)
    data = Dataset(scale * data.X, data.y, data.feature_names)
    machine = SGDClassifier(loss="hinge", random_state=0)
    method = Method(select="all", classify=machine)
    plan = {**SHORT, "outer": {"kind": "holdout", "test_size": 0.4}, "final": False}
    result = run_study(data, plan, tmp_path / "s", methods=[method])
    (cell,) = (tmp_path / "s" / "cells").rglob("*.arrow")
    found = decode_cell(cell.read_bytes())
    margin, y = found.beliefs(0).margin, data.codes[found.test]
    areas = [roc_auc_score(y == c, margin[:, c]) for c in range(len(classes))]
    assert result.metrics["auc"]["mean"] == pytest.approx(np.mean(areas))
    assert result.metrics["bcm"]["mean"] is None


@pytest.mark.parametrize("shape", ["ovr", "ovo"])
def test_pairs_of_classes_are_no_margins_of_classes(tmp_path, shape):
    data = make_data(n=60, classes=("a", "b", "c"), shift=2.0)
    method = Method(select="pearson", classify=SVC(decision_function_shape=shape))
    if shape == "ovr":
        result = run_study(data, SHORT, tmp_path / "s", methods=[method])
        assert result.metrics["bcr"]["mean"] > 0.6
        return
    with pytest.raises(OwnCodeError, match="gives other classes than those"):
        run_study(data, SHORT, tmp_path / "s", methods=[method])


def test_settings_of_numpy_are_numbers(tmp_path):
    grid = {"C": np.logspace(-1, 0, 2)}
    method = Method(select="pearson", sizes=[2], classify={"name": SVC(), "grid": grid})
    run_study(make_data(), SHORT, tmp_path / "s", methods=[method])
    with pytest.raises(PlanError, match="no number, text or list"):
        Method(select=SelectKBest, parameters={"score_func": SVC()})


def test_a_description_has_every_setting():
    a = make_pipeline(StandardScaler(), SVC(C=2))
    assert settings_digest(a) == settings_digest(clone(a))
    for other in (
        make_pipeline(StandardScaler(with_mean=False), SVC(C=2)),
        make_pipeline(StandardScaler(), SVC(C=3)),
        SVC(C=2),
    ):
        assert settings_digest(a) != settings_digest(other)
    json.dumps(described_object({"x": np.arange(3), "f": np.mean, "n": np.float64(2), "s": {2, 1}}))
    splits = [StratifiedKFold(3), StratifiedKFold(4)]
    digests = [settings_digest(RFECV(SVC(kernel="linear"), cv=cv)) for cv in splits]
    assert digests[0] != digests[1]
    assert source_versions(a)["sklearn"].startswith("scikit-learn ")


@pytest.mark.longer
def test_weights_are_given_to_what_asks_for_them(tmp_path):
    """A request by scikit-learn's metadata routing: classes then have equal sums."""
    import sklearn

    class Weighed(Seen):
        def fit(self, X, y, sample_weight=None):
            self.given.append((y.tolist(), sample_weight))
            self.classes_ = np.unique(y)
            return self

    given = Weighed.given = []
    keep = np.r_[0:20:2, 1:40:2]
    data = make_data()
    data = Dataset(data.X[keep], data.y[keep], data.feature_names)
    for asks in (True, False):
        given.clear()
        with sklearn.config_context(enable_metadata_routing=True):
            one = Weighed().set_fit_request(sample_weight=asks)
        run_study(data, SHORT, tmp_path / str(asks), methods=[Method(select="all", classify=one)])
        assert given
        for y, weights in given:
            assert (weights is not None) == asks
            if asks:
                sums = np.bincount(y, weights)
                np.testing.assert_allclose(sums, len(y) / 2)


def test_categories_are_given_to_what_takes_them(tmp_path):
    """Codes as they are and gaps as gaps: neither spread nor filled."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 3))
    X[:, 1] = np.where(rng.random(60) < 0.9, 2 * y, 1)
    X[::9, 0] = np.nan
    data = Dataset(X, np.array(["a", "b"])[y], ("x", "kind", "z"), levels={1: ("p", "q", "r")})

    class Boosting(HistGradientBoostingClassifier):
        def fit(self, X, y):
            assert self.categorical_features == [1]
            assert X.shape[1] == 3
            assert np.isnan(X[:, 0]).any()
            return super().fit(X, y)

    method = Method(select="all", classify=Boosting(max_iter=5, min_samples_leaf=5))
    result = run_study(data, SHORT, tmp_path / "s", methods=[method])
    assert result.metrics["bcr"]["mean"] > 0.8


def test_a_regression_is_refused_where_codes_are_no_numbers(tmp_path):
    method = Method(select=SelectFromModel(Lasso(0.05)))
    with pytest.raises(PlanError, match="holds Lasso, a regression"):
        run_study(make_data(classes=("a", "b", "c")), SHORT, tmp_path / "s", methods=[method])


def test_settings_are_checked_as_outside_a_study(tmp_path):
    method = Method(select="pearson", sizes=[2], classify=SVC(C=-1.0))
    with pytest.raises(OwnCodeError, match="The 'C' parameter of SVC must be"):
        run_study(make_data(), SHORT, tmp_path / "s", methods=[method])


def test_what_cannot_be_fitted_is_refused():
    for given, says in (
        (3, "give a name"),
        (object(), "no `fit`"),
        (np.mean, "no `fit`"),
        (lambda x: x, "needs 'x'"),
        (Lasso(), "get_support"),
    ):
        with pytest.raises(PlanError, match=says):
            Plan.resolve({"method": [{"select": given}]})

    class Inside(Seen):
        pass

    with pytest.raises(PlanError, match="is inside a function"):
        own_given(Inside)


def test_a_gradient_boosting_machine_from_another_package(tmp_path):
    lightgbm = pytest.importorskip("lightgbm")
    one = lightgbm.LGBMClassifier(n_estimators=5, min_child_samples=3, verbose=-1)
    data = make_data(shift=2.0)
    method = Method(select="pearson", sizes=[3], classify=one)
    result = run_study(data, SHORT, tmp_path / "s", methods=[method])
    run_study(data, SHORT, tmp_path / "t", methods=[method], n_jobs=2)
    assert cells_of(tmp_path / "s") == cells_of(tmp_path / "t")
    assert result.metrics["bcr"]["mean"] > 0.7
    types = [
        "lightgbm.sklearn.LGBMClassifier",
        "lightgbm.basic.Booster",
        "collections.OrderedDict",
        "collections.defaultdict",
    ]
    model = load_model(tmp_path / "s" / "model.npz", trust=types)
    assert np.mean(model.predict(data) == data.y) > 0.8
