"""What a scan of all pairs of variants found."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from ...interactions.pairs.pair_search import PairSearch
from ..readers.genotypes import Genotypes


@dataclass(frozen=True, eq=False, repr=False)
class PairScan(PairSearch):
    """The best of all pairs of variants, best first.

    A `tamis.interactions.PairSearch` whose `terms` are the variants' ids, with ``score``,
    ``interaction``, ``singles``, ``n``, ``family_p``, ``maxima``, ``threshold`` and
    ``significant``; and where the variants are.

    Attributes
    ----------
    genotypes : Genotypes
        What was scanned.
    pairs : ndarray of shape (k, 2) of int64
        Which of its variants, the lower first.
    """

    genotypes: Genotypes = field(repr=False)
    pairs: np.ndarray = field(repr=False)

    def frame(self) -> pd.DataFrame:
        """One row a pair, best first: both variants, their score (MTD), the interaction, what each
        scores alone, the samples called in both, and the p-value among all pairs."""
        columns: dict[str, object] = {}
        for k in (1, 2):
            of = self.genotypes.variants.take(self.pairs[:, k - 1])
            columns[f"CHR_{k}"] = of.chromosome.to_pandas()
            columns[f"SNP_{k}"] = of.id.to_pandas()
            columns[f"BP_{k}"] = of.position
        columns |= {
            "MTD": self.score,
            "INTERACTION": self.interaction,
            "MTD_1": self.singles[:, 0],
            "MTD_2": self.singles[:, 1],
            "N": self.n,
            "CLASSES": [" / ".join(map(str, pair)) for pair in self.classes],
        }
        if self.family_p is not None:
            columns["P_MAXT"] = self.family_p
        return pd.DataFrame(columns)

    def summary(self) -> str:
        """One line."""
        return super().summary().replace(" features", " variants", 1)
