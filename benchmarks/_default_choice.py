"""Choosing among methods: how the headline of the plan `thorough` does beside its first method, and
how often it lies below all its rows, by how clearly another has to be better."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from _default_answers import kept
from _harness import markdown

CLEARLY = (0.0, 0.5, 1.0, 1.5, 2.0)
BEST = "best"


def headlines(data, outer: dict, n_jobs: int) -> dict[str, Any]:
    """Balanced accuracy of every method, and of the headline by each rule."""
    from tamis.metrics import METRICS
    from tamis.study import Plan
    from tamis.study.results import collect
    from tamis.study.run import _context_of, begin_study

    said = {"outer": outer, "permutations": 0, "final": False, "describe": False}
    with tempfile.TemporaryDirectory() as temporary:
        study = begin_study(data, Plan.read("thorough", **said), Path(temporary) / "study")
        study.run(n_jobs)
        methods = _context_of(study, n_jobs, True).collected.methods
    y, plan = study.design.labels.y, study.plan

    def rate(choices) -> float:
        test = np.concatenate([c.test for c in choices])
        codes = np.concatenate([c.codes for c in choices])
        return float(METRICS["bcr"](y[test], codes, None))

    rivals = [m.name for m in plan.compared]
    folds = list(zip(*(methods[name] for name in rivals), strict=True))
    found: dict[str, Any] = {"methods": {name: rate(methods[name]) for name in rivals}}
    for clearly in CLEARLY:
        with patch.object(collect, "MIN_STANDARD_ERRORS", clearly):
            chosen = [collect.headline_choice(plan, fold, y) for fold in folds]
        found[f"{clearly:g}"] = rate(chosen)
        found[f"{clearly:g} other"] = float(np.mean([c.method != rivals[0] for c in chosen]))
    best = plan.model_copy(update={"choose": "best"})
    found[BEST] = rate([collect.headline_choice(best, fold, y) for fold in folds])
    return found


def report_choice(folder: Path, options, table_of, outer: dict) -> None:
    """Print what each rule comes to."""
    by_set = {}
    for name in options.sets:
        place = folder / "choice" / f"{name}.json"
        by_set[name] = kept(
            place, lambda name=name: headlines(table_of(name), outer, options.n_jobs)
        )
        print(f"choice, {name}: done", file=sys.stderr, flush=True)
    first = {name: next(iter(one["methods"].values())) for name, one in by_set.items()}
    rows = []

    def row(label: str, rates: dict[str, float], other: float | None) -> None:
        gaps = np.array([rates[name] - first[name] for name in by_set])
        lowest = [rates[n] < min(by_set[n]["methods"].values()) - 1e-12 for n in by_set]
        error = gaps.std(ddof=1) / np.sqrt(len(gaps)) if len(gaps) > 1 else np.nan
        rows.append(
            [
                label,
                f"{np.mean(list(rates.values())):.3f}",
                f"{gaps.mean():+.4f} ± {error:.4f}",
                int(sum(gaps < -1e-12)),
                int(sum(lowest)),
                "" if other is None else f"{other:.0%}",
            ]
        )

    for name in next(iter(by_set.values()))["methods"]:
        row(f"{name} alone", {n: one["methods"][name] for n, one in by_set.items()}, None)
    for clearly in CLEARLY:
        key = f"{clearly:g}"
        other = float(np.mean([one[f"{key} other"] for one in by_set.values()]))
        row(
            f"headline, first unless better by {key} s.e.",
            {n: o[key] for n, o in by_set.items()},
            other,
        )
    row("headline, best inner balanced accuracy", {n: one[BEST] for n, one in by_set.items()}, None)
    head = [
        "procedure",
        "balanced accuracy",
        "less the first method",
        "sets below the first",
        "sets below all methods",
        "parts that took another",
    ]
    print(f"\nPlan `thorough` over {len(by_set)} sets, five outer folds drawn twice.\n")
    print(markdown(head, rows))
