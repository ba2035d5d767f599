"""Two normal classes: sizes, spreads, distances, and the same for one seed."""

from __future__ import annotations

import numpy as np
import pytest

from tamis._core.errors import PlanError
from tamis.data import make_ringnorm, make_twonorm


def test_twonorm_is_as_far_apart_as_asked():
    data = make_twonorm(20_000, 1.5, n_features=3)
    former, latter = (data.X[data.y == name] for name in "ab")
    assert len(former) == len(latter) == 10_000
    np.testing.assert_allclose(latter.mean(axis=0) - former.mean(axis=0), 1.5, atol=0.06)
    np.testing.assert_allclose([former.std(axis=0), latter.std(axis=0)], 1, atol=0.03)


def test_ringnorm_has_one_class_around_the_other():
    data = make_ringnorm(20_000, n_features=2)
    former, latter = (data.X[data.y == name] for name in "ab")
    np.testing.assert_allclose(former.std(axis=0), 2, atol=0.06)
    np.testing.assert_allclose(latter.std(axis=0), 1, atol=0.03)
    np.testing.assert_allclose(latter.mean(axis=0) - former.mean(axis=0), 2**-0.5, atol=0.09)


def test_a_seed_gives_the_same_and_none_another():
    assert make_twonorm(11, random_state=3).digest() == make_twonorm(11, random_state=3).digest()
    assert make_twonorm(11, random_state=3).digest() != make_twonorm(11, random_state=4).digest()
    assert make_twonorm(11, random_state=None).shape == (11, 2)
    assert (make_twonorm(11).y == "a").sum() == 6


def test_the_least_there_can_be():
    assert make_twonorm(2, n_features=1).shape == (2, 1)


@pytest.mark.parametrize(
    "wrong", [{"n_samples": 1}, {"n_features": 0}, {"distance": np.nan}, {"random_state": -1}]
)
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(PlanError):
        make_twonorm(**wrong)
