#!/usr/bin/env bash
# scikit-learn 1.9.1: SVR, which draws nothing and has no `random_state`, beside code that uses numpy.random.
#
# Guess: a deterministic regressor without a `random_state` leaves NumPy's global generator alone, so that what others draw
# from it is the same with and without a fit in between.
# Seen: every fit of SVR, NuSVR and OneClassSVM takes one number from the global generator (libsvm's seed, which these
# problems never read), so numpy.random.seed(0) before a loop gives other draws once such a fit is added to it; Ridge does
# not. No parameter turns it off. Setting the undocumented attribute `random_state` after construction does.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q scikit-learn==1.9.1 numpy
v/bin/python - <<'PYTHON' | tee seen
import numpy as np
from sklearn.linear_model import Ridge
from sklearn.svm import SVR, NuSVR, OneClassSVM

X, y = np.arange(12.0).reshape(6, 2), np.arange(6.0)


def next_number(model):
    np.random.seed(0)
    if model is not None:
        model.fit(X, y)
    return round(float(np.random.rand()), 4)


seeded = SVR()
seeded.random_state = 0
for model in (None, Ridge(), SVR(), NuSVR(), OneClassSVM(), seeded):
    print(type(model).__name__, "random_state" in getattr(model, "get_params", dict)(), next_number(model))
PYTHON
diff seen - <<'EXPECTED'
NoneType False 0.5488
Ridge True 0.5488
SVR False 0.5928
NuSVR False 0.5928
OneClassSVM False 0.5928
SVR False 0.5488
EXPECTED
echo "as described"
