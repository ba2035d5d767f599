"""Quantile normalisation and centring by batch, inside the folds and before them, on real sets.

Each set is studied as it is, with the step inside the folds (`prepare`) and with the step done once
on all samples beforehand; with its own labels, with labels permuted inside batches (the batch still
tells what it tells of the class, nothing else does) and with labels permuted freely. Moderated t,
LDA on 5 or 20 features, outer 5 folds (10 times for the true labels), inner 3.

Batches: of golub and vantveer the two sets of samples their papers speak of; of bladderbatch the
array runs, which are asked of R (package bladderbatch) and matched to the samples by their values.
Without it that set is left out.

    python benchmarks/steps_inside_outside.py [--draws 24] [--n-jobs 2] [--figure FILE.svg]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from _harness import markdown, shared_set, versions

SETS = ("bladderbatch", "golub", "vantveer")
STEPS = ("quantile", "center_by_batch")
LABELS = {
    "true": "the set's own labels",
    "inside batches": "labels permuted inside batches",
    "freely": "labels permuted freely",
}
ASK = """
suppressMessages(library(bladderbatch)); data(bladderdata)
write.csv(data.frame(batch = pData(bladderEset)$batch, t(exprs(bladderEset)[1:50, ])), stdout())
"""


def bladder_batches(data) -> np.ndarray | None:
    """The array run of each sample, or None without R's package."""
    import io

    import pandas as pd

    try:
        asked = subprocess.run(["Rscript", "-e", ASK], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        print("bladderbatch is left out: R has no package bladderbatch", file=sys.stderr)
        return None
    told = pd.read_csv(io.StringIO(asked.stdout), index_col=0)
    values = told.drop(columns="batch").to_numpy()
    place = [int(np.abs(values - row).sum(axis=1).argmin()) for row in data.X[:, :50]]
    assert sorted(place) == list(range(len(place)))
    np.testing.assert_allclose(values[place], data.X[:, :50], rtol=1e-5)
    return np.array([f"run {b}" for b in told["batch"].to_numpy()[place]])


def set_in_batches(name: str):
    """A shared set with its batches, or None where these cannot be had."""
    data = shared_set(name)
    first = {"golub": 34, "vantveer": 78}
    if name in first:
        batches = np.where(np.arange(len(data.X)) < first[name], "first", "second")
    else:
        batches = bladder_batches(data)
    return None if batches is None else replace(data, batches=batches)


def done_beforehand(data, step: str):
    """The table with a step fitted to all samples."""
    from tamis.preparation import BatchCenterer, QuantileNormalizer

    if step == "quantile":
        return replace(data, X=QuantileNormalizer().fit_transform(data.X))
    return replace(data, X=BatchCenterer().fit_transform(data.X, batch=data.batches))


def relabelled(data, how: str, draw: int):
    """The data with labels permuted as asked."""
    rng = np.random.default_rng([draw, 3])
    y = data.y.copy()
    groups = data.batches if how == "inside batches" else np.zeros(len(y))
    for name in np.unique(groups):
        rows = np.flatnonzero(groups == name)
        y[rows] = rng.permutation(y[rows])
    return replace(data, y=y)


def balanced_rate(data, prepare: list[str], repeats: int, seed: int) -> dict[str, float]:
    """The headline's balanced accuracy of a study, and its interval."""
    from tamis.study import run_study

    plan = {
        "seed": seed,
        "permutations": 0,
        "final": False,
        "describe": False,
        "outer": {"folds": 5, "repeats": repeats},
        "inner": {"folds": 3},
        "prepare": prepare,
        "method": [{"select": "moderated_t", "sizes": [5, 20]}],
    }
    with tempfile.TemporaryDirectory() as folder:
        return run_study(data, plan, folder + "/s", n_jobs=1).metrics["bcr"]


def variants(data):
    """(step, where, data, prepare) of each way to study a set."""
    yield "none", "", data, []
    for step in STEPS:
        yield step, "inside", data, [step]
        yield step, "before", done_beforehand(data, step), []


def one_draw(name: str, data, how: str, draw: int) -> list[tuple]:
    """(set, labels, step, where, mean, low, high) of every variant."""
    from sklearn import config_context

    with config_context(assume_finite=True):
        labelled = data if how == "true" else relabelled(data, how, draw)
        found = []
        for step, where, table, prepare in variants(labelled):
            rate = balanced_rate(table, prepare, 10 if how == "true" else 1, draw)
            found.append((name, how, step, where, rate["mean"], rate["low"], rate["high"]))
        return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=24)
    parser.add_argument("--n-jobs", type=int, default=2)
    parser.add_argument("--figure", type=Path)
    arguments = parser.parse_args()
    from joblib import Parallel, delayed

    given = {name: set_in_batches(name) for name in SETS}
    tasks = [
        (name, data, how, draw)
        for name, data in given.items()
        if data is not None
        for how in LABELS
        for draw in range(1 if how == "true" else arguments.draws)
    ]
    every = [
        row
        for rows in Parallel(arguments.n_jobs)(delayed(one_draw)(*t) for t in tasks)
        for row in rows
    ]
    summary = summarised(every)
    chance = {name: 1 / len(data.classes) for name, data in given.items() if data is not None}
    rows = [
        [name, step, where or "-"] + [text_of(*summary[name, how, step, where]) for how in LABELS]
        for name, step, where in dict.fromkeys((r[0], r[2], r[3]) for r in every)
    ]
    print(markdown(["set", "step", "where", *LABELS.values()], rows))
    print(f"\nBalanced accuracys; chance: {', '.join(f'{k} {v:.2f}' for k, v in chance.items())}.")
    print(versions("scikit-learn", "numba"))
    if arguments.figure:
        draw_figure(summary, chance, arguments.figure)


