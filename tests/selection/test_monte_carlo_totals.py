"""Sums over the projections of a run of Monte Carlo feature selection."""

from __future__ import annotations

import numpy as np

from tamis.selection._monte_carlo_runs import Totals


def test_recalls_are_added_up_by_class_and_accuracies_over_all_trees():
    totals = Totals(4, 5, run=None)
    recalls = np.array([[0.5, 1.0, 0.25], [0.25, 0.0, 0.5]])  # two projections, three classes
    totals.restore(np.zeros(4), np.zeros(4), 2, np.float64(1.5), recalls.sum(axis=0), None)
    totals._accuracy.append(np.array([0.5, 0.25]))
    totals._recalls.append(recalls)
    assert totals.recall_sums.tolist() == [1.5, 2.0, 1.5]
    assert totals.accuracies == 2.25
