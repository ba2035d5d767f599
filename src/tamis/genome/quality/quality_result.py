"""What quality control found: rows of variants and of samples, and what was dropped why."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from ..._core.arrow import arrow_numbers, arrow_table, arrow_texts, defined_numbers
from ..._core.first_screen import FirstScreen
from ..readers.genotypes import Genotypes
from ..readers.samples import FAM_FIELDS
from ..readers.variants import LEFT_OUT
from .quality_schema import DifferentialMissingness, DroppedRow, QualityNumbers, UnlikeMissing
from .quality_words import summary_of

if TYPE_CHECKING:
    import pandas as pd

# In the order in which a variant is given the first that applies; the order decides nothing else.
REASONS = (
    *LEFT_OUT,
    "no calls",
    "no variation",
    "missing calls",
    "Hardy-Weinberg",
    "rare allele",
    "differential missingness",
)
SMALL_P = 1e-5  # differential missingness below which is counted


@dataclass(frozen=True)
class Limits:
    """The requested limits; None: not looked at."""

    missing: float | None
    hardy: float | None
    frequency: float | None
    sample_missing: float | None
    differential: float | None


@dataclass(frozen=True)
class VariantQuality:
    """What was found of each variant, among the samples kept.

    Attributes
    ----------
    counts : ndarray of shape (p, 4) of int32
        Two copies of allele 1, one, none, missing; on Y among males alone.
    missing : ndarray of shape (p,)
        Share of the calls.
    frequency : ndarray of shape (p,)
        Of the rarer allele among founders; NaN without a call of theirs.
    hardy : ndarray of shape (p,)
        Exact p among founders of the controls, on X the females of them; NaN: not tested.
    differential : ndarray of shape (p,)
        p of equal shares of missing calls in all classes; NaN: not tested.
    failed : ndarray of shape (p, 9) of bool
        What speaks against it, by `REASONS`; the first column is empty.
    """

    counts: np.ndarray
    missing: np.ndarray
    frequency: np.ndarray
    hardy: np.ndarray
    differential: np.ndarray
    failed: np.ndarray

    @property
    def reason(self) -> np.ndarray:
        """The first of `REASONS` that applies, its number (p,) int8; 0 where kept."""
        return self.failed.argmax(axis=1).astype(np.int8)


@dataclass(frozen=True, repr=False)
class QualityControl(FirstScreen):
    """Which samples and variants are kept, and why the others are not.

    Attributes
    ----------
    genotypes : Genotypes
        All that were looked at.
    limits : Limits
    kept : ndarray of shape (p,) of bool
        Variants.
    kept_samples : ndarray of shape (n,) of bool
    variants : VariantQuality
    sample_counts : ndarray of shape (n, 2) of int64
        Missing calls of each sample, and variants at which it could have had one.
    classes : tuple of str
        Sorted; none without `y`.
    tested : str
        Among whom Hardy-Weinberg equilibrium was looked for, in words.
    """

    genotypes: Genotypes
    limits: Limits
    kept: np.ndarray
    kept_samples: np.ndarray
    variants: VariantQuality
    sample_counts: np.ndarray
    classes: tuple[str, ...]
    tested: str

    def apply(self) -> Genotypes:
        """What is kept of the genotypes; nothing is copied.

        Raises
        ------
        DataError
            No variant is kept.
        """
        return self.genotypes.subset(
            samples=None if self.kept_samples.all() else self.kept_samples,
            variants=None if self.kept.all() else self.kept,
        )

    @property
    def sample_missing(self) -> np.ndarray:
        """Share of the calls of each sample that is missing (n,)."""
        return shares_of_total(*self.sample_counts.T)

    def frame(self) -> pd.DataFrame:
        """One row a variant: what it is, counts, shares, p-values, and `reason`, "" if kept."""
        return self.table().to_pandas()

    def table(self, chosen: np.ndarray | None = None) -> pa.Table:
        """As `frame`, of all variants or of some."""
        chosen = np.arange(len(self.kept)) if chosen is None else chosen
        found, of = self.variants, self.genotypes.variants.take(chosen)
        counts = {
            name: found.counts[chosen, k]
            for k, name in enumerate(("two", "one", "none", "missing"))
        }
        reason = arrow_numbers(found.reason[chosen])
        return arrow_table(
            {
                "chromosome": of.chromosome,
                "id": of.id,
                "position": of.position,
                "allele1": of.allele1,
                "allele2": of.allele2,
                **counts,
                "missing_share": found.missing[chosen],
                "frequency": defined_numbers(found.frequency[chosen]),
                "hardy_p": defined_numbers(found.hardy[chosen]),
                "differential_p": defined_numbers(found.differential[chosen]),
                "reason": pa.DictionaryArray.from_arrays(reason, arrow_texts(REASONS)),
            }
        )

    def samples_frame(self) -> pd.DataFrame:
        """One row a sample: who, calls missing of how many, their share, and `reason`."""
        return self.samples_table().to_pandas()

    def samples_table(self) -> pa.Table:
        """As `samples_frame`."""
        samples, (missing, looked) = self.genotypes.samples, self.sample_counts.T
        return arrow_table(
            {
                **{
                    name: arrow_numbers(samples.sex)
                    if name == "sex"
                    else arrow_texts(getattr(samples, name))
                    for name in FAM_FIELDS
                },
                "missing": missing,
                "variants": looked,
                "missing_share": self.sample_missing,
                "reason": arrow_texts(
                    "" if kept else "missing calls" for kept in self.kept_samples
                ),
            }
        )

    def dropped(self) -> pd.DataFrame:
        """One row a reason.

        `dropped` counts those whose first reason it is, `failed` all that it speaks against, and
        `limit` is the requested one.
        """
        import pandas as pd

        return pd.DataFrame(self.dropped_rows())

    def dropped_rows(self) -> list[DroppedRow]:
        """As `dropped`."""
        limits, failed = self.limits, self.variants.failed
        first = np.bincount(self.variants.reason, minlength=len(REASONS))
        requested = dict(
            zip(
                REASONS[5:],
                (limits.missing, limits.hardy, limits.frequency, limits.differential),
                strict=True,
            )
        )
        lost = int((~self.kept_samples).sum())
        rows: list[DroppedRow] = [
            {
                "of": "samples",
                "reason": "missing calls",
                "limit": limits.sample_missing,
                "dropped": lost,
                "failed": lost,
            }
        ]
        rows += [
            {
                "of": "variants",
                "reason": name,
                "limit": requested.get(name),
                "dropped": int(first[k]),
                "failed": int(failed[:, k].sum()),
            }
            for k, name in enumerate(REASONS)
            if k > 0 and (name not in requested or requested[name] is not None)
        ]
        return rows

    def differential(self) -> DifferentialMissingness | None:
        """How many variants have calls that are missing more in one class; None without classes.

        Of `all` variants and of those `kept`: how many were `tested`, how many have p `below` 1e-5,
        and how many p below .05 over the number tested (`bonferroni`).
        """
        if not self.classes:
            return None
        p = self.variants.differential
        return {
            "level": SMALL_P,
            "all": _unlike_missing(p),
            "kept": _unlike_missing(p[self.kept]),
        }

    def to_dict(self) -> QualityNumbers:
        """Limits and numbers, fit for JSON."""
        n, p = self.genotypes.shape
        return {
            "limits": asdict(self.limits),
            "classes": list(self.classes),
            "samples": {"all": n, "kept": int(self.kept_samples.sum())},
            "variants": {"all": p, "kept": int(self.kept.sum())},
            "dropped": self.dropped_rows(),
            "hardy_weinberg": {
                "among": self.tested,
                "tested": int((~np.isnan(self.variants.hardy)).sum()),
            },
            "differential_missingness": self.differential(),
        }

    def summary(self) -> str:
        """A few sentences."""
        return summary_of(self.to_dict())


def shares_of_total(part: np.ndarray, total: np.ndarray, none: float = 0.0) -> np.ndarray:
    """part / total; `none` where that is nothing."""
    return np.divide(part, total, out=np.full(len(part), none), where=total > 0)


def _unlike_missing(p: np.ndarray) -> UnlikeMissing:
    """Of the p-values of some variants, NaN where they cannot be tested."""
    p = p[~np.isnan(p)]
    return {
        "tested": len(p),
        "below": int((p < SMALL_P).sum()),
        "bonferroni": int((p * len(p) < 0.05).sum()),
    }
