#!/usr/bin/env bash
# confidenceinterval 1.0.4 (NumPy 2.4.6, scikit-learn 1.9.1): the 95 % interval of an AUC.
#
# Guess: of five samples against five, all in the right order, the interval says how little that proves: Newcombe's
# (2006, method 5) is 0.53 to 1. Of one score for all, an AUC of .5 has an interval around it.
# Seen: (1, 1) and (0.5, 0.5), without a warning: DeLong's variance, the default, is 0 in both. `bootstrap_bca` gives NaN
# at 1. The same package's accuracy of ten samples that are all right has a width (Wilson's, 0.72 to 1). A perfect AUC of
# few samples is what a small study of strong markers gets.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q confidenceinterval==1.0.4 numpy==2.4.6 scikit-learn==1.9.1
v/bin/python -W error - <<'PYTHON' | tee seen
from confidenceinterval import accuracy_score, roc_auc_score

y = [0] * 5 + [1] * 5
scores = [0.11, 0.18, 0.25, 0.31, 0.42, 0.56, 0.63, 0.77, 0.84, 0.93]
for what, given in (("in order:", scores), ("one score:", [0.5] * 10)):
    area, (low, high) = roc_auc_score(y, given, confidence_level=0.95)
    print(what, float(area), float(low), float(high))
rate, (low, high) = accuracy_score(y, y, confidence_level=0.95)
print("accuracy:", float(rate), round(float(low), 2), round(float(high), 2))
PYTHON
diff seen - <<'EXPECTED'
in order: 1.0 1.0 1.0
one score: 0.5 0.5 0.5
accuracy: 1.0 0.72 1.0
EXPECTED
echo "as described"
