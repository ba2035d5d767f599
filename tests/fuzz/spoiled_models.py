"""Inputs of the fuzzer of model files: the k-th of a seed is always the same."""

from __future__ import annotations

import copy
import io
import json
import stat
import warnings
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.model_files import MODELS
from fuzz.mutate import mutate
from fuzz.structure import json_text, spoil_array, spoil_tree
from tamis._core.array_file import ARRAY_ENDING, TEXT_NAME, array_file
from tamis._core.bounded_zip import zipped_members
from tamis._core.interfaces import Arrays
from tamis.model.file import content_of

QUESTIONS = "fuzz.model_questions"
NAME = "model.npz"
WAYS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
NAMES = [
    "/etc/passwd.npy",
    "../../x.npy",
    "..\\x.npy",
    "C:x.npy",
    "x/",
    "x.npy/",
    ".npy",
    "",
    "x",
    "x.npz",
    "a\x00b.npy",
    "\x1b[31mred.npy",
    "\u202edeb.npy",
    "n" * 3000 + ".npy",
    "schema.json",
    "MODEL.JSON",
    "more.json",
    "model.json.npy",
    "predictor/.npy",
    "training/rows",
    "steps/9/x.npy",
    "medians.npy.npy",
]
Entry = tuple[zipfile.ZipInfo, bytes]


def spoiled(seed: int, k: int, folder: Path) -> tuple[str, Path]:
    """Write an input into a folder: which model it was, and the file."""
    rng = np.random.default_rng([seed, k])
    name = list(MODELS)[k % len(MODELS)]
    how = rng.choice(len(LAYERS), p=[0.1, 0.12, 0.13, 0.25, 0.4])
    path = folder / NAME
    path.write_bytes(LAYERS[how](rng, name))
    return name, path


@cache
def content(name: str) -> tuple[dict[str, Any], Arrays]:
    """What a valid file holds: its text, and its arrays."""
    text, arrays = content_of(MODELS[name]())
    return json.loads(json.dumps(text)), arrays


@cache
def members(name: str) -> Mapping[str, bytes]:
    """The members of a valid file."""
    source = zipfile.ZipFile(io.BytesIO(array_file(*content(name))))
    return {entry: source.read(entry) for entry in source.namelist()}


def array_bytes(value: Any) -> bytes:
    """Of an array of any type, objects (which are a pickle then) too."""
    sink = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.lib.format.write_array(sink, np.asarray(value), allow_pickle=True)
    return sink.getvalue()


def by_bytes(rng: np.random.Generator, name: str) -> bytes:
    """Of the file."""
    return mutate(rng, zipped_members(members(name)))


def by_member(rng: np.random.Generator, name: str) -> bytes:
    """Of a member, beneath lengths and checksums, or the shape it says it has."""
    found = dict(members(name))
    which = list(found)[rng.integers(len(found))]
    if which != TEXT_NAME and rng.random() < 0.3:
        start, _, rest = found[which].partition(b"'shape': (")
        lies = [b"1000000000,", b"0,", b"-1,", b"1, 1, 1,", b"", b"9" * 30 + b",", b"True,"]
        found[which] = start + b"'shape': (" + lies[rng.integers(7)] + rest.partition(b")")[2]
        found[which] = found[which].replace(b",}", b"),}", 1).replace(b", }", b"), }", 1)
    else:
        found[which] = mutate(rng, found[which], which == TEXT_NAME)
    return zipped_members(found)


def by_entries(rng: np.random.Generator, name: str) -> bytes:
    """Of the list of members: names, ways of packing, what is there and how often."""
    found: list[Entry] = [(_entry(key), data) for key, data in members(name).items()]
    for _ in range(1 + rng.geometric(0.7) % 3):
        ENTRIES[rng.integers(len(ENTRIES))](rng, found)
    sink = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(sink, "w") as file:
        warnings.simplefilter("ignore")  # two of one name
        for entry, data in found:
            file.writestr(entry, data)
    packed = sink.getvalue()
    if rng.random() < 0.3:  # a length in the list, which another stands behind
        at = packed.rfind(b"PK\x01\x02", 0, int(rng.integers(len(packed))) + 4)
        place, said = at + int(rng.choice([20, 24])), int(rng.choice([0, 1, 1 << 20, 1 << 31]))
        packed = packed[:place] + said.to_bytes(4, "little") + packed[place + 4 :]
    return packed


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo("x", (1980, 1, 1, 0, 0, 0))
    entry.filename, entry.compress_type = name, zipfile.ZIP_DEFLATED
    return entry


