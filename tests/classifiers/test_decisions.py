"""The likeliest class."""

from __future__ import annotations

import numpy as np

from tamis._core.interfaces import Beliefs
from tamis.classifiers.decisions.arg_max import ArgMax
from tamis.classifiers.decisions.balanced import Balanced
from tamis.classifiers.recalibrations.layer import Recalibrated
from tamis.classifiers.recalibrations.slope import Slope


def test_arg_max_follows_margins_before_probabilities():
    proba = np.array([[0.6, 0.4], [0.5, 0.5]])
    assert ArgMax().decide(Beliefs(proba)).codes.tolist() == [0, 0]
    margin = np.array([[-1.0, 1.0], [2.0, -2.0]])
    found = ArgMax().fit(Beliefs(proba, margin), np.array([0, 1])).decide(Beliefs(proba, margin))
    assert found.codes.tolist() == [1, 0]
    assert found.beliefs.proba is proba


def test_labels_follow_the_scores_that_a_decision_was_made_for():
    """Margins, and shares in the prior, are the classifier's own; the likeliest class is that of
    the probabilities which are shown."""
    rng = np.random.default_rng(0)
    y = np.r_[np.zeros(60, dtype=int), np.ones(20, dtype=int)]
    f = rng.normal(size=80) + 1.2 * y - 0.5
    proba = np.column_stack([1 / (1 + np.exp(f)), 1 / (1 + np.exp(-f))])
    prior = np.tile([0.75, 0.25], (80, 1))
    given = Beliefs(proba, samples=np.arange(80), prior=prior)
    margins = Beliefs(proba, np.column_stack([-f, f]) - 0.7, samples=np.arange(80))
    for decision, beliefs in ((Balanced(), given), (Balanced(), margins), (ArgMax(), margins)):
        plain = decision.decide(beliefs)
        layered = Recalibrated(Slope(), decision).fit(beliefs, y).decide(beliefs)
        assert layered.codes.tolist() == plain.codes.tolist()
        assert not np.allclose(layered.beliefs.proba, plain.beliefs.proba)
        assert layered.beliefs.own is beliefs
    shown = Recalibrated(Slope(), ArgMax()).fit(given, y).decide(given)
    assert shown.codes.tolist() == shown.beliefs.proba.argmax(axis=1).tolist()
