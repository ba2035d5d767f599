"""Inputs of the fuzzer of result folders: the k-th of a seed is always the same."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from fuzz.mutate import mutate
from fuzz.result_files import SEARCHES, finished
from fuzz.structure import json_text, spoil_tree

QUESTIONS = "fuzz.result_questions"
SPOILED = [
    "study/results.json",
    "study/results.json",
    "study/tables/predictions.tsv",
    "study/plan.json",
    "study/data.json",
    *(f"{search}/{name}.json" for search in SEARCHES for name in ("interactions", "settings")),
]


def spoiled(seed: int, k: int, folder: Path) -> tuple[str, Path]:
    """Write an input into a folder: the file that was spoiled, among those it stands with."""
    rng = np.random.default_rng([seed, k])
    name = SPOILED[k % len(SPOILED)]
    for other, content in finished().items():
        if other.split("/")[0] in (name.split("/")[0], "other"):
            (folder / other).parent.mkdir(parents=True, exist_ok=True)
            (folder / other).write_bytes(content)
    content, path = finished()[name], folder / name
    if name.endswith(".json") and rng.random() < 0.85:
        text = json_text(spoil_tree(rng, json.loads(content)))
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
    else:
        path.write_bytes(mutate(rng, content, True))
    return name, path
