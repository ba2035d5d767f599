"""A mapping from a file and to a file, in the format that its suffix says."""

from __future__ import annotations

import os
from pathlib import Path

from ..._core.errors import DataError, PlanError, listed_names
from ..mapping_data import MappingData
from .metadata_block import split_block
from .reading import Reading
from .text import looks_like_xml, read_text

WRITTEN_ENDINGS = (".sssom.tsv", ".tsv", ".rdf", ".xml", ".json")
SEPARATORS = {".tsv": "\t", ".txt": "\t", ".tab": "\t", ".csv": ","}


def read_lines(path: Path) -> Reading[MappingData]:
    """What a file says, and the line of the file on which each correspondence begins."""
    from .alignment import read_alignment
    from .plain_json import read_json
    from .simple_table import read_simple_table
    from .sssom import is_sssom, read_sssom

    if not path.is_file():
        kind = "is no file" if path.exists() else "does not exist"
        raise DataError(f"the mapping {str(path)!r} {kind}: give a .tsv, .rdf or .json")
    suffix = path.suffix.lower()
    if suffix in (".rdf", ".xml", ".owl") or (suffix not in SEPARATORS and looks_like_xml(path)):
        return read_alignment(path)
    if suffix == ".json":
        return read_json(path)
    if suffix not in SEPARATORS:
        raise PlanError(
            f"{path.name!r}: a mapping is read from "
            f"{listed_names([*SEPARATORS, *WRITTEN_ENDINGS[2:]], 9)} files"
        )
    text = read_text(path)
    separator = _column_separator(text, SEPARATORS[suffix])
    if is_sssom(text, separator, path):
        return read_sssom(path, text, separator)
    return read_simple_table(path, text, separator)


def _column_separator(text: str, usual: str) -> str:
    """What separates the columns: spreadsheets put semicolons or tabs into a .csv."""
    head = split_block(text)[1].lstrip().partition("\n")[0]
    return next((mark for mark in ("\t", usual, ";", ",") if mark in head), usual)


def write_mapping(mapping: MappingData, path: str | os.PathLike[str]) -> None:
    """Write a mapping (`Mapping.write`)."""
    from ..._core.files import write_json, write_text
    from .alignment_writing import alignment_text
    from .sssom_writing import sssom_text

    suffix = Path(path).suffix.lower()
    if suffix == ".json":
        write_json(path, mapping.to_dict())
    elif suffix in (".rdf", ".xml"):
        write_text(path, alignment_text(mapping))
    elif suffix == ".tsv":
        write_text(path, sssom_text(mapping))
    else:
        raise PlanError(
            f"{Path(path).name!r}: a mapping is written as {listed_names(WRITTEN_ENDINGS, 9)}; "
            "name it so"
        )
