"""Small finished studies and searches, whose records and results are spoiled."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from common.studies import make_data
from tamis.discovery import find_interactions
from tamis.study import run_study

PLAN = {
    "outer": {"folds": 3},
    "inner": {"folds": 2, "repeats": 1},
    "permutations": 1,
    "method": [
        {"select": "pearson", "sizes": [1, 3]},
        {"select": "pam", "parameters": {"n_thresholds": 4}, "recalibrate": "platt"},
    ],
}
DATA = make_data(n=24, p=8)
SEARCHES = {
    "mcfs": {"s": 10, "t": 2, "n_permutations": 19},
    "pairs": {"n_permutations": 19},
}


@cache
def finished() -> dict[str, bytes]:
    """Files by name: a study, one of another table, and a search of two kinds."""
    with tempfile.TemporaryDirectory() as folder:
        run_study(DATA, PLAN, Path(folder, "study"))
        run_study(make_data(seed=1, n=24, p=8), PLAN, Path(folder, "other"))
        for method, settings in SEARCHES.items():
            find_interactions(DATA, Path(folder, method), method=method, **settings)
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in Path(folder).rglob("*")
            if path.is_file() and "cells" not in path.parts
        }
