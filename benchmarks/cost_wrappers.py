"""Cost wrappers where the truth is known: what their labels cost, and what their probabilities say.

Two classes of two Gaussian columns, spread 1, means (0, 0) and (1.5, 1.0), one sample in five of
the latter; missing one costs 8, a false alarm 1. A logistic regression is right about them, a tree
is not. `--draw FILE` draws what each wrapper around a tree calls what; `--held-out` is about
classifiers that hold out rows of their own, to tune themselves or for a sigmoid.
"""

from __future__ import annotations

import argparse
import platform
import time

import numpy as np
import sklearn
from scipy.special import expit, logit
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from tamis.classifiers import (
    AdaBoostC44Classifier,
    CostingClassifier,
    CostResampledClassifier,
    CostWeightedClassifier,
    DataSpaceExpansionClassifier,
    LogitBoostClassifier,
    MetaCostClassifier,
    MinimumRiskClassifier,
    SVMGridClassifier,
)
from tamis.metrics import CostMatrix

MEAN, SHARE, COSTS = np.array([1.5, 1.0]), 0.2, np.array([[0.0, 8.0], [1.0, 0.0]])
INNER = {
    "logistic": LogisticRegression(C=np.inf, max_iter=1000),
    "tree": DecisionTreeClassifier(min_samples_leaf=10, random_state=0),
}
HELD_OUT = {
    "svm_grid": SVMGridClassifier(random_state=0),
    "adaboost": AdaBoostC44Classifier(max_rounds=100, random_state=0),
    "logitboost": LogitBoostClassifier(max_rounds=300, random_state=0),
}


def draw(n, rng):
    y = (rng.random(n) < SHARE).astype(int)
    return rng.normal(size=(n, 2)) + MEAN * y[:, None], y


def truth(X):
    return expit(logit(SHARE) + X @ MEAN - MEAN @ MEAN / 2)


def wrappers(inner, seed=0):
    """Each, with the number of its fits of the inner classifier."""
    return {
        "none": (clone(inner), 1),
        "minimum risk": (MinimumRiskClassifier(inner, COSTS), 1),
        "minimum risk, sigmoid": (MinimumRiskClassifier(inner, COSTS, "sigmoid"), 6),
        "weights": (CostWeightedClassifier(inner, COSTS), 1),
        "over": (CostResampledClassifier(inner, COSTS, "over", random_state=seed), 1),
        "under": (CostResampledClassifier(inner, COSTS, "under", random_state=seed), 1),
        "SMOTE": (CostResampledClassifier(inner, COSTS, "smote", random_state=seed), 1),
        "costing": (CostingClassifier(inner, COSTS, 100, random_state=seed), 100),
        "MetaCost": (MetaCostClassifier(inner, COSTS, 50, random_state=seed), 51),
        "data-space expansion": (DataSpaceExpansionClassifier(inner, COSTS), 1),
    }


def table(draws, n):
    rng = np.random.default_rng(0)
    new, true = draw(50_000, rng)
    known = truth(new)
    best = COSTS[(known > 1 / 9).astype(int), true].mean()
    print(
        f"n = {n}, {draws} draws, 50,000 test samples; least loss {best:.3f}, "
        f"mean truth {known.mean():.3f}"
    )
    print(f"scikit-learn {sklearn.__version__}, Python {platform.python_version()}, one thread")
    for kind, inner in INNER.items():
        print(f"\n{kind}: loss (standard error), mean |P - truth|, mean P, fits, CPU s")
        found: dict[str, list[tuple[float, ...]]] = {}
        for seed in range(draws):
            X, y = draw(n, np.random.default_rng([1, seed]))
            for name, (model, fits) in wrappers(inner, seed).items():
                start = time.process_time()
                model.fit(X, y)
                spent = time.process_time() - start
                proba = model.predict_proba(new)[:, 1]
                loss = COSTS[model.predict(new), true].mean()
                off = np.abs(proba - known).mean()
                found.setdefault(name, []).append((loss, off, proba.mean(), fits, spent))
        for name, rows in found.items():
            loss, off, mean, fits, spent = np.mean(rows, axis=0)
            error = np.std([row[0] for row in rows], ddof=1) / np.sqrt(draws)
            print(
                f"{name:24} {loss:.3f} ({error:.3f})  {off:.3f}  {mean:.3f}  {fits:4.0f}  "
                f"{spent:.3f}"
            )


def held_out_table(draws, n):
    new, true = draw(20_000, np.random.default_rng(0))
    known = truth(new)
    priced = CostMatrix(COSTS, (0, 1))
    print(
        f"n = {n}, {draws} draws; loss of the labels, of least risk by the probabilities; "
        "labels that agree; mean |P - truth|; mean P"
    )
    for kind, inner in HELD_OUT.items():
        for name in ("minimum risk", "weights", "over", "SMOTE", "under"):
            found = []
            for seed in range(draws):
                X, y = draw(n, np.random.default_rng([1, seed]))
                model = wrappers(inner, seed)[name][0].fit(X, y)
                proba, own = model.predict_proba(new), model.predict(new)
                risk = priced.decide(proba)
                losses = COSTS[own, true].mean(), COSTS[risk, true].mean()
                off = np.abs(proba[:, 1] - known).mean()
                found.append((*losses, np.mean(own == risk), off, proba[:, 1].mean()))
            print(f"{kind:10} {name:14}", *(f"{v:.3f}" for v in np.mean(found, axis=0)), flush=True)


def picture(path, n):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "costs", "font.size": 9})
    import matplotlib.pyplot as plt
    from matplotlib.colors import ListedColormap

    X, y = draw(n, np.random.default_rng([1, 0]))
    axis = np.linspace(-3, 4.5, 160)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    shown = {k: v for k, (v, _) in wrappers(INNER["tree"]).items() if k != "data-space expansion"}
    shown.pop("minimum risk, sigmoid")
    figure, panels = plt.subplots(2, 4, figsize=(9, 4.9), sharex=True, sharey=True)
    for panel, (name, model) in zip(panels.flat, shown.items(), strict=True):
        called = model.fit(X, y).predict(grid).reshape(len(axis), -1)
        panel.imshow(
            called,
            origin="lower",
            extent=(-3, 4.5, -3, 4.5),
            interpolation="nearest",
            cmap=ListedColormap(["white", "#cfe0f3"]),
        )
        ends = np.array([-3.0, 4.5])  # where P is 1/9
        border = (MEAN @ MEAN / 2 - logit(SHARE) + logit(1 / 9) - MEAN[0] * ends) / MEAN[1]
        panel.plot(ends, border, color="k", linewidth=1)
        for c, colour in ((0, "#999999"), (1, "#d95f02")):
            panel.scatter(*X[y == c].T, s=3, color=colour, linewidths=0, rasterized=True)
        panel.set_title(name, fontsize=9)
        panel.set_aspect("equal")
        panel.set_xlim(-3, 4.5)
        panel.set_ylim(-3, 4.5)
    figure.tight_layout()
    figure.savefig(path, dpi=150, metadata={"Date": None})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--n", type=int, default=500)
    parser.add_argument("--draw", metavar="FILE")
    parser.add_argument("--held-out", action="store_true")
    options = parser.parse_args()
    if options.draw:
        picture(options.draw, options.n)
    elif options.held_out:
        held_out_table(options.draws, options.n)
    else:
        table(options.draws, options.n)
