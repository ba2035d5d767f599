"""Inputs of the fuzzer of plans: edited text, or a valid plan with a value nobody means."""

from __future__ import annotations

import copy
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.mutate import mutate
from fuzz.plan_texts import PLANS, Raw, plan_text

QUESTIONS = "fuzz.plan_questions"
DEEP = 5000
ODD: list[Any] = [
    5,
    -1,
    0,
    1,
    True,
    False,
    1.5,
    -0.0,
    1e308,
    5e-324,
    float("inf"),
    float("nan"),
    2**31,
    2**63,
    -(2**63),
    10**30,
    Raw("9" * 4301),
    Raw("-" + "9" * DEEP),
    Raw("0x" + "f" * DEEP),
    "",
    " ",
    "x",
    "own",
    "arg_max",
    "class_sizes",
    "lda",
    "knn(",
    "bagging(lda)",
    "pam",
    "headline",
    "\x1b[31mred",
    "\u202edeb",
    "\x9b31m",
    "a\nb\tc",
    "x" * 10_000,
    "=1+1",
    "nowhere.at_all:Thing",
    "tamis.study:Plan",
    "os:path",
    "1e5",
    "é" * 100,
    [],
    {},
    [""],
    [{}],
    [[]],
    {"": ""},
    [None],
    {"name": ""},
    {"name": 5},
    {"name": "lda", "of": "lda"},
    {"name": "bagging", "of": {}},
    {"select": "x"},
    ["lda"] * 50,
    ["lda", 5],
    [1, "own", 2.5],
    {"a": {"b": {"c": {"d": 1}}}},
    {"ill": -1, "well": float("nan")},
    date(2020, 2, 29),
    time(1, 2, 3),
    datetime(2020, 1, 1, tzinfo=UTC),
    Raw("[" * DEEP + "]" * DEEP),
    Raw("{a=" * DEEP + "1" + "}" * DEEP),
    Raw("[" * 60 + "]" * 60),
    Raw("{" + "a." * DEEP + "a=1}"),
    list(range(3000)),
]
ODD = [[] if one == [None] else one for one in ODD]
KEYS = [
    "",
    "name",
    "select",
    "classify",
    "grid",
    "of",
    "\x1b[31m",
    "\u202e",
    "x" * 1000,
    "seed",
    "costs",
    "method",
    "outer",
    "novelty",
    "block",
    "parameters",
]
TAILS = [
    "[" + "a." * DEEP + "a]\n",
    "[[method]]\n",
    "[outer]\n",
    '[[""]]\n',
    '[""]\n',
    "[[dataset]]\n",
    "[[method]]\nselect = 5\n",
    "[grid]\n",
]


def spoiled(seed: int, k: int, folder: Path) -> tuple[str, Path]:
    """Write an input into a folder: which plan it was, and its file."""
    rng = np.random.default_rng([seed, k, 2])
    name = list(PLANS)[k % len(PLANS)]
    how = rng.random()
    if how < 0.4:
        data = mutate(rng, plan_text(PLANS[name]).encode(), text=True)
    else:
        plan = copy.deepcopy(PLANS[name])
        for _ in range(1 + rng.geometric(0.6) % 3):
            set_odd(rng, plan)
        text = plan_text(plan)
        if rng.random() < 0.1:
            text += TAILS[rng.integers(len(TAILS))]
        data = text.encode("utf-8", "surrogatepass")
        if rng.random() < 0.1:
            data = mutate(rng, data, text=True)
    path = folder / "plan.toml"
    path.write_bytes(data)
    return name, path


def set_odd(rng: np.random.Generator, plan: Any) -> None:
    """Somewhere in a plan another value, or a key more, or a key less."""
    at = plan
    while True:
        places = list(at) if isinstance(at, dict) else list(range(len(at)))
        inside = [p for p in places if isinstance(at[p], dict | list) and len(at[p])]
        if not inside or rng.random() < 0.35:
            break
        at = at[inside[rng.integers(len(inside))]]
    value = copy.deepcopy(ODD[rng.integers(len(ODD))])
    how = rng.integers(6)
    if how == 0 and isinstance(at, dict):
        at[KEYS[rng.integers(len(KEYS))]] = value
    elif how == 1 and places:
        del at[places[rng.integers(len(places))]]
    elif places:
        at[places[rng.integers(len(places))]] = value
