"""What a mixed-model scan found."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from ..._core.arrow import arrow_table
from ..._core.errors import PlanError, counted_noun, listed_parts, shorten_text, value_text
from ..._core.first_screen import FirstScreen
from ..quality.inflation import MIN_P, genomic_inflation, inflation_text
from ..readers.genotypes import Genotypes
from ..readers.variants import LEFT_OUT
from .manhattan_points import manhattan_points
from .mixed_schema import MixedNumbers, NumberRange
from .scan_schema import ManhattanPoints

if TYPE_CHECKING:
    import pandas as pd

    from ...plotting.picture import Picture

REASONS = (
    *LEFT_OUT,
    "not on an autosome",
    "rare, or no variation",
    "not asked for",
    "determined by covariates",
)
KEPT_CODE, NOT_AUTOSOMAL_CODE, RARE_CODE, EXCLUDED_CODE, DETERMINED_CODE = (
    0,
    *range(len(LEFT_OUT), len(REASONS)),
)
INFLATION_ADVICE = (
    "the model does not take all of it away: add principal components or centres as covariates"
)

EXPLAINED = {"classes": "the classes", "number": "the number"}


def number_range(values: np.ndarray) -> NumberRange:
    """Of values (n,)."""
    low, middle, high = (float(x) for x in np.quantile(values, [0.0, 0.5, 1.0]))
    return {"smallest": low, "median": middle, "largest": high}


def outcome_text(r: MixedNumbers) -> str:
    """The classes with their sizes, or the range of the number."""
    if r["number"] is None:
        return listed_parts(f"{one['size']:,} {shorten_text(one['name'])}" for one in r["classes"])
    return f"a {range_text(r['number'])}"


def range_text(number: NumberRange) -> str:
    """Its smallest, largest and median value."""
    low, middle, high = (
        f"{x:.4g}" for x in (number["smallest"], number["median"], number["largest"])
    )
    return f"number, {low} to {high}, median {middle}"


@dataclass(frozen=True, repr=False)
class MixedScan(FirstScreen):
    """Score tests of all variants.

    Attributes
    ----------
    genotypes : Genotypes
        Of the samples looked at.
    classes : ndarray of shape (2,), or (0,) of a number
        Odds are of the latter.
    sizes : ndarray of shape (2,), or (1,)
        Samples of each class; of a number all.
    number : dict, or None
        Its smallest, median and largest value; None of classes.
    n_covariates : int
        Beside the intercept.
    frequency : ndarray of shape (p,)
        Of allele 1 among the samples.
    score, variance : ndarray of shape (p,)
        g'P r / s and g'P g / s of copies g of allele 1, s the variance of r, for a number of what
        the variant leaves of it; NaN if not tested.
    p_values : ndarray of shape (p,)
        Of each variant by itself.
    reasons : ndarray of shape (p,)
        Why a variant is not tested, as `REASONS` numbers it; 0: it is.
    share : float
        Of the variance of the labels or the number, that relationships of all chromosomes explain.
    shares : dict of str to float
        With each chromosome left out.
    n_relationship_variants : int
    largest : ndarray of shape (B,), or None
        The largest \\|Z\\| of each draw, for a number \\|T\\|.
    """

    genotypes: Genotypes = field(repr=False)
    classes: np.ndarray
    sizes: np.ndarray
    number: NumberRange | None
    n_covariates: int
    frequency: np.ndarray = field(repr=False)
    score: np.ndarray = field(repr=False)
    variance: np.ndarray = field(repr=False)
    p_values: np.ndarray = field(repr=False)
    reasons: np.ndarray = field(repr=False)
    share: float
    shares: dict[str, float]
    n_relationship_variants: int
    largest: np.ndarray | None = field(repr=False)

    @property
    def z(self) -> np.ndarray:
        """Standardised scores (p,); for a number t of the effect, with as many degrees of freedom
        as samples are beyond those of the covariates, the intercept and the variant."""
        return np.asarray(self.score / np.sqrt(self.variance))

    @property
    def statistic(self) -> str:
        """What tables call `z`: Z, or T for a number."""
        return "Z" if self.number is None else "T"

    @property
    def effect(self) -> np.ndarray:
        """Log odds ratio of a copy of allele 1 (p,), by one step from none: small effects well,
        large ones too small. Of a number its change by a copy."""
        return np.asarray(self.score / self.variance)

    @property
    def p_adjusted(self) -> np.ndarray | None:
        """Of each variant among all (p,): how many draws' largest \\|Z\\| reach it."""
        if self.largest is None:
            return None
        n, z = len(self.largest), np.abs(self.z)
        below = np.searchsorted(np.sort(self.largest), z, "left")
        return np.where(np.isnan(z), np.nan, (1 + n - below) / (1 + n))

    def threshold(self, level: float = 0.05) -> float:
        """What \\|Z\\| has to exceed for a family-wise error of `level`.

        Raises
        ------
        PlanError
            There are too few draws for the level.
        """
        n = 0 if self.largest is None else len(self.largest)
        k = int(np.floor(level * (1 + n) + 1e-9))
        if self.largest is None or k < 1:
            need = int(np.ceil(1 / level - 1e-9)) - 1
            raise PlanError(
                f"a threshold at {value_text(level)} needs {counted_noun(need, 'draw')} at least: "
                f"give draws={need} or more"
            )
        return float(np.sort(self.largest)[-k])

    @cached_property
    def inflation(self) -> float:
        """Lambda GC."""
        return genomic_inflation(self.p_values)

    def top(self, k: int) -> np.ndarray:
        """The k variants of the smallest p, smallest first; ties by \\|Z\\|, then their order."""
        tested = np.flatnonzero(self.reasons == KEPT_CODE)
        order = np.lexsort((-np.abs(self.z[tested]), self.p_values[tested]))
        return tested[order[:k]]

    def frame(self, chosen: np.ndarray | None = None) -> pd.DataFrame:
        """One row a variant; columns as of `table`."""
        return self.table(chosen).to_pandas()

    def table(self, chosen: np.ndarray | None = None) -> pa.Table:
        """One row a variant: CHR SNP BP A1 A2, FREQ of A1, BETA (log odds ratio of a copy of A1,
        or its effect on the number) and SE, Z (T for a number), P, and P_MAXT where there are
        draws.

        Parameters
        ----------
        chosen : indices, or None
            None: all that are tested, in their order.
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
            "FREQ": self.frequency[chosen],
            "BETA": self.effect[chosen],
            "SE": 1 / np.sqrt(self.variance[chosen]),
            self.statistic: self.z[chosen],
            "P": self.p_values[chosen],
        }
        if self.p_adjusted is not None:
            columns["P_MAXT"] = self.p_adjusted[chosen]
        return arrow_table(columns)

    def plot(self) -> Picture:
        """The Manhattan plot of the page (`tamis.plotting.manhattan`)."""
        from ...plotting.manhattan import manhattan
        from ...plotting.picture import Picture

        return Picture("manhattan", (manhattan(self.manhattan_points(), None, "−log10 p"),))

    def manhattan_points(self) -> ManhattanPoints:
        """What a Manhattan plot of the p-values needs."""
        kept = np.flatnonzero(self.reasons == KEPT_CODE)
        height = -np.log10(np.maximum(self.p_values, MIN_P))
        return manhattan_points(self.genotypes.variants, kept, height)

    def summary(self) -> str:
        """What was scanned, what relationships explain, inflation and what stands out."""
        r = self.to_dict(1)
        who = outcome_text(r)
        lines = [
            f"{counted_noun(r['tested'], 'variant')} of {r['samples']:,} samples ({who}), mixed "
            "model",
            f"  kinship   explains {100 * r['share']:.0f} % of the variance of "
            f"{EXPLAINED[r['response']]}, by "
            f"{counted_noun(r['relationship_variants'], 'variant')}",
        ]
        lines += [
            f"  left out  {counted_noun(n, 'variant')}: {why}"
            for why, n in r["left_out"].items()
            if n
        ]
        if r["lambda_gc"] is not None:
            lines.append(
                f"  inflation {inflation_text(r['lambda_gc'], r['tested'], INFLATION_ADVICE)}"
            )
        for best in r["top"]:
            line = f"  smallest  p = {best['P']:.2g}, {best['SNP']} ({best['CHR']}:{best['BP']:,})"
            chance = f", p = {best['P_MAXT']:.2g} among all variants" if "P_MAXT" in best else ""
            lines.append(line + chance)
        if r["threshold"] is not None:
            lines.append(
                f"  5 %       {counted_noun(r['above'] or 0, 'variant')} with "
                f"|{self.statistic}| above {r['threshold']:.2f}, which the largest exceeds in at "
                f"most 5 % of {r['draws']:,} draws"
            )
        return "\n".join(lines)

    def to_dict(self, most: int = 100) -> MixedNumbers:
        """Plain values: what was scanned, what was left out, the best `most` variants."""
        tested = self.reasons == KEPT_CODE
        draws = 0 if self.largest is None else len(self.largest)
        edge = self.threshold(0.05) if draws >= 19 else None
        counted = np.bincount(self.reasons, minlength=len(REASONS)).tolist()
        return {
            "samples": int(self.sizes.sum()),
            "variants": len(self.reasons),
            "tested": int(tested.sum()),
            "response": "classes" if self.number is None else "number",
            "number": self.number,
            "classes": [
                {"name": str(c), "size": int(n)}
                for c, n in zip(self.classes, self.sizes, strict=False)
            ],
            "covariates": self.n_covariates,
            "relationship_variants": self.n_relationship_variants,
            "share": self.share,
            "shares": self.shares,
            "lambda_gc": None if np.isnan(self.inflation) else self.inflation,
            "draws": draws,
            "threshold": edge,
            "above": None if edge is None else int((np.abs(self.z[tested]) > edge).sum()),
            "left_out": dict(zip(REASONS[1:], counted[1:], strict=True)),
            "top": self.table(self.top(most)).to_pylist(),
        }
