"""A table that a plan lists, and how it is read."""

from __future__ import annotations

from typing import Literal

from .split import Strict


class DatasetPlan(Strict):
    """One table of a study of many; the names are those of `tamis.data.read_table`."""

    table: str
    name: str = ""
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
    sheet: str | None = None
    samples_sheet: str | None = None
    missing: list[str] = []
    limits: str | None = None
    units: str | None = None
    duplicates: Literal["refuse", "first", "mean", "suffix"] | None = None
    drop_unlabelled: bool = False
    layer: str | None = None
    blocks: dict[str, str] = {}
    incomplete: Literal["refuse", "drop"] = "refuse"
