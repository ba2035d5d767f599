"""The first screen: the numbers to quote, what chance gives, and one honest sentence."""

from __future__ import annotations

from statistics import median
from typing import Any

from ._numbers import amount, decimal, interval, mean_of, p_text, percent, plural
from ._table import Column, build
from ._words import METRICS, metric_name, theory


def headline(result: dict[str, Any]) -> dict[str, Any]:
    """Cards (the tuned metric first), sentences and the table behind them."""
    first = result["protocol"]["metric"]
    names = sorted(result["metrics"], key=lambda name: name != first)
    return {
        "cards": [_card(result, name) for name in names],
        "sentences": sentences(result),
        "table": _table(result, names),
        "columns": min((5, 4, 3), key=lambda c: (-len(names) % c, -c)),  # fewest empty places
    }


def chance_of(result: dict[str, Any], name: str) -> tuple[float | None, str]:
    """(value, where it comes from) of a metric without information."""
    permuted = mean_of(result["chance"].get(name))
    if permuted is not None:
        return permuted, "permuted"
    data = result["data"]
    return theory(name, len(data["classes"]), list(data["counts"].values())), "in theory"


def _card(result: dict[str, Any], name: str) -> dict[str, Any]:
    estimate = result["metrics"][name] or {}
    value, source = chance_of(result, name)
    permutation = result["permutation"]
    permuted = result["chance"].get(name) if source == "permuted" else None
    p_value = permutation["p_value"] if permutation.get("metric") == name else None
    return {
        "name": metric_name(name),
        "help": METRICS.get(name, ("", ""))[1],
        "value": decimal(estimate.get("mean"), 2),
        "undefined": estimate.get("mean") is None,
        "interval": interval(estimate, 2),
        "chance": "" if value is None else decimal(value, 2),
        "source": "" if value is None else source,
        "chance_interval": interval(permuted, 2),
        "p": "" if p_value is None else p_text(p_value),
        "first": name == result["protocol"]["metric"],
    }


def sentences(result: dict[str, Any]) -> list[str]:
    """Plain words for whoever reads nothing else."""
    said = [_performance(result), _permutations(result), _stability(result)]
    return [sentence for sentence in said if sentence]


def _performance(result: dict[str, Any]) -> str:
    tuned = result["protocol"]["metric"]
    for name in ("bcr", "accuracy", tuned):
        estimate = result["metrics"].get(name) or {}
        if estimate.get("mean") is None:
            continue
        chance, _ = chance_of(result, name)
        if name in ("bcr", "accuracy"):
            text = "For a new sample, the procedure is expected to be right "
            text += f"{percent(estimate['mean'])} of the time"
            text += ", averaged over the classes" if name == "bcr" else ""
            if interval(estimate):
                low, high = 100 * estimate["low"], 100 * estimate["high"]
                text += f" (95\u00a0% interval {decimal(low, 0)} to {decimal(high, 0)})"
            return text + (f"; chance is {percent(chance)}." if chance is not None else ".")
        text = f"{metric_name(name)} of the procedure: {decimal(estimate['mean'])}"
        text += f" ({interval(estimate)})" if interval(estimate) else ""
        return text + (f"; chance is {decimal(chance)}." if chance is not None else ".")
    return "The performance is undefined: see the warnings."


def _permutations(result: dict[str, Any]) -> str:
    permutation = result["permutation"]
    p, n = permutation["p_value"], permutation["n"]
    if p is None:
        return "No permutation test was run, so chance is not measured on these data."
    as_good = round(p * (n + 1)) - 1  # p = (1 + as_good) / (1 + n)
    said = "None" if as_good == 0 else amount(as_good)
    text = f"{said} of {plural(n, 'run')} with permuted labels did as well (p = {p_text(p)})"
    if p <= 0.05:
        return f"{text}."
    if 1 / (n + 1) > 0.05:
        return f"{text}: too few runs for a test at 5\u00a0%."
    return f"{text}: this is not told from chance."


def _stability(result: dict[str, Any]) -> str:
    """How many features would be chosen again; only the range where sizes vary much."""
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
    def of(part: str, key: str):
        return lambda name: (result[part].get(name) or {}).get(key)

    columns = [Column("metric", lambda name: name)]
    columns += [Column(key, of("metrics", key)) for key in ("mean", "low", "high")]
    columns += [Column(f"chance_{key}", of("chance", key)) for key in ("mean", "low", "high")]
    return build("headline", "Headline", columns, names)
