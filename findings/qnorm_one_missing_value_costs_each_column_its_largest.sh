#!/usr/bin/env bash
# qnorm 1.0.0 (NumPy 2.3.5): quantile normalisation of features in rows, samples in columns, one value missing.
#
# Guess: the missing value stays missing and the others are normalised, or the function refuses it; limma's
# normalizeQuantiles interpolates the ranks of a column with gaps.
# Seen: one missing value of 6,000 makes six: the LARGEST value of every other column becomes missing, without a word, for
# the mean over columns of the highest rank is a mean with a NaN. With more gaps every column has as many missing
# values as the one that had most. A high value is what an expression study looks for.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q qnorm==1.0.0 numpy==2.3.5
v/bin/python - <<'PYTHON' | tee seen
import numpy as np
import qnorm

X = np.random.default_rng(0).normal(size=(1000, 6))
X[7, 2] = np.nan
largest = np.nanargmax(X, axis=0)
out = qnorm.quantile_normalize(X)
print("missing in:", np.isnan(X).sum(axis=0).tolist())
print("missing out:", np.isnan(out).sum(axis=0).tolist())
others = [0, 1, 3, 4, 5]
print("largest of the other columns missing:", np.isnan(out[largest[others], others]).tolist())
X[:57, 1] = np.nan
print("57 in one column:", np.isnan(qnorm.quantile_normalize(X)).sum(axis=0).tolist())
PYTHON
diff seen - <<'EXPECTED'
missing in: [0, 0, 1, 0, 0, 0]
missing out: [1, 1, 1, 1, 1, 1]
largest of the other columns missing: [True, True, True, True, True]
57 in one column: [57, 57, 57, 57, 57, 57]
EXPECTED
echo "as described"
