"""Which of Newton's steps are taken, by losses that are made up."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.kernels import slope_newton
from tamis.kernels.slope_newton import LOSS_SLACK


@pytest.mark.parametrize(
    ("rises", "end"), [([1.0], -1.0), ([0.0], -1.0), ([2.0, 1.0], -0.5), ([3.0, 2.0, -1.0], -0.25)]
)
def test_a_step_is_halved_while_the_loss_rises_by_more_than_the_slack(monkeypatch, rises, end):
    losses = iter([1.0, *(1.0 + rise * LOSS_SLACK for rise in rises), 0.0])
    steps = iter([1.0, 0.0])
    monkeypatch.setattr(slope_newton, "slope_loss", lambda *given: next(losses))
    monkeypatch.setattr(slope_newton, "newton_step", lambda *given: given[-1].fill(next(steps)))
    monkeypatch.setattr(slope_newton, "limit_of", lambda limits, j: (-9.0, 9.0))
    theta, kernel = np.zeros((1, 1)), slope_newton.newton_slopes
    row, none = np.ones(1), np.zeros(3)
    getattr(kernel, "py_func", kernel)(np.zeros((1, 1, 1)), none, none, row, none, none, theta)
    assert theta[0, 0] == end
    assert next(losses, None) is None
