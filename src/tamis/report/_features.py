"""The selected features: how often, how different between classes, and what could replace them."""

from __future__ import annotations

from typing import Any

from ._numbers import amount, decimal, params, percent, plural
from ._table import Cell, Column, build

MOST_CLASSES = 5  # more class means than this are downloaded, not shown


def features(result: dict[str, Any]) -> dict[str, Any]:
    """The features most often chosen, with their near-duplicates and class means."""
    classes = result["data"]["classes"]
    labels = {m["name"]: m["label"] for m in result["methods"]}
    columns = [
        Column("rank", lambda f: f["rank"], "#", lambda f: str(f["rank"])),
        Column("feature", lambda f: f["name"], "Feature", numeric=False),
        Column(
            "frequency", lambda f: f["frequency"], "Chosen",
            lambda f: Cell(percent(f["frequency"]), bar=f["frequency"]),
            help="share of the headline's outer folds that chose the feature",
        ),
        Column(
            "in_final", lambda f: bool(f["in_final"]), "Final",
            lambda f: "✓" if f["in_final"] else "", help="kept in the final model",
        ),
    ]  # fmt: skip
    for label in classes:

        def value(f: dict[str, Any], label: str = label) -> float | None:
            return (f["class_means"] or {}).get(label)

        def show(f: dict[str, Any], value: Any = value) -> str:
            return decimal(value(f), 2)

        columns.append(
            Column(f"mean {label}", value, label if len(classes) <= MOST_CLASSES else "",
                   show, help="mean in this class")
        )  # fmt: skip
    columns += [
        Column("missing", lambda f: f["missing"], "Missing", lambda f: percent(f["missing"], 1),
               help="share of samples without a value"),
        Column("group_size", lambda f: f["group_size"], "Near-duplicates", _near,
               help="features with an absolute correlation of at least 0.9: exchangeable"),
        Column("near_duplicates", _near_text),
        Column("by_method", _by_method_text, "Methods", lambda f: _by_method(f, labels),
               numeric=False, help="methods that chose it in at least half of their folds"),
    ]  # fmt: skip
    rows = [{**f, "rank": i + 1} for i, f in enumerate(result["features"])]
    final = result["final"]
    return {
        "table": build("features", "Selected features", columns, rows,
                       lambda f: bool(f["in_final"]), search=True),
        "n": amount(result["n_selected"]),
        "shown": amount(len(rows)),
        "total": amount(result["data"]["n_features"]),
        "chart": {"features": result["features"]},
        "final": final and {
            "names": final["features"],
            "size": plural(len(final["features"]), "feature"),
            "model": f"{labels.get(final['method'], final['method'])} with {final['classify']}",
            "params": params(final["params"]),
            "path": final["path"],
        },
    }  # fmt: skip


def _near(feature: dict[str, Any]) -> Cell:
    group, size = feature["group"] or [], feature["group_size"] or 0
    if not size:
        return Cell("")
    more = [(g["name"], decimal(g["r"], 2)) for g in group]
    rest = size - len(group)
    return Cell(amount(size), more=more, rest=f"and {amount(rest)} more" if rest > 0 else "")


def _near_text(feature: dict[str, Any]) -> str:
    return "; ".join(g["name"] for g in feature["group"] or [])


def _by_method(feature: dict[str, Any], labels: dict[str, str]) -> Cell:
    shares = feature["by_method"] or {}
    if not shares:
        return Cell("")
    more = [(labels.get(name, name), percent(share)) for name, share in shares.items()]
    half = sum((share or 0) >= 0.5 for share in shares.values())
    return Cell(f"{half} of {len(shares)}", more=more)


def _by_method_text(feature: dict[str, Any]) -> str:
    return "; ".join(f"{n} {decimal(s)}" for n, s in (feature["by_method"] or {}).items())
