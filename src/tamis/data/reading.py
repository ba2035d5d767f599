"""How a table is to be read: the options of `read_table`, in one piece."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from .labels import Symbols
from .panel import Panel

Names = str | Sequence[str]
EMPTY_COLUMNS = "<empty>"  # among the columns to drop: those without any value


@dataclass(frozen=True)
class Reading:
    """Arguments of `read_table`, lists as tuples.

    Attributes
    ----------
    part : bool
        The table is one of several blocks: the others may bring the features, and what is noted of
        all values is noted once they are joined.
    first_ids : bool
        The first column holds the sample ids, whatever they are.
    modality : str, optional
        The table of an .h5mu to read.
    regression, log_target : bool
        The target is a number, to be predicted as it is, or its logarithm.
    """

    target: str | None = None
    positive: object = None
    samples: str | os.PathLike[str] | None = None
    id: str | None = None
    group: str | None = None
    split: str | None = None
    batch: str | None = None
    covariates: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    transpose: bool = False
    separator: str | None = None
    target_optional: bool = False
    only: frozenset[str] | None = None
    keep: Panel | None = None
    annotate: Symbols | None = None
    part: bool = False
    first_ids: bool = False
    encoding: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    missing: tuple[str, ...] = ()
    limits: str | None = None
    units: str | None = None
    duplicates: str = "refuse"
    long: tuple[str, ...] = ()
    unify: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    drop_unlabelled: bool = False
    sheet: str | None = None
    samples_sheet: str | None = None
    layer: str | None = None
    modality: str | None = None
    regression: bool = False
    log_target: bool = False

    @property
    def of_number(self) -> bool:
        """Whether the target is a number."""
        return self.regression or self.log_target

    @property
    def given_decimal(self) -> str | None:
        """What stands before decimals, where the user has said so, or what stands elsewhere."""
        return self.decimal or ("." if self.thousands == "," else None)

    @property
    def roles(self) -> list[tuple[str, str]]:
        """(role, column) of the columns that are no features."""
        given = [
            ("target", self.target),
            ("id", self.id),
            ("group", self.group),
            ("split", self.split),
            ("batch", self.batch),
        ]
        return [(role, column) for role, column in given if column is not None]


def name_list(value: Names) -> tuple[str, ...]:
    """One name or several, each once."""
    return (value,) if isinstance(value, str) else tuple(dict.fromkeys(map(str, value)))


def of_sheet(how: Reading) -> Reading:
    """How a sample sheet beside the table is read: alike, but for what is said of the table's own
    layout."""
    roles = {column for _, column in how.roles}
    numbers = tuple(c for c in how.covariates if c not in roles and c not in how.categorical)
    return Reading(
        encoding=how.encoding,
        decimal=how.decimal,
        thousands=how.thousands,
        missing=how.missing,
        limits=how.limits,
        units=how.units,
        sheet=how.samples_sheet,
        covariates=numbers,
    )
