"""Which candidate is taken where fewer than five features have to be clearly better."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from tamis.classifiers.decisions.arg_max import ArgMax
from tamis.metrics.registry import LOG_SCORE
from tamis.study.protocol.tuning import Judged
from tamis.study.results.candidates import ScoredCandidates

N = 40


def candidates(sizes, means, spread=0.0):
    """Candidates of these sizes and mean log points; `spread` that of their paired differences."""
    y, signs = np.arange(N) % 2, np.where(np.arange(N) // 2 % 2, 1.0, -1.0)
    points = np.array(means)[:, None] + spread * np.arange(len(sizes))[:, None] * signs
    own = np.exp(points)
    proba = np.where(np.eye(2)[y][None] == 1, own[:, :, None], 1 - own[:, :, None])
    judged = Judged(y, [slice(0, N)], proba.argmax(axis=2), proba, np.full((N, 2), 0.5))
    tune = points.mean(axis=1)
    return ScoredCandidates(
        SimpleNamespace(),
        np.arange(len(sizes)),
        tune,
        tune,
        False,
        ArgMax(),
        SimpleNamespace(samples=np.arange(N)),
        {},
        {},
        np.array([0.5, 0.5]),
        np.array(sizes),
        np.full(len(sizes), np.nan),
        gains=tune - np.log(0.5),
        judged=judged,
        criterion=LOG_SCORE,
        y=y,
    )


# a difference of .02 beside one of +-.04 a sample has a standard error of .04/sqrt(39) = .0064,
# beside one of +-.08 of .0128
@pytest.mark.parametrize(("spread", "taken"), [(0.04, 0), (0.08, 1)])
def test_one_feature_has_to_be_better_by_two_standard_errors(spread, taken):
    assert candidates([1, 5], [-0.30, -0.32], spread).taken == taken


def test_a_longer_list_is_taken_where_it_is_better():
    assert candidates([1, 5, 20], [-0.40, -0.35, -0.30], 0.01).taken == 2


@pytest.mark.parametrize(
    ("sizes", "means", "taken"),
    [
        ([2, 200], [-0.30, -0.29], 0),  # 200 has to be clearly better, as always
        ([2, 200], [-0.30, -0.20], 1),
        ([1, 3], [-0.30, -0.31], 0),  # no list of five or more: the better one
        ([3, 80, 200], [-0.30, -0.29, -0.28], 0),
    ],
)
def test_without_a_list_of_5_to_50_there_is_nothing_that_few_have_to_beat(sizes, means, taken):
    assert candidates(sizes, means, 0.08).taken == taken
