"""How deeply a text is nested: parsers of XML and JSON take time with its square."""

from __future__ import annotations

import re

import numpy as np

from ..._core.errors import DataError
from .formats import Format

MAX_DEPTH: dict[Format, int] = {"RDF/XML": 10_000, "JSON-LD": 500}
STRING_PATTERN = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.S)


def check_nesting(content: bytes, format: Format, name: str) -> None:
    """Refuse what is nested much more deeply than any ontology is.

    Raises
    ------
    DataError
        As above.

    Examples
    --------
    >>> check_nesting(b'{"a": [1, "[[["]}', "JSON-LD", "x.jsonld")
    """
    if format not in MAX_DEPTH:
        return
    if format == "RDF/XML":
        depth = _depth_of_xml(np.frombuffer(content, dtype=np.uint8))
    else:
        depth = _depth_of_brackets(STRING_PATTERN.sub(b"", content))
    if depth > MAX_DEPTH[format]:
        raise DataError(
            f"{name!r} is nested {depth:,} levels deep, and at most {MAX_DEPTH[format]:,} are read"
        )


def _depth_of_brackets(text: bytes) -> int:
    """By brackets outside strings."""
    letters = np.frombuffer(text, dtype=np.uint8)
    steps = np.zeros(256, dtype=np.int8)
    steps[[*b"[{("]], steps[[*b"]})"]] = 1, -1
    found = steps[letters]
    return int(np.cumsum(found[found != 0], dtype=np.int64).max(initial=0))


def _depth_of_xml(letters: np.ndarray) -> int:
    """By tags that open and close; near enough where comments hold some."""
    first = np.flatnonzero(letters[:-1] == ord("<"))
    after = letters[first + 1]
    opening = first[(after != ord("/")) & (after != ord("!")) & (after != ord("?"))]
    closing = first[after == ord("/")]
    last = np.flatnonzero(letters == ord(">"))
    empty = last[letters[last - 1] == ord("/")]
    places = np.concatenate([opening, closing, empty])
    steps = np.ones(len(places), dtype=np.int64)
    steps[len(opening) :] = -1
    return int(np.cumsum(steps[np.argsort(places, kind="stable")]).max(initial=0))
