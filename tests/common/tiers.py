"""What the tiers of the tests have: `--tier quick` (the default), `full`, `slow`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

TIERS = ("quick", "full", "slow")
MARKS = {"longer": "full", "slow": "slow"}  # a mark and the first tier that runs it
MOST = 6  # items that a test function has in the quick tier
DEAR = 0.12  # seconds that a test function of the quick tier may take
DEAR_KERNEL = 0.5  # if it is one of a kernel against its reference
ONE_ITEM = 1.8  # seconds of an item that stays whatever the others take
MOST_SECONDS = 0.4  # seconds that a test function may take in the full tier
ROOT = Path(__file__).parents[2]
COSTS = ROOT / "tests/measured/costs.tsv"


def runs(marks: Iterable[str], tier: str) -> bool:
    """Whether a tier has tests of these marks; slow has no others."""
    first = max((TIERS.index(MARKS[mark]) for mark in marks if mark in MARKS), default=0)
    return first == 2 if tier == "slow" else first <= TIERS.index(tier)


def file_runs(path: Path, tier: str) -> bool:
    """Whether a file may have tests of a tier, by its text; it is not imported for that."""
    text = path.read_text(encoding="utf-8")
    if tier == "slow":
        return "mark.slow" in text or path.resolve() in _dearest_files()
    marked = re.search(r"^pytestmark = (\[.*?^\]|[^\n]*)", text, re.DOTALL | re.MULTILINE)
    return runs(re.findall(r"mark\.(\w+)", marked[1]) if marked else (), tier)


@cache
def costs() -> dict[str, float]:
    """Seconds of test functions that take over `DEAR`, as `common.measured` found."""
    lines = COSTS.read_text(encoding="utf-8").splitlines()
    return {test: float(seconds) for seconds, test in (line.split("\t") for line in lines)}


@cache
def dear_tests() -> set[str]:
    """Test functions that take over `DEAR`; of kernels over more."""
    return {
        test
        for test, seconds in costs().items()
        if seconds >= (DEAR_KERNEL if test.startswith("tests/kernels/") else DEAR)
    }


@cache
def _dearest_files() -> set[Path]:
    return {ROOT / test.split("::")[0] for test, s in costs().items() if s > MOST_SECONDS}


def full_items(function: str, count: int) -> list[int]:
    """Which items of a function the full tier has: as many as take `MOST_SECONDS`, evenly from the
    first to the last. The slow tier has the others."""
    seconds = costs().get(function, 0.0)
    if seconds <= MOST_SECONDS:
        return list(range(count))
    one = seconds / count <= ONE_ITEM
    return _evenly(max(int(MOST_SECONDS * count / seconds), int(one)), count)


def _evenly(kept: int, count: int) -> list[int]:
    if kept < 2:
        return [0][:kept]
    return [round(k * (count - 1) / (kept - 1)) for k in range(kept)]


def spread(values: Sequence[Sequence[Any]]) -> list[int]:
    """Which items of a test function are quick, by the values of their parameters.

    One a family where each has a row of the registry, else `MOST` evenly from first to last.
    """
    count = len(values)
    if count <= MOST:
        return list(range(count))
    families = families_of(values)
    if all(families):
        return sorted({families[k]: k for k in reversed(range(count))}.values())
    return _evenly(MOST, count)


def families_of(values: Sequence[Sequence[Any]]) -> list[tuple[str, ...]]:
    """Of each item the classes of the registry's rows among its parameters."""
    return [tuple(found for one in item if (found := family_of(one))) for item in values]


def family_of(value: Any) -> str:
    """The class of a row, of one that is named or of one within a tuple; "" where there is none."""
    from tamis._core.rows import Row

    if isinstance(value, Row):
        return type(value).__name__
    if isinstance(value, str):
        return _family_by_name().get(value, "")
    if isinstance(value, tuple):
        return next((found for one in value if (found := family_of(one))), "")
    return ""


@cache
def _family_by_name() -> dict[str, str]:
    from tamis._core.registry import rows_of
    from tamis._core.rows import PlanRow, SearchRow, SimilarityRow

    kinds = (PlanRow, SearchRow, SimilarityRow)
    return {row.name: type(row).__name__ for kind in kinds for row in rows_of(kind)}
