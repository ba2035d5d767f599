"""A table that a plan lists, and how it is read."""

from __future__ import annotations

from ...data.arguments import ReadArguments


class DatasetPlan(ReadArguments):
    """One table of a study of many; the names are those of `tamis.data.read_table`."""

    table: str
    name: str = ""
