"""Pairs of relatives that were found, the families they make up, and who is unrelated."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from ..._core.arrow import arrow_table, arrow_texts, defined_numbers
from ..._core.first_screen import FirstScreen
from ..readers.samples import Samples
from .degrees import DEGREE_BORDERS, RELATIONS
from .relatives_schema import RelativesNumbers, RelativesPicture

if TYPE_CHECKING:
    import pandas as pd

    from ...plotting.picture import Picture

CLOSE_RELATIONS = (0, 2, 3, 4)  # relations up to a degree
# opposite homozygotes a variant at which both are heterozygous; siblings have .03-.1
MAX_PARENT_IBS0 = 0.02
MAX_DRAWN_PAIRS = 1500  # pairs of the picture
FALSE_PAIR_P = 0.001  # probability that of all pairs of unrelated people one is listed


@dataclass(frozen=True, repr=False)
class Relatives(FirstScreen):
    """Pairs of n samples by their kinship.

    Attributes
    ----------
    samples : Samples
    n_variants : int
    pairs : ndarray of shape (k, 2) of int64
        Samples of the pairs listed, the later one first.
    counts : ndarray of shape (k, 5) of int32
        Variants at which both are heterozygous; homozygous for different alleles; the first is
        heterozygous and the second homozygous; the other way round; both are homozygous.
    variance : float
        Of a variant's part in a kinship, by which `errors` are; linkage disequilibrium included.
    standard_error : float
        Of the kinship of two unrelated samples, in the middle of many pairs.
    chance : float
        Standard errors beyond which a kinship is distinguished from chance, of all pairs.
    apart : int
        Pairs of the n samples whose kinship is below -.0442 beyond chance: of different descent.
    histogram : ndarray of shape (200,) of int64
        All pairs, by their kinship from -1/2 to 1/2.
    equal : ndarray of shape (k,) of bool
        Pairs without a difference in any call, which is beyond chance: reported as duplicates
        however few the variants are.
    """

    samples: Samples
    n_variants: int
    pairs: np.ndarray
    counts: np.ndarray = field(repr=False)
    variance: float
    standard_error: float
    chance: float
    apart: int
    histogram: np.ndarray = field(repr=False)
    equal: np.ndarray = field(repr=False)

    @cached_property
    def kinship(self) -> np.ndarray:
        """Of the pairs listed (k,)."""
        return kinship_of(self.counts)

    @cached_property
    def errors(self) -> np.ndarray:
        """Standard errors of `kinship` (k,), were they unrelated."""
        return errors_of(self.counts, self.variance)

    @cached_property
    def relation(self) -> np.ndarray:
        """Places (k,) in `RELATIONS`; "none" also where the kinship may be chance."""
        degree = np.searchsorted(-np.array(DEGREE_BORDERS), -self.kinship, side="left")
        parent = self.counts[:, 1] < MAX_PARENT_IBS0 * self.counts[:, 0]
        place = np.where(degree <= 1, degree, degree + 1) + ((degree == 1) & ~parent)
        beyond = self.kinship >= self.chance * self.errors
        return np.where(self.equal, 0, np.where(beyond, place, len(RELATIONS) - 1))

    @property
    def opposite(self) -> np.ndarray:
        """Opposite homozygotes, as shares of the variants called in both (k,)."""
        return np.asarray(self.counts[:, 1] / np.maximum(called_in(self.counts), 1))

    @property
    def smallest(self) -> float:
        """Kinship from which a pair counts as relatives, typically."""
        return max(DEGREE_BORDERS[-1], self.standard_error * self.chance)

    def closest(self) -> np.ndarray:
        """Pairs listed that have a kinship, the closest first."""
        order = np.argsort(-self.kinship, kind="stable")
        return order[np.isfinite(self.kinship[order])]

    def _related(self, degree: int) -> np.ndarray:
        """Pairs of relatives up to a degree, in both orders: (2 k, 2), by their first samples."""
        pairs = self.pairs[self.relation <= CLOSE_RELATIONS[degree]]
        both = np.concatenate([pairs, pairs[:, ::-1]])
        return both[np.argsort(both[:, 0], kind="stable")]

    def among(self, kept: np.ndarray) -> Relatives:
        """Of some of the samples (n,) bool; `apart` and `histogram` are of all."""
        place = np.cumsum(kept) - 1
        both = kept[self.pairs].all(axis=1)
        return replace(
            self,
            samples=self.samples.take(np.flatnonzero(kept)),
            pairs=place[self.pairs[both]],
            counts=self.counts[both],
            equal=self.equal[both],
        )

    def families(self, degree: int = 3) -> np.ndarray:
        """A number of a family for each sample (n,), those of no relative among them: people are of
        one family if a chain of relatives up to a degree joins them. As groups of a study they keep
        relatives in the same part.
        """
        first, second = self._related(degree).T
        # the lowest sample of each chain, a step further in both directions in every round
        lowest = np.arange(len(self.samples))
        before = np.zeros_like(lowest)
        while not np.array_equal(lowest, before):
            before = lowest.copy()
            np.minimum.at(lowest, first, before[second])
            lowest = lowest[lowest]
        return np.unique(lowest, return_inverse=True)[1]

    def unrelated(self, degree: int = 3) -> np.ndarray:
        """Samples (n,) bool of whom no two are relatives up to a degree. Whoever has the most
        relatives goes, one after the other; the last of them where several have as many."""
        n, (first, second) = len(self.samples), self._related(degree).T
        starts = np.searchsorted(first, np.arange(n + 1))
        kept, relatives = np.ones(n, dtype=bool), np.diff(starts)
        while relatives.any():
            gone = n - 1 - int(np.argmax(relatives[::-1]))
            kept[gone], relatives[gone] = False, 0
            own = second[starts[gone] : starts[gone + 1]]
            relatives[own] -= kept[own]
        return kept

    def frame(self, chosen: np.ndarray | None = None) -> pd.DataFrame:
        """One row a pair; columns as of `table`."""
        return self.table(chosen).to_pandas()

    def table(self, chosen: np.ndarray | None = None) -> pa.Table:
        """One row a pair listed, in their order or as `chosen`, with plink2's columns: FID1 IID1
        FID2 IID2, NSNP (variants called in both), HETHET and IBS0 (shares of them: both
        heterozygous, both homozygous for different alleles), KINSHIP; and RELATION."""
        chosen = np.arange(len(self.pairs)) if chosen is None else chosen
        (i, j), counts = self.pairs[chosen].T, self.counts[chosen]
        called = called_in(counts)
        shares = counts[:, :2] / np.where(called > 0, called, np.nan)[:, None]
        family, name = self.samples.family, self.samples.id
        texts = {"FID1": family[i], "IID1": name[i], "FID2": family[j], "IID2": name[j]}
        numbers = {"HETHET": shares[:, 0], "IBS0": shares[:, 1], "KINSHIP": self.kinship[chosen]}
        return arrow_table(
            {
                **{key: arrow_texts(column) for key, column in texts.items()},
                "NSNP": called,
                **{key: defined_numbers(column) for key, column in numbers.items()},
                "RELATION": arrow_texts(RELATIONS[k] for k in self.relation[chosen]),
            }
        )

    def plot(self) -> Picture:
        """All pairs by kinship, and those listed by kinship and opposite homozygotes, as on the
        page (`tamis.plotting.kinship_bars`, `tamis.plotting.kinship_scatter`)."""
        from ...plotting.kinship import kinship_bars, kinship_scatter
        from ...plotting.picture import Picture

        drawn = self.kinship_points()
        charts = kinship_bars(drawn["counts"], DEGREE_BORDERS), kinship_scatter(drawn, RELATIONS)
        return Picture("kinship", charts)

    def kinship_points(self) -> RelativesPicture:
        """All pairs by their kinship, and the closest of those listed."""
        order = self.closest()
        drawn = order[
            np.unique(np.linspace(0, len(order) - 1, min(len(order), MAX_DRAWN_PAIRS)).astype(int))
        ]
        shares = self.opposite
        ids = self.samples.id
        return {
            "counts": self.histogram.tolist(),
            "dots": [
                [
                    float(f"{self.kinship[k]:.4g}"),
                    float(f"{shares[k]:.4g}"),
                    RELATIONS[self.relation[k]],
                    *(str(ids[i]) for i in self.pairs[k]),
                ]
                for k in drawn.tolist()
            ],
            "of": len(order),
        }

    def summary(self, degree: int = 3) -> str:
        """A few sentences."""
        from .relatives_words import relatives_sentences

        return " ".join(relatives_sentences(self.to_dict(1, degree)))

    def to_dict(self, most: int = 100, degree: int = 3) -> RelativesNumbers:
        """Plain values, and the `most` closest pairs; families and the unrelated up to a degree."""
        n = len(self.samples)
        sizes = np.bincount(self.families(degree))
        order = self.closest()[:most]
        return {
            "samples": n,
            "variants": self.n_variants,
            "pairs": n * (n - 1) // 2,
            "listed": len(self.pairs),
            "relations": {
                name: int((self.relation == k).sum()) for k, name in enumerate(RELATIONS[:-1])
            },
            "families": np.sort(sizes[sizes > 1])[::-1].tolist(),
            "relatives": int(sizes[sizes > 1].sum()),
            "unrelated": int(self.unrelated(degree).sum()),
            "standard_error": self.standard_error,
            "smallest": self.smallest,
            "apart": self.apart / max(1, int(self.histogram.sum())),
            "top": self.table(order).to_pylist(),
        }


def called_in(counts: np.ndarray) -> np.ndarray:
    """Variants called in both samples of pairs (k,), from their counts (k, 5)."""
    return counts[:, 0] + counts[:, 2:].sum(axis=1)


def kinship_of(counts: np.ndarray) -> np.ndarray:
    """Of pairs (k,) from their counts (k, 5); NaN where one has no heterozygous call."""
    both, opposite, first, second = counts[:, :4].T.astype(np.int64)
    smaller = both + np.minimum(first, second)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = 0.5 - (4 * opposite + first + second) / (4.0 * smaller)
    return np.where(smaller > 0, found, np.nan)


def errors_of(counts: np.ndarray, variance: float) -> np.ndarray:
    """Standard errors of kinships (k,), from counts (k, 5)."""
    smaller = counts[:, 0] + np.minimum(counts[:, 2], counts[:, 3])
    called = called_in(counts)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.sqrt(variance * called) / (4.0 * smaller)


def chance_level(pairs: int) -> float:
    """Standard errors that the kinship of none of so many unrelated pairs exceeds."""
    return -NormalDist().inv_cdf(FALSE_PAIR_P / pairs)
