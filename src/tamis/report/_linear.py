"""The page of `tamis genome linear`."""

from __future__ import annotations

from typing import cast

from .. import plotting
from ..genome.quality.inflation import inflation_text
from ..genome.scans.linear_result import LINEAR_ADVICE
from ..genome.scans.linear_schema import LinearContent
from ._mixed import number_text
from ._numbers import count_text, plain_json, plural_text
from ._scan import SPANS_NOTE, render_variant_page

COLUMN_NAMES = ("CHR", "SNP", "BP", "A1", "A2", "FREQ", "NMISS", "BETA", "SE", "T", "P", "FDR_BH")


def render_linear(result: LinearContent, name: str) -> str:
    """The page's HTML; only charts and assets pass unescaped.

    Parameters
    ----------
    result : dict
        As ``results.json`` has it.
    name : str
        Of the cohort.
    """
    r = cast(LinearContent, plain_json(result))
    of_number = number_text(r["samples"], r["number"], r["settings"])
    return render_variant_page(
        r,
        COLUMN_NAMES,
        title=f"Linear scan of {name}",
        subtitle=f"{plural_text(r['tested'], 'variant')}; {of_number}",
        sentences=_linear_sentences(r),
        reading=_how_to_read_linear_scan(r),
        file="linear.tsv",
        note=SPANS_NOTE,
        chart=plotting.manhattan(r["picture"], None, "−log10 p"),
    )


def _linear_sentences(r: LinearContent) -> list[str]:
    found = []
    if r["top"]:
        first = r["top"][0]
        found.append(
            f"The smallest p is {first['P']:.2g}, of {first['SNP']} on chromosome "
            f"{first['CHR']} at {count_text(first['BP'])}."
        )
    n = r["discoveries"]
    what = (
        "No variant has" if n == 0 else f"{plural_text(n, 'variant')} {'has' if n == 1 else 'have'}"
    )
    found.append(f"{what} a false discovery rate (FDR_BH) of 5\u00a0% or less.")
    if r["lambda_gc"] is not None:
        text = inflation_text(r["lambda_gc"], r["tested"], LINEAR_ADVICE)
        found.append(f"{text[0].upper()}{text[1:]}.")
    return found


def _how_to_read_linear_scan(r: LinearContent) -> list[str]:
    what = "the logarithm of the number" if r["settings"].get("log_target") else "the number"
    return [
        f"BETA is the change of {what} with a copy of A1, by least squares with the covariates in "
        "the samples that have a call of the variant (NMISS), SE its standard error, T their ratio "
        "and P its two-sided probability by Student's t, which needs errors that are about normal, "
        "the more the rarer the allele is.",
        "FDR_BH is the false discovery rate of Benjamini and Hochberg: the share of chance "
        "findings that is expected among the variants with a P as small.",
        "Samples count as independent. Lambda GC is the median of the statistics over that of "
        "chance, 1 without inflation; relatives, descent and batches that go with the number raise "
        "it, and so do many true small effects.",
    ]
