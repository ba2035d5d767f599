"""The answer on top of the page: how well it works, by class, and by which features."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from typing import Literal

from .._core.errors import listed_parts, shorten_text
from ..data.class_heading import class_headings
from ..metrics.estimates import estimate_text
from ..study.results.cost_saving import mean_cost
from ..study.results.estimate_words import bootstrap_words
from ..study.results.first_screen import (
    against_chance,
    chance_of,
    how_stable,
    leading_numbers,
    of_each_block,
    of_each_method,
    price_of_few,
    signature_size,
    stability_shown,
)
from ..study.results.schema import Estimate, StudyContent
from ._coverage import declined_view, of_labels, share_of
from ._numbers import count_text, decimal_text, interval_text, percent_text, plural_text
from ._page import Card, FoundView, HeadlineView
from ._table import Cell, Column, TableView, build_table, computed_column
from ._top_features import MAX_COUNTED_CLASSES, found_by_class, top_features
from ._words import METRIC_WORDS, metric_name

NOT_SHOWN = {"not-above-chance", "below-chance"}
# of the score
DOUBTED_CODES = ("possible-leak", "batch-confounded", "repeated-measures", "repeated-rows")


def headline_view(result: StudyContent) -> HeadlineView:
    """The first sentences, the number to quote, people by class, the first features, a line for
    each further question, and the table of all metrics."""
    first = result["protocol"]["metric"]
    names = sorted(result["metrics"], key=lambda name: name != first)
    number, *others = leading_numbers(result)
    many = len(result["data"]["classes"]) > MAX_COUNTED_CLASSES
    beside = "; ".join(f"{name} {estimate_text(one, digits)}" for name, one, digits in others)
    lines = [
        ("Selected", signature_size(result)),
        ("Classes", f"the first {MAX_COUNTED_CLASSES}; Errors by class has all" if many else ""),
        ("Also", beside),
        ("Costs", mean_cost(result)),
        ("Chance", against_chance(result)),
        ("Stability", how_stable(result)),
        ("By size", price_of_few(result)),
        ("Methods", of_each_method(result)),
        ("Blocks", of_each_block(result)),
        ("Bootstrap", bootstrap_words(result)),
        ("Next", _next_step(result)),
    ]
    return {
        "card": estimate_card(*number),
        "found": _found_by_class(result),
        "top": top_features(result),
        "sentences": headline_sentences(result),
        "lines": [(name, text) for name, text in lines if text],
        "estimated": _estimated_words(result),
        "declined": declined_view(result),
        "table": _metric_table(result, names),
    }


def _found_by_class(result: StudyContent) -> list[FoundView]:
    head, data = result["headline"], result["data"]
    if not head["confusion"]:
        return []
    names = class_headings(data["target"], data["classes"])
    lows = [result["recalls"][label]["low"] for label in data["classes"]]
    return found_by_class(head["confusion"], head["declined"], names, lows)


def estimate_card(name: str, estimate: Estimate, digits: int) -> Card:
    return {
        "name": name[:1].upper() + name[1:],
        "value": decimal_text(estimate.get("mean"), digits),
        "undefined": estimate.get("mean") is None,
        "interval": interval_text(estimate, digits),
        "note": estimate.get("note") or "",
    }


def _estimated_words(result: StudyContent) -> str:
    """What the intervals are of."""
    n, folds = result["data"]["n_samples"], result["headline"]["folds"]
    split = result["plan"]["outer"]
    share = 1 - 1 / split["folds"] if split["kind"] == "k-fold" and folds else None
    limits = any(one["low"] is not None for one in result["recalls"].values())
    least = "; “at least” are their lower limits" if limits else ""
    size = f" (about {round(share * n):,} of the {n:,} samples)" if share else ""
    return (
        "95\u00a0% intervals are of the expected score on new samples when this procedure learns "
        f"from as many as an outer training set has{size}{least}. The "
        "final model is fitted to all samples and usually does slightly better."
    )


def headline_sentences(result: StudyContent) -> list[str]:
    """Plain words for whoever reads nothing else."""
    said = [_doubt_words(result), _performance_words(result), _stability_words(result)]
    return [sentence for sentence in said if sentence]


def _doubts(result: StudyContent) -> str:
    """Codes of the warnings that may make the score too good."""
    codes = {warning["code"] for warning in result["warnings"]}
    return listed_parts(code for code in DOUBTED_CODES if code in codes)


def _doubt_words(result: StudyContent) -> str:
    """Before any figure that it may undo."""
    doubts = _doubts(result)
    return f"The score may be too good: see the warnings {doubts}." if doubts else ""


def _next_step(result: StudyContent) -> str:
    """What a reader should do, by what was found."""
    if doubts := _doubts(result):
        return f"resolve the warnings {doubts}, then run the study again"
    if NOT_SHOWN & {warning["code"] for warning in result["warnings"]}:
        return "treat the list as noise; more samples or other measurements are needed"
    final = result["final"]
    if not final or not final["path"]:
        return "validate the procedure on external samples"
    path, target = final["path"], shorten_text(result["data"]["target"])
    return f"validate on external samples: tamis evaluate {path} COHORT --target {target}"


def _performance_words(result: StudyContent) -> str:
    tuned = result["protocol"]["metric"]
    outcome = "class" if result["data"]["classes"] else "number"
    given = result["headline"]["coverage"]["mean"]
    shown = not NOT_SHOWN & {w["code"] for w in result["warnings"]}
    for name in ("bcr", "accuracy", tuned):
        estimate = result["metrics"].get(name)
        if estimate is None or estimate["mean"] is None:
            continue
        labels = of_labels(name) and given not in (None, 1)
        chance, _ = chance_of(result, name)
        rate = name in ("bcr", "accuracy")

        def say(value: float | None, rate: bool = rate) -> str:
            return percent_text(value) if rate else decimal_text(value)

        limits = ""
        if interval_text(estimate):
            limits = f" (95\u00a0% interval {say(estimate['low'])} to {say(estimate['high'])})"
        beside = "" if chance is None else f"; chance is {say(chance)}"
        if not shown:
            what = "the balanced accuracy" if name == "bcr" else metric_name(name).lower()
            if labels:
                what = f"of the {share_of(given)} of the samples that were given a class, {what}"
            return (
                f"These data do not show that the {outcome} can be predicted: "
                f"{what} of the procedure is {say(estimate['mean'])}{limits}{beside}."
            )
        if rate and estimate["mean"] == 1.0:
            held = "Every held-out sample"
            if labels:
                held += f" that was given a class, {share_of(given)} of them,"
            return f"{held} was classified correctly{limits}{beside}."
        if rate:
            text = f"Expect the correct class for {say(estimate['mean'])} of new samples"
            if labels:
                text = (
                    f"The procedure gives a class to {share_of(given)} of the samples; expect "
                    f"{say(estimate['mean'])} of these to be correct"
                )
            text += ", averaged over the classes" if name == "bcr" else ""
            return f"{text}{limits}{beside}."
        if name == "q2":
            return (
                "Expect predictions of new samples to avoid "
                f"{percent_text(estimate['mean'])} of the squared error of predicting the mean"
                f"{_percent_limits(estimate)} (Q2)."
            )
        return f"{metric_name(name)} of the procedure: {say(estimate['mean'])}{limits}{beside}."
    if given == 0:
        return "The performance is undefined: the rule abstained on every held-out sample."
    return "The performance is undefined: see the warnings."


def _percent_limits(estimate: Estimate) -> str:
    if not interval_text(estimate):
        return ""
    low, high = percent_text(estimate["low"]), percent_text(estimate["high"])
    return f" (95\u00a0% interval {low} to {high})"


def _stability_words(result: StudyContent) -> str:
    """Whether the selection is more stable than chance, and how many features come again."""
    above = result["permutation"]["stability"]["above"]
    if above is False:
        return ""  # the warning says it
    stability = result["headline"]["stability"]
    sizes = [fold["size"] for fold in result["headline"]["folds"] if fold["size"] is not None]
    if not sizes:
        return ""
    if min(sizes) * 2 < max(sizes):
        return (
            f"Training sets selected from {count_text(min(sizes))} to {count_text(max(sizes))} "
            f"features (median {count_text(median(sizes))}); "
            f"{plural_text(stability['common'], 'feature')} "
            f"{'was' if stability['common'] == 1 else 'were'} selected in at least half of them."
        )
    size, possible = stability.get("mean_size"), result["data"]["n_features"]
    value, _ = stability_shown(result, stability, result["permutation"]["stability"])
    if value is None or not size:
        return ""
    if size > possible / 2:
        return "Most features were selected, so there is little to say about their selection."
    chance = size / possible  # of two sets of one size k: phi = (s / k - chance) / (1 - chance)
    shared = max(size * (value * (1 - chance) + chance), 0.0)
    return (
        f"About {decimal_text(shared, 0)} of {decimal_text(size, 0)} features reappear when the "
        "training set changes. Training sets share samples, so with independent ones fewer would."
    )


def _metric_table(result: StudyContent, names: list[str]) -> TableView:
    def estimate_entry(key: Literal["mean", "low", "high"]) -> Callable[[str], float | None]:
        return lambda name: result["metrics"][name][key]

    def permuted_entry(key: Literal["median", "least", "most"]) -> Callable[[str], float | None]:
        def permuted_value(name: str) -> float | None:
            runs = result["chance"][name]["permuted"]
            return None if runs is None else runs[key]

        return permuted_value

    def theory_value(name: str) -> float | None:
        return result["chance"][name]["theory"]

    def estimate_cell(name: str) -> Cell:
        estimate = result["metrics"][name]
        return Cell(
            decimal_text(estimate["mean"]), interval_text(estimate) or estimate.get("note", "")
        )

    def permuted_cell(name: str) -> Cell:
        median, low, high = (permuted_entry(key)(name) for key in ("median", "least", "most"))
        return Cell(decimal_text(median), interval_text({"mean": median, "low": low, "high": high}))

    def judged_share(name: str) -> str:
        return share_of(given if of_labels(name) else 1.0)

    given = result["headline"]["coverage"]["mean"]
    samples = (
        [
            Column(
                "of",
                lambda name: given if of_labels(name) else 1.0,
                "Of samples",
                judged_share,
                help="share of samples it uses: label metrics use those given a class",
            )
        ]
        if given not in (None, 1)
        else []
    )
    columns = [
        computed_column("metric", lambda name: name, "Metric", _metric_with_meaning, numeric=False),
        Column(
            "mean", estimate_entry("mean"), "Estimate", estimate_cell, help="and its 95 % interval"
        ),
        *samples,
        Column("low", estimate_entry("low")),
        Column("high", estimate_entry("high")),
        computed_column(
            "chance",
            theory_value,
            "Chance",
            decimal_text,
            help="the best expected value of predictions that ignore the features. "
            "Predictions are tuned to the study's metric; on other metrics they may do worse",
        ),
        Column(
            "permuted_median",
            permuted_entry("median"),
            "Shuffled labels",
            permuted_cell,
            help="median of the permuted runs, with minimum and maximum",
        ),
        Column("permuted_least", permuted_entry("least")),
        Column("permuted_most", permuted_entry("most")),
    ]
    return build_table("headline", "Every metric of the procedure", columns, names)


def _metric_with_meaning(name: str) -> str:
    """A metric's name and what it is."""
    meaning = METRIC_WORDS.get(name, ("", ""))[1]
    return f"{metric_name(name)}: {meaning}" if meaning else metric_name(name)
