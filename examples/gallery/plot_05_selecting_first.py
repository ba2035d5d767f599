"""
Does selecting before cross-validation cheat?
=============================================

Sixty samples of noise with 1,000 features. Ten features are selected on all samples, and then
cross-validated; or they are selected in each training set.
"""

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from tamis.plotting import method_intervals
from tamis.plotting.picture import Picture
from tamis.selection import FilterSelector

rng = np.random.default_rng(0)
y = np.repeat([0, 1], 30)
select, classify = FilterSelector("moderated_t", size=10), LogisticRegression()
outside, inside = [], []
for _ in range(20):
    X = rng.normal(size=(60, 1000))
    chosen = select.fit_transform(X, y)  # has seen the samples that are held out below
    outside.append(cross_val_score(classify, chosen, y, scoring="balanced_accuracy").mean())
    both = make_pipeline(select, classify)
    inside.append(cross_val_score(both, X, y, scoring="balanced_accuracy").mean())

# %%
# The mean over 20 tables, and where nine in ten of them lie. The labels mean nothing: 0.5 is true.
rows = [
    {"label": label, "mean": np.mean(a), "low": np.quantile(a, 0.05), "high": np.quantile(a, 0.95)}
    for label, a in (("selected on all samples", outside), ("selected in training sets", inside))
]
chance = {"mean": 0.5, "low": None, "high": None}
data = {"metric": "balanced accuracy", "rows": rows, "chance": chance}
Picture("optimism", (method_intervals(data),))
