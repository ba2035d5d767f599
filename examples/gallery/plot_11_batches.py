"""
Do batches tell the class?
==========================

Two runs of a machine, and most of the cases were measured in the second. The class means nothing.
"""

from tempfile import mkdtemp

import numpy as np
import pandas as pd

from tamis.look import look_at
from tamis.study import run_study

rng = np.random.default_rng(0)
table = pd.DataFrame(rng.normal(size=(60, 300))).add_prefix("g")
table["run"] = np.repeat(["first", "second"], 30)
table.loc[table["run"] == "second", "g0":"g99"] += 1.5
table["state"] = ["ill"] * 6 + ["well"] * 24 + ["ill"] * 24 + ["well"] * 6

# %%
# A look at the table, before any study: the first component is the run.
look = look_at(table, "state", batch="run")
look.plot("batch")

# %%
look.plot("class")

# %%
# A study that knows of the runs permutes labels within runs. What the run tells of the class is
# then part of chance: without ``batch="run"`` the same score would be compared with 0.5.
plan = {
    "outer": {"folds": 5},
    "inner": {"folds": 5, "repeats": 1},
    "permutations": 19,
    "method": [{"select": "moderated_t", "sizes": [5], "classify": "logistic"}],
}
result = run_study(table, plan, mkdtemp(), target="state", batch="run", name="cohort")
print(result.summary())

# %%
result.plot("permutations")
