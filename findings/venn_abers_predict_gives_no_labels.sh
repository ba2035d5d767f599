#!/usr/bin/env bash
# venn-abers 1.5.4 (scikit-learn 1.9.1, NumPy 2.4.6): `predict` of a calibrator of a scikit-learn classifier.
#
# Guess: `fit(X, y)` with y of "ill" and "well", then `predict(X)` gives "ill" and "well", as the classifier inside does.
# Seen: a matrix of zeros and ones, a column for each of `classes_`. `accuracy_score` and `cross_val_predict` refuse it or
# store it as it is; a comparison by hand with y of "ill" and "well" is of another shape.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q venn-abers==1.5.4 scikit-learn==1.9.1 numpy==2.4.6 pandas==2.3.3
v/bin/python - <<'PYTHON' | tee seen
import numpy as np
from sklearn.naive_bayes import GaussianNB
from venn_abers import VennAbersCalibrator

rng = np.random.default_rng(0)
X = rng.normal(size=(200, 2))
y = np.where(X[:, 0] > 0, "ill", "well")
calibrator = VennAbersCalibrator(GaussianNB(), inductive=True, cal_size=0.3, random_state=1)
calibrator.fit(X, y)
found = calibrator.predict(X[:4])
print(found.shape, found.tolist())
print(y[:4].tolist(), GaussianNB().fit(X, y).predict(X[:4]).tolist())
print(hasattr(calibrator, "classes_"))
PYTHON
diff seen - <<'EXPECTED'
(4, 2) [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
['ill', 'ill', 'well', 'ill'] ['ill', 'ill', 'well', 'ill']
True
EXPECTED
echo "as described"
