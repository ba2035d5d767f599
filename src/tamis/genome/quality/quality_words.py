"""What quality control found, in plain words."""

from __future__ import annotations

from ..._core.errors import counted_noun
from .quality_schema import DifferentialMissingness, QualityNumbers

REASON_SENTENCES = {
    "broken line": "have a line that cannot be read, or more than two alleles",
    "negative position": "have a negative position, by which they are marked as unwanted",
    "no calls": "have no call",
    "no variation": "do not show both alleles",
    "missing calls": "have no call in {share} of the samples or more",
    "Hardy-Weinberg": "are out of Hardy-Weinberg equilibrium (p < {limit:.3g})",
    "rare allele": "have a rarer allele of a frequency below {limit:.3g}",
    "differential missingness": "miss calls more in one class than in another (p < {limit:.3g})",
}


def share_text(share: float | None) -> str:
    """``10 %``."""
    return "" if share is None else f"{100 * share:.4g} %"


def summary_of(found: QualityNumbers) -> str:
    """Sentences, a line each, of the dictionary of a `QualityControl`."""
    samples, variants = found["samples"], found["variants"]
    lines = [
        f"{samples['kept']:,} of {counted_noun(samples['all'], 'sample')} and "
        f"{variants['kept']:,} of {counted_noun(variants['all'], 'variant')} are kept."
    ]
    limit = found["limits"]["sample_missing"]
    lost = samples["all"] - samples["kept"]
    if lost:
        share = share_text(limit)
        lines.append(f"Samples without a call at {share} of the variants or more: {lost:,}.")
    why = [
        f"{row['dropped']:,} "
        + REASON_SENTENCES[row["reason"]].format(limit=row["limit"], share=share_text(row["limit"]))
        for row in found["dropped"]
        if row["of"] == "variants" and row["dropped"]
    ]
    if why:
        lines.append(f"Of the variants dropped, each for its first reason, {'; '.join(why)}.")
    tested = found["hardy_weinberg"]
    if found["limits"]["hardy"] is not None:
        lines.append(f"Hardy-Weinberg equilibrium was looked for among {tested['among']}.")
    differential = found["differential_missingness"]
    if differential is None:
        lines.append("Without classes nobody knows whether calls are missing more in one of them.")
    else:
        lines.append(_differential_words(differential))
    return "\n".join(lines)


def _differential_words(differential: DifferentialMissingness) -> str:
    kept, every = differential["kept"], differential["all"]
    words = (
        f"Calls are missing more in one class than in another at {kept['below']:,} of the "
        f"{counted_noun(kept['tested'], 'variant')} kept (p < {differential['level']:g}), "
        f"{kept['bonferroni']:,} by Bonferroni's limit; at {every['below']:,} of all "
        f"{every['tested']:,} tested."
    )
    if kept["bonferroni"]:
        words += (
            " What distinguishes the classes there may be the quality of calls: drop them by "
            "the limit `differential`, and compare results with and without."
        )
    return words
