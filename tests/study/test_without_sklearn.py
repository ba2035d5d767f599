"""Methods whose rows say that they do without scikit-learn do not load it."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import sys
import numpy as np
from tamis._core.registry import rows_of
from tamis._core.rows import ClassifierRow, DecisionRow, RankerRow, StepRow
from tamis.data.dataset import Dataset
from tamis.study.plan import Plan
from tamis.study.prepare import prepare_study
from tamis.study.protocol.nested_cv import run_nested_fold
from tamis.study.tasks import tasks_of

def without(kind):
    return [row.name for row in rows_of(kind) if not row.sklearn]

rng = np.random.default_rng(0)
data = Dataset(rng.integers(0, 3, (24, 6)).astype(float), np.array(list("ab") * 12), list("uvwxyz"))
plans = [{"select": name} for name in without(RankerRow) if name != "covariates"]
plans += [{"select": "welch_t", "classify": [name]} for name in without(ClassifierRow)]
plans += [{"select": "welch_t", "prepare": [name]} for name in without(StepRow)]
for method in plans:
    sized = {} if method["select"] == "all" else {"sizes": [2]}
    plan = {"method": [{"classify": ["logistic"], **sized, **method}], "permutations": 0}
    plan, design, _ = prepare_study(data, Plan.resolve(plan))
    assert not plan.uses_sklearn, method
    run_nested_fold(design, plan, tasks_of(plan, design)[0])
    if "sklearn" in sys.modules:
        sys.exit(f"{method} loads scikit-learn")
for row in rows_of(DecisionRow):
    if not row.sklearn:
        row.load()
print(len(plans), "sklearn" in sys.modules)
"""


def test_what_says_that_it_does_without_scikit_learn_does_not_load_it():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    tried, loaded = done.stdout.split()
    assert int(tried) > 10
    assert loaded == "False"
