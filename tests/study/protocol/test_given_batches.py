"""Labels of groups drawn given their batches: the law of the draws, and the level of the test."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from tamis._core.streams import generator
from tamis.study.protocol import given_batches as given
from tamis.study.protocol.given_batches import GivenBatches, given_batches
from tamis.study.protocol.permuted_labels import _exchangeable_among, permuted_codes
from tamis.study.protocol.splits import Labels


def crossed(seed, n_groups=20, n_batches=6, depends=0.0, rows=3):
    """Groups in one to three batches each; the log odds of the class by batch vary by `depends`."""
    rng = np.random.default_rng(seed)
    odds = depends * rng.normal(size=n_batches)
    batch = np.array(
        [rng.choice(rng.permutation(n_batches)[: 1 + g % 3], rows) for g in range(n_groups)]
    )
    mean = 3 * odds[batch].mean(axis=1)
    y = (rng.random(n_groups) < 1 / (1 + np.exp(np.median(mean) - mean))).astype(int)
    y[:2] = 0, 1
    group = np.repeat(np.arange(n_groups), rows)
    names = np.array([f"p{g:03}" for g in group]), np.array([f"b{b}" for b in batch.ravel()])
    return Labels(np.repeat(y, rows), ("a", "b"), names[0], None, names[1])


def test_draws_have_the_law_that_the_model_gives():
    """All arrangements of five labels, each as often as the product of its probabilities says."""
    rng = np.random.default_rng(0)
    p = rng.uniform(0.1, 0.9, 5)
    model = GivenBatches(
        np.array([0, 0, 1, 1, 1]), np.arange(5), np.log(np.column_stack([1 - p, p]))
    )
    every = sorted(set(permutations([0, 0, 1, 1, 1])))
    weights = np.array([np.prod(np.where(one, p, 1 - p)) for one in every])
    draws = [tuple(model.drawn(np.zeros(5, dtype=int), rng)) for _ in range(4000)]
    found = np.array([draws.count(one) for one in every]) / 4000
    np.testing.assert_allclose(found, weights / weights.sum(), atol=0.035)


def test_groups_keep_one_label_and_the_classes_their_number_in_each_part_of_a_split():
    one = crossed(3, 24)
    split = np.repeat(np.where(np.arange(24) < 14, "train", "test"), 3)
    one = Labels(one.y, one.classes, one.groups, split, one.batches)
    for k in range(20):
        new = permuted_codes(one, 0, k, within=True)
        assert all(len(set(new[one.groups == g])) == 1 for g in one.groups)
        for part in ("train", "test"):
            assert sorted(new[split == part]) == sorted(one.y[split == part])
    assert (permuted_codes(one, 0, 1) == permuted_codes(one, 0, 1)).all()
    assert (permuted_codes(one, 0, 1) != permuted_codes(one, 0, 2)).any()


def test_groups_in_one_batch_each_are_exchanged_inside_it():
    y = np.repeat(np.arange(12) % 2, 2)
    group = np.repeat(np.arange(12), 2)
    assert given_batches(y, group, np.repeat(np.arange(12) // 4, 2)) is None


def test_where_the_batches_say_the_class_hardly_a_label_moves():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    batch = np.array([rng.choice([2 * c, 2 * c + 1], 3) for c in y]).ravel()
    model = given_batches(np.repeat(y, 3), np.repeat(np.arange(40), 3), batch)
    new = model.drawn(np.zeros(120, dtype=int), rng)
    assert (new != y).mean() < 0.15


class Dealt:
    """Draws that are given: the order of groups as it is, and one number for all."""

    def __init__(self, number):
        self.number = number

    def permutation(self, groups):
        return groups

    def random(self, n):
        return np.full(n, self.number)


@pytest.mark.parametrize(("number", "exchanged"), [(0.74, True), (0.76, False)])
def test_two_labels_are_exchanged_with_their_odds(monkeypatch, number, exchanged):
    """The odds of the exchange are 0.9 x 0.25 to 0.1 x 0.75, three to one."""
    monkeypatch.setattr(given, "MAX_SWEEPS", 1)
    p = np.array([[0.1, 0.9], [0.25, 0.75], [0.5, 0.5], [0.5, 0.5]])
    model = GivenBatches(np.array([0, 1, -1, 0]), np.array([0, 0, 1, 2, 3]), np.log(p))
    assert model.pure_rows.tolist() == [True, True, True, False, True]
    among = np.zeros(5, dtype=int)
    expected = [1, 0, -1, 0] if exchanged else [0, 1, -1, 0]
    assert model.drawn(among, Dealt(number)).tolist() == expected
    assert model.labels.tolist() == [0, 1, -1, 0]
    among[2] = 1  # the second group is of another part
    assert model.drawn(among, Dealt(number)).tolist() == [0, 1, -1, 0]
    # from the exchanged labels the odds are one to three
    back = model.drawn(among * 0, Dealt(0.24), np.array([1, 0, -1, 0]))
    assert back.tolist() == [0, 1, -1, 0]
    assert model.drawn(among * 0, Dealt(0.26), np.array([1, 0, -1, 0])).tolist() == [1, 0, -1, 0]


def test_few_groups_have_the_shares_of_their_classes():
    y, group = np.array([0, 0, 1, 1, 1, 1, 0, 1]), np.array([0, 0, 1, 1, 2, 2, 3, 3])
    batch = np.array([0, 1, 0, 1, 1, 1, 0, 1])
    model = given_batches(y, group, batch)
    assert model.labels.tolist() == [0, 1, 1, -1]  # the last varies
    np.testing.assert_allclose(np.exp(model.log_p), [[1 / 3, 2 / 3]] * 3 + [[1, 1]])
    assert model.group is group
    # each group of one label is in one batch: they are exchanged inside it
    assert given_batches(y, group, np.array([0, 0, 1, 1, 1, 1, 0, 1])) is None


@pytest.mark.parametrize(("tells", "C"), [(True, 30.0), (False, 0.0)])
def test_probabilities_are_those_of_the_smallest_penalty_that_does_well(tells, C):
    y = np.arange(12) % 2
    first = np.arange(12) % 2 if tells else np.arange(12) // 2 % 2
    shares = np.where(first[:, None] == 1, [0.75, 0.25], [0.25, 0.75])
    batch = np.array([[0] * int(4 * a) + [1] * int(4 * b) for a, b in shares]).ravel()
    model = given_batches(np.repeat(y, 4), np.repeat(np.arange(12), 4), batch)
    x = shares - shares.mean(axis=0)
    x /= np.sqrt((x**2).sum(axis=1).mean())
    expected = given._fitted(x, y, C, x, 2)
    np.testing.assert_allclose(np.exp(model.log_p), expected, rtol=1e-12)
    if tells:
        assert expected[y == 1, 1].min() > 0.9


def test_labels_of_groups_in_several_batches_are_drawn_from_one_start():
    y = np.array([0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0, 1])
    group = np.array(list("aabbccddeeee"))
    batch = np.array(list("xyxyxxyyxxyy"))
    labels = Labels(y, ("ill", "well"), group, None, batch)
    model = labels.given_batches
    start = model.drawn(np.zeros(12, dtype=int), generator(3, "given batches"))
    draws = []
    for k in range(6):
        new = permuted_codes(labels, 3, "run", k)
        draw = generator(3, "run", k)
        assert new[:8:2].tolist() == model.drawn(np.zeros(12, dtype=int), draw, start)[:4].tolist()
        assert new[:8:2].tolist() == new[1:8:2].tolist()
        assert sorted(new[8:10]) == sorted(new[10:]) == [0, 1]  # inside the group and its batches
        draws.append(tuple(new))
    assert len({*draws}) > 1
    halves = Labels(
        y, labels.classes, group, np.array(["train", "test"] * 6)[np.argsort(group)], batch
    )
    assert halves.given_batches is not None


def test_what_batches_say_goes_by_the_shares_of_a_group():
    """A group of twice as many rows in the same batches is no other."""
    y = np.repeat(np.arange(8) % 2, 2)
    group, batch = np.repeat(np.arange(8), 2), np.tile([0, 1, 0, 1, 1, 1, 0, 1], 2)
    one = given_batches(y, group, batch)
    first = group == 0
    twice = given_batches(*(np.r_[part, part[first]] for part in (y, group, batch)))
    np.testing.assert_allclose(twice.log_p, one.log_p, rtol=1e-12)


def test_labels_stay_in_their_part_of_a_split_where_that_is_wished():
    """Of two parts of one label each."""
    part = np.repeat(["train", "test"], 3)
    labels = Labels(np.repeat([0, 1], 3), ("ill", "well"), None, part, None)
    free = [permuted_codes(labels, 0, k).tolist() for k in range(5)]
    assert any(one != labels.y.tolist() for one in free)
    assert {tuple(permuted_codes(labels, 0, k, within=True)) for k in range(5)} == {
        (0,) * 3 + (1,) * 3
    }


def test_a_group_whose_labels_vary_in_its_last_row_alone_is_permuted_inside():
    y = np.array([0, 0, 1, 0, 0, 1])
    labels = Labels(y, ("ill", "well"), np.array(list("pppqqq")), None, None)
    drawn = [permuted_codes(labels, 0, k) for k in range(12)]
    assert all(one[:3].sum() == one[3:].sum() == 1 for one in drawn)
    assert len({tuple(one) for one in drawn}) > 3


def test_among_whom_labels_are_exchanged():
    y, group = np.array([0, 0, 1, 0]), np.array(["p", "p", "q", "q"])
    batch = np.array(["x", "y", "x", "y"])
    classes = ("ill", "well")
    assert _exchangeable_among(Labels(y, classes, group, None, None)) is None
    assert _exchangeable_among(Labels(y, classes, None, None, batch)).tolist() == batch.tolist()
    found = _exchangeable_among(Labels(y, classes, group, None, batch)).tolist()
    assert found == ["x", "y", "1\0\0x", "1\0\0y"]  # labels of q vary


@pytest.mark.slow
@pytest.mark.parametrize(("n_groups", "depends"), [(20, 0.0), (20, 0.7), (60, 0.7)])
def test_the_level_holds_where_batches_say_something_of_the_class(n_groups, depends):
    """Columns that batches move and classes do not: the largest t against 19 permutations. Free
    exchange of groups is beyond its level many times over where the class depends on the batch."""
    p, free = [], []
    for seed in range(150):
        one = crossed(seed, n_groups, depends=depends)
        rng = np.random.default_rng([seed, 1])
        X = 2 * rng.normal(size=(6, 20))[np.unique(one.batches, return_inverse=True)[1]]
        X += rng.normal(size=X.shape)
        means = X.reshape(n_groups, 3, 20).mean(axis=1)

        def largest(y, means=means):
            a, b = means[y == 0], means[y == 1]
            error = np.sqrt(a.var(axis=0) / len(a) + b.var(axis=0) / len(b) + 1e-3)
            return np.abs((a.mean(axis=0) - b.mean(axis=0)) / error).max()

        y = one.y[::3]
        drawn = [permuted_codes(one, seed, k)[::3] for k in range(19)]
        p.append((1 + sum(largest(new) >= largest(y) for new in drawn)) / 20)
        drawn = [rng.permutation(y) for _ in range(19)]
        free.append((1 + sum(largest(new) >= largest(y) for new in drawn)) / 20)
    for level in (0.05, 0.1, 0.2):
        error = np.sqrt(level * (1 - level) / 150)
        assert np.mean(np.array(p) <= level) <= level + 2 * error
    if depends:
        assert np.mean(np.array(free) <= 0.05) > 0.12
