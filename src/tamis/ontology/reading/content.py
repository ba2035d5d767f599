"""A file as UTF-8 bytes: packed or not, in any encoding that it declares."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from ..._core.errors import DataError, shorten_text
from ...data.limits import Limit
from ...data.unpacked import BLOCK_BYTES, unpacked_bytes
from .formats import ALLOWED_FORMATS_ADVICE

SIZE_LIMIT = Limit("TAMIS_LARGEST_ONTOLOGY", 4 << 30)
ENCODING_PATTERN = re.compile(
    rb"""\A\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']"""
)
BYTE_ORDER_MARKS = (  # the longest first: UTF-32 begins as UTF-16 does
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
WITHOUT_MARK = (
    (b"<\0\0\0", "utf-32-le"),
    (b"\0\0\0<", "utf-32-be"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
NO_TEXTS = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "utf-7"}


def read_content(path: Path) -> bytes:
    """All of a file as UTF-8, without a byte-order mark; an XML declaration is left out.

    Raises
    ------
    DataError
        It is empty, too large, a damaged or too well packed gzip file, or not text in the
        encoding that it declares (UTF-8 if it declares none).
    """
    raw = unpacked_bytes(path, SIZE_LIMIT)
    if not raw.strip(b" \t\r\n\0"):
        raise DataError(f"{path.name!r} is empty: give a file that holds an ontology")
    encoding, declared = _declared_encoding(raw, path.name)
    try:
        content = _as_utf8(raw, encoding)
    except UnicodeDecodeError as error:
        raise DataError(_not_text(raw, path.name, encoding, declared, error)) from error
    if b"\0" in content:
        raise DataError(f"{path.name!r} is no text: it has NUL bytes; {ALLOWED_FORMATS_ADVICE}")
    if content[:400].lstrip().startswith(b"<?xml") and (end := content.find(b"?>", 0, 400)) > 0:
        content = content[end + 2 :]
    return content


def _as_utf8(raw: bytes, encoding: str) -> bytes:
    """The same text in UTF-8, with no second copy of what is in UTF-8 already."""
    if encoding not in ("utf-8", "utf-8-sig"):
        return raw.decode(encoding).encode()
    decoder = codecs.getincrementaldecoder("utf-8")()
    for at in range(0, len(raw), BLOCK_BYTES):
        try:
            decoder.decode(raw[at : at + BLOCK_BYTES], final=at + BLOCK_BYTES >= len(raw))
        except UnicodeDecodeError as error:
            held = len(error.object) - len(raw[at : at + BLOCK_BYTES])  # of the block before
            error.start += at - held
            raise
    return raw.removeprefix(codecs.BOM_UTF8)


def _declared_encoding(raw: bytes, name: str) -> tuple[str, bool]:
    """The encoding of a file, and whether the file says so."""
    head = raw[:400]
    for mark, encoding in BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return encoding, True
    for start, encoding in WITHOUT_MARK:
        if head.startswith(start):
            return encoding, True
    if (found := ENCODING_PATTERN.match(head)) is None:
        return "utf-8", False
    declared = found[1].decode("ascii")
    try:
        encoding = codecs.lookup(declared).name
    except LookupError:
        encoding = "undefined"
    if encoding in NO_TEXTS:
        raise DataError(
            f"{name!r} declares encoding={shorten_text(declared)!r}, which is not known: save it "
            "as UTF-8"
        )
    # a declaration in single bytes cannot be of pairs; what calls itself ASCII is often UTF-8
    wide = encoding.startswith(("utf-16", "utf-32")) or encoding == "ascii"
    return "utf-8" if wide else encoding, True


def _not_text(raw: bytes, name: str, encoding: str, declared: bool, error: Exception) -> str:
    """Bytes that are not what they should be."""
    if b"\0" in raw[:4096] and not declared:
        return f"{name!r} is no text: it has NUL bytes; {ALLOWED_FORMATS_ADVICE}"
    where = ""
    if isinstance(error, UnicodeDecodeError):
        where = f" (line {raw.count(bytes([10]), 0, error.start) + 1:,})"
    xml = raw[:400].lstrip().startswith(b"<?xml")
    hint = ' or declare its encoding, as <?xml version="1.0" encoding="iso-8859-1"?> does'
    said = f"declares the encoding {encoding}" if declared else "declares no encoding"
    return (
        f"{name!r} {said} and is not {encoding if declared else 'UTF-8'}{where}: save it as UTF-8"
        f"{hint if xml else ', for instance with `iconv -f ISO-8859-1 -t UTF-8`'}"
    )
