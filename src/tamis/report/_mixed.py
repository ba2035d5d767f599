"""The page of `tamis genome mixed`."""

from __future__ import annotations

from typing import cast

from .. import plotting
from .._core.errors import listed_parts, shorten_text
from ..genome.quality.inflation import inflation_text
from ..genome.scans.mixed_result import EXPLAINED, INFLATION_ADVICE, range_text
from ..genome.scans.mixed_schema import MixedContent, NumberRange
from ._numbers import count_text, decimal_text, percent_text, plain_json, plural_text
from ._scan import SPANS_NOTE, render_variant_page

COLUMN_NAMES = ("CHR", "SNP", "BP", "A1", "A2", "FREQ", "BETA", "SE", "Z", "T", "P", "P_MAXT")


def render_mixed(result: MixedContent, name: str) -> str:
    """The page's HTML; only charts and assets pass unescaped.

    Parameters
    ----------
    result : dict
        As ``results.json`` has it.
    name : str
        Of the cohort.
    """
    r = cast(MixedContent, plain_json(result))
    return render_variant_page(
        r,
        COLUMN_NAMES,
        title=f"Mixed-model scan of {name}",
        subtitle=f"{plural_text(r['tested'], 'variant')}; {_outcome_text(r)}",
        sentences=_mixed_model_sentences(r),
        reading=_how_to_read_mixed_model(r),
        file="mixed.tsv",
        note=SPANS_NOTE,
        chart=plotting.manhattan(r["picture"], None, "−log10 p"),
    )


def number_text(samples: int, number: NumberRange, settings: dict[str, object]) -> str:
    """How many samples there are, and what their number is."""
    log = "logarithm of a " if settings.get("log_target") else "a "
    return f"{count_text(samples)} samples; {log}{range_text(number)}"


def _outcome_text(r: MixedContent) -> str:
    if r["number"] is not None:
        return number_text(r["samples"], r["number"], r["settings"])
    sizes = listed_parts(
        f"{shorten_text(c['name'])} ({count_text(c['size'])})" for c in r["classes"]
    )
    return f"classes: {sizes}"


def _mixed_model_sentences(r: MixedContent) -> list[str]:
    found = [
        f"Relatedness of the samples explains {percent_text(r['share'], 0)} of the variance of "
        f"{EXPLAINED[r['response']]}, by {plural_text(r['relationship_variants'], 'variant')}.",
    ]
    if r["lambda_gc"] is not None:
        text = inflation_text(r["lambda_gc"], r["tested"], INFLATION_ADVICE)
        found.append(f"{text[0].upper()}{text[1:]}.")
    if r["top"]:
        first = r["top"][0]
        found.append(
            f"The smallest p is {first['P']:.2g}, of {first['SNP']} on chromosome "
            f"{first['CHR']} at {count_text(first['BP'])}."
        )
    if r["threshold"] is None:
        return [*found, "P-values among all variants need 19 draws or more (--draws)."]
    n = r["above"] or 0
    what = (
        "No variant has" if n == 0 else f"{plural_text(n, 'variant')} {'has' if n == 1 else 'have'}"
    )
    statistic = "Z" if r["number"] is None else "T"
    return [
        *found,
        f"{what} |{statistic}| above {decimal_text(r['threshold'], 2)}, which the largest of all "
        f"exceeds in at most 5\u00a0% of {count_text(r['draws'])} draws from the model without any "
        "effect.",
    ]


def _how_to_read_mixed_model(r: MixedContent) -> list[str]:
    if r["number"] is None:
        alike, statistic = "the class", "Z"
        first = (
            f"BETA is the logarithm of the odds ratio of {r['classes'][1]['name']} for a copy of "
            "A1, by one step from no effect: right where effects are small, too small where they "
            "are large. Z is the score over its standard deviation, P its two-sided probability, "
            "beyond |Z| = 2 by a saddle point."
        )
    else:
        alike, statistic = "the number", "T"
        what = "the logarithm of the number" if r["settings"].get("log_target") else "the number"
        first = (
            f"BETA is the change of {what} with a copy of A1, SE its standard error, T their ratio "
            "and P its two-sided probability by Student's t, which needs errors that are about "
            "normal, the more the rarer the allele is."
        )
    return [
        first,
        f"The model holds that relatives, and people of one population, are alike in {alike} for "
        "other reasons than the variant: relationships by all other chromosomes are a random "
        "effect. P_MAXT is P among all variants: the share of draws from that model whose largest "
        f"|{statistic}| is as large. It controls the family-wise error if the model is right.",
        "Lambda GC is the median of the statistics over that of chance, 1 without inflation. Many "
        f"true small effects raise it too, but so do descent and batches that go with {alike}.",
    ]
