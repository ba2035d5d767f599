"""What the codes of samples stand for: strata, and permutations of classes and numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from tamis._core.response import (
    MAX_STRATA,
    ClassResponse,
    NumberResponse,
    response_of_numbers,
)


def test_codes_are_those_of_the_sorted_values():
    values = np.array([3.5, -1.0, 3.5, 0.0])
    response, codes = response_of_numbers(values)
    assert codes.tolist() == [2, 0, 2, 1]
    assert response.learnt(codes).tolist() == values.tolist()
    assert response.n_outputs == 1
    assert ClassResponse(("a", "b", "c")).n_outputs == 3


@settings(max_examples=40, deadline=None)
@given(st.integers(4, 60), st.integers(2, 12), st.integers(0, 10**6))
def test_strata_are_even_and_in_the_order_of_the_values(n, folds, seed):
    values = np.random.default_rng(seed).normal(size=n).round(1)
    response, codes = response_of_numbers(values)
    stratum, names = response.strata(codes, None, folds)
    sizes = np.bincount(stratum, minlength=len(names))
    assert 1 <= len(names) <= MAX_STRATA
    assert sizes.max() - sizes.min() <= 1
    assert len(names) == 1 or sizes.min() >= folds  # each fold can have one of each
    for k in range(len(names) - 1):
        assert values[stratum == k].max() <= values[stratum == k + 1].min()


def test_a_group_is_in_one_stratum_by_its_mean():
    values = np.array([0.0, 10.0, 1.0, 1.0, 9.0, 9.5, 2.0, 2.5])
    groups = np.array(list("aabbccdd"))
    response, codes = response_of_numbers(values)
    stratum, names = response.strata(codes, groups, 2)
    assert len(names) == 2
    # means are 5, 1, 9.25 and 2.25
    assert stratum.tolist() == [1, 1, 0, 0, 1, 1, 0, 0]


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 40), st.integers(1, 8), st.integers(0, 10**6))
def test_a_permutation_keeps_the_values(n, most, seed):
    rng = np.random.default_rng(seed)
    values, groups = rng.normal(size=n).round(1), rng.integers(0, most, n).astype(str)
    response, codes = response_of_numbers(values)
    for given_groups in (None, groups):
        found = response.permuted(codes, given_groups, np.random.default_rng(seed))
        again = response.permuted(codes, given_groups, np.random.default_rng(seed))
        assert found.tolist() == again.tolist()
        assert sorted(found.tolist()) == sorted(codes.tolist())


def test_groups_of_one_size_exchange_all_their_values():
    groups = np.repeat(np.array(["a", "b", "c", "d"]), [3, 3, 3, 2])
    response, codes = response_of_numbers(np.arange(11.0))
    blocks = [set(codes[groups == name].tolist()) for name in "abcd"]
    seen = set()
    for seed in range(30):
        found = response.permuted(codes, groups, np.random.default_rng(seed))
        own = [set(found[groups == name].tolist()) for name in "abcd"]
        assert all(one in blocks for one in own)
        assert own[3] == blocks[3]  # alone in its size
        seen.add(tuple(blocks.index(one) for one in own))
    assert len(seen) == 6  # every order of three groups


def test_groups_alone_in_their_size_deal_theirs_out():
    groups = np.repeat(np.array(["a", "b"]), [2, 3])
    response, codes = response_of_numbers(np.arange(5.0))
    found = {
        tuple(response.permuted(codes, groups, np.random.default_rng(seed)).tolist())
        for seed in range(60)
    }
    assert len(found) > 10
    assert any(set(one[:2]) != {0, 1} for one in found)


def test_classes_are_permuted_as_groups_or_inside_them():
    codes = np.array([0, 0, 1, 1, 0, 1])
    groups = np.array(list("aabbcc"))  # a and b of one class each, c a pair
    for seed in range(20):
        found = ClassResponse(("x", "y")).permuted(codes, groups, np.random.default_rng(seed))
        assert found[0] == found[1]
        assert found[2] == found[3]
        assert found[0] != found[2]
        assert sorted(found[4:]) == [0, 1]


@pytest.mark.parametrize(
    ("response", "words"),
    [
        (ClassResponse(("ill", "well")), "class 'ill' has 1 sample"),
        (NumberResponse(np.array([1.0])), "there are 1 sample"),
    ],
)
def test_words_about_a_stratum(response, words):
    assert response.stratum_text("ill", 1, "sample") == words
