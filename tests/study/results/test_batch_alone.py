"""What the batch of a sample tells of its class, by hand."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from tamis.study.results.batch_alone import batch_alone


def rate(classes, batches, *tests):
    y = np.array(["abc".index(one) for one in classes])
    data = SimpleNamespace(codes=y, classes=tuple(sorted({*classes})))
    codes = np.array([int(one) for one in batches])
    return batch_alone(data, codes, [SimpleNamespace(test=np.array(test)) for test in tests])


def test_the_class_that_a_batch_is_richest_in_is_guessed():
    assert rate("ababab", "101010", [0, 1]) == 1.0
    assert rate("abbaab", "101101", [0, 1]) == 0.0


def test_of_several_that_are_as_rich_any_is_guessed():
    # trained on abab: each batch has a share of one half of both
    assert rate("ababab", "010011", [0, 1]) == 0.5
    assert rate("abcabc", "000111", [0, 1, 2]) == pytest.approx(1 / 3)  # a batch not seen


def test_shares_count_and_not_samples():
    # batch 0 has two of four a and one of one b
    assert rate("aaaaabb", "0001100", [0, 6]) == 0.5


def test_classes_weigh_the_same_over_all_folds():
    # of a two of three are right, of b a half of one; c is never held out
    assert rate("aaabbc", "001111", [0, 3], [2], [1]) == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert rate("aaab", "0101", [3]) == 0.0  # a class without training samples
