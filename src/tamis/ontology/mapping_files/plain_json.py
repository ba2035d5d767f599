"""JSON of a mapping: everything, numbers in full, held against its schema when it is read."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any, cast

from ..._core.checked_json import checked, parsed_json
from ..._core.errors import DataError, shorten
from ..mapping import Correspondence, Mapping
from ..mapping_schema import KIND, VERSION, MappingContent
from .reading import Reading, gathered
from .text import read_text


def read_json(path: Path) -> Reading:
    """A mapping that `Mapping.write` wrote; of a line is what it is of in the list, from 1.

    Raises
    ------
    DataError
        It is no JSON, no mapping, or of a later version.
    StoreError
        A part is missing or of another type.
    """
    try:
        value: Any = parsed_json(read_text(path))
    except ValueError as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{path.name!r} is no JSON: {error}") from None
    if not isinstance(value, dict) or value.get("kind") != KIND:
        raise DataError(
            f"{path.name!r} is no mapping of Tamis ('kind' is not {KIND!r}): give one that "
            "Mapping.write made, or .sssom.tsv or .rdf"
        )
    version = value.get("version")
    if type(version) is int and version > VERSION:
        raise DataError(
            f"{path.name!r} has version {version} of the schema, and this version of Tamis reads "
            f"up to {VERSION}: use a newer one"
        )
    content = checked(value, MappingContent, path)
    found = []
    for number, one in enumerate(content["correspondences"], 1):
        if not 0 <= one["confidence"] <= 1:
            raise DataError(
                f"{path.name!r}, correspondence {number:,}: the confidence is "
                f"{shorten(one['confidence'])}; a number between 0 and 1 is needed"
            )
        known = {name: cast(Any, one)[name] for name in Correspondence._fields}
        found.append((number, Correspondence(**known)))
    about = {one.name: cast(Any, content)[one.name] for one in fields(Mapping)}
    about |= {"correspondences": (), "remarks": tuple(content["remarks"])}
    return gathered(found, Mapping(**about), name=path.name)
