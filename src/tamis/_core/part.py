"""Which part of a study a folder holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from .._core.errors import PlanError, value_text

MOST_PARTS = 10_000
PART_NAME = "part.json"


@dataclass(frozen=True)
class Part:
    """The k-th of so many parts of a study, ``Part(3, 10)`` or ``Part.of("3/10")``."""

    number: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.count <= MOST_PARTS:
            raise PlanError(
                f"part {self.number}/{self.count}: give K/N with K from 1 to N, and N up to "
                f"{MOST_PARTS:,}"
            )

    @classmethod
    def of(cls, text: object) -> Self:
        """From ``"3/10"``.

        Raises
        ------
        PlanError
            It is no part.

        Examples
        --------
        >>> Part.of("3/10")
        Part(number=3, count=10)
        """
        found = re.fullmatch(r"\s*(\d{1,9})\s*/\s*(\d{1,9})\s*", str(text), re.ASCII)
        if found is None:
            raise PlanError(f"part {value_text(text)}: give K/N, such as 3/10")
        return cls(*map(int, found.groups()))

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"
