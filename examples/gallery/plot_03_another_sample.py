"""
Would another sample give the same features?
============================================

Five of 500 features differ between the classes, by one standard deviation. The selection of each
training set is compared with those of the others, and with what permuted labels give.
"""

from tempfile import mkdtemp

import numpy as np
import pandas as pd

from tamis.study import run_study

rng = np.random.default_rng(1)
state = np.repeat(["ill", "well"], 30)
values = rng.normal(size=(60, 500))
values[:30, :5] += 1
table = pd.DataFrame(values, columns=[f"noise{j}" for j in range(500)])
table = table.rename(columns={f"noise{j}": f"true{j}" for j in range(5)})

plan = {
    "outer": {"folds": 5},
    "inner": {"folds": 5, "repeats": 1},
    "permutations": 19,
    "method": [{"select": "moderated_t", "sizes": [5], "classify": "logistic"}],
}
result = run_study(table, plan, mkdtemp(), target=state, name="cohort")
result.plot("frequency")

# %%
# Nogueira's measure is 1 if all training sets give the same features, and 0 if they agree as
# random sets do. Training sets share samples, so permuted labels do not give 0 either.
print(result.summary())
