"""Boosting and a tuned support vector machine beside single trees, on shared UCI sets.

    python benchmarks/boosting.py [--sets NAME ...] [--folds 5] [--figure FILE.svg]

Every method is that of plans with its default settings; rounds, C and gamma are chosen inside
of each training set. AUC is the mean of the folds', error and log loss are pooled. With `--figure`
also the held-out scores of every number of rounds, and the numbers that were chosen.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from _harness import markdown, shared_folder, timed, versions

SETS = ["pima", "german", "ionosphere", "sonar", "hepatitis"]
METHODS = ["c45", "c44", "adaboost", "logitboost", "svm_rbf", "svm_grid"]
STAGES = np.unique(np.round(np.geomspace(1, 2000, 40)).astype(int))


def main() -> None:
    """The table, and the figure if asked for."""
    ask = argparse.ArgumentParser()
    ask.add_argument("--sets", nargs="+", default=SETS)
    ask.add_argument("--folds", type=int, default=5)
    ask.add_argument("--figure", type=Path)
    given = ask.parse_args()
    rows, curves = [], {}
    for name in given.sets:
        X, y, levels = shared_uci(name)
        kept = [held_out(X, y, levels, method, given.folds) for method in METHODS]
        rows += [
            [name, f"{len(y)} x {X.shape[1]}", method, *scored]
            for method, scored in zip(METHODS, kept, strict=True)
        ]
        print(
            markdown(
                ["set", "table", "method", "error", "AUC", "log loss", "CPU s", "rounds"],
                rows[-len(METHODS) :],
            ),
            flush=True,
        )
        if given.figure:
            curves[name] = stages(X, y, levels, given.folds)
    print(f"\n{given.folds} folds; {versions('numpy', 'numba', 'scikit-learn')}")
    if given.figure:
        draw(curves, given.figure)


def shared_uci(name: str) -> tuple[np.ndarray, np.ndarray, dict[int, int]]:
    """Numbers and codes, class codes, and how many categories the columns of codes have."""
    import pandas as pd

    table = pd.read_parquet(shared_folder() / "uci" / f"{name}.parquet")
    y = pd.factorize(table.pop("class"), sort=True)[0].astype(np.int64)
    levels = {}
    for j, column in enumerate(table.columns):
        if not pd.api.types.is_numeric_dtype(table[column]):
            codes, known = pd.factorize(table[column], sort=True)
            table[column], levels[j] = np.where(codes < 0, np.nan, codes), len(known)
    return table.to_numpy(dtype=np.float64), y, levels


def splits(y: np.ndarray, folds: int) -> Any:
    """The outer folds."""
    from sklearn.model_selection import StratifiedKFold

    return StratifiedKFold(folds, shuffle=True, random_state=0).split(y[:, None], y)


def filled(X: np.ndarray, levels: dict[int, int], train: np.ndarray) -> np.ndarray:
    """Categories spread and missing values filled by the training set, for machines."""
    from tamis.classifiers.base.seen_levels import SeenLevels

    spread = SeenLevels.of(X[train], levels).spread(X)
    return np.where(np.isnan(spread), np.nanmedian(spread[train], axis=0), spread)


def held_out(X, y, levels, method: str, folds: int) -> list[str]:
    """Error, AUC, log loss, CPU seconds of all fits, and the rounds that were chosen."""
    from sklearn.metrics import log_loss, roc_auc_score

    from tamis.classifiers.base.scaling import fit_in_units
    from tamis.classifiers.classifier_labels import build_classifier, takes_raw
    from tamis.classifiers.decisions.arg_max import likeliest_class

    proba, wrong = np.empty((len(y), 2)), np.empty(len(y))
    areas, seconds, rounds = [], 0.0, []
    for train, test in splits(y, folds):
        raw = takes_raw(method)
        columns, known = (X, (levels,)) if raw else (filled(X, levels, train), ())
        learnt = columns[train], y[train], 2, 0, *known
        fit = timed(lambda given=learnt: fit_in_units(build_classifier(method, {}), *given))
        found = fit.value.beliefs(columns[test])
        proba[test], wrong[test] = found.proba, likeliest_class(found) != y[test]
        areas.append(roc_auc_score(y[test], found.scores[:, 1] - found.scores[:, 0]))
        seconds += fit.cpu
        inner = getattr(fit.value, "inner", fit.value)
        rounds.append(len(getattr(inner, "says", getattr(inner, "split", ()))))
    loss = log_loss(y, np.clip(proba, 1e-6, 1 - 1e-6))
    told = "-" if not any(rounds) else f"{min(rounds)} to {max(rounds)}"
    return [f"{wrong.mean():.3f}", f"{np.mean(areas):.3f}", f"{loss:.3f}", f"{seconds:.1f}", told]


def stages(X, y, levels, folds: int) -> dict[str, Any]:
    """Held-out scores after every number of rounds of `STAGES`, and the rounds chosen."""
    from tamis.classifiers import AdaBoostC44Classifier, LogitBoostClassifier
    from tamis.classifiers.base.boosting_rounds import mean_log_loss

    columns = sorted(levels) or None
    logit, ada = np.zeros((2, folds, len(STAGES)))
    chosen: dict[str, list[int]] = {"logit": [], "ada": []}
    for k, (train, test) in enumerate(splits(y, folds)):
        made = {"categorical_features": columns, "random_state": 0}
        most = LogitBoostClassifier(rounds=2000, **made).fit(X[train], y[train])
        told = list(most.staged_predict_proba(X[test]))
        at = np.minimum(STAGES, len(told)) - 1
        logit[k] = [mean_log_loss(told[i], y[test], np.ones(len(test))) for i in at]
        trees = AdaBoostC44Classifier(rounds=1000, cv=2, **made).fit(X[train], y[train])
        votes = list(trees.staged_predict(X[test]))
        ada[k] = [(votes[i] != y[test]).mean() for i in np.minimum(STAGES, len(votes)) - 1]
        for key, kind in (("logit", LogitBoostClassifier), ("ada", AdaBoostC44Classifier)):
            chosen[key].append(kind(**made).fit(X[train], y[train]).n_rounds_)
    return {"logit": logit.mean(axis=0), "ada": ada.mean(axis=0), "chosen": chosen}


def draw(curves: dict[str, Any], path: Path) -> None:
    """Two panels: log loss of LogitBoost, error of AdaBoost; a dot for each fold's choice."""
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.hashsalt": "tamis", "svg.fonttype": "none", "font.size": 9})
    figure, panels = plt.subplots(1, 2, figsize=(8.4, 3.4), layout="constrained")
    for panel, key, most, title, unit in (
        (panels[0], "logit", 2000, "LogitBoost", "log loss of held-out rows"),
        (panels[1], "ada", 1000, "AdaBoost over C4.4", "error of held-out rows"),
    ):
        shown = STAGES[most >= STAGES]
        for name, found in curves.items():
            values = found[key][: len(shown)]
            (line,) = panel.plot(shown, values, lw=1.4, label=name)
            heights = np.interp(np.log(found["chosen"][key]), np.log(shown), values)
            panel.plot(found["chosen"][key], heights, "o", ms=4, color=line.get_color())
        panel.set(xscale="log", xlabel="rounds", ylabel=unit, title=title)
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylim(0, 1.2)
    panels[1].set_ylim(0, None)
    panels[0].legend(frameon=False, loc="upper left")
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
