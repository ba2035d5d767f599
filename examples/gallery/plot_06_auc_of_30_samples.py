"""
How sure is an AUC of 30 samples?
=================================

Eight cohorts of 30 samples from the same population, each studied by the same procedure. The
dashed line is the AUC that the procedure has on 2,000 new samples, on average.
"""

from tempfile import mkdtemp

import numpy as np

from tamis.data import make_twonorm
from tamis.metrics import area_under_roc
from tamis.plotting import method_intervals
from tamis.plotting.picture import Picture
from tamis.study import run_study

plan = {
    "outer": {"folds": 5},
    "inner": {"folds": 3, "repeats": 1},
    "permutations": 0,
    "method": [{"select": "moderated_t", "sizes": [10], "classify": "logistic"}],
}
new = make_twonorm(2000, 0.3, n_features=40, random_state=99)
rows, truths = [], []
for seed in range(8):
    cohort = make_twonorm(30, 0.3, n_features=40, random_state=seed)
    result = run_study(cohort, plan, mkdtemp())
    rows.append({"label": f"cohort {seed + 1}", **result.to_dict()["metrics"]["auc"]})
    truths.append(area_under_roc(new.y, result.model.predict_proba(new)))
truth = {"mean": np.mean(truths), "low": None, "high": None, "label": "new samples"}

# %%
# The AUC of a cohort may be far from the truth. The 95 % intervals say so.
Picture("intervals", (method_intervals({"metric": "AUC", "rows": rows, "chance": truth}),))
