"""Inputs of the fuzzer of model files: the k-th of a seed is always the same."""

from __future__ import annotations

import copy
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import skops.io

from fuzz.model_files import MODELS
from fuzz.mutate import mutate
from fuzz.structure import json_text, places, spoil_array, spoil_tree
from tamis._core.skops_bytes import SCHEMA, canonical_bytes, zipped
from tamis.model.file import content_of

QUESTIONS = "fuzz.model_questions"
NAME = "model.skops"


def spoiled(seed: int, k: int, folder: Path) -> tuple[str, Path]:
    """Write an input into a folder: which model it was, and the file."""
    rng = np.random.default_rng([seed, k])
    name = list(MODELS)[k % len(MODELS)]
    how = rng.choice(len(LAYERS), p=[0.1, 0.12, 0.13, 0.15, 0.5])
    path = folder / NAME
    path.write_bytes(LAYERS[how](rng, name))
    return name, path


@cache
def content(name: str) -> dict[str, Any]:
    """What a valid file holds."""
    return content_of(MODELS[name]())


@cache
def members(name: str) -> Mapping[str, bytes]:
    """The members of a valid file."""
    source = zipfile.ZipFile(io.BytesIO(file_of(content(name))))
    return {entry: source.read(entry) for entry in source.namelist()}


def file_of(values: dict[str, Any]) -> bytes:
    """A model file of any values."""
    return canonical_bytes(skops.io.dumps(values))


def by_bytes(rng: np.random.Generator, name: str) -> bytes:
    """Of the file."""
    return mutate(rng, zipped(members(name)))


def by_member(rng: np.random.Generator, name: str) -> bytes:
    """Of a member, beneath lengths and checksums, or the shape it says it has."""
    found = dict(members(name))
    which = list(found)[rng.integers(len(found))]
    if which != SCHEMA and rng.random() < 0.3:
        start, _, rest = found[which].partition(b"'shape': (")
        lies = [b"1000000000,", b"0,", b"-1,", b"1, 1, 1,", b"", b"9" * 30 + b",", b"True,"]
        found[which] = start + b"'shape': (" + lies[rng.integers(7)] + rest.partition(b")")[2]
        found[which] = found[which].replace(b",}", b"),}", 1).replace(b", }", b"), }", 1)
    else:
        found[which] = mutate(rng, found[which], which == SCHEMA)
    return zipped(found)


def by_schema(rng: np.random.Generator, name: str) -> bytes:
    """Of the JSON that says what there is."""
    tree = spoil_tree(rng, json.loads(members(name)[SCHEMA]))
    text = json_text(tree)
    if rng.random() < 0.1:  # a key twice
        at = text.find('"content": {') + len('"content": {')
        text = text[:at] + '"format": 7, "predictor": [], ' + text[at:]
    return zipped({**members(name), SCHEMA: text.encode("utf-8", "surrogatepass")})


def by_values(rng: np.random.Generator, name: str) -> bytes:
    """Of everything but arrays."""
    found = spoil_tree(rng, _without_arrays(content(name)))
    return file_of(_with_arrays(found, content(name)))


def by_arrays(rng: np.random.Generator, name: str) -> bytes:
    """Of one to three arrays."""
    found = copy.deepcopy(content(name))
    arrays = [(at, key) for at, key in places(found) if isinstance(at[key], np.ndarray)]
    weights = np.array([5.0 if at is found["predictor"] else 1.0 for at, _ in arrays])
    for _ in range(1 + rng.geometric(0.85) % 3):
        at, key = arrays[rng.choice(len(arrays), p=weights / weights.sum())]
        if isinstance(at[key], np.ndarray):
            at[key] = spoil_array(rng, at[key])
    return file_of(found)


LAYERS: list[Callable[[np.random.Generator, str], bytes]] = [
    by_bytes, by_member, by_schema, by_values, by_arrays
]  # fmt: skip
ARRAY = "@array@"


def _without_arrays(tree: Any, path: str = "") -> Any:
    """Text that names its place in the stead of each array."""
    if isinstance(tree, dict):
        return {key: _without_arrays(one, f"{path}/{key}") for key, one in tree.items()}
    if isinstance(tree, list):
        return [_without_arrays(one, f"{path}/{j}") for j, one in enumerate(tree)]
    return f"{ARRAY}{path}" if isinstance(tree, np.ndarray) else tree


def _with_arrays(tree: Any, whole: Any) -> Any:
    if isinstance(tree, dict):
        return {key: _with_arrays(one, whole) for key, one in tree.items()}
    if isinstance(tree, list):
        return [_with_arrays(one, whole) for one in tree]
    if not isinstance(tree, str) or not tree.startswith(ARRAY):
        return tree
    for key in tree.removeprefix(ARRAY).split("/")[1:]:
        whole = whole[int(key) if isinstance(whole, list) else key]
    return whole
