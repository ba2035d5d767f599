"""What is wrong with a plan, in one line."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pydantic import BaseModel, ValidationError

from ..._core.errors import nearest_hint


def first_fault(error: ValidationError, tables: Mapping[str, type[BaseModel]]) -> str:
    """The first fault of a plan as one line; `tables` are the plan, under "", and its tables."""
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        key = str(first["loc"][-1])
        table = str(first["loc"][0]) if len(first["loc"]) > 1 else ""
        model = tables.get(table, tables[""])
        if key in ("decide", "recalibrate", "reject"):
            return (
                f"{place!r}: `{key}` is a key of the plan (above its first table) or of a "
                "[[method]]"
            )
        return f"unknown key {place!r} in the plan: {nearest_hint(key, list(model.model_fields))}"
    if first["type"] == "literal_error":
        allowed = re.findall(r"'([^']*)'", first["ctx"]["expected"])
        return f"{place} = {first['input']!r}: {nearest_hint(first['input'], allowed)}"
    if first["type"] == "value_error":
        return str(first["ctx"]["error"])
    if first["type"] == "list_type" and place in ("method", "dataset"):
        return f"write [[{place}]], with two brackets, for each {place}"
    if first["type"] == "model_type" and first["loc"][-1] in ("decide", "recalibrate", "reject"):
        return f"{place} = {first['input']!r}: give one name, or a table {{name = ...}}"
    if first["type"] == "model_type" and place in tables:
        example = next(iter(tables[place].model_fields))
        return f"{place} = {first['input']!r}: give a table, [{place}] with {example} = ..."
    if first["type"] == "missing":
        return f"the plan lacks {place!r}; see `tamis methods` for what it may be"
    return f"{place} = {first['input']!r}: {first['msg'][0].lower()}{first['msg'][1:]}"
