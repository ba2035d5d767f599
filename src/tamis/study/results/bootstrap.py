"""The bootstrap .632+ estimate of the full procedure, beside the headline."""

from __future__ import annotations

import math

import numpy as np

from ...metrics.bootstrap_632 import (
    Bootstrap632,
    bootstrap_632_plus,
    left_out_errors,
    no_information_rate,
)
from ...metrics.estimates import plain_number as plain
from .schema import BootstrapEstimate, ErrorsTogether
from .summary import Context

# scores that are 1 less a mean of errors, by class or by sample
BOOTSTRAPPED_METRICS = ("bcr", "accuracy")


def bootstrap_entry(context: Context) -> BootstrapEstimate:
    """The `bootstrap` entry of docs/json.md; with nobody declined."""
    y, chosen, apparent = context.y[0], context.collected.bootstrap, context.collected.apparent
    assert apparent is not None
    n, C = len(y), len(context.labels.classes)
    rows = [c.test for c in chosen]
    left_out = left_out_errors(rows, [c.codes != y[c.test] for c in chosen], n)
    inside = apparent.codes[np.argsort(apparent.test)] != y
    shares = np.bincount(y, minlength=C) / n
    said = np.bincount(apparent.codes, minlength=C) / n
    weights = {"bcr": np.full(C, 1 / C), "accuracy": shares}
    found = {
        name: bootstrap_632_plus(
            _weighted_error(inside.astype(float), y, weights[name]),
            _weighted_error(left_out, y, weights[name]),
            no_information_rate(weights[name], said),
        )
        for name in BOOTSTRAPPED_METRICS
    }
    return {
        "n_samples": len(chosen),
        "share": float(np.mean([1 - len(test) / n for test in rows])),
        "never_left_out": int(np.isnan(left_out).sum()),
        "metrics": {name: _as_scores(one) for name, one in found.items()},
    }


def _weighted_error(errors: np.ndarray, y: np.ndarray, weights: np.ndarray) -> float:
    """Class means of the defined errors (n,), put together; NaN where a class has none."""
    known = ~np.isnan(errors)
    if len(np.unique(y[known])) < len(weights):
        return math.nan
    means = np.bincount(y[known], errors[known]) / np.bincount(y[known])
    return float(weights @ means)


def _as_scores(found: Bootstrap632) -> ErrorsTogether:
    return {
        "estimate": plain(1 - found.estimate),
        "apparent": plain(1 - found.apparent),
        "left_out": plain(1 - found.left_out),
        "no_information": plain(1 - found.no_information),
        "overfitting": plain(found.overfitting),
        "weight": plain(found.weight),
    }
