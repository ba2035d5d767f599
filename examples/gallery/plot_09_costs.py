"""
Which errors cost?
==================

A missed case costs five times as much as a false alarm. Labels are then those of least expected
cost, and the report says what they save.
"""

from tempfile import mkdtemp

import numpy as np

from tamis.study import run_study

rng = np.random.default_rng(3)
state = np.repeat(["well", "ill"], [60, 30])
values = rng.normal(size=(90, 300))
values[60:, :5] += 0.8
plan = {
    "outer": {"folds": 5},
    "inner": {"folds": 5, "repeats": 1},
    "permutations": 0,
    "method": [{"select": "moderated_t", "sizes": [5, 10], "classify": "logistic"}],
}
plain = run_study(values, plan, mkdtemp(), target=state, positive="ill", name="cohort")
costs = {"ill": 5, "well": 1}
dear = run_study(values, plan | {"costs": costs}, mkdtemp(), target=state, positive="ill")

# %%
# Without costs labels are the best in expectation for the balanced accuracy.
plain.plot("confusion")

# %%
# With costs fewer cases are missed, and more who are well are called ill.
dear.plot("confusion")

# %%
# The cost curve shows what deciding by the probabilities costs at other ratios.
dear.plot("cost")
