"""Files of mappings: SSSOM TSV, alignment RDF, JSON, and plain tables of two or three columns."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..._core.errors import DataError, PlanError, listing
from ..mapping import Mapping
from .metadata_block import split_block
from .reading import Reading
from .text import looks_like_xml, read_text

if TYPE_CHECKING:
    from ..named_classes import Absent
    from ..ontology import Ontology

WRITTEN = (".sssom.tsv", ".tsv", ".rdf", ".xml", ".json")
SEPARATORS = {".tsv": "\t", ".txt": "\t", ".tab": "\t", ".csv": ","}


def read_mapping(
    path: str | os.PathLike[str],
    source: Ontology | None = None,
    target: Ontology | None = None,
    *,
    absent: Absent = "refuse",
) -> Mapping:
    """Read a mapping from a file.

    Parameters
    ----------
    path : path
        ``.json`` of Tamis; ``.rdf``, ``.xml`` or ``.owl`` in the Alignment format; ``.tsv``,
        ``.txt`` or ``.csv``: SSSOM if it has the columns ``subject_id`` and ``object_id``, else a
        table of sources and targets, with a third column for relations or answers if need be.
    source, target : Ontology, optional
        Both or none. With them each name becomes the IRI of one of their classes: an IRI, a CURIE,
        a local name or a label (`resolve`).
    absent : {"refuse", "leave out", "keep"}, default="refuse"
        With ontologies: what is done with identifiers that are none of their classes (`resolve`).

    Returns
    -------
    Mapping
        The most confident first. What the file says and a mapping of classes cannot is told in
        its remarks.

    Raises
    ------
    DataError
        It cannot be read: the message names the line.
    PlanError
        Another suffix, or one ontology without the other.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp(), "known.tsv")
    >>> _ = file.write_text("cmt:Author\\tedas:Author\\t=\\ncmt:Person\\tedas:Agent\\t<\\n")
    >>> [(c.source, c.target, c.relation) for c in read_mapping(file).correspondences]
    [('cmt:Author', 'edas:Author', '='), ('cmt:Person', 'edas:Agent', '<')]
    """
    from ..named_classes import resolve

    if (source is None) != (target is None):
        raise PlanError("read_mapping has one ontology only: give both source and target, or none")
    path = Path(path)
    found = read_lines(path)
    if source is not None and target is not None:
        return resolve(
            found.mapping, source, target, absent=absent, lines=found.lines, name=path.name
        )
    return found.mapping


def read_lines(path: Path) -> Reading:
    """A mapping, and the line of the file on which each correspondence begins."""
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
            f"{path.name!r}: a mapping is read from {listing([*SEPARATORS, *WRITTEN[2:]], 9)} files"
        )
    text = read_text(path)
    separator = _separator(text, SEPARATORS[suffix])
    if is_sssom(text, separator):
        return read_sssom(path, text, separator)
    return read_simple_table(path, text, separator)


def _separator(text: str, usual: str) -> str:
    """What separates the columns: spreadsheets put semicolons or tabs into a .csv."""
    head = split_block(text)[1].lstrip().partition("\n")[0]
    return next((mark for mark in ("\t", usual, ";", ",") if mark in head), usual)


def write_mapping(mapping: Mapping, path: str | os.PathLike[str]) -> None:
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
            f"{Path(path).name!r}: a mapping is written as {listing(WRITTEN, 9)}; name it so"
        )
