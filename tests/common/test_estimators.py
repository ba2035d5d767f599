"""Every public estimator through scikit-learn's checks and the manners of this package.

Adding an estimator is one row of the table.
"""

from __future__ import annotations

import inspect
from dataclasses import is_dataclass

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import check_estimator

import tamis.classifiers
import tamis.genome
import tamis.interactions
import tamis.selection
from tamis.classifiers import (
    AdaBoostC44Classifier,
    AODEClassifier,
    C45Classifier,
    CostingClassifier,
    CostResampledClassifier,
    CostWeightedClassifier,
    CovRITClassifier,
    DataSpaceExpansionClassifier,
    DiagonalDiscriminantClassifier,
    DiscRITClassifier,
    ElasticNetClassifier,
    HuberizedSVMClassifier,
    LogitBoostClassifier,
    MetaCostClassifier,
    MinimumRiskClassifier,
    RejectingClassifier,
    RelRITClassifier,
    ShrinkageDiscriminantClassifier,
    ShrunkenCentroidClassifier,
    SVMGridClassifier,
)
from tamis.classifiers.support_vectors import PlattSVC
from tamis.genome import RandomSignProjection
from tamis.interactions import IterativeForest
from tamis.selection import (
    ClusterSelector,
    EliminationSelector,
    FilterSelector,
    GeneticSelector,
    HuberizedSVMSelector,
    IntersectionSelector,
    ModeratedFoldChangeSelector,
    MonteCarloSelector,
    RobustFeatureSelector,
    SequentialSelector,
    ShrunkenCentroidSelector,
    StabilitySelector,
    VotingSelector,
    fold_change,
)
from tamis.selection._filters import FILTERS

pytestmark = pytest.mark.longer

