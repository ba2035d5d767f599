"""The least tail of Fisher's test over many thresholds, against every order of the errors."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import hypergeom

from common.examples import settings
from tamis.kernels.rejection import TAIL_TOLERANCE, chance_of_tail, log_tail, log_tails


@st.composite
def draws(draw, most=200):
    """n samples, w of them wrong, s declined, a of these wrong: any that can be."""
    n = draw(st.integers(1, most))
    w, s = draw(st.integers(0, n)), draw(st.integers(0, n))
    return n, w, s, draw(st.integers(max(0, s + w - n), min(s, w)))


@settings(max_examples=200)
@given(draws())
def test_the_tail_is_that_of_the_hypergeometric_distribution(drawn):
    n, w, s, a = drawn
    expected = hypergeom.logsf(a - 1, n, w, s)
    assert log_tail(n, w, s, a) == pytest.approx(expected, rel=1e-9, abs=1e-11)


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        ((10, 0, 4, 0), 0.0),
        ((10, 10, 4, 4), 0.0),
        ((10, 3, 0, 0), 0.0),
        ((10, 3, 10, 3), 0.0),
        ((10, 8, 5, 3), 0.0),  # five of ten hold three of eight at least
        ((10, 3, 4, 4), -np.inf),
        ((10, 3, 2, 3), -np.inf),
        ((10, 1, 1, 1), np.log(0.1)),
    ],
)
def test_tails_at_the_ends(drawn, expected):
    assert log_tail(*drawn) == pytest.approx(expected)


@pytest.mark.parametrize("s", [1, 500, 5_000, 25_000, 49_999])
@pytest.mark.parametrize("w", [1, 40, 5_000, 30_000])
def test_tails_of_many_samples(s, w):
    """From the least count to the most; 1e-9 of a logarithm is as much of the tail, relatively."""
    n = 50_000
    least, most = max(0, s + w - n), min(s, w)
    for a in np.unique(np.linspace(least, most, 7).astype(int)):
        found = log_tail(n, w, s, int(a))
        assert np.isfinite(found)
        assert found <= 0
        expected = hypergeom.logsf(a - 1, n, w, s)
        if np.isfinite(expected) and expected > -600:  # beyond, SciPy's own sum is 0
            assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)
        else:
            assert found < -600
    last = hypergeom.logpmf(most, n, w, s)
    assert log_tail(n, w, s, most) == pytest.approx(last, rel=1e-9, abs=1e-9)


def test_no_fewer_than_the_least_is_certain():
    """Not nearly so: the tail is 1 where logarithms of factorials would leave rounding."""
    for n in (1, 7, 30, 1000):
        for w in range(0, n + 1, max(1, n // 9)):
            for s in range(0, n + 1, max(1, n // 7)):
                assert log_tail(n, w, s, max(0, s + w - n)) == 0.0


def test_tails_one_by_one():
    declined, wrong = np.array([0, 3, 5, 9]), np.array([0, 2, 2, 4])
    found = log_tails(12, 5, declined, wrong)
    assert found.tolist() == [log_tail(12, 5, s, a) for s, a in zip(declined, wrong, strict=True)]


def least_tails(n, declined, orders):
    """The logarithm of the least tail over the candidates, of each order of flags (m, n)."""
    w = int(orders[0].sum())
    counts = np.cumsum(orders, axis=1)[:, declined - 1]
    return np.array(
        [
            min(log_tail(n, w, int(s), int(a)) for s, a in zip(declined, row, strict=True))
            for row in counts
        ]
    )


def every_order(n, w):
    """Flags of all placements of w errors among n samples."""
    orders = np.zeros((0, n), dtype=int)
    rows = [np.isin(np.arange(n), places).astype(int) for places in combinations(range(n), w)]
    return np.vstack([orders, *rows])


@st.composite
def groups(draw):
    """n samples in groups of equal certainty, by how many each candidate declines; w errors."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=2, max_size=7))
    assume(sum(sizes) <= 12)
    n = sum(sizes)
    return n, draw(st.integers(1, n)), np.cumsum(sizes)[:-1]


@settings(max_examples=60)
@given(groups(), st.integers(0, 10**6))
def test_the_chance_is_that_over_all_orders(drawn, which):
    n, w, declined = drawn
    least = least_tails(n, declined, every_order(n, w))
    limit = least[which % len(least)]
    expected = np.mean(least <= limit + TAIL_TOLERANCE)
    assert chance_of_tail(n, w, declined, limit) == pytest.approx(expected, rel=0, abs=1e-12)


@settings(max_examples=30)
@given(groups())
def test_the_chance_rises_with_the_limit(drawn):
    n, w, declined = drawn
    limits = [-1e9, *np.linspace(-12, 0, 25)]
    chances = [chance_of_tail(n, w, declined, limit) for limit in limits]
    assert np.all(np.diff(chances) >= -1e-15)
    assert chances[0] == 0.0
    assert chances[-1] == pytest.approx(1.0, rel=0, abs=1e-12)


def test_the_chance_is_that_over_random_orders():
    """120 samples, 24 wrong, groups of one to three; five standard errors of 5,000 orders."""
    rng = np.random.default_rng(0)
    n, w = 120, 24
    ends = np.cumsum(rng.integers(1, 4, n))
    declined = ends[ends < n]
    flags = np.zeros(n, dtype=int)
    flags[:w] = 1
    orders = rng.permuted(np.tile(flags, (5000, 1)), axis=1)
    table = np.array([[log_tail(n, w, int(s), a) for a in range(w + 1)] for s in declined])
    counts = np.cumsum(orders, axis=1)[:, declined - 1]
    least = table[np.arange(len(declined)), counts].min(axis=1)
    for tail in (0.3, 0.05, 0.01, 0.001):
        chance = chance_of_tail(n, w, declined, np.log(tail))
        assert chance > tail  # the least of many
        error = np.sqrt(chance * (1 - chance) / len(orders))
        assert np.mean(least <= np.log(tail)) == pytest.approx(chance, abs=5 * error)


def test_a_single_candidate_has_the_chance_of_its_own_tail():
    for a in range(5):
        limit = log_tail(30, 6, 4, a)
        assert chance_of_tail(30, 6, np.array([4]), limit) == pytest.approx(np.exp(limit))


@pytest.mark.parametrize(("n", "w"), [(1, 1), (5, 5), (9, 1), (40, 40)])
def test_where_nothing_can_be_rare(n, w):
    """All are wrong, or there is no candidate."""
    assert chance_of_tail(n, w, np.arange(1, n), 0.0) == pytest.approx(1.0 if n > 1 else 0.0)
    assert chance_of_tail(n, w, np.arange(0), 0.0) == 0.0
    if w == n:
        assert chance_of_tail(n, w, np.arange(1, n), -0.1) == 0.0


def test_of_many_samples():
    """All errors first has one order in C(n, w): its chance is that of the tail."""
    n, w = 50_000, 60
    limit = log_tail(n, w, w, w)
    chance = chance_of_tail(n, w, np.arange(1, n), limit)
    assert 0 <= chance < 1e-200
    assert chance_of_tail(n, w, np.arange(1, n), np.log(0.05)) > 0.05
