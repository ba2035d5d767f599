#!/usr/bin/env bash
# mlxtend 0.23.4, bootstrap_point632_score (with scikit-learn 1.6.1), one nearest neighbour on noise.
#
# Guess: as in Efron and Tibshirani (1997): .632 = .368 x accuracy on the training data + .632 x out-of-bag accuracy, and
# .632+ weights the second by .632 to 1, so that it lies between .632 and out-of-bag. One nearest neighbour has accuracy 1
# on its training data, so that .632 is .368 + .632 x out-of-bag.
# Seen: neither holds. The accuracy that is weighted by .368 is that of each bootstrap model on ALL rows, in the bag or out
# of it (about .8 here, not 1), so that .632 is about .59 where the formula gives .66; and .632+ comes out BELOW
# the out-of-bag accuracy. With scikit-learn 1.7 and later the function raises an AttributeError (_estimator_type).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q mlxtend==0.23.4 scikit-learn==1.6.1 scipy==1.15.3 numpy==2.2.6 pandas==2.3.3
v/bin/python -W ignore - <<'PYTHON' | tee seen
import numpy as np
from mlxtend.evaluate import bootstrap_point632_score
from sklearn.neighbors import KNeighborsClassifier

found = []
for seed in range(6):
    X, y = np.random.default_rng(seed).normal(size=(40, 20)), np.array([0, 1] * 20)
    nearest = KNeighborsClassifier(1)
    assert nearest.fit(X, y).score(X, y) == 1
    found.append(
        [
            np.mean(bootstrap_point632_score(nearest, X, y, n_splits=50, method=method, random_seed=1))
            for method in ("oob", ".632", ".632+")
        ]
    )
oob, plain, plus = np.mean(found, axis=0)
print(f"out-of-bag {oob:.2f}, .632 {plain:.2f}, .632+ {plus:.2f}")
print(f"the formula of .632: {0.368 + 0.632 * oob:.2f}")
print(".632+ between .632 and out-of-bag:", bool(oob <= plus <= plain))
PYTHON
diff seen - <<'EXPECTED'
out-of-bag 0.47, .632 0.59, .632+ 0.44
the formula of .632: 0.66
.632+ between .632 and out-of-bag: False
EXPECTED
echo "as described"
