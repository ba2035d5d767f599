#!/usr/bin/env bash
# scikit-learn 1.7.2: StratifiedKFold(shuffle=True, random_state=7) over many tables of noise.
#
# Guess: a classifier that knows nothing has a mean balanced accuracy of 1/2 over 600 tables with random labels, whatever
# the seed of the folds: each table's labels are drawn anew, and each fold has the same number of each class.
# Seen: with one seed for all tables the mean is .512, 4.6 standard errors above 1/2, where rows stand in order of their batch
# (12 batches of 8, which move every column) and the classifier finds neighbours; with a seed for each table it is 1/2. The
# folds of a seed hold the same RANKS of each class: the n-th sample of class a goes to the same fold in every table. So
# where the rows of a batch stand together, labels of training rows and the folds tell of the labels held out. It
# averages out over seeds, not over tables: a check for leaks by many null tables and one seed finds one that is not there.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv v
v/bin/pip install -q scikit-learn==1.7.2 numpy==2.3.5 scipy==1.16.3
v/bin/python - <<'PYTHON' | tee seen
import numpy as np
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier


def rate(table, seed):
    rng = np.random.default_rng([table, 6])
    batch = np.repeat(np.arange(12), 8)
    y = rng.permutation(96) % 2
    X = rng.normal(size=(96, 10)) + 2 * rng.normal(size=(12, 10))[batch]
    folds = StratifiedKFold(4, shuffle=True, random_state=seed)
    return balanced_accuracy_score(y, cross_val_predict(KNeighborsClassifier(5), X, y, cv=folds))


for name, seeds in (("one seed", np.full(600, 7)), ("a seed for each table", np.arange(600))):
    rates = np.array([rate(table, int(seed)) for table, seed in enumerate(seeds)])
    errors = (rates.mean() - 0.5) / (rates.std(ddof=1) / np.sqrt(600))
    print(f"{name}: off chance by more than three standard errors: {abs(errors) > 3}")
    print(f"mean {rates.mean():.3f}, {errors:.1f} standard errors", file=__import__("sys").stderr)
PYTHON
diff seen - <<'EXPECTED'
one seed: off chance by more than three standard errors: True
a seed for each table: off chance by more than three standard errors: False
EXPECTED
