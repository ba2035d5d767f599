"""How much of an ontology is read: of how many classes, with how long names."""

from __future__ import annotations

from ..._core.errors import DataError, shorten_text
from ...data.limits import FIELD_LIMIT, Limit

CLASSES_LIMIT = Limit("TAMIS_MOST_CLASSES", 5_000_000)
# letters of a label or synonym, which are cut there
NAME_LIMIT = Limit("TAMIS_LONGEST_NAME", 2_000)


def longest_text() -> int:
    """Letters that any text may have."""
    return FIELD_LIMIT.value


def too_long(text: str, about: str, name: str) -> DataError:
    """A text of more letters."""
    return DataError(
        f"{name!r} has a text of {len(text):,} letters ({shorten_text(about)}), and at most "
        f"{FIELD_LIMIT.value:,} are read; {FIELD_LIMIT.more}"
    )
