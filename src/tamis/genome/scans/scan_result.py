"""What a scan of all variants found."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from ..._core.arrow import arrow_table, arrow_texts
from ..._core.errors import PlanError, counted_noun, listed_parts, shorten_text, value_text
from ..._core.first_screen import FirstScreen
from ..blocks.calls import autosomes_in_order
from ..quality.inflation import genomic_inflation, inflation_text
from ..readers.genotypes import Genotypes
from ..readers.variants import LEFT_OUT
from .manhattan_points import manhattan_points
from .scan_schema import ManhattanPoints, ScanNumbers

if TYPE_CHECKING:
    import pandas as pd

    from ...plotting.picture import Picture

REASONS = (*LEFT_OUT, "called in one class at most", "no variation")
INFLATION_ADVICE = (
    "classes may differ in descent, relatives or batches; `tamis genome mixed` takes the first two "
    "into account, --strata groups"
)
KEPT_CODE, UNCALLED_CODE, CONSTANT_CODE = 0, len(LEFT_OUT), len(LEFT_OUT) + 1


@dataclass(frozen=True, repr=False)
class MTDScan(FirstScreen):
    """Scores of all variants.

    Attributes
    ----------
    genotypes : Genotypes
        What was scanned.
    classes : ndarray of shape (C,)
    strata : list of str
        Their names; one name where there are none.
    multiclass : {"max", "mean"}
    counts : ndarray of shape (p, C, 4) of int32
        Samples of each class with two copies of allele 1, one, none, and no call.
    scores : ndarray of shape (p,)
        Between 0 and 2; NaN where fewer than two classes have calls.
    fold_scores : ndarray of shape (F, p), or None
        Of all samples but those of each fold.
    folds : ndarray of shape (F,), or None
    reached : ndarray of shape (p,) of int64, or None
        Permutations whose score of the variant is at least as large.
    largest : ndarray of shape (B,), or None
        The largest score of each permutation over all variants.
    n_permutations : int
    """

    genotypes: Genotypes = field(repr=False)
    classes: np.ndarray
    strata: list[str]
    multiclass: str
    counts: np.ndarray = field(repr=False)
    scores: np.ndarray = field(repr=False)
    fold_scores: np.ndarray | None = field(repr=False)
    folds: np.ndarray | None
    reached: np.ndarray | None = field(repr=False)
    largest: np.ndarray | None = field(repr=False)
    n_permutations: int

    @property
    def p_values(self) -> np.ndarray | None:
        """Of each variant by itself (p,), (1 + reached) / (1 + B); NaN without a score."""
        if self.reached is None:
            return None
        found = (1 + self.reached) / (1 + self.n_permutations)
        return np.where(np.isnan(self.scores), np.nan, found)

    @property
    def single_p_values(self) -> np.ndarray | None:
        """`p_values` of variants of the autosomes that are among the results, NaN of the others: on
        X classes differ where their shares of women do."""
        p = self.p_values
        if p is None:
            return None
        found = np.full(len(p), np.nan)
        for columns in autosomes_in_order(self.genotypes.variants):
            kept = columns[self.reasons[columns] == KEPT_CODE]
            found[kept] = p[kept]
        return found

    @property
    def p_adjusted(self) -> np.ndarray | None:
        """Of each variant among all (p,): how many permutations' largest scores reach it."""
        if self.largest is None:
            return None
        below = np.searchsorted(np.sort(self.largest), self.scores, "left")
        found = (1 + self.n_permutations - below) / (1 + self.n_permutations)
        return np.where(np.isnan(self.scores), np.nan, found)

    def threshold(self, level: float = 0.05) -> float:
        """What a score has to exceed for a family-wise error of at most `level`.

        Raises
        ------
        PlanError
            There are too few permutations for the level.
        """
        k = int(np.floor(level * (1 + self.n_permutations) + 1e-9))
        if self.largest is None or k < 1:
            need = int(np.ceil(1 / level - 1e-9)) - 1
            raise PlanError(
                f"a threshold at {value_text(level)} needs {counted_noun(need, 'permutation')} at "
                f"least: give permutations={need} or more"
            )
        return float(np.sort(self.largest)[-k])

    @cached_property
    def reasons(self) -> np.ndarray:
        """Why a variant is not among the results (p,), as `REASONS` numbers it; 0: it is."""
        left_out = self.genotypes.variants.left_out
        levels = (self.counts[:, :, :3].sum(axis=1) > 0).sum(axis=1)
        conditions = [left_out > 0, np.isnan(self.scores), levels < 2]
        return np.select(conditions, [left_out, UNCALLED_CODE, CONSTANT_CODE], KEPT_CODE)

    def top(self, k: int) -> np.ndarray:
        """The best k variants among those with a score, best first; ties by their order."""
        kept = np.flatnonzero(self.reasons == KEPT_CODE)
        order = np.argsort(-self.scores[kept], kind="stable")
        return kept[order[:k]]

    def above(self, alpha: float) -> np.ndarray:
        """Variants of a score of at least alpha, in their order."""
        return np.flatnonzero((self.scores >= alpha) & (self.reasons == KEPT_CODE))

    def frame(self, chosen: np.ndarray | None = None) -> pd.DataFrame:
        """One row a variant; columns as of `table`."""
        return self.table(chosen).to_pandas()

    def table(self, chosen: np.ndarray | None = None) -> pa.Table:
        """One row a variant, columns named as PLINK names them.

        Parameters
        ----------
        chosen : indices, or None
            None: all that are among the results, in their order.
        """
        if chosen is None:
            chosen = np.flatnonzero(self.reasons == KEPT_CODE)
        of = self.genotypes.variants.take(chosen)
        columns: dict[str, object] = {
            "CHR": of.chromosome,
            "SNP": of.id,
            "BP": of.position,
            "A1": of.allele1,
            "A2": of.allele2,
            "MTD": self.scores[chosen],
        }
        for name, values in (("P", self.p_values), ("P_MAXT", self.p_adjusted)):
            if values is not None:
                columns[name] = values[chosen]
        for c, label in enumerate(self.classes):
            for k, what in enumerate(("A1A1", "A1A2", "A2A2", "MISS")):
                columns[f"{what}_{label}"] = self.counts[chosen, c, k]
        return arrow_table(columns)

    def dropped(self) -> pd.DataFrame:
        """One row a variant that is not among the results, with the reason."""
        return self.dropped_table().to_pandas()

    def dropped_table(self) -> pa.Table:
        """As `dropped`."""
        reasons = self.reasons
        gone = np.flatnonzero(reasons != KEPT_CODE)
        of = self.genotypes.variants.take(gone)
        return arrow_table(
            {
                "CHR": of.chromosome,
                "SNP": of.id,
                "BP": of.position,
                "REASON": arrow_texts(REASONS[k] for k in reasons[gone]),
            }
        )

    def plot(self) -> Picture:
        """The Manhattan plot of the page (`tamis.plotting.manhattan`)."""
        from ...plotting.manhattan import manhattan
        from ...plotting.picture import Picture

        points = self.manhattan_points()
        return Picture("manhattan", (manhattan(points, self.to_dict(1)["threshold"]),))

    def manhattan_points(self) -> ManhattanPoints:
        """What a Manhattan plot of the scores needs."""
        kept = np.flatnonzero(self.reasons == KEPT_CODE)
        return manhattan_points(self.genotypes.variants, kept, self.scores)

    def summary(self) -> str:
        """What was scanned, what was left out and what stands out, in a few lines."""
        r = self.to_dict(1)
        who = listed_parts(f"{one['size']:,} {shorten_text(one['name'])}" for one in r["classes"])
        lines = [f"{counted_noun(r['variants'], 'variant')} of {r['samples']:,} samples ({who})"]
        lines += [
            f"  left out  {counted_noun(n, 'variant')}: {why}"
            for why, n in r["left_out"].items()
            if n
        ]
        for best in r["top"]:
            line = f"  largest   {best['MTD']:.3f}, {best['SNP']} ({best['CHR']}:{best['BP']:,})"
            chance = f", p = {best['P_MAXT']:.2g} among all variants" if "P_MAXT" in best else ""
            lines.append(line + chance)
        if r["lambda_gc"] is not None:
            lines.append(
                f"  inflation {inflation_text(r['lambda_gc'], r['autosomal'], INFLATION_ADVICE)}"
            )
        if r["threshold"] is not None and r["above"] is not None:
            lines.append(
                f"  5 %       {counted_noun(r['above'], 'variant')} above {r['threshold']:.3f}, "
                f"which the largest score exceeds in at most 5 % of {r['permutations']:,} "
                "permutations"
            )
        return "\n".join(lines)

    def to_dict(self, most: int = 100) -> ScanNumbers:
        """Plain values: what was scanned, what was left out, the best `most` variants."""
        reasons, p = self.reasons, self.single_p_values
        sizes = self.counts[0].sum(axis=1)
        there = self.n_permutations >= 19 and (reasons == KEPT_CODE).any()
        edge = self.threshold(0.05) if there else None
        above = None if edge is None else int((self.scores[reasons == KEPT_CODE] > edge).sum())
        return {
            "samples": int(sizes.sum()),
            "variants": len(self.scores),
            "classes": [
                {"name": str(c), "size": int(n)} for c, n in zip(self.classes, sizes, strict=True)
            ],
            "strata": self.strata,
            "multiclass": self.multiclass,
            "permutations": self.n_permutations,
            "left_out": {REASONS[k]: int((reasons == k).sum()) for k in range(1, len(REASONS))},
            "threshold": edge,
            "above": above,
            "autosomal": 0 if p is None else int(np.isfinite(p).sum()),
            "lambda_gc": None if p is None or np.isnan(p).all() else genomic_inflation(p),
            "top": self.table(self.top(most)).to_pylist(),
        }
