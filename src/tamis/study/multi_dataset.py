"""One plan over many tables, each a study in a folder of its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from .._core.errors import DataError, PlanError, listed_names
from .._core.fork_server import is_started
from .._core.journal import JOURNAL_NAME
from .._core.outputs import starts_with
from .._core.shared_arrays import in_shared_memory
from ..data.dataset import Dataset
from ..data.paths import TABLE_ENDINGS as TABLES
from ..genome.readers.endings import COHORT_ENDINGS as GENOTYPES
from ..genome.readers.endings import is_genotypes
from .plan import Plan

if TYPE_CHECKING:
    from ..data.arguments import TableArguments

TABLE_ENDINGS = (*TABLES, *GENOTYPES)
OVERVIEW_NAME = "sets.tsv"  # of all studies
# what a folder of studies holds beside them
RESERVED_NAMES = (".", "..", OVERVIEW_NAME, JOURNAL_NAME)
is_overview = starts_with(b"set\tsamples\tfeatures\t")


@dataclass(frozen=True)
class StudyTable:
    """A table to study, and how it is to be read."""

    name: str
    table: Path
    options: TableArguments

    def read(self, quiet: bool = True) -> Dataset:
        """Read it; of genotypes, which may take long, progress is shown."""
        from ..data import read_table

        if is_genotypes(self.table):
            from ..genome.study.cohort import read_cohort

            return read_cohort(self.table, quiet, **self.options)
        if not self.options.get("target"):
            raise DataError(f"{self.name!r} has no target: name its class column")
        data = read_table(self.table, **self.options)
        if is_started():  # workers that take the table as it is
            return replace(data, X=in_shared_memory(data.matrix))
        return data


def tables_of(
    table: Path | None, plan: Plan, plan_file: Path | None, options: TableArguments
) -> list[StudyTable]:
    """The tables of a path, a folder, or a plan's `dataset` list.

    Parameters
    ----------
    table : path or None
        A file, or a folder, of which every file with a known ending is taken, by name, but for
        what a run over the tables left there itself.
    plan : Plan
        Its `dataset` list counts if `table` is None.
    plan_file : path or None
        Paths in the list are relative to its folder.
    options : mapping
        Arguments of `read_table` for all; a list's own entries win.
    """
    if table is not None and plan.dataset:
        raise PlanError("the plan lists tables (dataset) and the command names one: use either")
    if table is None:
        if not plan.dataset:
            raise PlanError("name a table, a folder of tables, or list some in the plan (dataset)")
        home = Path(".") if plan_file is None else plan_file.parent
        found = []
        for entry in plan.dataset:
            if not entry.table:
                raise PlanError("a dataset of the plan has table = '': give the path of its file")
            own = {
                k: v for k, v in entry.model_dump().items() if v not in (None, [], {}, "", False)
            }
            path = home / own.pop("table")
            name = own.pop("name", "") or table_stem(path)
            own |= {key: home / own[key] for key in ("samples", "keep", "annotate") if key in own}
            if "blocks" in own:
                own["blocks"] = {k: home / v for k, v in own["blocks"].items()}
            shared = {key: value for key, value in options.items() if key != "allow"}
            arguments = cast("TableArguments", {**shared, **_allowed_roles(options, own), **own})
            found.append(StudyTable(name, path, arguments))
    elif table.is_dir():
        found_here = (p for p in table.iterdir() if p.is_file() and not p.name.startswith("."))
        files = sorted(
            p
            for p in found_here
            if p.name.lower().endswith(TABLE_ENDINGS)
            and not (p.name == OVERVIEW_NAME and is_overview(p))
        )
        if not files:
            raise DataError(
                f"no tables in {str(table)!r}: their names end in {', '.join(TABLE_ENDINGS)}"
            )
        arguments = cast("TableArguments", {**options, **_allowed_roles(options, options)})
        found = [StudyTable(table_stem(path), path, arguments) for path in files]
    else:
        return [StudyTable(table_stem(table), table, options)]
    for name in (t.name for t in found):
        if not re.fullmatch(r"[^\x00-\x1f\x7f/\\]{1,120}", name) or name in RESERVED_NAMES:
            raise PlanError(f"the data set name {name!r} cannot name a folder: choose another")
    times = Counter(t.name.casefold() for t in found)
    twice = [name for name, n in times.items() if n > 1]
    if twice:
        raise PlanError(f"several tables are named {listed_names(twice)}: give each its own `name`")
    return found


def _allowed_roles(options: TableArguments, own: Mapping[str, object]) -> dict[str, list[str]]:
    """Which columns that are allowed have a role in a table: the others may look like leaks in one
    table, and not be in the next."""
    roles = {own.get(role, options.get(role)) for role in ("target", "group", "split", "batch")}
    return {"allow": [name for name in options.get("allow", ()) if name in roles]}


def table_stem(path: Path) -> str:
    """A table's name: its file's, without a known ending.

    Examples
    --------
    >>> table_stem(Path("GSE1.v2.csv.gz"))
    'GSE1.v2'
    """
    for ending in sorted(TABLE_ENDINGS, key=len, reverse=True):
        if path.name.lower().endswith(ending) and len(path.name) > len(ending):
            return path.name[: -len(ending)]
    return path.name
