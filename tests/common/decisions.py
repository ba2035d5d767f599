"""A decision that declines, for tests: some samples at random, each by its own beliefs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from pydantic import Field

from tamis._core.interfaces import Arrays, Beliefs, Decided, Decision
from tamis._core.rows import DecisionRow
from tamis.classifiers.decisions.arg_max import likeliest_class


@dataclass(frozen=True)
class DeclineSome(Decision):
    """The likeliest class, but for a share of the samples, which are declined.

    Which ones follows from a digest of a sample's beliefs, so that one sample alone is decided
    as in any company.
    """

    share: float = 0.2
    learns: ClassVar[bool] = False
    declines: ClassVar[bool] = True

    def fit(self, beliefs: Beliefs, y: np.ndarray) -> Self:
        """Nothing to learn."""
        return self

    def decide(self, beliefs: Beliefs) -> Decided:
        """By the digest of each row's probabilities, to ten digits."""
        rounded = np.round(beliefs.proba, 10) + 0.0
        drawn = [
            int.from_bytes(hashlib.sha256(row.tobytes()).digest()[:8], "big") / 2**64
            for row in np.ascontiguousarray(rounded)
        ]
        return Decided(likeliest_class(beliefs), np.array(drawn) >= self.share, beliefs)

    def to_arrays(self) -> Arrays:
        """Nothing."""
        return {}

    def from_arrays(self, arrays: Arrays, n_classes: int) -> Self:
        """Itself."""
        return self


DECLINES = DecisionRow(
    "decline_some",
    "common.decisions:DeclineSome",
    "the likeliest class, but for samples drawn by lot, which are declined",
    "declining by lot",
    parameters={"share": (float, Field(default=0.2, ge=0, le=1))},
)