def summarised(every) -> dict:
    """(set, labels, step, where) -> mean and its ends: the study's own 95 % interval, or mean and
    two standard errors over draws."""
    found: dict = {}
    for name, how, step, where, *rate in every:
        found.setdefault((name, how, step, where), []).append(rate)
    out = {}
    for key, rates in found.items():
        means = np.array([r[0] for r in rates])
        error = 2 * means.std(ddof=1) / np.sqrt(len(means)) if len(means) > 1 else 0.0
        ends = rates[0][1:] if key[1] == "true" else (means.mean() - error, means.mean() + error)
        out[key] = (float(means.mean()), *map(float, ends))
    return out


def text_of(mean: float, low: float, high: float) -> str:
    """``.912 (.850 to .950)``."""
    return f"{mean:.3f} ({low:.3f} to {high:.3f})"


def draw_figure(summary, chance, path: Path) -> None:
    """A panel a set: rows are steps and places, marks the three kinds of labels."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "tamis"
    matplotlib.rcParams["svg.fonttype"] = "none"
    matplotlib.rcParams["font.family"] = "sans-serif"
    import matplotlib.pyplot as plt

    order = [("none", ""), *((s, w) for s in STEPS for w in ("inside", "before"))]
    words = {
        "none": "as it is",
        "quantile": "quantile normalised",
        "center_by_batch": "centred by batch",
    }
    colours = {"true": "#1f5fa8", "inside batches": "#c26a00", "freely": "#777777"}
    figure, axes = plt.subplots(1, len(chance), figsize=(9.5, 3.4), sharey=True)
    for axis, (name, level) in zip(np.atleast_1d(axes), chance.items(), strict=True):
        axis.axvline(level, color="#999999", linewidth=1, linestyle=":")
        for k, how in enumerate(LABELS):
            for row, (step, where) in enumerate(order):
                mean, low, high = summary[name, how, step, where]
                at = row + 0.22 * (k - 1)
                axis.plot([low, high], [at, at], color=colours[how], linewidth=1.5)
                label = LABELS[how] if not row else None
                axis.plot(mean, at, "o", color=colours[how], markersize=5, label=label)
        axis.set_title(name, fontsize=10)
        axis.set_xlim(0.15, 1.02)
        axis.set_xlabel("balanced accuracy", fontsize=9)
        axis.tick_params(labelsize=8)
        for side in ("top", "right"):
            axis.spines[side].set_visible(False)
    first = np.atleast_1d(axes)[0]
    first.set_yticks(range(len(order)))
    first.set_yticklabels([f"{words[s]}{', ' + w if w else ''}" for s, w in order], fontsize=9)
    first.invert_yaxis()
    handles, labels = first.get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=3, fontsize=9, frameon=False)
    figure.tight_layout(rect=(0, 0.08, 1, 1))
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
