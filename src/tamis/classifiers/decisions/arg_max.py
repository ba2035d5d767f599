"""The likeliest class, or the one of the largest margin where a classifier decides by margins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._core.interfaces import Beliefs, Decided, Decision


def likeliest_class(beliefs: Beliefs) -> np.ndarray:
    """Codes of the largest margin, or probability; ties to the first class."""
    margin = beliefs.own.margin  # of recalibrated beliefs too: costs may be in it
    return (beliefs.proba if margin is None else margin).argmax(axis=-1)


@dataclass(frozen=True)
class ArgMax(Decision):
    """The first decision: what the classifier itself would say, of every sample."""

    def decide(self, beliefs: Beliefs) -> Decided:
        """Every sample is accepted."""
        return Decided(likeliest_class(beliefs), np.ones(len(beliefs), dtype=bool), beliefs)
