"""
When should the model abstain?
==============================

Where a second test is an answer, a model may abstain on samples of which it is uncertain. The
threshold is learnt from inner held-out predictions.
"""

from tempfile import mkdtemp

from tamis.data import make_twonorm
from tamis.study import run_study

data = make_twonorm(120, distance=0.35, n_features=40, random_state=2)
plan = {
    "outer": {"folds": 5},
    "inner": {"folds": 5, "repeats": 2},
    "permutations": 0,
    "reject": "f_beta",
    "method": [{"select": "moderated_t", "sizes": [20], "classify": "logistic"}],
}
result = run_study(data, plan, mkdtemp())
print(result.summary())

# %%
# The error rate of the samples that are given a label, by the share that is given one. The least
# certain samples are declined first.
result.plot("risk")
