"""What a reader of mapping files gives: the mapping, and the line behind each correspondence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Generic, NamedTuple

from ..._core.errors import DataError, shorten_text
from ..correspondence import Correspondence
from ..mapping_data import AnyMapping


class Reading(NamedTuple, Generic[AnyMapping]):
    """A mapping as read, and where: `lines[k]` is the line of `mapping.correspondences[k]`."""

    mapping: AnyMapping
    lines: tuple[int, ...]


def gathered_correspondences(
    found: Iterable[tuple[int, Correspondence]],
    about: AnyMapping,
    left_out: Sequence[str] = (),
    *,
    name: str,
) -> Reading[AnyMapping]:
    """Correspondences in order, each pair with a relation once.

    Parameters
    ----------
    found : iterable of (int, Correspondence)
        With their lines.
    about : Mapping or MappingData
        All else that is known.
    left_out : sequence of str
        For each row that was left out, why: ``{n} row{s} ...``.
    name : str
        The file's, for messages.

    Raises
    ------
    DataError
        The same pair is both accepted and refused by a person.
    """
    once: dict[tuple[str, str, str], tuple[int, Correspondence]] = {}
    again = 0
    for line, one in found:
        key = (one.source, one.target, one.relation)
        before = once.setdefault(key, (line, one))
        if before == (line, one):
            continue
        again += 1
        once[key] = _stronger_statement(before, (line, one), name)
    rows = sorted(once.values(), key=lambda row: order_of(row[1]))
    remarks = [*about.remarks, *(_counted_reason(n, why) for why, n in Counter(left_out).items())]
    if again:
        remarks.append(
            _counted_reason(again, "{n} repeated row{s}: of each pair the strongest counts")
        )
    mapping = replace(about, correspondences=tuple(c for _, c in rows), remarks=tuple(remarks))
    return Reading(mapping, tuple(line for line, _ in rows))


def order_of(one: Correspondence) -> tuple[float, str, str, str, str]:
    """The most confident first, then by name."""
    return -one.confidence, one.source, one.target, one.relation, one.status


STATUS_RANKS = {"accepted": 3, "refused": 3, "mapped": 1, "uncertain": 0}


def _stronger_statement(
    before: tuple[int, Correspondence], now: tuple[int, Correspondence], name: str
) -> tuple[int, Correspondence]:
    """What a person says before what a program does, then the more confident one."""
    (line, one), (later, other) = before, now
    if {one.status, other.status} == {"accepted", "refused"}:
        raise DataError(
            f"{name!r}, lines {line:,} and {later:,}: {shorten_text(one.source)!r} and "
            f"{shorten_text(one.target)!r} are both accepted and refused; keep one of the two"
        )
    strengths = [(STATUS_RANKS[c.status], c.confidence) for c in (one, other)]
    return before if strengths[0] >= strengths[1] else now


def _counted_reason(n: int, why: str) -> str:
    return why.format(n=f"{n:,}", s="" if n == 1 else "s")
