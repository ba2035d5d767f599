"""What the comparison says in sentences: on top of the page, and for a paper."""

from __future__ import annotations

from typing import TypedDict

from .._core.citations import CITATIONS
from .._core.errors import shorten_text
from ..study.results.comparison_schema import ComparisonContent, RankTests
from ._numbers import decimal_text, p_text, plural_text
from ._words import inline_name, metric_name

CITED_KEYS = ("demsar2006", "iman1980", "nadeau2003")


def p_of(value: float | None) -> str:
    """``p = 0.02``, ``p < 0.0001``."""
    text = p_text(value)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def spoken_name(name: str) -> str:
    """A method inside a sentence."""
    return "the headline procedure" if name == "headline" else shorten_text(name)


def counted_outcomes(c: ComparisonContent) -> str:
    """``6 methods and the headline procedure``."""
    names = [m["name"] for m in c["methods"] if m["name"] != "headline"]
    return plural_text(len(names), "method") + (
        " and the headline procedure" if len(names) < len(c["methods"]) else ""
    )


def comparison_sentences(c: ComparisonContent) -> list[str]:
    """Plain words for whoever reads nothing else."""
    ranks = c["ranks"]
    once = ranks["by_source"]
    said = [_first_ranked_words(ranks, "data sets"), *_judged_by_tests(ranks, c["alpha"])]
    if once:
        said.append(
            f"Some data sets derive from one source. With each source counted once, "
            f"{_lower_first_letter(_first_ranked_words(once, 'sources'))} "
            f"{' '.join(_judged_by_tests(once, c['alpha']))} Data sets of one source are not "
            "independent: quote this."
        )
    return said


def _lower_first_letter(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]


def _first_ranked_words(ranks: RankTests, what: str) -> str:
    best = min(ranks["average_ranks"])
    names = [
        spoken_name(name)
        for name, rank in zip(ranks["methods"], ranks["average_ranks"], strict=True)
        if rank <= best + 1e-9
    ]
    n = len(ranks["datasets"])
    if len(names) == len(ranks["methods"]):
        return f"Over {n} {what}, all methods have the same average rank, {decimal_text(best, 2)}."
    verb = "ranks" if len(names) == 1 else "rank"
    return (
        f"Over {n} {what}, {_joined_by_and(names)} {verb} best, {decimal_text(best, 2)} on average."
    )


def _joined_by_and(names: list[str], most: int = 6) -> str:
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _judged_by_tests(ranks: RankTests, alpha: float) -> list[str]:
    """The test of all methods, then which ones the best differs from."""
    t = ranks["friedman_corrected"]
    p = t["F_p_value"]
    differ = p <= alpha
    said = [
        f"The methods differ more than chance explains (Iman-Davenport, {p_of(p)})."
        if differ
        else f"The differences may be due to chance (Iman-Davenport, {p_of(p)})."
    ]
    best = ranks["pairs"][0]["first"]
    apart = [
        spoken_name(p["second"]) for p in ranks["pairs"] if p["first"] == best and p["different"]
    ]
    if apart and differ:
        said.append(
            f"By the Nemenyi test {spoken_name(best)} differs from {_joined_by_and(apart)}."
        )
    elif differ and any(p["different"] for p in ranks["pairs"]):
        said.append("By the Nemenyi test some pairs differ, none with the best-ranked.")
    elif differ:
        said.append("By the Nemenyi test no single pair differs.")
    return said


class PaperText(TypedDict):
    """A paragraph for a paper, and the references that it cites."""

    paragraph: str
    citations: list[str]


def paper_texts(c: ComparisonContent) -> PaperText:
    """A paragraph with its sources."""
    ranks = c["ranks"]
    t, cd = ranks["friedman_corrected"], ranks["critical_differences"]
    level = next(d for d in cd if d["alpha"] == c["alpha"])
    F = "infinite" if t["F"] is None else decimal_text(t["F"], 2)
    text = (
        f"{counted_outcomes(c)} were compared over {len(ranks['datasets'])} data sets by their "
        f"{inline_name(metric_name(c['metric']))} in nested resampling. Methods were ranked "
        "on every data set, ties sharing the mean of their ranks, and the average ranks compared "
        f"by Friedman's test corrected for ties (chi-squared {decimal_text(t['chi2'], 2)} on "
        f"{t['df']} degrees of freedom, {p_of(t['p_value'])}) with the modification of Iman and "
        f"Davenport (F = {F} on {t['df1']} and {t['df2']} degrees of freedom, "
        f"{p_of(t['F_p_value'])}), and pairs by the Nemenyi test (critical difference "
        f"{decimal_text(level['value'], 2)} at {c['alpha']:g})."
    )
    if any(one["p_value"] is not None for one in c["differences"]):
        text += (
            " On single data sets methods were compared over the outer folds by the corrected "
            "resampled t-test of Nadeau and Bengio."
        )
    once = ranks["by_source"]
    if once:
        t = once["friedman_corrected"]
        F = "infinite" if t["F"] is None else decimal_text(t["F"], 2)
        text += (
            f" With the data sets of each source averaged ({len(once['datasets'])} sources), "
            f"F = {F} on {t['df1']} and {t['df2']} degrees of freedom ({p_of(t['F_p_value'])})."
        )
    return {"paragraph": text, "citations": [CITATIONS[key] for key in CITED_KEYS]}
