"""The default studies, new and old, as procedures: what their headlines say and choose."""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from _default_answers import Answer

OLD = Path(__file__).resolve().parent / "old_default.toml"
STUDIES = ("new", "old")


def plan_of(name: str, **overrides: Any):
    """The default plan of the day, or the old one."""
    from tamis.study import Plan

    overrides = {"final": False, "describe": False, **overrides}
    return Plan.read(OLD, **overrides) if name == "old" else Plan.resolve(overrides)


def mark_of(plan) -> str:
    """What tells the results of one plan from those of another."""
    text = json.dumps(plan.model_dump(mode="json"), sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()


def studied(data, plan, n_jobs: int = 1) -> dict[str, Any]:
    """The headline's answers, one an outer fold; its stability beside that of permuted runs."""
    from tamis.study.run import _context_of, begin_study

    with tempfile.TemporaryDirectory() as temporary:
        study = begin_study(data, plan, Path(temporary) / "study")
        content = study.run(n_jobs).to_dict()
        chosen = _context_of(study, n_jobs, True).collected.headline
        journal = (Path(temporary) / "study/journal.jsonl").read_text(encoding="utf-8")
    seconds = _cpu_of(journal)
    answers = [
        Answer(
            c.codes,
            c.proba,
            c.proba if c.known == "proba" else None,
            np.asarray(c.features),
            seconds.pop((0, c.repeat, c.fold)),
            int(c.repeat),
            c.test,
        )
        for c in chosen
    ]
    again = content["permutation"]["stability"]
    return {
        "answers": [answer.to_dict() for answer in answers],
        "observed": again["observed"],
        "permuted": again["values"],
        "cpu_permuted": round(sum(seconds.values()), 2),
    }


def _cpu_of(journal: str) -> dict[tuple, float]:
    """CPU seconds of each training set, by permutation, repeat and fold."""
    lines = [json.loads(line) for line in journal.splitlines()]
    return {tuple(line["at"]): line["cpu"] for line in lines if line.get("event") == "cells"}
