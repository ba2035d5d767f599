"""
Does the model hold in a second cohort?
=======================================

A model is saved, and evaluated in two other cohorts: one of the same population, and one that was
measured on another scale.
"""

from dataclasses import replace
from tempfile import mkdtemp

from tamis.data import make_twonorm
from tamis.model.evaluate import evaluate
from tamis.plotting import method_intervals
from tamis.plotting.picture import Picture
from tamis.study import run_study

plan = {
    "outer": {"folds": 5},
    "inner": {"folds": 5, "repeats": 1},
    "permutations": 0,
    "method": [{"select": "moderated_t", "sizes": [10], "classify": "logistic"}],
}
result = run_study(make_twonorm(100, 0.5, n_features=30, random_state=1), plan, mkdtemp())

second = make_twonorm(80, 0.5, n_features=30, random_state=2)
same = evaluate(result.model, second)
other = evaluate(result.model, replace(second, X=3 * second.X + 8))
for cohort in (same, other):
    print([warning["code"] for warning in cohort["warnings"]])

# %%
# The study estimates the procedure, the cohorts judge this very model. Where a cohort is on another
# scale a warning says so, and the score is no better than chance.
cohorts = {"study": result.to_dict(), "second cohort": same, "another scale": other}
rows = [{"label": name, **found["metrics"]["bcr"]} for name, found in cohorts.items()]
chance = {"mean": 0.5, "low": None, "high": None}
data = {"metric": "balanced accuracy", "rows": rows, "chance": chance}
Picture("cohorts", (method_intervals(data),))
