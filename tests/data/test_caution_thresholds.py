"""From where on data are told to be few, confounded with their batches or unlogged: at the numbers
of docs/warnings.md and of the docstrings, by p-values of the hypergeometric distribution."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from tamis.data import Dataset
from tamis.data.cautions import batch_cautions, class_cautions, outcome_by_batch
from tamis.data.unlogged import looks_unlogged


def samples(sizes, **more) -> Dataset:
    y = np.repeat(list("abcd"[: len(sizes)]), sizes)
    return Dataset(np.zeros((len(y), 1)), y, ("x",), **more)


@pytest.mark.every
@pytest.mark.parametrize(
    ("few", "words"),
    [(10, None), (9, "intervals are wide"), (3, "intervals are wide"), (2, "fewer than 3")],
)
def test_fewer_than_ten_samples_of_a_class_are_few_and_fewer_than_three_too_few(few, words):
    found = list(class_cautions(samples((12, few))))
    assert [code for code, _ in found] == ["small-class"] * (words is not None)
    assert words is None or words in found[0][1]


@pytest.mark.parametrize(("groups", "told"), [(10, False), (9, True)])
def test_fewer_than_ten_groups_of_a_class_are_few(groups, told):
    own = np.concatenate([np.arange(40) % 20, 20 + np.arange(40) % groups]).astype(str)
    found = [code for code, _ in class_cautions(samples((40, 40), groups=own))]
    assert found == ["few-groups"] * told


def exact_p(n: int, m: int, batch: int, a: int) -> float:
    """Of all orders the share with as large a chi-square: by the hypergeometric distribution."""
    lowest, highest = max(0, batch - m), min(n, batch)
    off = {k: abs(k - batch * n / (n + m)) for k in range(lowest, highest + 1)}
    law = stats.hypergeom(n + m, n, batch)
    return sum(law.pmf(k) for k, far in off.items() if far >= off[a] - 1e-9)


def with_batch(n: int, m: int, batch: int, a: int) -> Dataset:
    """n and m samples of two classes, of which so many are in the first batch, a of the first."""
    first = np.concatenate([np.arange(n) < a, np.arange(m) < batch - a])
    return samples((n, m), batches=np.where(first, "u", "v"))


@pytest.mark.every
@pytest.mark.parametrize(
    ("table", "told"),
    [
        ((12, 18, 10, 1), True),  # p = .045
        ((12, 18, 12, 2), False),  # .058
        ((20, 20, 10, 2), False),  # .065
        ((20, 20, 10, 10), True),
        ((20, 20, 10, 5), False),
    ],
)
def test_class_and_batch_go_together_at_p_of_five_in_a_hundred(table, told):
    """By 999 orders, which lie two of their own errors from the exact p here."""
    data = with_batch(*table)
    codes = (data.batches == "v").astype(int)
    found, p = outcome_by_batch(data, codes), exact_p(*table)
    assert abs(found - p) < 4 * math.sqrt(p / 1000) + 1e-3
    assert (p <= 0.05) == (found <= 0.05) == told
    assert [code for code, _ in batch_cautions(data)] == ["batch-confounded"] * told


def test_batches_of_unequal_size_are_held_against_what_is_expected_of_them():
    """All 5,040 orders of seven samples, with scipy's chi-square of each table."""
    codes, batches = np.array([0, 0, 0, 1, 1, 2, 2]), np.array([0, 0, 1, 0, 2, 2, 2])

    def chi_square(order):
        table = np.zeros((3, 3))
        np.add.at(table, (codes[list(order)], batches), 1)
        return stats.chi2_contingency(table, correction=False).statistic

    every = np.array([chi_square(order) for order in permutations(range(7))])
    p = (every >= chi_square(range(7)) - 1e-9).mean()
    data = samples((3, 2, 2), batches=np.array(list("uuvuwww")))
    assert 0.02 < p < 0.98
    assert abs(outcome_by_batch(data, batches) - p) < 4 * math.sqrt(p * (1 - p) / 1000)


def test_the_least_p_of_a_batch_is_that_of_999_orders():
    data = with_batch(30, 30, 30, 30)
    assert outcome_by_batch(data, (data.batches == "v").astype(int)) == 1 / 1000


def raw_columns(p=50, tail=4.2, beyond=1.55, width=32.0, width_of_rest=32.0, narrow=0):
    """101 values a column whose 1 %, 50 % and 99 % quantiles are known: from 1 % to the middle is
    m, to 99 % `tail` times that, and the largest is `beyond` times the 99 % quantile."""
    lower = np.linspace(0.0, 1.0, 51)  # the 1 % quantile is .02, the middle 1
    high = 1.0 + tail * (1.0 - 0.02)
    upper = np.linspace(1.0, high, 50)[1:]
    values = np.concatenate([lower, upper, [beyond * high]])
    assert len(values) == 101
    assert np.quantile(values, [0.01, 0.5, 0.99]) == pytest.approx([0.02, 1.0, high])
    values = values / np.ptp(values)
    columns = [values * (width_of_rest if j < narrow else width) for j in range(p)]
    return np.column_stack(columns)


@pytest.mark.every
@pytest.mark.parametrize(
    ("made", "raw"),
    [
        ({}, True),
        ({"p": 49}, False),
        ({"tail": 3.9}, False),
        ({"beyond": 1.45}, False),
        ({"width": 30.5}, True),
        ({"width": 29.5}, False),
        ({"width": 30.5, "width_of_rest": 29.5, "narrow": 25}, True),  # half range over more
        ({"width": 30.5, "width_of_rest": 29.5, "narrow": 26}, False),
    ],
)
def test_values_look_raw_by_their_range_and_their_upper_tail(made, raw):
    assert looks_unlogged(raw_columns(**made)) == raw


def test_columns_that_do_not_vary_do_not_count():
    X = np.column_stack([raw_columns(49), np.zeros(101)])
    assert not looks_unlogged(X)
    assert looks_unlogged(np.column_stack([raw_columns(50), np.zeros(101)]))


@pytest.mark.parametrize("shift", [0.0, 2.0])
def test_a_number_and_its_batches_are_compared_by_kruskal_and_wallis(shift):
    rng = np.random.default_rng(4)
    batches = np.repeat(["u", "v", "w"], 14)
    numbers = rng.normal(size=42) + shift * (batches == "w")
    data = Dataset(rng.normal(size=(42, 2)), None, ("a", "b"), numbers=numbers, batches=batches)
    p = stats.kruskal(*(numbers[batches == name] for name in "uvw")).pvalue
    codes = np.unique(batches, return_inverse=True)[1]
    assert abs(outcome_by_batch(data, codes) - p) < 4 * math.sqrt(p * (1 - p) / 1000) + 1e-3
    assert [code for code, _ in batch_cautions(data)] == ["batch-confounded"] * (shift > 0)
