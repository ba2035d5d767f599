"""Clumps that were found: index variants, and what goes with them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

import numpy as np
import pandas as pd

from ..._core.errors import counted_noun
from ..._core.first_screen import FirstScreen
from ..readers.variants import Variants
from .clump_schema import ClumpNumbers, ClumpRows, GeneClump

if TYPE_CHECKING:
    from .genes import Genes

BIN_COLUMNS = ("NSIG", "S05", "S01", "S001", "S0001")
BIN_P_VALUES = (0.05, 0.01, 0.001, 0.0001)  # a p-value below k of them is in bin k
EMPTY_LIST = "NONE"  # as PLINK writes an empty list
MAX_SUMMARY_CLUMPS = 5  # clumps of the summary


@dataclass(frozen=True, repr=False)
class Clumps(FirstScreen):
    """k clumps, by the p-values of their index variants; ties by the order of the files.

    Attributes
    ----------
    index : Variants
        The k index variants.
    columns : ndarray of shape (k,) of int64
        Where they are among the variants of the genotypes.
    p_values : ndarray of shape (k,)
        Of the index variants, the smallest where a table has several rows of one.
    counts : ndarray of shape (k, 5) of int64
        Rows of the table that are in the clump beside that of the index variant, by their p-value:
        .05 or more, below .05, .01, .001 and .0001.
    members : tuple of k lists of str
        Ids of those rows that have a p-value below `p2`, by position.
    p1, p2, r2, kb : float
        As they were given.
    samples : int
        Founders, whose haplotypes count.
    n_significant : int
        Of the variants in the table those with a p-value of `p1` or less.
    rows : dict
        Rows of the table, and those of them that could not be used.
    genes : tuple of k lists of str, or None
        Those that the index variant lies in, or else the nearest.
    distances : ndarray of shape (k,), or None
        Base pairs to these, 0 inside; NaN where the chromosome has no gene.
    """

    index: Variants = field(repr=False)
    columns: np.ndarray
    p_values: np.ndarray
    counts: np.ndarray = field(repr=False)
    members: tuple[list[str], ...] = field(repr=False)
    p1: float
    p2: float
    r2: float
    kb: float
    samples: int
    n_significant: int
    rows: ClumpRows
    genes: tuple[list[str], ...] | None = None
    distances: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.columns)

    def with_genes(self, genes: Genes) -> Clumps:
        """The same clumps with the genes at or nearest to their index variants.

        Parameters
        ----------
        genes : Genes
            As `read_genes` reads them.
        """
        places = zip(self.index.chromosome.to_pylist(), self.index.position.tolist(), strict=True)
        found = [genes.nearest(*place) for place in places]
        distances = np.array([np.nan if far is None else far for _, far in found], dtype=float)
        return replace(self, genes=tuple(names for names, _ in found), distances=distances)

    def frame(self) -> pd.DataFrame:
        """One row a clump, with the columns of PLINK's ``.clumped``: CHR F SNP BP P TOTAL NSIG S05
        S01 S001 S0001 SP2; GENES and DISTANCE beside them, where genes were requested."""
        table = pd.DataFrame(
            {
                "CHR": self.index.chromosome.to_pandas(),
                "F": np.ones(len(self), dtype=np.int64),
                "SNP": self.index.id.to_pandas(),
                "BP": self.index.position,
                "P": self.p_values,
                "TOTAL": self.counts.sum(axis=1),
                **{name: self.counts[:, k] for k, name in enumerate(BIN_COLUMNS)},
            }
        )
        table["SP2"] = pd.Series(
            [",".join(f"{one}(1)" for one in ids) or EMPTY_LIST for ids in self.members],
            dtype=object,
        )
        if self.genes is not None and self.distances is not None:
            table["GENES"] = pd.Series(
                [",".join(g) or EMPTY_LIST for g in self.genes], dtype=object
            )
            table["DISTANCE"] = pd.array(
                [None if np.isnan(far) else int(far) for far in self.distances], dtype="Int64"
            )
        return table

    def to_dict(self, most: int = 1000) -> ClumpNumbers:
        """Plain values, fit for JSON; of the clumps the first `most`."""
        clumps: list[GeneClump] = []
        for k, row in enumerate(self.frame().head(most).to_dict("records")):
            one = cast(GeneClump, {**row, "SP2": self.members[k]})
            if self.genes is not None:
                one["GENES"] = self.genes[k]
                one["DISTANCE"] = None if pd.isna(row["DISTANCE"]) else int(row["DISTANCE"])
            clumps.append(one)
        return {
            "samples": self.samples,
            "p1": self.p1,
            "p2": self.p2,
            "r2": self.r2,
            "kb": self.kb,
            "rows": self.rows,
            "n_significant": self.n_significant,
            "n_clumps": len(self),
            "clumps": clumps,
        }

    def summary(self) -> str:
        """How many significant variants make how many clumps, what was left out, and the first
        clumps."""
        rows = self.rows
        tops = counted_noun(self.n_significant, "variant")
        lines = [
            f"{tops} with p <= {self.p1:g} in {counted_noun(len(self), 'clump')} "
            f"(r2 > {self.r2:g} within {self.kb:g} kb, {counted_noun(self.samples, 'founder')})"
        ]
        if not self.n_significant:
            lines = [f"no variant with p <= {self.p1:g}: there are no clumps"]
        lost = f" ({rows['unknown_top']:,} of them with p <= {self.p1:g})"
        reasons = (
            (rows["missing"], "no p-value", ""),
            (rows["unknown"], "no variant of the genotypes has the id", lost),
            (rows["ambiguous"], "several variants have the id", ""),
        )
        lines += [
            f"  left out  {n:,} of {counted_noun(rows['read'], 'row')}: {why}{more}"
            for n, why, more in reasons
            if n
        ]
        for k, row in enumerate(self.frame().head(MAX_SUMMARY_CLUMPS).itertuples()):
            line = f"  {row.SNP} ({row.CHR}:{row.BP:,})  p = {row.P:.3g}, {row.TOTAL:,} members"
            if self.genes is not None and self.distances is not None:
                line += _gene_words(self.genes[k], self.distances[k])
            lines.append(line)
        if len(self) > MAX_SUMMARY_CLUMPS:
            lines.append(
                f"  and {counted_noun(len(self) - MAX_SUMMARY_CLUMPS, 'more clump', 'more clumps')}"
            )
        return "\n".join(lines)


def _gene_words(names: list[str], distance: float) -> str:
    if not names:
        return ", no gene on this chromosome"
    where = "in" if distance == 0 else f"{int(distance):,} bp from"
    return f", {where} {', '.join(names)}"
