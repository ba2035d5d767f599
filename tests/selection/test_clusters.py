"""ClusterSelector: clusters without labels, one representative of each, sizes by themselves."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.cluster import KMeans

from common.examples import settings
from tamis._core.errors import PlanError
from tamis._core.interfaces import Part
from tamis.selection import ClusterSelector, FilterSelector, StabilitySelector, fold_change
from tamis.selection import _feature_clusters as room
from tamis.selection._feature_clusters import Points, find_clusters, k_means

ALGORITHMS, REPRESENTATIVES = ("kmeans", "som"), ("best", "medoid")


def blocks(seed=0, n=40, sizes=(12, 9, 7, 5), noise=0.4, flip=0.0):
    """Features in blocks of one factor each; the label follows the first factor."""
    rng = np.random.default_rng(seed)
    factors = rng.normal(size=(n, len(sizes)))
    which = np.repeat(np.arange(len(sizes)), sizes)
    X = factors[:, which] + noise * rng.normal(size=(n, len(which)))
    X *= np.where(rng.random(len(which)) < flip, -1.0, 1.0)
    y = (factors[:, 0] + 0.3 * rng.normal(size=n) > 0).astype(int)
    return X, y, which


def ranked(X, y, sizes, own=False, seed=0, outer=True, **settings):
    part = Part(X, y, int(y.max()) + 1, np.zeros((len(X), 0)), outer=outer, own=own)
    return ClusterSelector(**settings).rank(part, sizes, np.random.SeedSequence(seed))


def same_partition(a, b):
    return len(set(zip(a, b, strict=True))) == len(set(a)) == len(set(b))


@pytest.mark.parametrize("flip", [0.0, 0.5])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_blocks_are_found_and_represented_once(algorithm, flip):
    X, y, which = blocks(flip=flip)
    selector = ClusterSelector(4, algorithm, random_state=0).fit(X, y)
    assert same_partition(selector.labels_, which)
    assert sorted(which[selector.get_support(indices=True)]) == [0, 1, 2, 3]
    scores = FilterSelector(size=None).fit(X, y).scores_
    assert np.array_equal(selector.scores_, scores)
    for block in range(4):  # the best of each block
        members = np.flatnonzero(which == block)
        assert selector.support_[members[scores[members].argmax()]]


def test_without_mirror_images_a_turned_block_is_two():
    X, y, which = blocks(sizes=(12, 12), flip=0.5, noise=0.1)
    turned = np.corrcoef(X.T)[:, [0, 12]][np.arange(24), which] < 0
    found = ClusterSelector(4, absolute=False, random_state=1).fit(X, y).labels_
    assert same_partition(found, 2 * which + turned)


def test_k_means_is_that_of_scikit_learn():
    X, _, _ = blocks(3, noise=1.5)
    Z = (X - X.mean(axis=0)) / (X.std(axis=0) * np.sqrt(len(X)))
    stream = np.random.SeedSequence(4)
    seed = int(stream.generate_state(1)[0])
    peer = KMeans(6, n_init=1, max_iter=100, random_state=seed).fit(Z.T)
    assert same_partition(k_means(Points.of(X, False), 6, stream), peer.labels_)


@given(st.integers(0, 1000), st.integers(2, 6), st.floats(0.2, 2.0))
@example(316, 2, 0.5)
@settings(max_examples=20, deadline=None)
def test_turning_features_to_their_centres_costs_nothing(seed, k, noise):
    """The sum of squared distances is at most that of k-means on features turned once."""
    X, _, _ = blocks(seed, noise=noise, flip=0.4)
    points, own = Points.of(X, True), room.nearest_units
    values, seen = points.values, []

    def nearest_units(*given):
        seen.append((given[1], *own(*given)))
        return seen[-1][1:]

    with patch.object(room, "nearest_units", nearest_units):
        k_means(points, k, np.random.SeedSequence(seed))
    centres, nearest, signs = seen[-1]
    total = ((values * signs[:, None] - centres[nearest]) ** 2).sum()
    state = int(np.random.SeedSequence(seed).generate_state(1)[0])
    once = KMeans(k, n_init=1, max_iter=100, random_state=state)
    once.fit(values * room.turned_points(values)[:, None])
    assert total <= once.inertia_ + 1e-9


@given(
    st.integers(0, 1000),
    st.sampled_from(ALGORITHMS),
    st.sampled_from(REPRESENTATIVES),
    st.booleans(),
    st.integers(1, 40),
)
@settings(max_examples=60, deadline=None)
def test_exactly_k_whatever_repeats_and_is_constant(seed, algorithm, representative, absolute, k):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(12, 8))[:, rng.integers(0, 8, 25)] * rng.choice([1.0, -3.0], 25) + 5
    X[:, rng.integers(0, 25, 3)] = 2.5
    y = np.arange(12) % 2
    usable = np.ptp(X, axis=0) > 0
    found = ranked(X, y, [k], algorithm=algorithm, representative=representative, absolute=absolute)
    chosen = found.path[k]
    assert len(chosen) == len(set(chosen)) == min(k, usable.sum())
    assert usable[chosen].all()
    assert np.isneginf(found.scores[~usable]).all()
    assert (np.diff(found.scores[chosen]) <= 0).all()
    labels = found.labels(k)
    assert np.array_equal(labels >= 0, usable)
    assert set(labels[usable]) == set(range(labels.max() + 1))


@given(st.integers(0, 1000), st.booleans())
@settings(max_examples=30, deadline=None)
def test_medoids_and_best_by_plain_loops(seed, absolute):
    X, y, _ = blocks(seed, flip=0.4, noise=1.0)
    points, stream = Points.of(X, absolute), np.random.SeedSequence(seed)
    scores = FilterSelector(size=None).fit(X, y).scores_
    r = np.corrcoef(X.T)
    best = find_clusters(points, scores, 5, "kmeans", False, stream)
    middle = find_clusters(points, scores, 5, "kmeans", True, stream)
    for found in (best, middle):
        assert (np.diff(scores[found.representatives]) <= 0).all()
        own = found.representatives[found.labels]
        assert np.allclose(found.correlations, r[np.arange(len(r)), own])
        assert np.array_equal(found.labels[found.representatives], np.arange(5))
    for c, medoid in enumerate(middle.representatives):
        members = np.flatnonzero(middle.labels == c)
        apart = 2 - 2 * r[np.ix_(members, members)]
        if absolute:  # turned as the cluster's first component has them
            _, axes = np.linalg.eigh(r[np.ix_(members, members)])
            signs = np.where(axes[:, -1] < 0, -1, 1)
            apart = 2 - 2 * r[np.ix_(members, members)] * np.outer(signs, signs)
        costs = apart.sum(axis=1)
        assert costs[members == medoid][0] == pytest.approx(costs.min(), abs=1e-9)
    for c, one in enumerate(best.representatives):
        assert scores[one] == scores[best.labels == c].max()


@pytest.mark.parametrize("representative", REPRESENTATIVES)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_ties_go_to_the_lower_column(algorithm, representative):
    X, y, _ = blocks(5)
    twice = np.repeat(X, 2, axis=1) * np.tile([1.0, -1.0], X.shape[1])
    found = ranked(twice, y, [4], algorithm=algorithm, representative=representative).clusters[4]
    assert (found.representatives % 2 == 0).all()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_sizes_do_not_depend_on_each_other(algorithm):
    X, y, _ = blocks(6, noise=1.2)
    alone = {k: ranked(X, y, [k], algorithm=algorithm).path[k] for k in (2, 5, 9, 33)}
    among = ranked(X, y, [2, 5, 9, 33], own=True, algorithm=algorithm).path
    assert all(np.array_equal(alone[k], among[k]) for k in alone)
    assert np.array_equal(alone[33], np.argsort(-ranked(X, y, []).scores, kind="stable"))


def test_labels_play_no_part_in_the_clusters():
    X, y, _ = blocks(7, noise=1.2)
    other = np.random.default_rng(0).permutation(y)
    for algorithm in ALGORITHMS:
        one, two = (ranked(X, codes, [6], algorithm=algorithm) for codes in (y, other))
        assert same_partition(one.labels(6), two.labels(6))
        one, two = (
            ranked(X, codes, [6], algorithm=algorithm, representative="medoid").clusters[6]
            for codes in (y, other)
        )
        assert set(one.representatives) == set(two.representatives)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("unit", [2.0**-40, 2.0**90, -3.7])
def test_units_and_mirror_images_play_no_part(algorithm, unit):
    X, y, _ = blocks(8, noise=0.6)
    X[:, 1::3] *= unit
    plain = X / np.where(np.arange(X.shape[1]) % 3 == 1, unit, 1.0)
    one, two = (
        ClusterSelector(6, algorithm, score_func="welch_t", random_state=2).fit(Z, y)
        for Z in (plain, X)
    )
    assert same_partition(one.labels_, two.labels_)
    assert np.array_equal(one.support_, two.support_)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_own_size_is_that_of_the_blocks(algorithm):
    X, y, _ = blocks(9, n=60, sizes=(12,) * 10, noise=0.3)
    found = ranked(X, y, [3], own=True, algorithm=algorithm)
    assert found.chosen == len(found.path[10]) == 10
    assert ranked(X, y, [3]).chosen is None
    selector = ClusterSelector(None, algorithm, random_state=0).fit(X, y)
    assert selector.get_support().sum() == 10
    assert algorithm == "som" or selector.labels_.max() == 9  # a map has units between blocks


def test_own_size_of_a_few_features_is_all_of_them():
    X, y, _ = blocks(1, sizes=(2, 2))
    X[:, 1] = 4.0
    assert ClusterSelector(None).fit(X, y).get_support(indices=True).tolist() == [0, 2, 3]


def test_nothing_but_constants():
    X, y = np.ones((8, 3)), np.arange(8) % 2
    for own in (False, True):
        found = ranked(X, y, [2], own=own)
        assert len(found.path[2]) == 0
        assert found.chosen == (0 if own else None)


def test_many_features_sample_for_the_silhouette(monkeypatch):
    X, y, _ = blocks(9, n=60, sizes=(12,) * 10, noise=0.3)
    monkeypatch.setattr(room, "SILHOUETTE_SAMPLE", 60)
    assert ranked(X, y, [], own=True).chosen == 10


def test_evidence_is_of_outer_parts_alone():
    X, y, _ = blocks(2)
    X = np.c_[X, np.ones(len(X))]
    names = [f"gene {j}" for j in range(X.shape[1])]
    owner = np.arange(X.shape[1])
    assert ranked(X, y, [4], outer=False).evidence(owner, names) == ()
    (found,) = ranked(X, y, [4, 50], algorithm="som").evidence(owner, names)
    (one,) = found.content["sizes"]  # every feature is one of 50
    assert (one["size"], found.content["n_clustered"]) == (4, X.shape[1] - 1)
    assert sum(c["n"] for c in one["clusters"]) == X.shape[1] - 1
    for c in one["clusters"]:
        near = [abs(m["correlation"]) for m in c["members"]]
        assert near == sorted(near, reverse=True)
        assert len(near) == min(c["n"] - 1, 10)
        assert len(c["place"]) == 2


def test_a_map_may_have_more_clusters_than_are_kept():
    X, y, _ = blocks(4, sizes=(8,) * 12, noise=0.8)
    found = ranked(X, y, [5], algorithm="som")
    (one,) = found.to_dict()["sizes"]
    assert one["n_clusters"] == 6
    assert [c["chosen"] for c in one["clusters"]] == [True] * 5 + [False]
    frame = found.frame()
    assert frame.groupby("cluster")["chosen"].sum().tolist() == [1] * 5 + [0]


def test_the_frame_has_every_feature_and_its_representative_first():
    X, y, _ = blocks(2)
    table = pd.DataFrame(np.c_[X, np.ones(len(X))], columns=[f"g{j}" for j in range(34)])
    selector = ClusterSelector(4, random_state=0).fit(table, y)
    frame = selector.result_.frame()
    assert sorted(frame["column"]) == list(range(33))
    assert (frame["name"] == [f"g{j}" for j in frame["column"]]).all()
    firsts = frame.drop_duplicates("cluster")
    assert (firsts["name"] == firsts["representative"]).all()
    assert firsts["score"].is_monotonic_decreasing
    r = np.corrcoef(X.T)
    own = [int(name[1:]) for name in frame["representative"]]
    assert np.allclose(frame["correlation"], r[frame["column"], own])
    assert "4 clusters of 5 to 12 features" in selector.result_.summary()
    with pytest.raises(PlanError, match="size=7: choose from 4"):
        selector.result_.frame(7)
    whole = ClusterSelector(33, random_state=0).fit(table, y)
    assert whole.labels_.tolist() == [*(whole.ranking_[:33] - 1), -1]
    with pytest.raises(PlanError, match="every feature is chosen"):
        whole.result_.plot()


def test_plot():
    X, y, _ = blocks(2)
    for algorithm in ALGORITHMS:
        (chart,) = ClusterSelector(4, algorithm, random_state=0).fit(X, y).result_.plot().charts
        assert chart.count("<polygon") == 2 * 4  # shade and edge


def test_any_filter_scores():
    X, y, _ = blocks(2)
    for score in ("wilcoxon", "mutual_information", fold_change):
        selector = ClusterSelector(3, score_func=score, random_state=0).fit(X, y)
        assert selector.get_support().sum() == 3
    assert selector.result_.filter == "fold_change"


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"algorithm": "k_means"}, "algorithm='k_means': did you mean 'kmeans'"),
        ({"representative": "centre"}, "representative='centre': choose from"),
        ({"score_func": "moderatd_t"}, "did you mean 'moderated_t'"),
        ({"size": 0}, "size=0"),
    ],
)
def test_what_is_refused(settings, says):
    X, y, _ = blocks(0)
    with pytest.raises(PlanError, match=says):
        ClusterSelector(**settings).fit(X, y)


def test_stability_selection_takes_it():
    X, y, _ = blocks(0, n=60)
    selector = StabilitySelector(ClusterSelector(), q=4, threshold=0.6, n_pairs=10, random_state=0)
    assert selector.fit(X, y).probabilities_.sum() == pytest.approx(4)


def test_fit_twice_equals_once_and_differs_from_rows_left_out():
    X, y, _ = blocks(3, noise=1.5)
    selector = ClusterSelector(6, random_state=3)
    first = selector.fit(X, y).labels_.copy()
    assert np.array_equal(selector.fit(X, y).labels_, first)
    assert np.array_equal(ClusterSelector(6, random_state=3).fit(X * 4.0, y).labels_, first)
