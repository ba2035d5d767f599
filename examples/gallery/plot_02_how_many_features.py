"""
How many features are enough?
=============================

Each training set tries every size in its inner folds. The outer score by size shows what the sizes
come to on held-out samples.
"""

from tempfile import mkdtemp

from tamis.data import load_golub
from tamis.study import run_study

plan = {
    "outer": {"folds": 5, "repeats": 2},
    "inner": {"folds": 5, "repeats": 1},
    "permutations": 0,
    "method": [
        {"select": "moderated_t", "sizes": [1, 2, 5, 10, 20, 50, 100, 200], "classify": "logistic"}
    ],
}
result = run_study(load_golub(), plan, mkdtemp(), name="golub")
result.plot("sizes")

# %%
# The best outer score is ringed. It is optimistic, because it was picked after looking at it; the
# estimate of the procedure, which picks a size inside each training set, is this one:
print(result.summary())
