"""Entities of an XML file, before a parser sees them: short ones of its own, and no others.

Nearly all OWL files shorten their IRIs by entities (``<!ENTITY owl "http://...#">``). Entities can
also make gigabytes of a few lines, or fetch files of the machine; that is refused here.
"""

from __future__ import annotations

import re

from ..._core.errors import DataError, shorten

ENTITIES = 1000  # declared at most
LONGEST = 1000  # letters of one, what is inside it spelled out
MOST = 256 << 20  # bytes that all of a file may become
DECLARATION = re.compile(
    rb"<!ENTITY\s+(%\s+)?([^\s\"'<>]+)\s+(SYSTEM\b|PUBLIC\b|\"[^\"]*\"|'[^']*')"
)
REFERENCE = re.compile(rb"&([^;&\s<>\"'#]{1,200});")


def check_entities(content: bytes, name: str) -> None:
    """Refuse entities that come from elsewhere, are long, or make a file much longer.

    Raises
    ------
    DataError
        As above.
    """
    start = content.find(b"<!DOCTYPE")
    root = re.compile(rb"<[A-Za-z_]").search(content)
    if start < 0 or root is None or root.start() < start:
        return
    lengths: dict[bytes, int] = {}
    for count, found in enumerate(DECLARATION.finditer(content, start), 1):
        parameter, key, value = found.groups()
        shown = shorten(key.decode("utf-8", "replace"))
        if parameter or value[:1] not in b"\"'":
            kind = "parameter" if parameter else "external"
            raise DataError(f"{name!r} declares the {kind} entity {shown!r}, which is not read")
        size = _length(value[1:-1], lengths)
        if size > LONGEST or count > ENTITIES:
            raise DataError(
                f"{name!r} declares entities that expand too far ({shown!r}): at most {ENTITIES:,} "
                f"of {LONGEST:,} letters each are read"
            )
        lengths.setdefault(key, size)  # as XML has it: the first declaration holds
    if lengths and _length(content[start:], lengths) - len(content) > max(MOST, 10 * len(content)):
        raise DataError(
            f"{name!r} becomes more than {MOST >> 20} MB longer by its entities: it is not read"
        )


def _length(text: bytes, lengths: dict[bytes, int]) -> int:
    """Bytes of a text with its entities spelled out."""
    if b"&" not in text or not lengths:
        return len(text)
    more = (lengths.get(one[1], len(one[0])) - len(one[0]) for one in REFERENCE.finditer(text))
    return len(text) + sum(more)
