"""A table read with whatever it needs, and what that was: to be looked at, and run again."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.errors import DataError, PlanError, listed_names, nearest_hint
from .._core.fields import plain_field
from .._core.toml_text import toml_text
from . import memory
from .dataset import Dataset
from .faults import Fault, Faults, add_remedy
from .table import read_table
from .written import table_ending

if TYPE_CHECKING:
    import pandas as pd

Arguments = Mapping[str, object]  # of `read_table`
MAX_ROUNDS = 20  # of faults that show when others are gone
FILE_HEAD = "# How `tamis read` cleaned a table; run it again with `tamis read` and this file."
BOM = b"\xef\xbb\xbf"
MAX_FILE_BYTES = 1 << 24  # bytes of such a file
ROLE_NAMES = ("target", "group", "split", "batch")
PATH_ARGUMENTS = ("table", "fix", "samples", "keep", "annotate")


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
    reading: Arguments
    done: tuple[Fault, ...] = ()


def clean_table(path: Path, reading: Arguments) -> Cleaned:
    """Read a table, and where it has faults do what each of them says first.

    Raises
    ------
    Fault, Faults
        Of what is left nobody but the user can know what is right.
    """
    done: list[Fault] = []
    known: dict[str, Any] = {**reading}
    for _ in range(MAX_ROUNDS):
        try:
            return Cleaned(read_table(path, **known), known, tuple(done))
        except (Fault, Faults) as error:
            faults = error.faults if isinstance(error, Faults) else (error,)
            before = dict(known)
            used = {known.get(role) for role in ROLE_NAMES} | {*known.get("covariates", ())}
            curable = [f for f in faults if f.remedy and used.isdisjoint(f.drops)]
            for fault in curable:
                add_remedy(known, fault.remedy)
            if known == before:
                raise
            done += curable
    raise DataError(
        f"{path.name!r} has new faults after {MAX_ROUNDS} rounds of mending: look at it"
    )


def frame_of(data: Dataset, reading: Arguments) -> pd.DataFrame:
    """A data set as a frame that `read_table` reads to the same: samples in the index, columns of
    the class, groups, folds and batches first, categories as text."""
    import pandas as pd

    names, X = list(data.feature_names), data.matrix
    columns: dict[str, object] = {}
    outcome = data.y if data.numbers is None else data.numbers
    of_roles = (outcome, data.groups, data.split, data.batches)
    for role, values in zip(ROLE_NAMES, of_roles, strict=True):
        if values is not None and reading.get(role):
            columns[str(reading[role])] = values
    of_samples = pd.DataFrame(columns, index=range(len(X)), dtype=object)
    features = pd.DataFrame(X, columns=names)
    if data.levels:  # all at once: a frame that is changed column by column is slow, and warns
        made: dict[int, np.ndarray] = {j: X[:, j] for j in range(X.shape[1])}
        for j, levels in data.levels.items():
            texts = np.array([*levels, None], dtype=object)
            made[j] = texts[np.where(np.isnan(X[:, j]), -1, X[:, j]).astype(int)]
        features = pd.DataFrame(made).set_axis(names, axis=1)
    found = pd.concat([of_samples, features], axis=1)
    name = index_name(data, reading)
    return found.set_axis(pd.Index(data.sample_names, name=name), axis=0)


def index_name(data: Dataset, reading: Arguments) -> str:
    """What the column of samples is called."""
    taken = {*data.feature_names, *(reading.get(key) for key in ROLE_NAMES)}
    name = "sample"
    while name in taken:
        name += "_id"
    return name


def check_held(data: Dataset, path: Path) -> None:
    """That a file of such a name can hold the data set.

    Raises
    ------
    PlanError
        An .h5ad has features of numbers alone.
    """
    if data.levels and table_ending(path) == ".h5ad":
        names = [data.feature_names[j] for j in data.levels]
        raise PlanError(
            f"{path.name!r} can have features of numbers alone, none of categories such as "
            f"{listed_names(names, 3)}: name it .parquet, or leave them out with drop="
        )


def losses_by_writing(data: Dataset, reading: Arguments, path: Path) -> list[str]:
    """What a table that was written does not say by itself: it is read again, as it will be, if
    there is room for both."""
    losses: list[str] = []
    if 2 * data.matrix.nbytes > memory.available_bytes():
        return losses
    if table_ending(path).startswith((".csv", ".tsv")):  # what would be formulas is none there
        before, data = data, _plain_dataset(data)
        if not same_content(before, data):
            losses = [
                "names or categories that begin with = + - @ have an apostrophe before in "
                f"{path.name!r}, for a spreadsheet would compute them: .parquet keeps them"
            ]
    roles = {key: reading[key] for key in (*ROLE_NAMES, "regression") if reading.get(key)}
    given = _level_names(data)
    if (again := _read_again(path, **roles)) is not None and same_content(data, again):
        return losses
    if again is not None and again.feature_names == data.feature_names:
        given = [name for name in given if _texts_of(data, name) != _texts_of(again, name)]
    labels = [data.target] if roles.get("target") and again is None else []
    id = index_name(data, reading) if data.sample_names != (again or data).sample_names else None
    for categorical, named in ((given, id), ([*given, *labels], id), (given, id or "sample")):
        said = {"categorical": tuple(categorical), **({} if named is None else {"id": named})}
        again = _read_again(path, **roles, **said)
        if again is not None and same_content(data, again):
            what = [f"categorical=[{', '.join(map(repr, categorical))}]"] * bool(categorical)
            what += [] if named is None else [f"id={named!r}"]
            return [*losses, f"{path.name!r} does not say all: study it with {' and '.join(what)}"]
    return [*losses, f"{path.name!r} is not read as it was written: name it .parquet"]


def _plain_dataset(data: Dataset) -> Dataset:
    """A data set as a table of text has it."""

    def plain_texts(texts: np.ndarray | None) -> np.ndarray | None:
        return None if texts is None else np.array([plain_field(str(one)) for one in texts])

    return replace(
        data,
        feature_names=tuple(map(plain_field, data.feature_names)),
        sample_names=tuple(map(plain_field, data.sample_names)),
        y=plain_texts(data.y),
        groups=plain_texts(data.groups),
        split=plain_texts(data.split),
        batches=plain_texts(data.batches),
        levels={j: tuple(map(plain_field, own)) for j, own in data.levels.items()},
    )


def _read_again(path: Path, **said: Any) -> Dataset | None:
    try:
        return read_table(path, **said)
    except DataError:
        return None


def same_content(one: Dataset, other: Dataset) -> bool:
    """Whether two data sets have the same names, classes, groups, folds, batches and values."""
    if (one.sample_names, one.feature_names) != (other.sample_names, other.feature_names):
        return False
    roles = ((a.y, a.numbers, a.groups, a.split, a.batches) for a in (one, other))
    for a, b in zip(*roles, strict=True):
        if (a is None) != (b is None) or (a is not None and a.tolist() != b.tolist()):
            return False
    numbers = np.delete(np.arange(one.shape[1]), [*one.levels])
    return (
        one.levels.keys() == other.levels.keys()
        and np.array_equal(one.matrix[:, numbers], other.matrix[:, numbers], equal_nan=True)
        and all(_texts_of(one, c) == _texts_of(other, c) for c in _level_names(one))
    )


def _level_names(data: Dataset) -> list[str]:
    return [data.feature_names[j] for j in data.levels]


def _texts_of(data: Dataset, name: str) -> list[str | None] | None:
    """The categories of a column; None where it has none."""
    at = data.feature_names.index(name)
    levels = data.levels.get(at)
    codes = data.matrix[:, at].tolist()
    return None if levels is None else [None if v != v else levels[int(v)] for v in codes]


def recipe_text(table: Path, out: Path, reading: Mapping[str, Any], recipe: Path) -> str:
    """What was done, as TOML; paths are relative to the folder of this file."""
    said = {"table": table, "fix": out, **reading}
    said = {key: value for key, value in said.items() if value not in (None, (), {}, False)}
    blocks = said.get("blocks", {})
    if not blocks:
        said.pop("incomplete", None)
    said |= {
        key: os.path.relpath(said[key], recipe.parent) for key in PATH_ARGUMENTS if key in said
    }
    if blocks:
        said["blocks"] = {name: os.path.relpath(at, recipe.parent) for name, at in blocks.items()}
    return f"{FILE_HEAD}\n{toml_text(said)}"


def is_recipe(path: Path) -> bool:
    """Whether a file is one that `recipe_text` made."""
    try:
        with path.open("rb") as file:
            return file.read(len(FILE_HEAD) + 3).removeprefix(BOM).startswith(FILE_HEAD.encode())
    except (OSError, ValueError):
        return False


def read_recipe(path: Path) -> dict[str, Any]:
    """What a file of `recipe_text` says, with paths from here.

    Raises
    ------
    DataError
        It is damaged.
    """
    if path.stat().st_size > MAX_FILE_BYTES:
        raise DataError(f"{path.name!r} is too large for what `tamis read` has written")
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DataError(f"{path.name!r} is damaged: {error}") from error
    said = _checked_account(found, path.name)
    paths = [said[key] for key in PATH_ARGUMENTS if key in said] + [
        *said.get("blocks", {}).values()
    ]
    if any("\0" in at for at in paths):
        raise DataError(f"{path.name!r} is damaged: a path has a NUL")
    for key in PATH_ARGUMENTS:
        if key in said:
            said[key] = path.parent / said[key]
    if "blocks" in said:
        said["blocks"] = {name: path.parent / at for name, at in said["blocks"].items()}
    return {key: tuple(v) if isinstance(v, list) else v for key, v in said.items()}


def _checked_account(found: Arguments, name: str) -> dict[str, Any]:
    """What such a file says, if it can be that."""
    from pydantic import ValidationError

    from .arguments import Account

    try:
        return Account.model_validate(found).model_dump(exclude_unset=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    line = ".".join(map(str, first["loc"]))
    if first["type"] == "missing":
        raise DataError(f"{name!r} is damaged: it needs the line `{line}`")
    if first["type"] == "extra_forbidden":
        raise DataError(
            f"{name!r} is damaged: it has {line!r}; "
            f"{nearest_hint(line, list(Account.model_fields))}"
        )
    raise DataError(f"{name!r} is damaged: {line} = {first['input']!r}; {first['msg']}")
