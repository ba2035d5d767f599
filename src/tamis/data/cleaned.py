"""A table read with whatever it needs, and what that was: to be looked at, and run again."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.errors import DataError, PlanError, listing, nearest, plural
from .dataset import Dataset
from .faults import Fault, Faults, add_remedy
from .raw import parse_number
from .table import read_table
from .written import changed_names, is_text

if TYPE_CHECKING:
    import pandas as pd

ROUNDS = 20  # of faults that show when others are gone
HEAD = "# How `tamis read` cleaned a table; run it again with `tamis read` and this file."
LARGEST = 1 << 24  # bytes of such a file
PATHS = ("table", "fix", "samples", "keep", "annotate")


@dataclass(frozen=True)
class Cleaned:
    """A table that could be read.

    Attributes
    ----------
    data : Dataset
    reading : mapping
        The arguments of `read_table` with which it could.
    done : tuple of Fault
        What kept it from being read without them.
    """

    data: Dataset
    reading: Mapping[str, Any]
    done: tuple[Fault, ...] = ()


def clean(path: Path, reading: Mapping[str, Any]) -> Cleaned:
    """Read a table, and where it has faults do what each of them says first.

    Raises
    ------
    Fault, Faults
        Of what is left nobody but the user can know what is right.
    """
    done: list[Fault] = []
    known = dict(reading)
    for _ in range(ROUNDS):
        try:
            return Cleaned(read_table(path, **known), known, tuple(done))
        except (Fault, Faults) as error:
            faults = error.faults if isinstance(error, Faults) else (error,)
            before = dict(known)
            for fault in faults:
                add_remedy(known, fault.remedy)
            if known == before:
                raise
            done += [fault for fault in faults if fault.remedy]
    raise DataError(f"{path.name!r} has new faults after {ROUNDS} rounds of mending: look at it")


def frame_of(data: Dataset, reading: Mapping[str, Any]) -> pd.DataFrame:
    """A data set as a frame that `read_table` reads to the same: samples in the index, columns of
    the class, groups, folds and batches first, categories as text."""
    import pandas as pd

    names, X = list(data.feature_names), data.matrix
    columns: dict[str, Any] = {}
    for role, values in (("target", data.y), ("group", data.groups), ("split", data.split),
                         ("batch", data.batches)):  # fmt: skip
        if values is not None and reading.get(role):
            columns[reading[role]] = values
    of_samples = pd.DataFrame(columns, index=range(len(X)), dtype=object)
    features = pd.DataFrame(X, columns=names)
    for j, levels in data.levels.items():
        texts = np.array([*levels, None], dtype=object)
        features.isetitem(j, texts[np.where(np.isnan(X[:, j]), -1, X[:, j]).astype(int)])
    index = "sample"
    while index in {*names, *columns}:
        index += "_id"
    found = pd.concat([of_samples, features], axis=1)
    return found.set_axis(pd.Index(data.sample_names, name=index), axis=0)


def check_held(data: Dataset, path: Path) -> None:
    """That a file of such a name can hold the data set.

    Raises
    ------
    PlanError
        An .h5ad has features of numbers alone.
    """
    if data.levels and path.suffix == ".h5ad":
        names = [data.feature_names[j] for j in data.levels]
        raise PlanError(
            f"{path.name!r} can have features of numbers alone, none of categories such as "
            f"{listing(names, 3)}: name it .parquet, or leave them out with drop="
        )


def losses(data: Dataset, frame: pd.DataFrame, path: Path) -> list[str]:
    """What a table written as text no longer says."""
    told = []
    numbers = [
        data.feature_names[j] for j, levels in data.levels.items()
        if is_text(path) and all(parse_number(level) is not None for level in levels)
    ]  # fmt: skip
    if numbers:
        said = ", ".join(map(repr, numbers[:3])) + ", ..." * (len(numbers) > 3)
        told.append(f"text does not say what is a category: study it with categorical=[{said}]")
    if changed := changed_names(frame, path):
        told.append(
            f"{plural(len(changed), 'name')} would be formulas in a spreadsheet and "
            f"have an apostrophe before ({listing(changed, 3)}): .parquet keeps names as they are"
        )
    return told


def recipe_text(table: Path, out: Path, reading: Mapping[str, Any], recipe: Path) -> str:
    """What was done, as TOML; paths are relative to the folder of this file."""
    said = {"table": table, "fix": out, **reading}
    lines = [HEAD]
    for key, value in said.items():
        if value in (None, (), {}, False) or (key == "incomplete" and not reading.get("blocks")):
            continue
        if key in PATHS:
            value = os.path.relpath(value, recipe.parent)
        if key == "blocks":
            value = {name: os.path.relpath(at, recipe.parent) for name, at in value.items()}
        lines.append(f"{key} = {_toml(value)}")
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_toml(k)} = {_toml(v)}" for k, v in value.items()) + " }"
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    text = json.dumps(str(value) if isinstance(value, Path) else value, ensure_ascii=False)
    return text.replace("\x7f", "\\u007f")


def is_recipe(path: Path) -> bool:
    """Whether a file is one that `recipe_text` made."""
    try:
        with path.open("rb") as file:
            return file.read(len(HEAD)) == HEAD.encode()
    except (OSError, ValueError):
        return False


def read_recipe(path: Path) -> dict[str, Any]:
    """What a file of `recipe_text` says, with paths from here.

    Raises
    ------
    DataError
        It is damaged.
    """
    if path.stat().st_size > LARGEST:
        raise DataError(f"{path.name!r} is too large for what `tamis read` has written")
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DataError(f"{path.name!r} is damaged: {error}") from error
    said = _checked(found, path.name)
    for key in PATHS:
        if key in said:
            said[key] = path.parent / said[key]
    if "blocks" in said:
        said["blocks"] = {name: path.parent / at for name, at in said["blocks"].items()}
    return {key: tuple(v) if isinstance(v, list) else v for key, v in said.items()}


def _checked(found: Mapping[str, Any], name: str) -> dict[str, Any]:
    """What such a file says, if it can be that."""
    from pydantic import ValidationError

    from .arguments import ReadArguments

    class Account(ReadArguments):
        table: str
        fix: str

    try:
        return Account.model_validate(found).model_dump(exclude_unset=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    line = ".".join(map(str, first["loc"]))
    if first["type"] == "missing":
        raise DataError(f"{name!r} is damaged: it needs the line `{line}`")
    if first["type"] == "extra_forbidden":
        raise DataError(
            f"{name!r} is damaged: it has {line!r}; {nearest(line, list(Account.model_fields))}"
        )
    raise DataError(f"{name!r} is damaged: {line} = {first['input']!r}; {first['msg']}")
