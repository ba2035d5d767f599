#!/usr/bin/env bash
# mrmr_selection 0.2.8, mrmr_classif with a y whose index is in another order than that of X.
#
# Guess: rows of X and y are joined by their index, as pandas does, or by position, as scikit-learn does.
# Seen: both at once. Scores of features take y by position, so that a y in another order of rows (after a sort or a
# merge, with the right index) loses the one strong feature and noise is selected, without a word; with an index that
# differs in its labels the same call raises IndexingError, as only joining by index does.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q mrmr_selection==0.2.8 pandas==2.3.3 scipy==1.16.3 scikit-learn==1.7.2 polars==1.35.2
v/bin/python -W ignore - <<'PYTHON' | tee seen
import numpy as np
import pandas as pd
from mrmr import mrmr_classif

rng = np.random.default_rng(0)
y = pd.Series([0, 1] * 20)
X = pd.DataFrame(rng.normal(size=(40, 10)), columns=[f"g{k}" for k in range(10)])
X["g3"] += 3 * y
how = {"K": 1, "show_progress": False, "n_jobs": 1}
print("same order:", mrmr_classif(X, y, **how))
other = y.sample(frac=1, random_state=0)
print("other order, strong feature found:", mrmr_classif(X, other, **how) == ["g3"])
print("after other.sort_index():", mrmr_classif(X, other.sort_index(), **how))
try:
    mrmr_classif(X, y.set_axis(range(100, 140)), **how)
except Exception as error:
    print("other labels:", type(error).__name__)
PYTHON
diff seen - <<'EXPECTED'
same order: ['g3']
other order, strong feature found: False
after other.sort_index(): ['g3']
other labels: IndexingError
EXPECTED
echo "as described"
