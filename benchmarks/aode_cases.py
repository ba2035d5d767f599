"""Naive Bayes, AODE and AODEsr on UCI sets: AUC and log loss by repeated ten-fold cross-validation.

    python benchmarks/aode_cases.py [--repeats 5] [--sets pima german] [--figure FILE.svg]

Numeric columns are cut by MDL on the nine training folds. Naive Bayes is `AODEClassifier` without a
parent (`min_support` above the number of samples), so that all three have the same cuts, estimates
and gaps. "As Weka": parents with one training sample; of AODEsr also its m-estimate of 1 and limit
of 50. Both scores are means over test folds; of several classes AUC is of one against the rest.
Intervals of differences are Nadeau and Bengio's corrected 95 %. adult is its first 32,561 rows and
is drawn once.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from _harness import markdown, shared_folder, versions

SETS = (
    "adult",
    "breast_w",
    "bupa",
    "ctg",
    "german",
    "heart",
    "hepatitis",
    "ionosphere",
    "mushroom",
    "newthyroid",
    "pima",
    "sonar",
    "spam",
    "wdbc",
)
SETTINGS = {
    "NB": {"min_support": 1e9},
    "AODE": {},
    "AODEsr": {"subsumption": True},
    "AODE as Weka": {"min_support": 1},
    "AODEsr as Weka": {
        "min_support": 1,
        "subsumption": True,
        "subsumption_support": 50,
        "m_estimate": 1.0,
    },
}
SCORES = ("AUC", "log loss")


def uci_set(name: str):
    """A shared set: columns, text as categories that the whole table declares, and labels."""
    import pandas as pd

    table = pd.read_parquet(shared_folder() / "uci" / f"{name}.parquet")
    table = table.iloc[:32561] if name == "adult" else table
    y = table.pop("class").astype(str).to_numpy()
    for column in table:
        if not pd.api.types.is_numeric_dtype(table[column]):
            table[column] = pd.Categorical(table[column])
    return table, y


def fold_scores(name: str, repeats: int) -> tuple[dict, int, int]:
    """(setting, score) -> of every test fold; the samples, and the columns."""
    from sklearn.metrics import log_loss, roc_auc_score
    from sklearn.model_selection import RepeatedStratifiedKFold

    from tamis.classifiers import AODEClassifier

    X, y = uci_set(name)
    found: dict = {(label, score): [] for label in SETTINGS for score in SCORES}
    draws = 1 if name == "adult" else repeats
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=draws, random_state=0)
    for train, test in folds.split(X, y):
        for label, settings in SETTINGS.items():
            model = AODEClassifier(categorical_features="from_dtype", **settings)
            proba = model.fit(X.iloc[train], y[train]).predict_proba(X.iloc[test])
            scored = proba[:, 1] if proba.shape[1] == 2 else proba
            found[label, "AUC"].append(roc_auc_score(y[test], scored, multi_class="ovr"))
            found[label, "log loss"].append(log_loss(y[test], proba, labels=model.classes_))
    return found, len(y), X.shape[1]


def difference(found: dict, label: str, score: str, n: int):
    """Of a setting from naive Bayes."""
    from tamis.metrics.differences import nadeau_bengio

    apart = np.array(found[label, score]) - found["NB", score]
    return nadeau_bengio(apart, n_train=0.9 * n, n_test=0.1 * n)


def draw_figure(every: dict, path: Path) -> None:
    """Differences from naive Bayes with their intervals, a panel a score, a row a set."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "tamis"
    matplotlib.rcParams["svg.fonttype"] = "none"
    matplotlib.rcParams["font.family"] = "sans-serif"
    import matplotlib.pyplot as plt

    colours = {"AODE": "#1f5fa8", "AODEsr": "#c26a00"}
    figure, axes = plt.subplots(1, 2, figsize=(9, 0.32 * len(every) + 1.4), sharey=True)
    for axis, score in zip(axes, SCORES, strict=True):
        axis.axvline(0, color="#999999", linewidth=1)
        for row, (found, n, _) in enumerate(every.values()):
            for k, (label, colour) in enumerate(colours.items()):
                gap, at = difference(found, label, score, n), row + 0.26 * (k - 0.5)
                axis.plot([gap.low, gap.high], [at, at], color=colour, linewidth=1.5)
                axis.plot(gap.mean, at, "o", color=colour, markersize=4, label="" if row else label)
        better = "right" if score == "AUC" else "left"
        axis.set_xlabel(f"{score}, less that of naive Bayes (better: {better})", fontsize=9)
        axis.tick_params(labelsize=8)
        for side in ("top", "right"):
            axis.spines[side].set_visible(False)
    axes[0].set_yticks(range(len(every)))
    axes[0].set_yticklabels(every, fontsize=9)
    axes[0].invert_yaxis()
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=2, fontsize=9, frameon=False)
    figure.tight_layout(rect=(0, 0.06, 1, 1))
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=SETS)
    parser.add_argument("--figure", type=Path)
    arguments = parser.parse_args()
    every = {name: fold_scores(name, arguments.repeats) for name in arguments.sets}
    print(versions("numpy", "numba", "scikit-learn"))
    for score in SCORES:
        print(f"\n{score}\n")
        rows = []
        for name, (found, n, p) in every.items():
            means = [f"{np.mean(found[label, score]):.4f}" for label in SETTINGS]
            gaps = [difference(found, label, score, n) for label in ("AODE", "AODEsr")]
            told = [f"{g.mean:+.4f} ({g.low:+.4f} to {g.high:+.4f})" for g in gaps]
            rows.append([f"{name}, {n:,} x {p}", *means, *told])
        print(markdown(["", *SETTINGS, "AODE - NB", "AODEsr - NB"], rows))
    if arguments.figure:
        draw_figure(every, arguments.figure)


if __name__ == "__main__":
    main()
