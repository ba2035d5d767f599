"""Arguments of `read_table` as a file has them: checked, and wrong ones named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypedDict

from pydantic import BaseModel, ConfigDict


class ReadArguments(BaseModel):
    """The arguments of `tamis.data.read_table` that are kept, by its names; unknown ones are
    errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    target: str | None = None
    positive: str | None = None
    samples: str | None = None
    id: str | None = None
    group: str | None = None
    split: str | None = None
    batch: str | None = None
    covariates: list[str] = []
    categorical: list[str] = []
    drop: list[str] = []
    keep: str | None = None
    annotate: str | None = None
    transpose: bool = False
    separator: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    sheet: str | int | None = None
    samples_sheet: str | int | None = None
    missing: list[str] = []
    limits: str | None = None
    units: str | None = None
    duplicates: Literal["refuse", "first", "mean", "suffix"] | None = None
    long: list[str] = []
    unify: list[str] = []
    allow: list[str] = []
    drop_unlabelled: bool = False
    regression: bool = False
    log_target: bool = False
    layer: str | None = None
    blocks: dict[str, str] = {}
    incomplete: Literal["refuse", "drop"] = "refuse"


class TableArguments(TypedDict, total=False):
    """The same in Python, handed on to `read_table`."""

    target: str | None
    positive: str | None
    samples: Path | None
    id: str | None
    group: str | None
    split: str | None
    batch: str | None
    covariates: Sequence[str]
    categorical: Sequence[str]
    drop: Sequence[str]
    transpose: bool
    separator: str | None
    target_optional: bool
    only: Iterable[str] | None
    keep: Path | None
    annotate: Path | None
    blocks: Mapping[str, Path]
    incomplete: str
    encoding: str | None
    decimal: str | None
    thousands: str | None
    missing: Sequence[str]
    limits: str | None
    units: str | None
    duplicates: str
    long: Sequence[str]
    unify: Sequence[str]
    allow: Sequence[str]
    drop_unlabelled: bool
    regression: bool
    log_target: bool
    sheet: str | int | None
    samples_sheet: str | int | None
    layer: str | None


class Account(ReadArguments):
    """What `tamis read` did with a table."""

    table: str
    fix: str