def _picked(rng: np.random.Generator, found: list[Entry]) -> int:
    return int(rng.integers(max(len(found), 1))) if found else 0


def rename_entry(rng: np.random.Generator, found: list[Entry]) -> None:
    for entry, _ in found[_picked(rng, found) :][:1]:
        entry.filename = NAMES[rng.integers(len(NAMES))]


def swap_entries(rng: np.random.Generator, found: list[Entry]) -> None:
    one, other = (found[_picked(rng, found)][0] for _ in range(2))
    one.filename, other.filename = other.filename, one.filename


def repeat_entry(rng: np.random.Generator, found: list[Entry]) -> None:
    entry, data = found[_picked(rng, found)]
    found.append((_entry(entry.filename), mutate(rng, data) if rng.random() < 0.5 else data))


def remove_entry(rng: np.random.Generator, found: list[Entry]) -> None:
    if len(found) > 1:
        del found[_picked(rng, found)]


def add_entry(rng: np.random.Generator, found: list[Entry]) -> None:
    data = [b"", b"{}", array_bytes(np.zeros(2)), array_bytes(np.array([{}])), bytes(1 << 12)]
    found.append((_entry(NAMES[rng.integers(len(NAMES))]), data[rng.integers(len(data))]))


def pack_otherwise(rng: np.random.Generator, found: list[Entry]) -> None:
    found[_picked(rng, found)][0].compress_type = WAYS[rng.integers(len(WAYS))]


def link_entry(rng: np.random.Generator, found: list[Entry]) -> None:
    at = _picked(rng, found)
    entry, data = found[at]
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    found[at] = entry, b"/etc/passwd" if rng.random() < 0.5 else data


def lock_entry(rng: np.random.Generator, found: list[Entry]) -> None:
    found[_picked(rng, found)][0].flag_bits |= 1


def much_of_nothing(rng: np.random.Generator, found: list[Entry]) -> None:
    """In an array, or in the text."""
    size = int(2 ** rng.uniform(20, 26))
    if rng.random() < 0.5:
        found.append((_entry("more.npy"), array_bytes(np.zeros(size // 8))))
        return
    for at, (entry, data) in enumerate(found):
        if entry.filename == TEXT_NAME:
            found[at] = entry, data[:-1] + b',"more":[' + b"[]," * (size // 3) + b"0]}"


ENTRIES = [
    rename_entry,
    swap_entries,
    repeat_entry,
    remove_entry,
    add_entry,
    pack_otherwise,
    link_entry,
    lock_entry,
    much_of_nothing,
]


def by_text(rng: np.random.Generator, name: str) -> bytes:
    """Of the JSON, all that is no array."""
    text = json_text(spoil_tree(rng, content(name)[0]))
    if rng.random() < 0.1:  # a key twice
        text = f'{{"format": 1, "made_by": [], {text[1:]}'
    return zipped_members({**members(name), TEXT_NAME: text.encode("utf-8", "surrogatepass")})


def by_arrays(rng: np.random.Generator, name: str) -> bytes:
    """Of one to three arrays."""
    found: dict[str, Any] = copy.deepcopy(content(name)[1])
    weights = np.array([5.0 if key.startswith("predictor/") else 1.0 for key in found])
    changed = {}
    for _ in range(1 + rng.geometric(0.85) % 3):
        key = list(found)[rng.choice(len(found), p=weights / weights.sum())]
        if isinstance(found[key], np.ndarray):
            found[key] = changed[f"{key}{ARRAY_ENDING}"] = spoil_array(rng, found[key])
    return zipped_members(
        {**members(name), **{key: array_bytes(own) for key, own in changed.items()}}
    )


LAYERS: list[Callable[[np.random.Generator, str], bytes]] = [
    by_bytes,
    by_member,
    by_entries,
    by_text,
    by_arrays,
]
