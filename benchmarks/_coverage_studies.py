"""Whole studies, cell by cell as `tamis study` computes them, judged on new samples too.

Every outer training set's winner predicts its held-out rows and rows that no part has seen:
the former give the study's estimates and intervals, the latter their truth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np

from _coverage_cells import Tally
from _stand_in import INFORMATIVE, Design
from tamis.data import Dataset
from tamis.metrics import HeldOut, loss_metric
from tamis.selection._parts import TrainingParts
from tamis.study import Plan
from tamis.study.protocol import nested_cv
from tamis.study.protocol.cellfile import decode_cell
from tamis.study.protocol.splits import Labels
from tamis.study.results import collect
from tamis.study.results.sampling import sampling_of
from tamis.study.results.summary import held_out
from tamis.study.run import prepare_study, tasks_of

FEATURES = 500
FRESH = 300
JUDGED = 3  # training sets whose winners judge new samples, of a study
COMMON = (  # samples, split, sizes of the classes, balanced accuracy of stand-ins
    (60, "10-fold", True, "noise"),
    (60, "10-fold", True, "about .8"),
    (60, "10-fold", True, "about .98"),
    (60, "10-fold", False, "about .8"),
    (60, "5-fold", True, "about .8"),
    (60, "5 x 10-fold", True, "noise"),
    (300, "10-fold", True, "noise"),
    (300, "10-fold", True, "about .8"),
    (300, "10-fold", False, "about .8"),
    (300, "10-fold", True, "about .98"),
)
QUICK = {  # of one to five winners
    "metric": "auc",
    "method": [
        {"select": "moderated_t", "sizes": [2, 5, 10]},
        {"select": "welch_t", "sizes": [2, 5, 10], "classify": "naive_bayes"},
        {"select": "mtd", "sizes": [2, 5, 10], "classify": "knn"},
        {"select": "fold_change", "sizes": [2, 5, 10], "classify": "lda_equal"},
        {"select": "pam", "parameters": {"n_thresholds": 10}},
    ],
}


def make(design: Design, shift: float, rng: np.random.Generator) -> tuple[Dataset, np.ndarray]:
    """Samples of a design and new ones behind them, and the classes of all."""
    sizes = design.sizes
    fresh = sizes * -(-FRESH // design.n)
    y = np.concatenate([np.repeat(np.arange(design.classes), n) for n in (sizes, fresh)])
    means = np.zeros((design.classes, FEATURES))
    means[1, :INFORMATIVE] = shift
    X = rng.normal(size=(len(y), FEATURES)) + means[y]
    names = tuple(f"g{j}" for j in range(FEATURES))
    return Dataset(X, np.array(["a", "b"])[y], names), y


def study(
    design: Design, shift: float, raw: dict, rng: np.random.Generator
) -> tuple[HeldOut, list[HeldOut], Labels, Plan, list[collect.Choice]]:
    """(held-out predictions, new samples judged by some winners, labels, plan, winners)."""
    data, y = make(design, shift, rng)
    n = design.n
    plan, whole, _ = prepare_study(data, {**raw, "seed": int(rng.integers(2**31))})
    labels = Labels(y[:n], ("a", "b"))
    own = replace(whole, labels=labels)  # splits are of these; new rows lie behind them
    new = np.arange(n, len(y))
    fold_of = nested_cv.fold_of

    def judging(*args: Any) -> Any:
        fold = fold_of(*args)
        parts = TrainingParts(whole.X, y, fold.parts.rows, whole.incomplete)
        tests = [np.concatenate([fold.tests[0], new]), *fold.tests[1:]]
        return replace(fold, y=y, parts=parts, tests=tests)

    found = []
    with patch.object(nested_cv, "fold_of", judging):
        for task in tasks_of(plan, own):
            read = {
                k: decode_cell(v) for k, v in nested_cv.run_nested_fold(own, plan, task).items()
            }
            found.append(collect.found_in(plan, task, read, y, own.costs))
    chosen = collect.collect_choices(plan, found).headline
    inside = [_only(c, c.test < n) for c in chosen]
    outside = []  # rows, classes, labels and probabilities
    for k in rng.choice(len(chosen), min(JUDGED, len(chosen)), replace=False):
        c = _only(chosen[k], chosen[k].test >= n)
        outside.append((c.test, y[c.test], c.predicted, c.proba))
    return held_out(inside, y[:n]), [HeldOut.of([[f]]) for f in outside], labels, plan, chosen


def _only(choice: collect.Choice, mask: np.ndarray) -> collect.Choice:
    return replace(
        choice, test=choice.test[mask], predicted=choice.predicted[mask], proba=choice.proba[mask]
    )


def plan_of(kind: str, **more: object) -> dict:
    """A plan with this outer split, and nothing but its folds."""
    repeats, folds = 1, kind
    if " x " in kind:
        repeats, folds = int(kind.split(" x ")[0]), kind.split(" x ")[1]
    outer = {"folds": int(folds.split("-")[0]), "repeats": repeats}
    return {"outer": outer, "permutations": 0, "final": False, "describe": False, **more}


def tally(design: Design, shift: float, studies: int, seed: int) -> Tally:
    """Whole studies of a design, with the default plan but its reference."""
    rng, found = np.random.default_rng(seed), Tally()
    plan = Plan()
    methods = [one.model_dump() for one in plan.compared]
    raw = plan_of(design.kind, method=methods, inner=plan.inner.model_dump())
    for _ in range(studies):
        held, judged, labels, plan, _ = study(design, shift, raw, rng)
        found.add(held, sampling_of(held, labels, plan.outer), judged[0])
    return found


def area_differences(
    design: Design, shift: float, studies: int, seed: int
) -> Iterator[tuple[int, float, float]]:
    """(number of winning methods, headline AUC, AUC of its winners on new samples) of studies."""
    rng = np.random.default_rng(seed)
    for _ in range(studies):
        held, judged, _, _, chosen = study(design, shift, plan_of(design.kind, **QUICK), rng)
        truth = float(np.mean([one.score("auc") for one in judged]))
        yield len({c.method for c in chosen}), held.score("auc"), truth


def losses(
    design: Design, shift: float, miss: float, studies: int, seed: int
) -> Iterator[tuple[float, float, float, float]]:
    """(mean cost, its limits, that on new samples) of studies in which a miss costs so many false
    alarms, decided by least risk."""
    rng, metric = np.random.default_rng(seed), loss_metric(np.array([[0.0, miss], [1.0, 0.0]]))
    raw = plan_of(
        design.kind,
        costs={"a": 1, "b": miss},
        inner={"folds": 3},
        method=[{"select": "moderated_t", "sizes": [5, 15], "classify": "lda"}],
    )
    for _ in range(studies):
        held, judged, labels, plan, _ = study(design, shift, raw, rng)
        found = held.estimate(metric, sampling_of(held, labels, plan.outer))
        truth = float(np.mean([one.score(metric) for one in judged]))
        yield found.mean, found.low, found.high, truth


def risks(
    design: Design, shift: float, reject: dict, studies: int, seed: int
) -> Iterator[tuple[float, ...]]:
    """(error rate of the samples decided on, its limits, that of new samples, share decided on,
    that of new samples) of studies with a rule about whom to decline."""
    rng = np.random.default_rng(seed)
    raw = plan_of(
        design.kind,
        inner={"folds": 5, "repeats": 3},
        reject=reject,
        method=[{"select": "moderated_t", "sizes": [5, 15], "classify": "lda"}],
    )
    for _ in range(studies):
        held, judged, labels, plan, _ = study(design, shift, raw, rng)
        found = held.estimate("accuracy", sampling_of(held, labels, plan.outer))
        truth = 1 - float(np.nanmean([one.score("accuracy") for one in judged]))
        share = float(np.mean([one.coverage for one in judged]))
        yield 1 - found.mean, 1 - found.high, 1 - found.low, truth, held.coverage, share


def promises(
    design: Design, shift: float, reject: dict, classify: object, studies: int, seed: int
) -> np.ndarray:
    """Of new samples judged by single models of studies: (share accepted, share accepted and
    wrong, error rate of those accepted), a row a model."""
    rng = np.random.default_rng(seed)
    raw = plan_of(
        design.kind,
        inner={"folds": 5, "repeats": 3},
        reject=reject,
        method=[{"select": "moderated_t", "sizes": [5, 15], "classify": classify}],
    )
    rows = []
    for _ in range(studies):
        for one in study(design, shift, raw, rng)[1]:
            accepted = one.predicted >= 0
            wrong = accepted & (one.predicted != one.codes)
            rows.append([accepted.mean(), wrong.mean(), wrong.sum() / max(accepted.sum(), 1)])
    return np.array(rows)
