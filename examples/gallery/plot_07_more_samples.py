"""
How many more samples would help?
=================================

A learning curve trains the complete procedure on parts of each training set, and judges it on the
same held-out samples.
"""

from tempfile import mkdtemp

from tamis.data import make_twonorm
from tamis.study import run_study

plan = {
    "outer": {"folds": 5},
    "inner": {"folds": 5, "repeats": 1},
    "permutations": 0,
    "learning_curve": {"shares": [0.2, 0.4, 0.6, 0.8, 1.0]},
    "method": [{"select": "moderated_t", "sizes": [10, 20], "classify": "logistic"}],
}
result = run_study(make_twonorm(150, 0.3, n_features=100), plan, mkdtemp())
result.plot("learning")

# %%
# The last step is what the last fifth of the training samples added. Nothing is extrapolated: the
# curve says something of sample sizes up to that of the study.
last = result.to_dict()["learning_curve"]["last"]
print({key: round(last[key], 3) for key in ("mean", "low", "high")})