SELECTORS = {
    **{f"filter-{score}": FilterSelector(score, size=3) for score in FILTERS},
    "filter-callable": FilterSelector(fold_change, size=3),
    "filter-all": FilterSelector("pearson", size=None),
    "filter-cut": FilterSelector("wilcoxon", size=3, threshold=0.0, max_p=1.0, max_fdr=1.0),
    "filter-mixed": FilterSelector("mtd", size=3, discrete_features=[0], n_permutations=99),
    "clusters": ClusterSelector(size=3),
    "clusters-map": ClusterSelector(None, "som", "medoid", "welch_t"),
    "svm-rfe": EliminationSelector(size=3, step=1),
    "forward": SequentialSelector(max_size=4, cv=2),
    "forward-sized": SequentialSelector("lda", size=3, cv=2),
    "backward": SequentialSelector("ridge", "backward", cv=2, candidates=6),
    "floating": SequentialSelector("naive_bayes", floating=True, cv=2, max_size=4),
    "genetic": GeneticSelector(population=6, generations=4, cv=2),
    "genetic-sized": GeneticSelector("knn", size=3, population=6, generations=4, cv=2, islands=2),
    "stability": StabilitySelector(size=3, n_pairs=10),
    "hhsvm": HuberizedSVMSelector(n_lambdas=10),
    "hhsvm-sized": HuberizedSVMSelector(n_lambdas=10, standardize=False, size=3),
    "rfs": RobustFeatureSelector(n_lambdas=8, n_pairs=5, size=3),
    "rfs-stable": RobustFeatureSelector(n_pairs=5, size=None, n_jobs=2),
    "intersections": IntersectionSelector(discretizer="mdl", n_trees=20, theta=0.4, theta_out=0.4),
    "mtfc": ModeratedFoldChangeSelector(),
    "mtfc-sized": ModeratedFoldChangeSelector(size=4, gate=0.1),
    "mcfs": MonteCarloSelector(s=100, t=2, meetings=10),
    "mcfs-sized": MonteCarloSelector(s=100, t=2, size=4, meetings=10, n_jobs=2),
    "mcfs-kmeans": MonteCarloSelector(s=100, t=2, cutoff="kmeans", interactions=False),
    "vote": VotingSelector(size=3),
    "vote-stability": VotingSelector(rule="kemeny", top=3, weights="stability", n_subsamples=4),
    "vote-set": VotingSelector(["wilcoxon", "mtd", "hhsvm"], "majority", top=4, size=None),
    "pam": ShrunkenCentroidSelector(),
    "pam-sized": ShrunkenCentroidSelector(size=4),
}
CLASSIFIERS = {
    "aode": AODEClassifier(),
    "aodesr": AODEClassifier(5, subsumption=True, subsumption_support=10, m_estimate=1.0),
    "adaboost": AdaBoostC44Classifier(max_rounds=20, cv=3),
    "adaboost-fixed": AdaBoostC44Classifier(rounds=15, min_samples_leaf=3, cv=2),
    "c45": C45Classifier(),
    "c44": C45Classifier(prune=False, collapse=False, laplace=True),
    "cost-weighted": CostWeightedClassifier(LogisticRegression(), "class_sizes"),
    "cost-over": CostResampledClassifier(C45Classifier(), "class_sizes"),
    "cost-under": CostResampledClassifier(GaussianNB(), "class_sizes", "under"),
    "cost-smote": CostResampledClassifier(LogisticRegression(), "class_sizes", "smote"),
    "costing": CostingClassifier(GaussianNB(), "class_sizes", n_estimators=5),
    "covrit": CovRITClassifier(n_trees=10, theta=0.3, theta_out=0.3),
    "covrit-fixed": CovRITClassifier(0.5, n_trees=20, rule="bernoulli"),
    "data-space-expansion": DataSpaceExpansionClassifier(LogisticRegression()),
    "diagonal-discriminant": DiagonalDiscriminantClassifier(),
    "discrit": DiscRITClassifier(n_trees=20),
    "elastic-net": ElasticNetClassifier(n_lambdas=8, cv=3),
    "elastic-net-fixed": ElasticNetClassifier(alpha=1.0, lam=0.05),
    "hhsvm": HuberizedSVMClassifier(n_lambdas=6, lambda2=(0.1, 1.0), cv=3),
    "hhsvm-fixed": HuberizedSVMClassifier(lambda1=0.05, lambda2=0.1, class_weight="balanced"),
    "irf": IterativeForest(n_estimators=10, n_bootstraps=2, n_trees=50),
    "irf-unsigned": IterativeForest(
        n_iterations=2, n_estimators=10, n_bootstraps=2, n_trees=50, signed=False
    ),
    "logitboost": LogitBoostClassifier(max_rounds=30, cv=3),
    "logitboost-fixed": LogitBoostClassifier(rounds=12, z_limit=4.0),
    "meta-cost": MetaCostClassifier(GaussianNB(), n_estimators=10),
    "minimum-risk": MinimumRiskClassifier(GaussianNB()),
    "minimum-risk-isotonic": MinimumRiskClassifier(GaussianNB(), calibration="isotonic"),
    "pam": ShrunkenCentroidClassifier(),
    "pam-threshold": ShrunkenCentroidClassifier(threshold=0.5, priors="equal"),
    "rejecting": RejectingClassifier(LogisticRegression()),
    "rejecting-conformal": RejectingClassifier(GaussianNB(), "posterior", "conformal"),
    "relrit": RelRITClassifier(1.0, n_trees=20, rule="bernoulli"),
    "shrinkage-discriminant": ShrinkageDiscriminantClassifier(),
    "shrinkage-discriminant-equal": ShrinkageDiscriminantClassifier("equal"),
    "svm-grid": SVMGridClassifier(step=6.0, levels=1),
    "svm-linear": PlattSVC(),
    "svm-rbf": PlattSVC(kernel="rbf", class_weight="balanced"),
}
TRANSFORMERS = {
    "random-signs": RandomSignProjection(5),
    "random-signs-sums": RandomSignProjection(70, scale=False, n_jobs=2),
}
EVERY = {**{f"select-{k}": v for k, v in SELECTORS.items()}, **CLASSIFIERS, **TRANSFORMERS}

