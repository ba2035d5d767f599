"""Entities of an XML file, before a parser sees them: short ones of its own, and no others.

Nearly all OWL files shorten their IRIs by entities (``<!ENTITY owl "http://...#">``). Entities can
also make gigabytes of a few lines, or fetch files of the machine; that is refused here.
"""

from __future__ import annotations

import re

from ..._core.errors import DataError, shorten_text

MAX_ENTITIES = 1000  # declared at most
MAX_ENTITY_LENGTH = 1000  # letters of one, what is inside it spelled out
MAX_EXPANDED_BYTES = 256 << 20  # bytes that all of a file may become
DOCTYPE_PATTERN = re.compile(
    rb"<!DOCTYPE\s+([^\s\[>]+)(?:[^\[>\"']|\"[^\"]*\"|'[^']*')*+"
    rb"(\[(?:<!--.*?-->|<\?.*?\?>|<!(?:[^>\"'-]|-(?!-)|\"[^\"]*\"|'[^']*')*+>|[^\]<])*+\]\s*)?>",
    re.S,
)
COMMENT_PATTERN = re.compile(rb"<!--.*?-->|<\?.*?\?>", re.S)
DECLARATION_PATTERN = re.compile(rb"<!ENTITY\s+(%\s+)?([^\s\"'<>]+)\s+(\"[^\"]*\"|'[^']*'|[^\s>]*)")
REFERENCE_PATTERN = re.compile(rb"&([^;&\s<>\"'#]{1,200});")


def plain_doctype(content: bytes, name: str) -> bytes:
    """The same text, with a document type that holds nothing but short entities.

    Parsers differ in what they take there (comments, quotes of one kind), and all of them read
    this.

    Raises
    ------
    DataError
        An entity comes from elsewhere or is long, or they make the text much longer.

    Examples
    --------
    >>> plain_doctype(b"<!DOCTYPE r SYSTEM 'r.dtd' [<!ENTITY a 'b'>]><r>&a;</r>", "x.owl")
    b'<!DOCTYPE r [<!ENTITY a "b">]><r>&a;</r>'
    """
    start = content.find(b"<!DOCTYPE")
    if start < 0 or re.search(rb"<[A-Za-z_]", COMMENT_PATTERN.sub(b"", content[:start])):
        return content  # none, or a mention of one in the text
    if content.rfind(b"<!--", 0, start) > content.rfind(b"-->", 0, start):
        return _after_comment(content, start, name)
    found = DOCTYPE_PATTERN.match(content, start)
    if found is None:
        raise DataError(
            f"{name!r} is not valid RDF/XML: its <!DOCTYPE does not end; is it complete?"
        )
    values = _declared_entities(COMMENT_PATTERN.sub(b"", found[2] or b""), name)
    rest = content[found.end() :]
    lengths = {key: _expanded_length(value, {}) for key, value in values.items()}
    if lengths and _expanded_length(rest, lengths) - len(rest) > max(
        MAX_EXPANDED_BYTES, 10 * len(rest)
    ):
        raise DataError(
            f"{name!r} becomes more than {MAX_EXPANDED_BYTES >> 20} MB longer by its entities: it "
            "is not read"
        )
    said = b"".join(b'<!ENTITY %s "%s">' % one for one in values.items())
    lines = b"\n" * found[0].count(b"\n")  # so that messages name the right ones
    inside = b" [%s%s]" % (said, lines) if said or lines else b""
    return b"%s<!DOCTYPE %s%s>%s" % (content[:start], found[1], inside, rest)


def _after_comment(content: bytes, start: int, name: str) -> bytes:
    """The same where the first mention is inside a comment."""
    end = content.find(b"-->", start)
    if end < 0:
        return content
    return content[: end + 3] + plain_doctype(content[end + 3 :], name)


def _declared_entities(subset: bytes, name: str) -> dict[bytes, bytes]:
    """Entities that a file declares, what is inside them spelled out."""
    values: dict[bytes, bytes] = {}
    for count, found in enumerate(DECLARATION_PATTERN.finditer(subset), 1):
        parameter, key, value = found.groups()
        shown = shorten_text(key.decode("utf-8", "replace"))
        if parameter or value[:1] not in (b'"', b"'"):
            kind = "parameter" if parameter else "external"
            raise DataError(f"{name!r} declares the {kind} entity {shown!r}, which is not read")
        value = value[1:-1].replace(b'"', b"&#34;")
        if (
            count > MAX_ENTITIES
            or _expanded_length(value, {k: len(v) for k, v in values.items()}) > MAX_ENTITY_LENGTH
        ):
            raise DataError(
                f"{name!r} declares entities that expand too far ({shown!r}): at most "
                f"{MAX_ENTITIES:,} "
                f"of {MAX_ENTITY_LENGTH:,} letters each are read"
            )
        # as XML has it, the first declaration holds
        values.setdefault(key, REFERENCE_PATTERN.sub(lambda one: values.get(one[1], one[0]), value))
    return values


def _expanded_length(text: bytes, lengths: dict[bytes, int]) -> int:
    """Bytes of a text with its entities spelled out."""
    if b"&" not in text or not lengths:
        return len(text)
    more = (
        lengths.get(one[1], len(one[0])) - len(one[0]) for one in REFERENCE_PATTERN.finditer(text)
    )
    return len(text) + sum(more)
