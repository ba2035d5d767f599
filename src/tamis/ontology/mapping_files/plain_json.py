"""JSON of a mapping: everything, numbers in full, held against its schema when it is read."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any, cast

from ..._core.checked_json import checked_value, parsed_json
from ..._core.errors import DataError, shorten_text
from ..._core.written_schema import require_schema
from ..correspondence import Correspondence
from ..mapping_data import MappingData
from ..mapping_schema import KIND, SCHEMA_VERSION, MappingContent
from .reading import Reading, gathered_correspondences
from .text import read_text


def read_json(path: Path) -> Reading[MappingData]:
    """A mapping that `Mapping.write` wrote; of a line is what it is of in the list, from 1.

    Raises
    ------
    DataError
        It is no JSON, or no mapping.
    StoreError
        It is of another version, or a part is missing or of another type.
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
    again = "make it anew with `tamis ontology match`, or give the mapping as .sssom.tsv"
    require_schema(value.get("version"), SCHEMA_VERSION, repr(path.name), again)
    content = checked_value(value, MappingContent, path)
    found = []
    for number, one in enumerate(content["correspondences"], 1):
        if not 0 <= one["confidence"] <= 1:
            raise DataError(
                f"{path.name!r}, correspondence {number:,}: the confidence is "
                f"{shorten_text(one['confidence'])}; a number between 0 and 1 is needed"
            )
        known = {name: cast(Any, one)[name] for name in Correspondence._fields}
        found.append((number, Correspondence(**known)))
    about = {one.name: cast(Any, content)[one.name] for one in fields(MappingData)}
    about |= {"correspondences": (), "remarks": tuple(content["remarks"])}
    return gathered_correspondences(found, MappingData(**about), name=path.name)
