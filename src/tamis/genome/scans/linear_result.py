"""What a linear scan found."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa

from ..._core.errors import counted_noun
from ...metrics.false_discovery import benjamini_hochberg
from ..quality.inflation import inflation_text
from ..readers.genotypes import Genotypes
from .linear_schema import LinearNumbers
from .mixed_result import KEPT_CODE, REASONS, MixedScan, range_text
from .mixed_schema import NumberRange

LINEAR_ADVICE = (
    "people may differ in descent or be relatives; give components as covariates, or use `tamis "
    "genome mixed --regression`"
)
FDR_LEVEL = 0.05


@dataclass(frozen=True, repr=False)
class LinearScan(MixedScan):
    """Effects of all variants, without a random effect: as a `MixedScan` of a number, whose share
    is 0.

    Attributes
    ----------
    called : ndarray of shape (p,) of int64
        Samples with a call of each variant.
    """

    called: np.ndarray = field(repr=False)

    @classmethod
    def of(
        cls,
        genotypes: Genotypes,
        number: NumberRange,
        n_covariates: int,
        frequency: np.ndarray,
        called: np.ndarray,
        effect: np.ndarray,
        error: np.ndarray,
        degrees: np.ndarray,
        reasons: np.ndarray,
    ) -> LinearScan:
        """Of effects, standard errors and degrees of freedom (p,)."""
        from scipy.special import stdtr

        with np.errstate(divide="ignore", invalid="ignore"):
            variance = error**-2.0
            p = 2 * stdtr(degrees, -np.abs(effect / error))
        return cls(
            genotypes,
            np.zeros(0, dtype=object),
            np.array([genotypes.shape[0]]),
            number,
            n_covariates,
            frequency,
            effect * variance,
            variance,
            p,
            reasons,
            0.0,
            {},
            0,
            None,
            called,
        )

    @cached_property
    def false_discovery_rates(self) -> np.ndarray:
        """Of Benjamini and Hochberg (1995), among the variants tested (p,)."""
        return benjamini_hochberg(self.p_values)

    def table(self, chosen: np.ndarray | None = None) -> pa.Table:
        """One row a variant: CHR SNP BP A1 A2, FREQ of A1, NMISS (samples called), BETA (change of
        the number by a copy of A1) and SE, T, P and FDR_BH.

        Parameters
        ----------
        chosen : indices, or None
            None: all that are tested, in their order.
        """
        if chosen is None:
            chosen = np.flatnonzero(self.reasons == KEPT_CODE)
        table = super().table(chosen)
        at = table.column_names.index("BETA")
        table = table.add_column(at, "NMISS", pa.array(self.called[chosen]))
        return table.append_column("FDR_BH", pa.array(self.false_discovery_rates[chosen]))

    def summary(self) -> str:
        """What was scanned, inflation and what stands out."""
        r = self.to_dict(1)
        covariates = f", {counted_noun(r['covariates'], 'covariate')}" if r["covariates"] else ""
        lines = [
            f"{counted_noun(r['tested'], 'variant')} of {r['samples']:,} samples "
            f"(a {range_text(r['number'])}), linear model{covariates}"
        ]
        lines += [
            f"  left out  {counted_noun(n, 'variant')}: {why}"
            for why, n in r["left_out"].items()
            if n
        ]
        if r["lambda_gc"] is not None:
            lines.append(
                f"  inflation {inflation_text(r['lambda_gc'], r['tested'], LINEAR_ADVICE)}"
            )
        lines += [
            f"  smallest  p = {best['P']:.2g}, {best['SNP']} ({best['CHR']}:{best['BP']:,})"
            for best in r["top"]
        ]
        n = counted_noun(r["discoveries"], "variant")
        return "\n".join([*lines, f"  FDR 5 %   {n} (FDR_BH)"])

    def to_dict(self, most: int = 100) -> LinearNumbers:  # type: ignore[override]
        """Plain values: what was scanned, what was left out, the best `most` variants."""
        tested = self.reasons == KEPT_CODE
        counted = np.bincount(self.reasons, minlength=len(REASONS)).tolist()
        assert self.number is not None
        return {
            "samples": int(self.sizes.sum()),
            "variants": len(self.reasons),
            "tested": int(tested.sum()),
            "number": self.number,
            "covariates": self.n_covariates,
            "lambda_gc": None if np.isnan(self.inflation) else self.inflation,
            "discoveries": int((self.false_discovery_rates[tested] <= FDR_LEVEL).sum()),
            "left_out": dict(zip(REASONS[1:], counted[1:], strict=True)),
            "top": self.table(self.top(most)).to_pylist(),
        }
