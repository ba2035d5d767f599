"""Conformal abstention: to decide where one class alone conforms (Vovk et al. 2005).

A class conforms to a sample if its probability is at least 1 - q; q is the order statistic of
1 - P(true class) over n samples held out, the ceil((n + 1)(1 - alpha))-th. The true class of a
further sample is then among those with probability 1 - alpha at least, whatever the classifier
(the "least ambiguous sets" of Sadinle, Lei & Wasserman 2019). So it is decided on, and wrong, with
probability alpha at most; of the samples decided on a larger share may be.

That is exact where one model classifies the samples held out and further ones. Where those held
out are of several folds, and further ones of a model of all rows, nothing is proven, and with few
samples the rate may be a tenth to a sixth above alpha.

Nothing is proven either where probabilities were recalibrated on the very samples held out. Of an
estimator with margins alone a class conforms by how far the predicted one is ahead
(`class_conformity`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from ..._core.arrays import checked_integers, fitting_arrays, unfit_part_error
from ..._core.interfaces import Arrays, Kind, Rule, RuleInput


def class_conformity(ahead: np.ndarray, codes: np.ndarray, n_classes: int) -> np.ndarray:
    """How well each class conforms, 0 to 1 (m, C), where the predicted one is so far ahead (m,) of
    the others: each 1/2 at the border, and the farther from it the more it and the less they do.

    Examples
    --------
    >>> class_conformity(np.array([3.0, 0.0]), np.array([1, 0]), 2).tolist()
    [[0.125, 0.875], [0.5, 0.5]]
    """
    others = (0.5 / (1 + ahead))[:, None]
    return np.where(np.eye(n_classes, dtype=bool)[codes], 1 - others, others)


@dataclass(frozen=True)
class Conformal(Rule):
    """Accepts a sample if the class decided on conforms and no other does.

    Attributes
    ----------
    at : float
        alpha, in (0, 1).
    least : float
        The probability, or `class_conformity`, from which on a class conforms; 0 where too few
        samples were held out to leave any out.
    """

    at: float = 0.1
    least: float = 0.0
    n: int = 0  # samples it was fitted to

    needs: ClassVar[Kind] = "proba"
    promises: ClassVar[bool] = True

    def fit(self, given: RuleInput, y: np.ndarray) -> Self:
        """The order statistic."""
        own = np.sort(given.proba[np.arange(len(y)), y])[::-1]
        place = math.ceil((len(y) + 1) * (1 - self.at) - 1e-9)
        least = float(own[place - 1]) if place <= len(y) else 0.0
        return replace(self, least=least, n=len(y))

    def accepts(self, given: RuleInput) -> np.ndarray:
        """Which have a set of the one class that is decided on."""
        conforms = given.proba >= self.least
        alone = conforms.sum(axis=1) == 1
        return alone & conforms[np.arange(len(conforms)), given.codes]

    def report_text(self) -> str:
        """From where on a class conforms."""
        return (
            f"declines samples to which not one class alone conforms at {self.at:g} (from "
            f"{self.least:.3g} on)"
        )

    def doubt(self) -> str:
        """Too few samples, or true classes that are said to be impossible."""
        if self.least:
            return ""
        if self.n >= math.ceil(1 / self.at - 1e-9) - 1:
            return (
                f"more than {self.at:g} of the samples held out inside were given a probability of "
                "0 for their class, so every class conforms: all samples are declined"
            )
        return (
            f"too few samples were held out inside to leave a class out at = {self.at:g} "
            f"({math.ceil(1 / self.at - 1e-9) - 1} are needed): all samples are declined"
        )

    def to_arrays(self) -> Arrays:
        """The least probability, and of how many samples."""
        return {"least": np.array([self.least]), "n": np.array([float(self.n)])}

    def from_arrays(self, arrays: Arrays) -> Self:
        """From that."""
        least, n = fitting_arrays(arrays, least=(1,), n=(1,))
        if not 0 <= least[0] <= 1:
            raise unfit_part_error("least")
        samples = int(checked_integers(n, 0, 2**53, "n")[0])
        return replace(self, least=float(least[0]), n=samples)
