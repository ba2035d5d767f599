"""The interface of a rule, which decides which samples are given a class."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np

from .method_data import Arrays, Kind, RuleInput


class Rule:
    """Which samples are given a class.

    Attributes
    ----------
    needs : {"order", "proba"}
        The least that has to be known of samples.
    promises : bool
        It is about a rate among further samples, so it is fitted to what single models say.
    by_sample : bool
        It looks at costs that samples bring.
    threshold : float or None
        The certainty below which it declines, where it does by one.
    """

    needs: ClassVar[Kind] = "order"
    promises: ClassVar[bool] = False
    by_sample: ClassVar[bool] = False
    threshold: float | None = None

    def fit(self, given: RuleInput, y: np.ndarray) -> Self:
        """Fitted to what is known of samples that were held out, and their codes."""
        raise NotImplementedError

    def accepts(self, given: RuleInput) -> np.ndarray:
        """Which samples are given a class (m,), each by itself."""
        raise NotImplementedError

    def report_text(self) -> str:
        """Whom it declines, in words."""
        return ""

    def doubt(self) -> str:
        """Why it declines no sample, or all samples; empty where it does neither."""
        return ""

    def to_arrays(self) -> Arrays:
        """What it learnt."""
        return {}

    def from_arrays(self, arrays: Arrays) -> Self:
        """Fitted again; `ModelError` where they do not fit."""
        return self
