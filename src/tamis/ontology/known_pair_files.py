"""What people said of two ontologies, gathered from several files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .._core.errors import DataError, shorten_text
from .correspondence import Correspondence
from .mapping import Mapping, read_mapping
from .named_classes import resolve
from .ontology import Ontology
from .review_sheet import ReviewSheet, is_sheet, read_sheet


def known_pairs(
    files: Iterable[Path], source: Ontology, target: Ontology, *sheets: ReviewSheet
) -> Mapping:
    """Known pairs of mapping files and of sheets of a review.

    Parameters
    ----------
    files : iterable of path
        What `read_mapping` reads, and sheets.
    source, target : Ontology
    *sheets : ReviewSheet
        That were read before.

    Returns
    -------
    Mapping
        Its remarks name the files. Identifiers of no class, as of another version of an ontology,
        are left out with a remark.

    Raises
    ------
    DataError
        A file cannot be read, has a name of no class, or says yes where another says no.
    """
    found: dict[tuple[str, str], tuple[bool, str, Correspondence]] = {}
    unknown: list[Correspondence] = []
    remarks: list[str] = []
    for name, one in _read_known_pairs(files, sheets, source, target):
        remarks += [f"{name}: {remark}" for remark in one.remarks]
        for c in one.correspondences:
            if (yes := c.means_same) is None:
                unknown.append(c)
                continue
            before = found.setdefault((c.source, c.target), (yes, name, c))
            if before[0] != yes:
                names = (before[1], name) if before[0] else (name, before[1])
                raise DataError(
                    f"{shorten_text(c.source_label or c.source)!r} and "
                    f"{shorten_text(c.target_label or c.target)!r} mean the same by {names[0]!r} "
                    f"and not by {names[1]!r}: change one of the two"
                )
            if c.relation != "=":  # says more than that they are not the same
                found[c.source, c.target] = yes, name, c
    rows = [c for _, _, c in found.values()]
    rows += [c for c in unknown if (c.source, c.target) not in found]
    return Mapping(
        tuple(rows), source.iri, target.iri, source.name, target.name, remarks=tuple(remarks)
    )


def _read_known_pairs(files, sheets, source, target):
    """Names of files and what they say of classes."""
    for path in files:
        if is_sheet(path):
            sheet = read_sheet(path)
            yield path.name, _resolved_sheet(sheet, source, target)
        else:
            yield path.name, read_mapping(path, source, target, absent="leave out")
    for sheet in sheets:
        yield sheet.name, _resolved_sheet(sheet, source, target)


def _resolved_sheet(sheet: ReviewSheet, source: Ontology, target: Ontology) -> Mapping:
    mapping, lines = sheet.reading
    return resolve(mapping, source, target, absent="leave out", lines=lines, name=sheet.name)
