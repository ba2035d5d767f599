"""The interval of a difference between two procedures covers, with equal and unequal classes."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import StratifiedKFold

from tamis.metrics import METRICS
from tamis.study.results.collect import Choice
from tamis.study.results.held_out import paired_difference

pytestmark = pytest.mark.slow
FEW, ALL = [0], list(range(12))


def sample(rng, n, share):
    y = (np.arange(n) < round(share * n)).astype(int)
    X = rng.standard_normal((n, 12))
    X[:, 0] += 1.2 * y
    return X, y


def choice(repeat, fold, columns, X, y, train, test):
    model = LinearDiscriminantAnalysis(priors=[0.5, 0.5]).fit(X[train][:, columns], y[train])
    proba = model.predict_proba(X[test][:, columns])
    code = proba.argmax(axis=1)
    return Choice(
        repeat=repeat,
        fold=fold,
        method="m",
        classify="lda",
        settings="",
        size=len(columns),
        inner=0.0,
        features=np.array(columns),
        test=test,
        predicted=code,
        codes=code,
        proba=proba,
        permutation=0,
    )


@pytest.mark.parametrize(("n", "share", "repeats"), [(60, 0.5, 1), (60, 0.2, 2), (100, 0.1, 1)])
def test_the_interval_covers_the_true_difference(n, share, repeats):
    """Of scores at the folds' training size; at least 95 % less three standard errors."""
    rng = np.random.default_rng(n)
    wide, classes = sample(rng, 10_000, 0.5)
    true = []
    for _ in range(150):
        X, y = sample(rng, int(n * 0.8), share)
        both, test = np.vstack([X, wide]), np.arange(len(X), len(X) + len(wide))
        codes = np.concatenate([y, classes])
        found = [choice(0, 0, c, both, codes, np.arange(len(X)), test) for c in (FEW, ALL)]
        true.append(np.subtract(*(METRICS["bcr"](classes, c.codes, None) for c in found)))
    truth, runs, covered = np.mean(true), 150, 0
    for seed in range(runs):
        X, y = sample(rng, n, share)
        found = {tuple(c): [] for c in (FEW, ALL)}
        for repeat in range(repeats):
            folds = StratifiedKFold(5, shuffle=True, random_state=10 * seed + repeat)
            for fold, (train, test) in enumerate(folds.split(X, y)):
                for columns, choices in found.items():
                    choices.append(choice(repeat, fold, list(columns), X, y, train, test))
        few, all_ = found.values()
        told = paired_difference(few, all_, y, "bcr")
        covered += told.low <= truth <= told.high
    assert covered / runs >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / runs)
