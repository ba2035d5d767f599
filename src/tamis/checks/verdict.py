"""What a check says of a method."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .._core.errors import TamisError, listed_names, shorten_text

Outcome = Literal["passed", "failed", "not applicable"]


class Fault(Exception):
    """A check failed: one sentence of what was seen, and what to do."""


def waiting_words(codes: Sequence[str]) -> str:
    """Why a check is not run: others come first."""
    return f"it is checked once {listed_names(codes)} {'passes' if len(codes) == 1 else 'pass'}"


def error_words(error: BaseException) -> str:
    """What was raised, in one line."""
    if isinstance(error, TamisError):
        return str(error)
    return shorten_text(" ".join(f"{type(error).__name__}: {error}".split()), 200)


class Inapplicable(Exception):
    """A check asks nothing of this method: why."""


@dataclass(frozen=True)
class Check:
    """One thing that every method has to keep.

    Attributes
    ----------
    code : str
        Stable: it does not change between versions.
    asks : str
        What it asks, in a sentence.
    run : callable
        Takes a `Procedure`; raises `Fault` or `Inapplicable`.
    after : tuple of str
        Codes of checks that come first: it runs if none of them failed.
    """

    code: str
    asks: str
    run: Callable[[Any], None]
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """What one check says.

    Attributes
    ----------
    code, asks : str
    outcome : {"passed", "failed", "not applicable"}
    words : str
        What was seen and what to do, or why the check does not apply; empty where it passed.
    """

    code: str
    asks: str
    outcome: Outcome
    words: str = ""


@dataclass(frozen=True)
class Report:
    """What all checks say of one method.

    Attributes
    ----------
    name, role : str
        Of its row.
    verdicts : tuple of Verdict
    """

    name: str
    role: str
    verdicts: tuple[Verdict, ...]

    @property
    def failed(self) -> list[str]:
        """Codes of the checks that failed."""
        return [one.code for one in self.verdicts if one.outcome == "failed"]

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "name": self.name,
            "role": self.role,
            "passed": not self.failed,
            "checks": [vars(one) for one in self.verdicts],
        }

    def summary(self) -> str:
        """Lines for the terminal."""
        marks = {"passed": "ok", "failed": "FAILED", "not applicable": "-"}
        lines = [f"{self.name} ({self.role})"]
        for one in self.verdicts:
            said = one.words or one.asks
            lines.append(f"  {marks[one.outcome]:<7} {one.code:<14} {said}")
        n = len(self.failed)
        counts = [sum(v.outcome == kind for v in self.verdicts) for kind in marks]
        lines.append(f"  {counts[0]} passed, {n} failed, {counts[2]} not applicable")
        return "\n".join(lines)
