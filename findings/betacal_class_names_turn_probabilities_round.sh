#!/usr/bin/env bash
# betacal 1.1.0 (beta calibration, Kull, Silva Filho & Flach 2017): scores of a classifier whose classes have names.
#
# Guess: calibrated probabilities rise with the score whatever the classes are called, since the paper keeps a and b at 0
# or more; names that cannot be put in order with the scores are refused.
# Seen: the score is taken for the class that comes last by alphabet. With "case" and "control" a score of .9 for "case"
# becomes .06, with no message; with 0 and 1, or "healthy" and "ill", it is .9. And a and b are at 0 or more only as long
# as one of them is: where both would be negative one is dropped and the other stays, so that the map falls.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q betacal==1.1.0 numpy==2.4.6 scikit-learn==1.9.1 pandas==2.3.3
v/bin/python - <<'PYTHON' | tee seen
import numpy as np
from betacal import BetaCalibration

rng = np.random.default_rng(0)
score = rng.random(400)
ill = rng.random(400) < score  # perfect scores
for names in ((0, 1), ("healthy", "ill"), ("control", "case")):
    y = np.where(ill, names[1], names[0])
    for kind in ("abm", "ab", "am"):
        p = BetaCalibration(kind).fit(score, y).predict(np.array([0.1, 0.5, 0.9]))
        print(*names, kind, "rises" if (np.diff(p) > 0).all() else "falls", "high" if p[2] > 0.7 else "low")
PYTHON
diff seen - <<'EXPECTED'
0 1 abm rises high
0 1 ab rises high
0 1 am rises high
healthy ill abm rises high
healthy ill ab rises high
healthy ill am rises high
control case abm falls low
control case ab falls low
control case am falls low
EXPECTED
