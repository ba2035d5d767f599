"""What declining samples came to: errors of those decided on, of those declined, and of all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from ...metrics import HeldOut, Rejections, VarianceInflation
from ...metrics.curves import spread_along
from ...metrics.estimates import plain_number as plain
from ...metrics.held_out import Estimate as Estimated
from ...metrics.registry import Metric
from ...metrics.risk_coverage import risk_coverage_of
from .collect import Choice, at_full_coverage
from .curve_schema import RejectionPoint
from .schema import Estimate, Rejection

MAX_CURVE_POINTS = 100


def rejection_entry(
    choices: Sequence[Choice],
    held_out: Callable[[Sequence[Choice]], HeldOut],
    sampling: VarianceInflation,
    y: np.ndarray,
    metrics: Mapping[str, Metric],
) -> Rejection | None:
    """What a procedure declined; None where no training set had a rule about that.

    Parameters
    ----------
    choices : sequence of Choice
        One a training set.
    held_out : callable
        Predictions of some choices.
    sampling : VarianceInflation
        What stands behind them.
    y : ndarray of shape (n,)
        True codes of the rows of the table.
    metrics : mapping of name to Metric
    """
    if all(c.standing is None for c in choices):
        return None
    full = held_out(at_full_coverage(choices))
    declined = held_out(
        [replace(c, predicted=np.where(c.predicted < 0, c.codes, -1)) for c in choices]
    )
    given = held_out(choices)
    labels = {k: one for k, one in metrics.items() if one.needs == "labels"}
    wrong = np.concatenate([c.codes != y[c.test] for c in choices])
    standing = np.concatenate([_test_standing(c) for c in choices])
    curve = risk_coverage_of(wrong, standing)
    shares = [c.decision.share for c in choices]
    return {
        "error": _error_estimate(given, sampling),
        "declined_error": _error_estimate(declined, sampling),
        "full_error": _error_estimate(full, sampling),
        "full": {k: _estimate_entry(full.estimate(one, sampling)) for k, one in labels.items()},
        "shares": [plain(share) if share is not None else None for share in shares],
        "area": curve.area,
        "least_area": curve.least_area,
        "points": _rejection_points(Rejections.of(standing, wrong)),
    }


def _test_standing(choice: Choice) -> np.ndarray:
    """How certain each test sample is among those held out inside; 1 without a rule."""
    return np.ones(len(choice.test)) if choice.standing is None else choice.standing


def _error_estimate(held: HeldOut, sampling: VarianceInflation) -> Estimate:
    """The error rate, with its interval."""
    found = held.estimate("accuracy", sampling)
    return _estimate_entry(Estimated(1 - found.mean, 1 - found.high, 1 - found.low, found.note))


def _estimate_entry(found: Estimated) -> Estimate:
    return cast(Estimate, found.to_dict())


def _rejection_points(found: Rejections) -> list[RejectionPoint]:
    """What declining by standing comes to, from nobody on."""
    path = [np.clip(found.thresholds, 0, 1), found.coverage, found.error]
    zone = found.declined_error
    return [
        {
            "standing": float(path[0][k]),
            "coverage": float(path[1][k]),
            "error": float(path[2][k]),
            "declined_error": plain(zone[k]),
            "caught": float(found.recall[k]),
        }
        for k in spread_along(path, MAX_CURVE_POINTS)
    ]
