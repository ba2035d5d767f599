"""Which plan is the default: candidates side by side in one study a set, judged by the rule of
docs/results/default_study.md."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from _default_answers import Answer, judged, kept, write_kept
from _harness import markdown

SIZES = [5, 10, 20, 50]
SMOOTH, AUC, RATE = "balanced_log_score", "auc", "bcr"
BOTH = ["logistic", "shrinkage_discriminant"]
RIDGE = {"classify": "logistic", "grid": {"class_weight": ["balanced"]}}


def ridge(tune: str, **grid: Any) -> dict[str, Any]:
    """Balanced ridge logistic regression with these settings to try."""
    return {**RIDGE, "grid": {**RIDGE["grid"], **grid}, "tune": tune}


# name, what the method says beside its ranking; the simplest first
CANDIDATES: dict[str, dict[str, Any]] = {
    "ridge, 20": {**RIDGE, "sizes": [20]},
    "ridge, 50": {**RIDGE, "sizes": [50]},
    "ridge, log score": {**RIDGE, "tune": SMOOTH},
    "ridge, AUC": {**RIDGE, "tune": AUC},
    "ridge, rate": {**RIDGE, "tune": RATE},
    "ridge unweighted, log score": {"classify": "logistic", "tune": SMOOTH},
    "ridge 5 / k, log score": ridge(SMOOTH, C=["analytic"]),
    "ridge of three C, log score": ridge(SMOOTH, C=[0.01, 0.1, 1.0]),
    "shrinkage discriminant, log score": {"classify": "shrinkage_discriminant", "tune": SMOOTH},
    "diagonal discriminant, log score": {"classify": "diagonal_discriminant", "tune": SMOOTH},
    "ridge or shrinkage, log score": {"classify": BOTH, "tune": SMOOTH},
}


@dataclass(frozen=True)
class Rule:
    """What is wanted, in this order; see the page."""

    most: float = 35.0
    rate: float = 0.003
    S: float = 0.02
    brier: float = 0.002

    def chosen(self, means: dict[str, dict[str, float]]) -> str:
        """The candidate that the rule takes, of means over some sets."""
        left = [name for name, one in means.items() if one["size"] <= self.most]
        for value, slack in (
            (lambda one: (one["bcr"] + one["auc"]) / 2, self.rate),
            (lambda one: one["S"] - one["null"], self.S),
            (lambda one: -one["brier"], self.brier),
        ):
            best = max(value(means[name]) for name in left)
            left = [name for name in left if value(means[name]) >= best - slack]
        return left[0]


def plan_of(outer: dict, permutations: int, names) -> dict[str, Any]:
    """Candidates as methods of one plan: they share their rankings."""
    methods = [
        {"name": name, "select": "moderated_t", "sizes": SIZES, **CANDIDATES[name]}
        for name in names
    ]
    return {
        "method": methods,
        "outer": outer,
        "permutations": permutations,
        "final": False,
        "describe": False,
    }


def compared(data, plan: dict[str, Any], n_jobs: int) -> dict[str, Any]:
    """Of every candidate alone: its answers, and Nogueira's S of permuted runs."""
    from tamis.study.run import _context_of, begin_study

    with tempfile.TemporaryDirectory() as temporary:
        study = begin_study(data, plan, Path(temporary) / "study")
        content = study.run(n_jobs).to_dict()
        methods = _context_of(study, n_jobs, True).collected.methods
    found = {}
    for entry in content["methods"]:
        if entry["name"] not in CANDIDATES:
            continue
        again = entry["repeatability"]
        answers = [
            Answer(c.codes, c.proba, c.proba, np.asarray(c.features), 0.0, int(c.repeat), c.test)
            for c in methods[entry["name"]]
        ]
        found[entry["name"]] = {
            "answers": [one.to_dict() for one in answers],
            "null": again["median"],
            "most": again["most"],
            "observed": again["observed"],
        }
    return found


def report_plans(folder: Path, options, table_of, facts_of, outer: dict) -> None:
    """Print the table of candidates, and what the rule takes."""
    figures: dict[str, dict[str, dict]] = {name: {} for name in CANDIDATES}
    for name in options.sets:
        place = folder / "plans" / f"{name}.json"
        found = kept(place, dict)
        missing = [who for who in CANDIDATES if who not in found]
        if missing:
            plan = plan_of(outer, options.permutations, missing)
            found |= compared(table_of(name), plan, options.n_jobs)
            write_kept(place, found)
        _, y, p = facts_of(name)
        for who, one in found.items():
            own = judged([Answer.of(a) for a in one["answers"]], y, p)
            own["null"] = one["null"] if one["null"] is not None else np.nan
            own["above"] = float((one["observed"] or 0) > (one["most"] or 0))
            figures[who][name] = own
        print(name, file=sys.stderr, flush=True)
    rule = Rule()
    means = {who: mean_over(by_set, options.sets) for who, by_set in figures.items()}
    best = rule.chosen(means)
    rows = []
    for who, one in means.items():
        signal = [f["above"] for f in figures[who].values() if f["auc"] > 0.7]
        rows.append(
            [
                who,
                f"{one['bcr']:.3f}",
                f"{one['auc']:.3f}",
                f"{one['brier']:.3f}",
                f"{one['size']:.1f}",
                f"{one['S']:.2f}",
                f"{one['null']:.2f}",
                f"{int(sum(signal))} of {len(signal)}",
                "chosen" if who == best else "",
            ]
        )
    head = [
        "candidate",
        "balanced accuracy",
        "AUC",
        "Brier",
        "features",
        "S",
        "permuted S",
        "above all permuted, AUC > .7",
        "",
    ]
    print(markdown(head, rows))
    names = list(options.sets)
    if len(names) < 4:
        return
    left_out = [
        rule.chosen(
            {who: mean_over(f, [n for n in names if n != out]) for who, f in figures.items()}
        )
        for out in names
    ]
    print(
        f"\nWith each set left out: {sum(one == best for one in left_out)} of {len(names)} the "
        "same."
    )
    rng, gains, taken = np.random.default_rng(0), [], []
    for _ in range(200):
        order = rng.permutation(names)
        half, other = order[: len(order) // 2], order[len(order) // 2 :]
        one = rule.chosen({who: mean_over(f, half) for who, f in figures.items()})
        there = {who: mean_over(f, other) for who, f in figures.items()}
        taken.append(one)
        gains.append([there[one][k] - there[best][k] for k in ("bcr", "auc")])
    counts = {who: taken.count(who) for who in dict.fromkeys(taken)}
    gap = np.mean(gains, axis=0)
    print(
        f"Chosen on 200 halves: {counts}; judged on the others, less the one chosen on all: "
        f"balanced accuracy {gap[0]:+.3f}, AUC {gap[1]:+.3f}.\n"
    )


def mean_over(by_set: dict[str, dict], names) -> dict[str, float]:
    """Over some sets; of sizes the geometric mean."""
    values = [by_set[name] for name in names]
    found = {
        key: float(np.nanmean([one[key] for one in values]))
        for key in ("bcr", "auc", "brier", "S", "null")
    }
    found["size"] = float(np.exp(np.mean([np.log(max(one["size"], 1)) for one in values])))
    return found