MARGIN = "labels follow the margin, which the sigmoid of held-out decisions may contradict near 0"
FOLDED = "folds of repeated rows are others than those of rows with weights"

DRAWN = "which rows are drawn depends on how many there are"


def known_failures(estimator):
    """scikit-learn's checks that an estimator fails by its design, and why."""
    if isinstance(estimator, PlattSVC | SVMGridClassifier | AdaBoostC44Classifier):
        return {
            "check_classifiers_train": MARGIN,
            "check_sample_weight_equivalence_on_dense_data": FOLDED,
        }
    if isinstance(estimator, CostingClassifier):
        check = "check_sample_weight_equivalence_on_{}_data"
        return {check.format(kind): DRAWN for kind in ("dense", "sparse")}
    return {}


every = pytest.mark.parametrize("name", EVERY)
selectors = pytest.mark.parametrize("name", SELECTORS)
classifiers = pytest.mark.parametrize("name", CLASSIFIERS)


def table(n_classes=2, n=48, p=12, seed=0):
    rng = np.random.default_rng(seed)
    y = np.array(["u", "v", "w"])[rng.permutation(np.arange(n) % n_classes)]
    X = rng.normal(size=(n, p))
    X[:, 4] += 2.5 * (y == "u")
    X[:, 7] += 2.5 * (y == "v")
    return X, y


def seeded(estimator, seed=3):
    one = clone(estimator)
    return one.set_params(random_state=seed) if "random_state" in one.get_params() else one


def plain_settings(estimator):
    """Its parameters and those of estimators inside."""
    return {k: v for k, v in estimator.get_params().items() if not hasattr(v, "get_params")}


def state(estimator):
    """Everything that fit has learned."""
    return {k: v for k, v in vars(estimator).items() if k.endswith("_") and not k.endswith("__")}


