"""Sequential searches: which learner should judge subsets, and how fast they are.

    python benchmarks/sequential.py learners [--sets N] [--repeats R]
    python benchmarks/sequential.py speed

**Learners.** The rule, written before the figures: every shared expression set of two or more
classes with 50 to 200 samples, 1,000 to 10,000 columns and at least ten samples in each class. In
each of five stratified outer folds a search selects on the training rows (forward, up to 20
features, five inner folds), ridge logistic regression is fitted on what it chose, and the held-
out rows are judged by balanced accuracy. The default is the learner with the best mean rank over
the sets at its own size. Beside them stand the plainest peers: the best 10 and 20 by the
moderated t statistic, and all features with the same classifier.

**Speed.** Three picks of scikit-learn's and mlxtend's (if it is installed) sequential selectors
beside ours at n = 100, p = 500 with the same folds, the same subsets checked first; then 20 of
20,000 features by each learner.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings

from _harness import markdown, shared_folder, shared_set, timed, versions  # first: sets threads

# isort: split
import numpy as np
from scipy.stats import rankdata
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

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


def compare_learners(sets: int, repeats: int) -> None:
    """The table of learners."""
    names, made = fitting_sets()[:sets], selectors()
    rates, sizes, seconds = (np.zeros((len(names), len(made))) for _ in range(3))
    for i, name in enumerate(names):
        data = shared_set(name)
        folds = [
            fold
            for r in range(repeats)
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
            name,
            f"{rates[:, j].mean():.3f}",
            f"{ranks[:, j].mean():.2f}",
            f"{sizes[:, j].mean():.1f}" if made[name] is not None else "all",
            f"{seconds[:, j].mean():.2f}",
        ]
        for j, name in enumerate(made)
    ]
    print(f"{len(names)} sets: {', '.join(names)}.\n")
    head = ["selection", "balanced accuracy", "mean rank", "features", "CPU s a fit"]
    print(markdown(head, rows))


def noisy_table(p: int):
    """100 samples of two classes that differ in ten columns of p, and five folds."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(100, p)), np.arange(100) % 2
    X[:, :10] += 0.7 * y[:, None]
    return X, y, list(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y))


def compare_speed() -> None:
    """The tables of speed."""
    X, y, folds = noisy_table(500)
    rows = []
    for estimator, scoring in (
        (LinearDiscriminantAnalysis(), "neg_log_loss"),
        (Ridge(), "neg_mean_squared_error"),
    ):
        ours = timed(
            lambda e=estimator, s=scoring: SequentialSelector(
                e, size=3, max_size=3, scoring=s, cv=folds, progress=False
            ).fit(X, y),
            repeats=5,
        )
        peers = {
            "scikit-learn": timed(
                lambda e=estimator, s=scoring: SequentialFeatureSelector(
                    e, n_features_to_select=3, scoring=s, cv=folds
                ).fit(X, y)
            )
        }
        try:
            from mlxtend.feature_selection import SequentialFeatureSelector as Mlxtend
        except ImportError:
            print("mlxtend is not installed: left out", file=sys.stderr)
        else:
            peers["mlxtend"] = timed(
                lambda e=estimator, s=scoring, kind=Mlxtend: kind(
                    e, k_features=3, scoring=s, cv=folds
                ).fit(X, y)
            )
        chosen = ours.value.get_support(indices=True).tolist()
        for name, peer in peers.items():
            found = getattr(peer.value, "k_feature_idx_", None)
            found = peer.value.get_support(indices=True) if found is None else found
            assert list(found) == chosen, (name, found, chosen)
            row = [type(estimator).__name__, name, f"{ours.cpu:.3f}", f"{peer.cpu:.1f}"]
            rows.append([*row, f"{peer.cpu / ours.cpu:.0f}"])
    print(markdown(["learner", "peer", "CPU s, ours", "CPU s, peer", "ratio"], rows))
    X, y, folds = noisy_table(20_000)
    rows = []
    for learner in (*LEARNERS, "knn"):
        for what in ({}, {"floating": True}, {"direction": "backward"}):
            one = SequentialSelector(learner, cv=folds, progress=False, **what)
            found = timed(lambda one=one: one.fit(X, y))
            facts = found.value.result_.facts
            rows.append(
                [
                    facts.method,
                    learner,
                    f"{found.wall:.1f}",
                    f"{found.cpu:.1f}",
                    f"{facts.n_updated:,}",
                    f"{facts.n_direct:,}",
                ]
            )
    print()
    print(markdown(["search", "learner", "wall s", "CPU s", "updated", "one by one"], rows))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("learners", "speed"))
    parser.add_argument("--sets", type=int, default=99)
    parser.add_argument("--repeats", type=int, default=1)
    args = parser.parse_args()
    warnings.filterwarnings("ignore")
    if args.what == "learners":
        compare_learners(args.sets, args.repeats)
    else:
        compare_speed()
    print(f"\n{versions('scikit-learn', 'numpy')}.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
