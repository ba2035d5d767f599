"""GCT of the Broad Institute, versions 1.2 and 1.3: features in rows, descriptions beside, and in
1.3 rows with attributes of the samples above (https://clue.io/connectopedia/gct_format)."""

from __future__ import annotations

from ..._core.errors import DataError, shorten_text
from .. import limits
from ..lines import Lines
from ..names import SYMBOL_HEADER_PATTERN
from .around import Around, fields_of

VERSION_MARKS = (b"#1.2", b"#1.3")


def around_gct(lines: Lines) -> Around | None:
    """Of a GCT file, whose header line is next; None of others.

    Raises
    ------
    DataError
        Its sizes are not as its second line says.
    """
    first = lines.peek(3)
    if not first or first[0].strip() not in VERSION_MARKS:
        return None
    if len(first) < 3:
        raise DataError(f"{lines.name!r} is cut short: a GCT has its sizes in line 2, then a table")
    sizes = first[1].decode("utf-8", "replace").split()
    wanted = 2 if first[0].strip() == VERSION_MARKS[0] else 4
    if len(sizes) < wanted or not all(s.isascii() and s.isdigit() for s in sizes[:wanted]):
        raise DataError(
            f"{lines.name!r}: line 2, {shorten_text(' '.join(sizes), 40)!r}, does not have the "
            f"{wanted} sizes of a GCT"
        )
    rows, n, about, attributes = [*map(int, (s[:9] for s in sizes[:wanted])), 1, 0][:4]
    limits.refuse_many(attributes, limits.ROWS_LIMIT, "attributes of samples", lines.name)
    header = fields_of(first[2])
    if len(header) != 1 + about + n:
        raise DataError(
            f"{lines.name!r}: the header has {len(header):,} names, and by line 2 it has 1 for the "
            f"features, {about:,} about them and {n:,} samples"
        )
    for _ in range(2):
        lines.line()
    beside, samples = tuple(header[1 : 1 + about]), tuple(header[1 + about :])
    names = (c for c in beside if c.lower() == "description" or SYMBOL_HEADER_PATTERN.fullmatch(c))
    label = next(names, None)
    found = Around("\t", True, beside=beside, label=label, samples=samples, rows=rows)
    if attributes:
        if len(lines.peek(1 + attributes)) < 1 + attributes:
            raise DataError(f"{lines.name!r} ends within the attributes of its samples")
        for row in map(fields_of, lines.leave_out(1, attributes)):
            if len(row) != len(header):
                raise DataError(
                    f"{lines.name!r}: the attribute {shorten_text(row[0])!r} has {len(row):,} "
                    f"fields where {len(header):,} are expected"
                )
            found.sheet[row[0]] = row[1 + about :]
    return found
