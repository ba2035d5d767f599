"""Cut-offs, permutation p-values, and the scores of mixed tables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from common.examples import settings
from tamis._core.errors import DataError, PlanError
from tamis._core.interfaces import Part
from tamis.selection import (
    FilterSelector,
    benjamini_hochberg,
    chi2,
    fold_change,
    mixed_scores,
    mtd,
    mutual_information,
    permutation_p_values,
    trend,
    welch_t,
    wilcoxon,
)
from tamis.selection._cutoffs import Permuted, combined_score, permuted_scores
from tamis.selection._parts import TrainingParts


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_benjamini_hochberg_is_scipys(p):
    np.testing.assert_allclose(
        benjamini_hochberg(p), false_discovery_control(p), rtol=1e-12, atol=1e-300
    )
    holes = benjamini_hochberg([*p, np.nan])
    assert np.array_equal(holes[:-1], benjamini_hochberg(p))
    assert np.isnan(holes[-1])


@pytest.mark.parametrize("p", [[-0.1, 0.5], [0.5, 1.1]])
def test_what_is_no_p_value_is_refused(p):
    with pytest.raises(DataError, match=r"from 0 to 1, not (-0\.1|1\.1)$"):
        benjamini_hochberg(p)


def table(seed=0, n=40, p=30):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    X = rng.normal(size=(n, p))
    X[:, :5] += np.linspace(2, 0.5, 5) * y[:, None]
    return X, y


WITH_P = ("pearson", "welch_t", "moderated_t", "wilcoxon", "chi2", "trend")
TESTS = {"welch_t": welch_t, "wilcoxon": wilcoxon, "chi2": chi2, "trend": trend}


@pytest.mark.parametrize("name", TESTS)
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 1000),
    size=st.none() | st.integers(1, 12),
    threshold=st.none() | st.floats(0, 4),
    max_p=st.none() | st.floats(0.001, 1),
    max_fdr=st.none() | st.floats(0.001, 1),
)
@pytest.mark.filterwarnings("ignore:No features were selected")
def test_every_condition_holds(name, seed, size, threshold, max_p, max_fdr):
    X, y = table(seed)
    X = np.round(X)
    selector = FilterSelector(
        name, size=size, threshold=threshold, max_p=max_p, max_fdr=max_fdr
    ).fit(X, y)
    statistics, p = TESTS[name](X, y)
    scores, fdr = np.abs(statistics), false_discovery_control(p)
    passed = np.ones(30, dtype=bool)
    passed &= True if threshold is None else scores >= threshold
    passed &= True if max_p is None else p <= max_p
    passed &= True if max_fdr is None else fdr <= max_fdr
    order = [j for j in np.argsort(-scores, kind="stable") if passed[j]]
    assert selector.get_support(indices=True).tolist() == sorted(order[:size])
    np.testing.assert_allclose(selector.pvalues_, p, rtol=1e-12)
    np.testing.assert_allclose(selector.fdr_, fdr, rtol=1e-12)
    # a study sees the same through rank: paths that end where the conditions do
    ranking = selector.rank(Part.of(X, y), [1, 5, 30], np.random.SeedSequence(0))
    for k in (1, 5, 30):
        assert ranking.path[k].tolist() == order[:k]
    given_any = (threshold, max_p, max_fdr) != (None, None, None)
    assert ranking.chosen == (len(order) if given_any else None)


def test_no_condition_at_all_keeps_everything():
    X, y = table()
    assert FilterSelector("welch_t", size=None).fit(X, y).get_support().all()


@pytest.mark.parametrize(
    ("name", "options"),
    [(name, {"threshold": 0.3}) for name in (*WITH_P, "mtd", "hsic", "fold_change")]
    + [(name, {"max_p": 0.2}) for name in WITH_P],
)
def test_parts_are_cut_as_each_alone(name, options):
    X, y = table(1)
    X = np.round(X) if name == "chi2" else X
    rows = [np.setdiff1d(np.arange(40), np.arange(k, 40, 5)) for k in range(4)]
    streams = [np.random.SeedSequence(k) for k in range(4)]
    selector = FilterSelector(name, **options)
    together = selector.rank_parts(TrainingParts(X, y, rows), [3, 30], streams)
    for k, ranking in enumerate(together):
        alone = selector.rank(Part.of(X[rows[k]], y[rows[k]]), [3, 30], streams[k])
        assert ranking.chosen == alone.chosen
        assert ranking.path.keys() == alone.path.keys()
        for size in alone.path:
            assert np.array_equal(ranking.path[size], alone.path[size])
        assert 0 < ranking.chosen < 30 or name == "chi2"


@pytest.mark.parametrize("name", ["fold_change", "mutual_information", "mtd", "hsic", fold_change])
@pytest.mark.parametrize("option", ["max_p", "max_fdr"])
def test_filters_without_p_values_refuse_cuts_by_them(name, option):
    X, y = table(2)
    words = rf"{option}=0\.05: score_func=.* has no p-values: .* permutation_p_values"
    with pytest.raises(PlanError, match=words):
        FilterSelector(name, **{option: 0.05}).fit(X, y)
    selector = FilterSelector(name, size=4).fit(X, y)
    assert selector.pvalues_ is None
    assert selector.fdr_ is None


def test_p_values_of_a_function():
    X, y = table(3)
    by_function = FilterSelector(welch_t, size=None, max_fdr=0.1).fit(X, y)
    by_name = FilterSelector("welch_t", size=None, max_fdr=0.1).fit(X, y)
    assert np.array_equal(by_function.support_, by_name.support_)
    assert 0 < by_name.support_.sum() < 30


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"threshold": "high"}, "threshold='high': give a number, or None"),
        ({"threshold": np.nan}, "threshold=nan"),
        ({"max_p": 0}, "max_p=0: give a number above 0 and at most 1"),
        ({"max_fdr": 5}, "max_fdr=5: give a number above 0 and at most 1"),
        ({"max_p": True}, "max_p=True"),
        ({"discrete_features": [0]}, "does not apply to score_func='welch_t': only to 'mtd'"),
        ({"discrete_features": [40]}, "names column 40"),
    ],
)
def test_bad_options_are_named(options, words):
    X, y = table(4)
    with pytest.raises(PlanError, match=words):
        FilterSelector("welch_t", **options).fit(X, y)


def plain_p_values(score, X, y, n_permutations, seed):
    """The definition, with the same labels."""
    rng = np.random.default_rng(np.random.SeedSequence(seed).spawn(2)[0])
    observed = score(X, y)
    permuted = np.array([score(X, rng.permutation(y)) for _ in range(n_permutations)])
    reached = (permuted >= observed - 1e-12 * np.abs(observed)).sum(axis=0)
    return (1 + reached) / (1 + n_permutations), permuted, observed


def mixed_table(seed=5, n=36):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 2)
    X = rng.normal(size=(n, 8))
    X[:, 0] += 1.5 * y
    X[:, 4:] = rng.integers(0, [2, 3, 6, 20], size=(n, 4))
    X[:, 5] = np.where(rng.random(n) < 0.6, y, X[:, 5])
    return X, y, np.arange(8) >= 4


@pytest.mark.parametrize("name", ["mtd", "mutual_information"])
def test_permutation_p_values_by_the_definition(name):
    X, y, discrete = mixed_table()
    noise = int(np.random.SeedSequence(1).spawn(2)[1].generate_state(1)[0])

    def score(X, y):
        if name == "mtd":
            return mtd(X, y, discrete_features=discrete)
        found = mutual_information(X, y, discrete_features=discrete)
        own = mutual_information(X[:, ~discrete], y, random_state=noise)
        found[~discrete] = own
        return found

    expected, permuted, observed = plain_p_values(score, X, y, 60, 1)
    p = permutation_p_values(name, X, y, 60, discrete_features=discrete, random_state=1)
    np.testing.assert_allclose(p, expected, rtol=1e-12)
    assert p[0] < 0.1 or name == "mutual_information"
    # pooled over the features
    pooled = permutation_p_values(
        name, X, y, 60, pooled=True, discrete_features=discrete, random_state=1
    )
    limit = observed - 1e-12 * np.abs(observed)
    counts = [(permuted >= v).sum() for v in limit]
    np.testing.assert_allclose(pooled, (1 + np.array(counts)) / (1 + 60 * 8), rtol=1e-12)
    # the standardised score
    found = permuted_scores(name, X, y, discrete, 60, 1)
    z = (observed - permuted.mean(axis=0)) / permuted.std(axis=0)
    np.testing.assert_allclose(found.z, z, rtol=1e-8)


def test_permutation_p_values_of_functions():
    X, y = table(6, p=5)
    for function in (fold_change, lambda X, y: welch_t(X, y)):
        expected = plain_p_values(
            lambda X, y, f=function: np.abs(f(X, y)[0] if f is not fold_change else f(X, y)),
            X,
            y,
            40,
            2,
        )[0]
        assert np.array_equal(permutation_p_values(function, X, y, 40, random_state=2), expected)
    by_name = permutation_p_values("mtd", X, y, 40, random_state=2)
    assert np.array_equal(permutation_p_values(mtd, X, y, 40, random_state=2), by_name)


def test_null_p_values_are_uniform():
    rng = np.random.default_rng(7)
    X, y = rng.normal(size=(30, 600)), np.arange(30) % 2
    p = permutation_p_values("mtd", X, y, 99, random_state=0)
    # 600 features: the share at or below .05 has a standard error of .009
    assert abs((p <= 0.05).mean() - 0.05) < 0.036
    assert abs(p.mean() - 0.505) < 4 * np.sqrt(1 / 12 / 600)


def test_missing_values_and_a_class_that_loses_them_all():
    X, y, discrete = mixed_table()
    X[5:, 3] = np.nan
    X[:, 6] = np.nan
    p = permutation_p_values("mtd", X, y, 30, discrete_features=discrete, random_state=0)
    assert np.isnan(p[6])
    assert not np.isnan(np.delete(p, 6)).any()
    scores = mixed_scores(X, y, discrete, n_permutations=30, random_state=0)
    assert np.isnan(scores).tolist() == [False] * 6 + [True, False]


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 2000), st.lists(st.tuples(st.integers(0, 2000), st.floats(-1e3, 1e3))))
def test_the_combined_score_sorts_by_p_then_by_z(n_permutations, pairs):
    pairs = [(min(k, n_permutations), z) for k, z in pairs]
    reached = np.array([k for k, _ in pairs], dtype=np.int64)
    z = np.array([z for _, z in pairs], dtype=float)
    found = Permuted(np.zeros(len(pairs)), reached, z, None, n_permutations)
    scores = combined_score(found)
    minus_log = -np.log10(found.p_values)
    assert (scores >= minus_log - 1e-12).all()
    for a in range(len(pairs)):
        for b in range(len(pairs)):
            if (reached[a], -z[a]) < (reached[b], -z[b]):
                assert scores[a] >= scores[b]


def test_a_mixed_table_is_ranked_on_one_scale():
    rng = np.random.default_rng(8)
    y = np.arange(60) % 2
    noise = rng.integers(0, 25, size=(60, 20)).astype(float)  # many values: high scores by luck
    signal = rng.normal(size=(60, 5)) + 1.6 * y[:, None]
    X, discrete = np.hstack([noise, signal]), np.arange(25) < 20
    raw = mtd(X, y, discrete_features=discrete)
    assert set(np.argsort(-raw)[:5]) != set(range(20, 25))
    selector = FilterSelector(
        "mtd", size=5, discrete_features=discrete, n_permutations=400, random_state=0
    ).fit(X, y)
    assert selector.get_support(indices=True).tolist() == [20, 21, 22, 23, 24]
    p = selector.pvalues_
    assert (p[20:] < 0.02).all()
    assert np.median(p[:20]) > 0.2
    by_p = FilterSelector(
        "mtd",
        size=None,
        max_fdr=0.05,
        discrete_features=discrete,
        n_permutations=400,
        random_state=0,
    ).fit(X, y)
    assert by_p.get_support(indices=True).tolist() == [20, 21, 22, 23, 24]


@pytest.mark.parametrize("name", ["mtd", "mutual_information"])
def test_one_kind_of_feature_needs_no_permutations(name):
    X, y, _ = mixed_table(9)
    X = np.round(X)
    every = FilterSelector(name, discrete_features=np.ones(8, bool), random_state=1).fit(X, y)
    plain = FilterSelector(f"{name}_discrete", random_state=1).fit(X, y)
    assert np.array_equal(every.scores_, plain.scores_)
    none = FilterSelector(name, discrete_features=[], random_state=1).fit(X, y)
    assert np.array_equal(none.scores_, FilterSelector(name, random_state=1).fit(X, y).scores_)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda X, y: permutation_p_values("mtd", X, y, 0), "n_permutations=0"),
        (lambda X, y: permutation_p_values("hsic", X, y, 9), "score_func='hsic': .*function"),
        (lambda X, y: permutation_p_values(lambda X, y: [1.0], X, y, 9), r"shape \(1,\)"),
        (lambda X, y: mixed_scores(X, y, [0], "mdt"), "score='mdt': did you mean 'mtd'"),
    ],
)
def test_bad_permutation_arguments_are_named(call, words):
    X, y = table(10)
    with pytest.raises(PlanError, match=words):
        call(X, y)
