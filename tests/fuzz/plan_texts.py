"""Valid plans, which between them say every key, and plans as TOML whatever they hold."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

PLANS: dict[str, dict[str, Any]] = {
    "all keys": {
        "seed": 1,
        "metric": "auc",
        "tune": "bcr",
        "parsimony": 1.0,
        "permutations": 0,
        "describe": False,
        "final": True,
        "outer": {"kind": "k-fold", "folds": 3, "repeats": 1, "test_size": 0.3},
        "inner": {"kind": "k-fold", "folds": 2, "repeats": 1},
        "bootstrap": {"repeats": 2},
        "learning_curve": {"shares": [0.8, 1.0]},
        "prepare": ["variance", {"name": "quantile"}],
        "decide": {"name": "arg_max"},
        "method": [
            {
                "name": "t",
                "select": "moderated_t",
                "parameters": {},
                "sizes": [2, 4],
                "classify": ["lda", "knn"],
                "grid": {"knn": {"n_neighbors": [3, 5]}},
                "tune": "bcr",
                "prepare": ["standardize"],
                "decide": "arg_max",
            },
            {"select": "welch_t", "sizes": [1], "blocks": []},
        ],
    },
    "costs": {
        "costs": {"ill": 10, "well": 1},
        "permutations": 0,
        "outer": {"kind": "holdout"},
        "method": [
            {"select": "pearson", "sizes": [2], "classify": ["naive_bayes"]},
            {
                "select": "wilcoxon",
                "sizes": [2],
                "classify": [{"name": "metacost", "of": "naive_bayes"}],
            },
        ],
    },
    "costs by class": {
        "costs": {"well": {"ill": 10}, "ill": {"well": 1}},
        "permutations": 0,
        "method": [{"select": "mutual_information", "sizes": [2], "classify": ["logistic"]}],
    },
    "rejection": {
        "reject": {"name": "f_beta", "score": "auto", "novelty": 0.1},
        "permutations": 19,
        "inner": {"kind": "leave-one-out"},
        "method": [
            {
                "select": "moderated_t",
                "sizes": [3, "own"],
                "classify": [{"name": "with_novelty", "of": "forest"}],
                "parameters": {"max_fdr": 0.5},
            }
        ],
    },
    "alone": {
        "permutations": 0,
        "outer": {"folds": 2},
        "method": [{"select": "pam"}, {"select": "hhsvm"}, {"select": "elastic_net"}],
    },
    "tables": {
        "dataset": [
            {
                "table": "a.csv",
                "name": "a",
                "target": "class",
                "covariates": ["age"],
                "categorical": ["sex"],
                "drop": ["x*"],
                "transpose": False,
                "blocks": {"rna": "rna.tsv"},
                "incomplete": "drop",
            }
        ],
        "permutations": 0,
    },
}


@dataclass(frozen=True)
class Raw:
    """TOML that no value of Python has."""

    text: str


def toml_text(value: Any) -> str:
    """A value in one line."""
    if isinstance(value, Raw):
        return value.text
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{quoted(k)} = {toml_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_text, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return quoted(value) if isinstance(value, str) else repr(value)


def quoted(text: str) -> str:
    """A text, or a key."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def plan_text(plan: Mapping[str, Any]) -> str:
    """A plan, a key a line."""
    return "".join(f"{quoted(key)} = {toml_text(value)}\n" for key, value in plan.items())
