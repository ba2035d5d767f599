"""The members of a vote: rankers by the names that plans have for them, or as objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._core.errors import PlanError, nearest_hint, value_text
from .._core.interfaces import Ranker, Ranking
from .._core.own_code import is_own
from .._core.parameters import Parameters
from .._core.rows import RankerRow, SelectingRow
from .._core.streams import stream

MEMBERS_EXAMPLE = '["moderated_t", {name = "svm_rfe", step = 0.2}]'


@dataclass(frozen=True)
class Member:
    """One of those that vote.

    Attributes
    ----------
    name : str
        Different for each member; its random stream is keyed by it.
    ranker : Ranker
        Made for this vote: nobody else has it.
    """

    name: str
    ranker: Ranker


class VotingRow(RankerRow):
    """The row of a vote: a plan's members are resolved and checked before anything runs."""

    def validated(self, values: Any) -> Parameters:
        """With the parameters of each member checked by its own row."""
        found = super().validated(values)
        if "selectors" not in found:
            return found
        return {**found, "selectors": checked_selectors(found["selectors"])}


def checked_selectors(selectors: object) -> list[Any]:
    """Members as a plan keeps them: a name, or a table of name and parameters.

    Raises
    ------
    PlanError
        A name that no member can have, a parameter that it does not take, a member twice.
    """
    kept = [_plain_member(*_named_member(one)) for one in _several_selectors(selectors)]
    _refuse_twice([_member_label(*_named_member(one)) for one in kept])
    return kept


def build_members(selectors: Any) -> list[Member]:
    """Members made anew of names, tables of name and parameters, or objects, which stay as they
    are."""
    from sklearn.base import clone  # late: a model opens without scikit-learn

    found: list[Member] = []
    objects: dict[str, int] = {}
    for one in _several_selectors(selectors):
        if isinstance(one, str | Mapping):
            row, values = _named_member(one)
            found.append(Member(_member_label(row, values), row.build(values)))
        elif isinstance(one, Ranker):
            kind = type(one).__name__
            objects[kind] = objects.get(kind, 0) + 1
            name = kind if objects[kind] == 1 else f"{kind} {objects[kind]}"
            found.append(Member(name, clone(one, safe=False)))
        else:
            raise PlanError(
                f"selectors has {value_text(one)}: give names such as 'moderated_t', tables of "
                "name and parameters, or selector objects such as FilterSelector()"
            )
    _refuse_twice([member.name for member in found])
    return found


def listed_scores(ranking: Ranking, p: int, top: int) -> np.ndarray:
    """What a member says of each column (p,), higher is better; -inf for those it leaves out.

    Its best `top` come first, which need not be the first of all: a path need not be nested. These
    are its scores, where that order follows them; else places in the order.
    """
    first, order = ranking.path[top], ranking.path[p]
    order = np.concatenate([first, order[~np.isin(order, first)]])
    own = ranking.scores[order]
    scores = np.full(p, -np.inf)
    follows = bool((own[1:] <= own[:-1]).all())
    scores[order] = own if follows else np.arange(len(order), 0.0, -1.0)
    return scores


def _several_selectors(selectors: Any) -> Sequence[Any]:
    if isinstance(selectors, np.ndarray):
        selectors = selectors.tolist()
    listed = isinstance(selectors, Sequence) and not isinstance(selectors, str)
    if not listed or len(selectors) < 2:
        raise PlanError(
            f"selectors = {value_text(selectors)}: give a list of 2 members or more, such as "
            f"selectors = {MEMBERS_EXAMPLE}"
        )
    members: Sequence[Any] = selectors
    return members


def _named_member(one: Any) -> tuple[RankerRow, Parameters]:
    """A member's row and its parameters."""
    given = {"name": one} if isinstance(one, str) else dict(one)
    name = given.pop("name", None)
    if not isinstance(name, str):
        raise PlanError(
            f"selectors has {value_text(one)} without a name: write selectors = {MEMBERS_EXAMPLE}"
        )
    row = _member_row(name)
    return row, row.validated(given)


def _member_row(name: str) -> RankerRow:
    """The row of a member; what cannot vote is refused.

    A table as it is (codes, missing values) differs from the one that the members share, in which
    categories are spread over 0/1 columns and missing values filled.
    """
    from .._core.registry import rows_of

    known = {row.name: row for row in rows_of(SelectingRow)}
    able = [one.name for one in known.values() if not _why_not(one)]
    if is_own(name):
        raise PlanError(
            f"selectors names own code, {value_text(name)}: give its object to VotingSelector in "
            "Python, or name one of the package's rankers"
        )
    if name not in known:
        raise PlanError(
            f"selectors names {value_text(name)}, no ranker: {nearest_hint(name, able)}"
        )
    row = known[name]
    if why := _why_not(row):
        raise PlanError(f"selectors names {name!r}, which {why}")
    assert isinstance(row, RankerRow)
    return row


def _why_not(row: SelectingRow) -> str:
    """Why a row cannot be a member; empty if it can."""
    if not isinstance(row, RankerRow):
        return "selects along its own path and gives no ranking: name a ranker such as 'hhsvm'"
    if not row.target:
        return "ranks nothing: leave it out"
    if isinstance(row, VotingRow):
        return "is a vote itself: name its members instead"
    if row.takes.raw:
        return (
            "takes the table as it is, and members share one in which categories are spread and "
            "missing values filled: leave it out, or vote with its object in Python"
        )
    return ""


def _member_label(row: RankerRow, values: Parameters) -> str:
    given = ", ".join(f"{key} {value}" for key, value in sorted(values.items()))
    return f"{row.name} ({given})" if given else row.name


def _plain_member(row: RankerRow, values: Parameters) -> Any:
    return {"name": row.name, **values} if values else row.name


def _refuse_twice(names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise PlanError(f"selectors has {name!r} twice: give each member once")


def name_key(name: str) -> tuple[int, ...]:
    """A name as the key of a random stream (`_halves.child_seed`)."""
    key: tuple[int, ...] = stream(0, name).spawn_key
    return key
