"""Columns that look like leaks: which a study refuses, and what it tells of the others."""

from __future__ import annotations

from fnmatch import fnmatchcase

from .._core.errors import DataError, plural
from ..data.dataset import Dataset
from ..data.sentinel import Suspect, find_suspects
from ..data.sentinel.interface import advice_on
from .plan import Plan

MOST = 3  # suspects that a refusal describes


def told_suspects(data: Dataset, plan: Plan) -> list[Suspect]:
    """What a study tells: suspects that are not grave, or all of whose columns are allowed.

    Raises
    ------
    DataError
        Grave ones are left: one line, with the two ways to answer.
    """
    suspects = find_suspects(data)
    grave = [one for one in suspects if one.grave and not is_allowed(one, plan)]
    if grave:
        more = len(grave) - MOST
        texts = [one.text for one in grave[:MOST]]
        texts += [f"{plural(more, 'more suspect')}"] if more > 0 else []
        columns = list(dict.fromkeys(name for one in grave for name in one.columns))
        raise DataError(
            f"{data.name!r} is not studied, for what may be a leak: {'; '.join(texts)}; "
            f"{advice_on(columns)}"
        )
    return suspects


def is_allowed(suspect: Suspect, plan: Plan) -> bool:
    """Whether the plan says that all of its columns are meant."""
    return all(
        any(fnmatchcase(name, entry) or name == entry for entry in plan.allow)
        for name in suspect.columns
    )


def suspect_words(suspect: Suspect, plan: Plan) -> str:
    """What is told of one, and how to answer, or that it was answered."""
    answer = "allowed as meant" if is_allowed(suspect, plan) else suspect.advice
    return f"{suspect.text}; {answer}"
