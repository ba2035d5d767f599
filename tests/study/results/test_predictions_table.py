"""What `tables/predictions.tsv` has of recalibrated probabilities, and how it is read again."""

from __future__ import annotations

import numpy as np
import pytest

from common.studies import make_data
from tamis.study import run_study
from tamis.study.results.predictions import HEADLINE_KEY, read_folds, score_folds

PLAN = {
    "metric": "auc",
    "outer": {"folds": 3, "repeats": 2},
    "inner": {"folds": 3, "repeats": 1},
    "permutations": 0,
    "final": False,
    "method": [{"select": "welch_t", "sizes": [5], "classify": "naive_bayes", "name": "bayes"}],
}


@pytest.mark.parametrize("recalibrate", ["slope", "isotonic"])
def test_metrics_of_order_of_folds_are_of_the_scores_before_recalibration(tmp_path, recalibrate):
    """With three classes a recalibration changes the order of samples; with steps of isotonic
    regression there are ties."""
    data = make_data(seed=3, n=60, p=12, informative=3, shift=0.7, classes=("a", "b", "c"))
    plain = run_study(data, {**PLAN, "recalibrate": False}, tmp_path / "plain")
    mended = run_study(data, {**PLAN, "recalibrate": recalibrate}, tmp_path / "mended")
    heads = [
        (one.folder / "tables" / "predictions.tsv").read_text().split("\n")[0].split("\t")[7:]
        for one in (plain, mended)
    ]
    assert heads[0] == ["p(a)", "p(b)", "p(c)"]
    assert heads[1] == [*heads[0], "own p(a)", "own p(b)", "own p(c)"]
    before, after = (read_folds(one, [HEADLINE_KEY])[HEADLINE_KEY] for one in (plain, mended))
    assert before.keys() == after.keys()
    for key, one in before.items():
        np.testing.assert_array_equal(one.proba, one.order)
        np.testing.assert_array_equal(one.proba, after[key].order)
        assert not np.allclose(after[key].proba, one.proba)
    for metric in ("auc", "auprc"):
        scores = [score_folds(*pair, metric) for pair in ((plain, before), (mended, after))]
        np.testing.assert_array_equal(*scores)
        assert plain.metrics[metric] == mended.metrics[metric]
    of_beliefs = [score_folds(*pair, "brier") for pair in ((plain, before), (mended, after))]
    assert not np.allclose(*of_beliefs)
