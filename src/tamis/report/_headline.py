"""The first screen: warnings, what was chosen, how well it works, and one honest sentence."""

from __future__ import annotations

from statistics import median
from typing import Any

from ..study.results.first_screen import against_chance, chance_of, chosen, how_stable, leading
from ._numbers import amount, decimal, interval, percent, plural
from ._table import Cell, Column, build
from ._words import METRICS, metric_name

NOT_SHOWN = "not-above-chance"


def headline(result: dict[str, Any]) -> dict[str, Any]:
    """Three cards, sentences, the lines of the first screen, and the table of all metrics."""
    first = result["protocol"]["metric"]
    names = sorted(result["metrics"], key=lambda name: name != first)
    lines = [
        ("Chosen", chosen(result)), ("Chance", against_chance(result)),
        ("Stability", how_stable(result)),
    ]  # fmt: skip
    return {
        "cards": [_card(*one) for one in leading(result)],
        "sentences": sentences(result),
        "lines": [(name, text) for name, text in lines if text],
        "estimated": _estimated(result),
        "table": _table(result, names),
    }


def _card(name: str, estimate: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": name[:1].upper() + name[1:],
        "value": decimal(estimate.get("mean"), 2),
        "undefined": estimate.get("mean") is None,
        "interval": interval(estimate, 2),
        "note": estimate.get("note") or "",
    }


def _estimated(result: dict[str, Any]) -> str:
    """What the intervals are of."""
    n, folds = result["data"]["n_samples"], result["headline"]["folds"]
    split = result["plan"]["outer"]
    share = 1 - 1 / split["folds"] if split["kind"] == "k-fold" and folds else None
    size = f" (about {round(share * n)} of the {n} samples)" if share else ""
    return (
        "Intervals (95\u00a0%) are of the expected score of this procedure on new samples, when "
        f"it learns from as many as an outer training part has{size}; a model of more samples "
        "is as a rule a little better."
    )


def sentences(result: dict[str, Any]) -> list[str]:
    """Plain words for whoever reads nothing else."""
    said = [_performance(result), _stability(result)]
    return [sentence for sentence in said if sentence]


def _performance(result: dict[str, Any]) -> str:
    tuned = result["protocol"]["metric"]
    shown = NOT_SHOWN not in {w["code"] for w in result["warnings"]}
    for name in ("bcr", "accuracy", tuned):
        estimate = result["metrics"].get(name) or {}
        if estimate.get("mean") is None:
            continue
        chance, _ = chance_of(result, name)
        rate = name in ("bcr", "accuracy")

        def say(value: float | None, rate: bool = rate) -> str:
            return percent(value) if rate else decimal(value)

        limits = ""
        if interval(estimate):
            limits = f" (95\u00a0% interval {say(estimate['low'])} to {say(estimate['high'])})"
        beside = "" if chance is None else f"; chance is {say(chance)}"
        if not shown:
            what = "the balanced rate" if name == "bcr" else metric_name(name).lower()
            return (
                "These data do not show that the class can be predicted: "
                f"{what} of the procedure is {say(estimate['mean'])}{limits}{beside}."
            )
        if rate and estimate["mean"] == 1.0:
            return f"Every sample held out was predicted right{limits}{beside}."
        if rate:
            text = (
                f"For a new sample, the procedure is expected to be right {say(estimate['mean'])}"
            )
            text += " of the time" + (", averaged over the classes" if name == "bcr" else "")
            return f"{text}{limits}{beside}."
        return f"{metric_name(name)} of the procedure: {say(estimate['mean'])}{limits}{beside}."
    return "The performance is undefined: see the warnings."


def _stability(result: dict[str, Any]) -> str:
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
            f"Training parts chose from {amount(min(sizes))} to {amount(max(sizes))} features "
            f"(median {amount(median(sizes))}); {plural(stability['common'], 'feature')} "
            f"{'was' if stability['common'] == 1 else 'were'} chosen in at least half of them."
        )
    jaccard, size = stability.get("jaccard"), stability.get("mean_size")
    if jaccard is None or not size:
        return ""
    if size > result["data"]["n_features"] / 2:
        return "Most features were kept, so there is little to say about the choice of them."
    shared = 2 * jaccard / (1 + jaccard) * size  # two sets of one size k: J = s / (2k - s)
    return (
        f"Of about {decimal(size, 0)} features chosen on one training part, another gave about "
        f"{decimal(shared, 0)} of the same; training parts share samples, so a new set of "
        "samples would give fewer."
    )


def _table(result: dict[str, Any], names: list[str]) -> dict[str, Any]:
    def of(key: str):
        return lambda name: (result["metrics"].get(name) or {}).get(key)

    def permuted(key: str):
        return lambda name: ((result["chance"].get(name) or {}).get("permuted") or {}).get(key)

    def theory(name: str) -> float | None:
        return (result["chance"].get(name) or {}).get("theory")

    def shown(name: str) -> Cell:
        estimate = result["metrics"].get(name) or {}
        return Cell(decimal(of("mean")(name)), interval(estimate) or estimate.get("note") or "")

    def runs(name: str) -> Cell:
        ends = {"low": permuted("least")(name), "high": permuted("most")(name)}
        return Cell(decimal(permuted("median")(name)), interval(ends))

    columns = [
        Column("metric", lambda name: name, "Metric", lambda name: _named(name), numeric=False),
        Column("mean", of("mean"), "Estimate", shown, help="and its 95 % interval"),
        Column("low", of("low")),
        Column("high", of("high")),
        Column("chance", theory, "Chance", lambda name: decimal(theory(name)),
               help="in theory, for predictions that know nothing of the class"),
        Column("permuted_median", permuted("median"), "Permuted labels", runs,
               help="median of the permuted runs, from the least to the most"),
        Column("permuted_least", permuted("least")),
        Column("permuted_most", permuted("most")),
    ]  # fmt: skip
    return build("headline", "Every metric of the procedure", columns, names)


def _named(name: str) -> str:
    """A metric's name and what it is."""
    meaning = METRICS.get(name, ("", ""))[1]
    return f"{metric_name(name)}: {meaning}" if meaning else metric_name(name)
