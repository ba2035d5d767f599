"""Where a ranking by relative importance ends by its shape: the rules of rmcfs in plain loops
(docs/methods/mcfs.md), on importances that tell their constants from others near them."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.selection._cutoff_rules import angle_size, contrast_threshold


def slow_angle(scores, least: float) -> int:
    """Slopes of lines through the best 2, 3, ... of p importances from 0 to 1 at rank / p, centred
    by their sums over p: the first that changes the slope by less than `least` is the last kept."""
    values = sorted(scores, reverse=True)
    p = len(values)
    y = [(v - values[-1]) / (values[0] - values[-1]) for v in values]
    x = [(p - 1 - k) / p for k in range(p)]
    slopes = {}
    for k in range(2, p):
        mx, my = sum(x[:k]) / p, sum(y[:k]) / p
        above = sum((a - mx) * (b - my) for a, b in zip(x[:k], y[:k], strict=True))
        slopes[k] = above / sum((a - mx) ** 2 for a in x[:k])
    for k in range(3, p):
        if abs(slopes[k] - slopes[k - 1]) < least:
            return k
    return sum(v > 0 for v in values)


@pytest.mark.parametrize("seed", range(6))
def test_the_critical_angle_is_a_change_of_the_slope_by_one_hundredth(seed):
    scores = np.sort(np.random.default_rng(seed).exponential(size=60) ** 2)[::-1]
    found = angle_size(scores)
    assert found == slow_angle(scores, 0.01)
    assert slow_angle(scores, 0.013) <= found <= slow_angle(scores, 0.007)


def test_a_hundredth_is_told_from_numbers_near_it():
    """By some of the importances above; else they would say nothing of it."""
    made = [np.random.default_rng(seed).exponential(size=60) ** 2 for seed in range(6)]
    sizes = {least: [slow_angle(one, least) for one in made] for least in (0.007, 0.01, 0.013)}
    assert sizes[0.007] != sizes[0.01] != sizes[0.013]


def test_contrasts_leave_the_best_five_in_a_hundred_out():
    """The 95 % quantile, negative importances counting as 0."""
    scores = np.random.default_rng(0).permutation(101).astype(float)
    assert contrast_threshold(scores) == pytest.approx(95)
    assert contrast_threshold(np.repeat([-3.0, 1.0], [95, 5])) == pytest.approx(0.05)