def same(a, b):
    """Equal to the bit; models inside are compared by their own attributes."""
    if isinstance(a, np.ndarray):
        nan = a.dtype.kind == "f"
        return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=nan)
    if hasattr(a, "get_params"):
        return type(a) is type(b) and all(same(v, state(b)[k]) for k, v in state(a).items())
    if is_dataclass(a):
        return type(a) is type(b) and same(vars(a), vars(b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(value, b[key]) for key, value in a.items())
    if isinstance(a, list):
        return len(a) == len(b)
    if isinstance(a, float) and a != a:
        return b != b
    return bool(np.all(a == b))


def test_the_table_is_complete():
    public = {
        value
        for room in (tamis.selection, tamis.classifiers, tamis.interactions, tamis.genome)
        for value in (getattr(room, name) for name in room.__all__)
        if inspect.isclass(value) and hasattr(value, "fit")
    }
    assert public <= {type(estimator) for estimator in EVERY.values()}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@every
def test_scikit_learns_checks(name):
    known = known_failures(EVERY[name])
    results = check_estimator(EVERY[name], expected_failed_checks=known, on_fail=None)
    assert [(r["check_name"], r["exception"]) for r in results if r["status"] == "failed"] == []
    assert sum(r["status"] == "passed" for r in results) > 30


@every
@pytest.mark.parametrize("n_classes", [2, 3])
def test_fit_leaves_parameters_and_data_alone_and_twice_equals_once(name, n_classes):
    X, y = table(n_classes)
    estimator = seeded(EVERY[name])
    before, data, labels = dict(estimator.get_params()), X.copy(), y.copy()
    assert estimator.fit(X, y) is estimator
    after = estimator.get_params()
    assert set(before) == set(after)
    assert all(after[key] is value for key, value in before.items())
    assert np.array_equal(X, data)
    assert np.array_equal(y, labels)
    once = {k: np.copy(v) if isinstance(v, np.ndarray) else v for k, v in state(estimator).items()}
    estimator.fit(*table(n_classes, seed=9))
    estimator.fit(X, y)
    assert set(state(estimator)) == set(once)
    assert all(same(value, state(estimator)[key]) for key, value in once.items())


@every
def test_an_integer_seed_reproduces_and_clones_agree(name):
    X, y = table(3)
    one = seeded(EVERY[name]).fit(X, y)
    other = clone(one)
    assert not state(other)
    assert plain_settings(other) == plain_settings(one)
    np.random.seed(0)  # noqa: NPY002 - the global generator must play no part
    other.fit(X, y)
    assert all(same(value, state(other)[key]) for key, value in state(one).items())


@every
def test_names_of_features_are_kept_and_checked(name):
    X, y = table()
    frame = pd.DataFrame(X, columns=[f"gene {j}" for j in range(12)])
    estimator = seeded(EVERY[name]).fit(frame, y)
    assert estimator.feature_names_in_.tolist() == list(frame.columns)
    assert estimator.n_features_in_ == 12
    call = estimator.transform if hasattr(estimator, "transform") else estimator.predict
    with pytest.raises(ValueError, match="feature names should match"):
        call(frame.rename(columns={"gene 3": "gene x"}))


@selectors
def test_pandas_output(name):
    X, y = table()
    frame = pd.DataFrame(X, columns=[f"gene {j}" for j in range(12)], index=range(100, 148))
    selector = seeded(SELECTORS[name]).set_output(transform="pandas").fit(frame, y)
    out = selector.transform(frame)
    assert isinstance(out, pd.DataFrame)
    assert list(out.columns) == list(frame.columns[selector.get_support()])
    assert list(out.columns) == selector.get_feature_names_out().tolist()
    assert out.index.equals(frame.index)
    assert np.array_equal(out.to_numpy(), X[:, selector.get_support()])


@selectors
@pytest.mark.parametrize("n_classes", [2, 3])
def test_what_every_selector_has(name, n_classes):
    X, y = table(n_classes)
    if name.endswith(("discrete", "chi2")):
        X = np.round(X / 2)
    selector = seeded(SELECTORS[name]).fit(X, y)
    support = selector.get_support()
    assert support.shape == (12,)
    assert support.dtype == bool
    assert support.any()
    assert selector.scores_.shape == (12,)
    assert not np.isnan(selector.scores_).any()
    assert np.sort(selector.ranking_).tolist() == list(range(1, 13))
    order = np.argsort(selector.ranking_)
    assert (np.diff(selector.scores_[order]) <= 0).all()
    if isinstance(selector, GeneticSelector | SequentialSelector):  # subsets need not be nested
        assert set(np.flatnonzero(support)) & {4, 7}
        return
    assert set(order[:2]) == {4, 7}
    if not isinstance(selector, ClusterSelector):  # which keeps one of each cluster
        assert set(order[: support.sum()]) == set(np.flatnonzero(support))


@selectors
def test_selectors_only_use_the_training_rows(name):
    X, y = table()
    selector = seeded(SELECTORS[name]).fit(X, y)
    rows = [selector.transform(row[None]) for row in X]
    assert np.array_equal(np.vstack(rows), selector.transform(X))


@classifiers
@pytest.mark.parametrize("n_classes", [2, 3])
def test_rows_one_by_one_equal_the_batch(name, n_classes):
    X, y = table(n_classes)
    model = seeded(CLASSIFIERS[name]).fit(X[:30], y[:30])
    one_by_one = np.vstack([model.predict_proba(row[None]) for row in X])
    np.testing.assert_allclose(one_by_one, model.predict_proba(X), rtol=0, atol=1e-12)
    labels = np.concatenate([model.predict(row[None]) for row in X])
    assert np.array_equal(labels, model.predict(X))


@classifiers
@pytest.mark.parametrize("n_classes", [2, 3])
def test_what_every_classifier_has(name, n_classes):
    X, y = table(n_classes)
    model = seeded(CLASSIFIERS[name]).fit(X, y)
    assert model.classes_.tolist() == ["u", "v", "w"][:n_classes]
    proba = model.predict_proba(X)
    assert proba.shape == (48, n_classes)
    np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=1e-12)
    assert set(model.predict(X)) <= set(y)
    assert model.score(X, y) > 0.7
