"""Which learner a sequential search should judge subsets by: nested, over shared sets.

    python benchmarks/wrappers.py learners [--sets N] [--repeats R]

The rule, written before the figures: every shared expression set of two or more classes with 50 to
200 samples, 1,000 to 10,000 columns and at least ten samples in each class. In each of five
stratified outer folds a search selects on the training rows (forward, up to 20 features, five inner
folds), ridge logistic regression is fitted on what it chose, and the held-out rows are judged by
balanced accuracy. The default is the learner with the best mean rank over the sets at its own
size. Beside them stand the plainest peers: the best 10 and 20 by the moderated t statistic, and all
features with the same classifier.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings

import numpy as np
from scipy.stats import rankdata
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from _harness import markdown, shared_folder, shared_set, versions  # first: sets threads
from tamis.metrics import balanced_classification_rate
from tamis.selection import FilterSelector, SequentialSelector

LEARNERS = ("lda", "diagonal_discriminant", "ridge", "naive_bayes")


def fitting_sets() -> list[str]:
    """Names of the sets that the rule takes."""
    found = []
    for file in sorted((shared_folder() / "expression").glob("*.parquet")):
        data = shared_set(file.stem)
        counts = np.bincount(np.unique(data.y, return_inverse=True)[1])
        n, p = data.X.shape
        sound = 50 <= n <= 200 and 1000 <= p <= 10_000 and counts.min() >= 10
        if sound and not np.isnan(data.X).any():
            found.append(file.stem)
    return found


def selectors() -> dict[str, object]:
    """What is compared, by name."""
    made: dict[str, object] = {}
    for learner in LEARNERS:
        for size in (None, 10):
            told = "own size" if size is None else f"{size} features"
            made[f"forward, {learner}, {told}"] = SequentialSelector(
                learner, size=size, max_size=20, random_state=0, progress=False
            )
    made["backward, ridge, 10 features"] = SequentialSelector(
        "ridge", "backward", size=10, random_state=0, progress=False
    )
    for size in (10, 20):
        made[f"moderated t, {size} features"] = FilterSelector("moderated_t", size=size)
    made["all features"] = None
    return made


def held_out_rate(selector, X, y, folds) -> tuple[float, float]:
    """Mean balanced accuracy over the folds, and the mean number of features."""
    rates, sizes = [], []
    for train, test in folds:
        columns = np.arange(X.shape[1])
        if selector is not None:
            columns = selector.fit(X[train], y[train]).get_support(indices=True)
        model = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=2000))
        model.fit(X[train][:, columns], y[train])
        rates.append(balanced_classification_rate(y[test], model.predict(X[test][:, columns])))
        sizes.append(len(columns))
    return float(np.mean(rates)), float(np.mean(sizes))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=99)
    parser.add_argument("--repeats", type=int, default=1)
    args = parser.parse_args()
    warnings.filterwarnings("ignore")
    names, made = fitting_sets()[: args.sets], selectors()
    rates, sizes, seconds = (np.zeros((len(names), len(made))) for _ in range(3))
    for i, name in enumerate(names):
        data = shared_set(name)
        folds = [
            fold
            for r in range(args.repeats)
            for fold in StratifiedKFold(5, shuffle=True, random_state=r).split(data.X, data.y)
        ]
        for j, selector in enumerate(made.values()):
            start = time.process_time()
            rates[i, j], sizes[i, j] = held_out_rate(selector, data.X, data.y, folds)
            seconds[i, j] = (time.process_time() - start) / len(folds)
        print(name, data.X.shape, np.round(rates[i], 3), file=sys.stderr, flush=True)
    ranks = rankdata(-rates, axis=1)
    rows = [
        [
            name, f"{rates[:, j].mean():.3f}", f"{ranks[:, j].mean():.2f}",
            f"{sizes[:, j].mean():.1f}" if made[name] is not None else "all",
            f"{seconds[:, j].mean():.2f}",
        ]
        for j, name in enumerate(made)
    ]  # fmt: skip
    print(f"{len(names)} sets: {', '.join(names)}.\n")
    print(markdown(["selection", "balanced accuracy", "mean rank", "features", "CPU s a fit"], rows))
    print(f"\n{versions('scikit-learn', 'numpy')}.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
