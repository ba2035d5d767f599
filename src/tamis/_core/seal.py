"""Checksums inside files that are written in pieces: what a file was written for, and that no byte
of it has changed since.

A mark stands anywhere in the file: the checksum of all other bytes, and a digest of the place that
the content is of. So intact files are never confused.
"""

from __future__ import annotations

from hashlib import blake2b

CHECKSUM_MARK = b"blake2b of all other bytes:"  # stands before the checksum
NO_SUM = b"0" * 32  # what is there when it is computed
PLACE_MARK = b", of "  # stands behind it, and before the mark of the place


def open_seal(place: str) -> bytes:
    """What goes into the content before `sealed`."""
    return CHECKSUM_MARK + NO_SUM + PLACE_MARK + _salted_digest(place.encode())


def sealed(content: bytes) -> bytes:
    """Content with an `open_seal` in it, whose checksum is now there."""
    before, _, behind = content.rpartition(CHECKSUM_MARK + NO_SUM)
    return before + CHECKSUM_MARK + sum_of(before, behind) + behind


def sum_of(before: bytes, behind: bytes) -> bytes:
    """Of what stands before and behind it, the mark left out."""
    return _salted_digest(before, behind, salt=len(before).to_bytes(8, "little"))


def _salted_digest(*parts: bytes, salt: bytes = b"") -> bytes:
    found = blake2b(digest_size=len(NO_SUM) // 2, salt=salt)
    for part in parts:
        found.update(part)
    return found.hexdigest().encode()


def is_intact(content: bytes) -> bool:
    """Whether no byte has changed since the content was sealed."""
    before, mark, rest = content.rpartition(CHECKSUM_MARK)
    size = len(NO_SUM)
    return bool(mark) and sum_of(before, rest[size:]) == rest[:size]


def is_of_place(content: bytes, place: str) -> bool:
    """Whether content is intact, and was sealed for this place.

    Examples
    --------
    >>> content = sealed(b"numbers" + open_seal("fold 1"))
    >>> is_of_place(content, "fold 1"), is_of_place(content, "fold 2")
    (True, False)
    """
    rest = content.rpartition(CHECKSUM_MARK)[2][len(NO_SUM) :]
    return is_intact(content) and rest.startswith(PLACE_MARK + _salted_digest(place.encode()))
