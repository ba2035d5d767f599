"""Lists of more than fifty features: what sizes, and what bar for the long ones, come to.

Every outer part is fitted once at all sizes with its inner folds drawn twenty times; rules are then
tried on what is kept. What is gained is the inner balanced logarithmic score less that of the
class shares. `--sets` may name others than those the default was found on (classes of fewer than
five samples are left out), and `--first-draw` other draws.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from _default_answers import Answer, judged
from _default_rivals import Part, answer_of
from _default_truths import COLUMNS, drawn, mean_error
from _harness import markdown

SIZES = [5, 10, 15, 20, 30, 50, 60, 80, 100, 150, 200, 300, 1000]
DRAWN, LEAST = 20, 5
PLAN = {
    "method": [{"select": "moderated_t", "sizes": SIZES, "classify": "logistic"}],
    "inner": {"repeats": DRAWN},
    "permutations": 0,
    "final": False,
    "describe": False,
}
FREE = np.nan  # no bar: the best score, whatever the size
RULES = [  # sizes, share by which more than fifty must gain more, inner repeats
    ([5, 10, 20, 50], FREE, 3),
    ([5, 10, 20, 50], FREE, 10),
    ([5, 15, 30, 60, 100], FREE, 10),
    ([5, 15, 50, 150], FREE, 10),
    ([5, 20, 80, 300, 1000], FREE, 10),
    *(([5, 10, 20, 50, 200], bar, 10) for bar in (0.1, 0.15, 0.2, 0.25, 0.3)),
    ([5, 10, 20, 50, 200], 0.2, 3),
]


def parts_of(data, outer: dict) -> list[dict[str, Any]]:
    """Of every outer part: sizes, gains of each inner repeat, and answers, one a size."""
    from tamis.study.protocol.candidates import ranker_key
    from tamis.study.protocol.tuning import class_mean_weights, log_points
    from tamis.study.results.candidates import tuned_candidates
    from tamis.study.run import _read_cell, begin_study

    found = []
    with tempfile.TemporaryDirectory() as temporary:
        study = begin_study(data, {**PLAN, "outer": outer}, Path(temporary) / "study")
        study.run(1)
        (method,), y = study.plan.method, study.design.labels.y
        for task in study.tasks:
            cell = _read_cell(study, task, ranker_key(method))
            tuned = tuned_candidates(study.plan, method, cell, y)
            points, truth = log_points("balanced_log_score", tuned.judged), tuned.judged.y
            runs = np.array_split(tuned.judged.folds, DRAWN)
            spans = [slice(run[0].start, run[-1].stop) for run in runs]
            answers = []
            for at in range(len(tuned.sizes)):
                told, _ = tuned.decided(at)
                lists = cell.features(int(tuned.rows[at]))
                answers.append(
                    Answer(
                        told.codes,
                        told.beliefs.proba,
                        told.beliefs.proba,
                        np.asarray(lists),
                        0.0,
                        int(task.repeat),
                        cell.test,
                    )
                )
            gains = [points[:, at] @ class_mean_weights(truth[at]) for at in spans]
            C = len(study.design.labels.classes)
            found.append(
                {"sizes": tuned.sizes, "gains": np.array(gains) + np.log(C), "answers": answers}
            )
    return found


def taken(part: dict[str, Any], sizes: list[int], bar: float, repeats: int) -> Answer:
    """The answer of the size that a rule takes."""
    from tamis.study.protocol.tuning import parsimonious_size_index

    most = part["sizes"].max()
    at = np.array([int(np.argmax(part["sizes"] == min(k, most))) for k in sizes])
    gains = part["gains"][:repeats].mean(axis=0)[at]
    best = parsimonious_size_index(gains, gains, part["sizes"][at], bar * np.maximum(gains, 0.0))
    return part["answers"][at[best]]


def report_longer(options, table_of, outer: dict) -> None:
    """Print a line a rule: means over the sets, and truths beside shrunken centroids."""
    from tamis.data import Dataset

    sets, truths = [], {}
    for name in options.sets:
        data = without_rare(table_of(name))
        sets.append((parts_of(data, outer), data.codes, len(data.ranked)))
        print(f"longer, {name}: done", file=sys.stderr, flush=True)
    names = tuple(f"g{j}" for j in range(COLUMNS))
    for truth in options.truths:
        for n in options.sizes:
            for draw in range(options.first_draw, options.first_draw + options.draws):
                X, y, _ = drawn(truth, n, draw)
                split = np.where(np.arange(len(y)) < n, "train", "test")
                data = Dataset(X, np.array(["a", "b"])[y], names, name="drawn", split=split)
                rival = answer_of(
                    "centroids", Part.of(X, y, np.arange(COLUMNS), np.arange(n, len(y)))
                )
                (part,) = parts_of(data, {"kind": "predefined"})
                truths.setdefault((truth, n), []).append((part, y[n:], rate(rival.codes, y[n:])))
            print(f"longer, {truth} {n}: done", file=sys.stderr, flush=True)
    rows = []
    for rule in RULES:
        figures = [judged([taken(part, *rule) for part in parts], y, p) for parts, y, p in sets]
        means = [f"{np.mean([one[key] for one in figures]):.3f}" for key in ("bcr", "auc", "brier")]
        many = np.exp(np.mean([np.log(max(one["size"], 1)) for one in figures]))
        beside = [
            "{:+.3f} ± {:.3f}".format(
                *mean_error([rate(taken(part, *rule).codes, y) - rival for part, y, rival in all_])
            )
            for all_ in truths.values()
        ]
        sizes, bar, repeats = rule
        rows.append(
            [
                ", ".join(map(str, sizes)),
                "free" if np.isnan(bar) else f"{bar:.0%}",
                repeats,
                *means,
                f"{many:.1f}",
                f"{np.mean([one['S'] for one in figures]):.2f}",
                *beside,
            ]
        )
    head = [
        "sizes",
        "bar",
        "inner repeats",
        "balanced accuracy",
        "AUC",
        "Brier",
        "features",
        "S",
        *(f"{truth} {n}, less centroids" for truth, n in truths),
    ]
    print("\n" + markdown(head, rows))


def rate(codes: np.ndarray, true: np.ndarray) -> float:
    """Balanced accuracy."""
    from tamis.metrics import METRICS

    return float(METRICS["bcr"](true, codes, None))


def without_rare(data):
    """A table without the classes that five folds cannot all hold."""
    from tamis.data import Dataset

    rows = np.flatnonzero(np.bincount(data.codes)[data.codes] >= LEAST)
    if len(rows) == len(data.codes):
        return data
    y = np.array(data.classes)[data.codes[rows]]
    return Dataset(data.X[rows], y, tuple(data.feature_names), name=data.name)
