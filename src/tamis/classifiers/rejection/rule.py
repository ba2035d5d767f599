"""What a rule that declines samples is given, and what those by a threshold of certainty share."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, Self

import numpy as np

from ..._core.arrays import bounded, fitting, unbounded
from ..._core.interfaces import Arrays, Kind

LOWEST = -math.inf  # the threshold below which nobody is declined


@dataclass(frozen=True)
class Told:
    """What is said of m samples.

    Attributes
    ----------
    certainty : ndarray of shape (m,)
        Higher is surer.
    codes : ndarray of shape (m,)
        Predicted, of all samples.
    proba : ndarray of shape (m, C)
    costs : ndarray of shape (C, C) or (m, C, C), or None
        What errors cost; None: 1 each.
    """

    certainty: np.ndarray
    codes: np.ndarray
    proba: np.ndarray
    costs: np.ndarray | None = None


class Rule(Protocol):
    """Which samples are given a class.

    Attributes
    ----------
    needs : {"order", "proba"}
        The least that has to be known of samples.
    promises : bool
        It is about the rate of something among further samples, and so wants to be fitted to what
        single models say.
    """

    needs: ClassVar[Kind]
    promises: ClassVar[bool]

    def fit(self, told: Told, y: np.ndarray) -> Self:
        """Fitted to what was told of samples that were held out, and their codes."""
        ...

    def accepts(self, told: Told) -> np.ndarray:
        """Which samples are given a class (m,), each by itself."""
        ...

    def told(self) -> str:
        """Whom it declines, in words."""
        ...

    def doubt(self) -> str:
        """Why it declines nobody, or everybody; empty where it does neither."""
        ...

    def to_arrays(self) -> Arrays:
        """What it learnt."""
        ...

    def from_arrays(self, arrays: Arrays) -> Self:
        """Fitted again; `ModelError` where they do not fit."""
        ...


@dataclass(frozen=True)
class ByCertainty:
    """Declines samples whose certainty is below a threshold.

    Attributes
    ----------
    threshold : float
    """

    threshold: float = LOWEST

    needs: ClassVar[Kind] = "order"
    promises: ClassVar[bool] = False

    def fit(self, told: Told, y: np.ndarray) -> Self:
        """By the rule's own choice of a threshold."""
        return replace(self, threshold=self.chosen(told.certainty, told.codes != y))

    def chosen(self, certainty: np.ndarray, wrong: np.ndarray) -> float:
        """The threshold, from certainties (n,) and whether the predictions were wrong (n,)."""
        raise NotImplementedError

    def accepts(self, told: Told) -> np.ndarray:
        """Those at the threshold and above."""
        return told.certainty >= self.threshold

    def told(self) -> str:
        """The threshold."""
        if math.isinf(self.threshold):
            return "declines " + ("nobody" if self.threshold < 0 else "everybody")
        return f"declines samples of a certainty below {self.threshold:.3g}"

    def doubt(self) -> str:
        """Nothing was asked for that may not hold."""
        return ""

    def to_arrays(self) -> Arrays:
        """The threshold."""
        return {"threshold": bounded(self.threshold)}

    def from_arrays(self, arrays: Arrays) -> Self:
        """From the threshold."""
        (threshold,) = fitting(arrays, threshold=(1,))
        return replace(self, threshold=unbounded(float(threshold[0])))
