"""The selected features: how often, how different between classes, and what could replace them."""

from __future__ import annotations

from typing import Any

from .._core.errors import shorten
from ..data.class_heading import class_heading
from ..plotting.distribution import LEVELS
from ._numbers import NONE, amount, decimal, p_text, params, percent, plural
from ._stability_selection import of_feature
from ._table import Cell, Column, build

FILTERS = {  # names with two classes, and with more where they differ
    "pearson": ("Pearson correlation", "Correlation ratio"),
    "welch_t": ("Welch's t", "Welch's F"),
    "moderated_t": ("Moderated t", "Moderated F"),
    "wilcoxon": ("Wilcoxon rank sum", "Kruskal-Wallis"),
    "fold_change": ("Difference of means", "Largest difference of means"),
    "mutual_information": ("Mutual information, nats", ""),
    "mtd": ("Mass transportation distance", ""),
}
LOGS = (
    "The difference of means is the log fold change where the table holds logarithms",
    "The difference of means is no log fold change here, for the values look like raw intensities",
)
OF_A_CATEGORY = "; of a category the share of the level that differs most between the classes"
LEVEL = 40  # characters of a level in a narrow column
MOST_CLASSES = 5  # more class means than this are downloaded, not shown


def features(result: dict[str, Any]) -> dict[str, Any]:
    """The features most often chosen, with their near-duplicates and class means."""
    classes, target = result["data"]["classes"], result["data"]["target"]
    labels = {m["name"]: m["label"] for m in result["methods"]}
    shares: list[Column] = []
    columns = [
        Column("rank", lambda f: f["rank"], "#", lambda f: str(f["rank"])),
        Column("feature", lambda f: f["name"], "Feature",
               lambda f: Cell(f["name"], href=f"#feature-{f['rank']}" if _detailed(f) else ""),
               numeric=False),
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
    categorical = any(_shares(f) for f in result["features"])
    for label in classes:

        def mean(f: dict[str, Any], label: str = label) -> float | None:
            return None if _shares(f) else (f["class_means"] or {}).get(label)

        def share(f: dict[str, Any], label: str = label) -> float | None:
            return _shares(f).get(label, {}).get(_level(f))

        def show(f: dict[str, Any], mean: Any = mean, share: Any = share) -> Cell:
            if _shares(f):
                return Cell(percent(share(f)), shorten(_level(f), LEVEL))
            return Cell(decimal(mean(f), 2))

        heading = class_heading(target, label)
        columns.append(
            Column(f"mean {label}", mean, heading if len(classes) <= MOST_CLASSES else "", show,
                   help="mean in this class" + (OF_A_CATEGORY if categorical else ""))
        )  # fmt: skip
        shares.append(Column(f"share {label}", share))
    if categorical:
        columns += [Column("level", lambda f: _level(f) or None), *shares]
    columns += [
        Column("missing", lambda f: f["missing"], "Missing", lambda f: percent(f["missing"], 1),
               help="share of samples without a value"),
        Column("group_size", lambda f: f["group_size"], "Near-duplicates", _near,
               help="features with an absolute correlation of at least 0.9: exchangeable"),
        Column("near_duplicates", _near_text),
        Column("by_method", _by_method_text, "Methods", lambda f: _by_method(f, labels),
               numeric=False, help="methods that chose it in at least half of their folds"),
    ]  # fmt: skip
    for name in dict.fromkeys(name for f in result["features"] for name in f.get("scores") or {}):
        for key, of in ((name, "score"), (f"{name}_p", "p_value"), (f"{name}_rank", "rank")):

            def scored(f: dict[str, Any], name: str = name, of: str = of) -> float | None:
                return ((f.get("scores") or {}).get(name) or {}).get(of)

            columns.append(Column(key, scored))
    for name in dict.fromkeys(
        name for f in result["features"] for name in f.get("selection_probability") or {}
    ):

        def probability(f: dict[str, Any], name: str = name) -> float | None:
            return (f.get("selection_probability") or {}).get(name)

        columns.append(Column(f"selection probability ({name})", probability))
    unlogged = any(one["code"] == "unlogged" for one in result["warnings"])
    rows = [{**f, "rank": i + 1} for i, f in enumerate(result["features"])]
    final = result["final"]
    return {
        "table": build("features", "Selected features", columns, rows,
                       lambda f: bool(f["in_final"]), search=True),
        "n": amount(result["n_selected"]),
        "shown": amount(len(rows)),
        "total": amount(result["data"]["n_features"]),
        "chart": {"features": result["features"]},
        "each": [{**_detail(f, result["data"]), "stable": of_feature(f, result)} for f in rows],
        "detailed": any(map(_detailed, rows)),
        "ranked": amount(result["data"]["n_features"] - len(result["data"]["covariates"])),
        "positive": class_heading(target, classes[-1]) if len(classes) == 2 else "",
        "logs": LOGS[unlogged],
        "final": final and {
            "names": final["features"],
            "size": plural(len(final["features"]), "feature"),
            "model": f"{labels.get(final['method'], final['method'])} with {final['classify']}",
            "params": params(final["params"]),
            "path": final["path"],
        },
    }  # fmt: skip


def _shares(feature: dict[str, Any]) -> dict[str, dict[str, float | None]]:
    """Class -> level -> share of a categorical feature; nothing of a numeric one."""
    if feature.get("kind") == "categorical":  # in older results the distribution alone has them
        return feature.get("class_shares") or feature.get("distribution") or {}
    return feature.get("class_shares") or {}


def _level(feature: dict[str, Any]) -> str:
    """The level whose shares in the classes differ most, the first of several."""
    shares = list(_shares(feature).values())

    def apart(level: str) -> float:
        told = [v for v in (one.get(level) for one in shares) if v is not None]
        return max(told, default=0.0) - min(told, default=0.0)

    return max(shares[0], key=apart, default="") if shares else ""


def _detailed(feature: dict[str, Any]) -> bool:
    """Whether the result says more of the feature than a table holds; older ones do not."""
    return bool(feature.get("distribution") or feature.get("scores"))


def _detail(feature: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    """One feature by itself: its chart's data and its scores."""
    several = len(data["classes"]) > 2
    scores = [
        {"filter": FILTERS.get(name, (name, ""))[several] or FILTERS.get(name, (name, ""))[0],
         "score": _significant(s["score"]), "p": _small(s["p_value"]), "rank": amount(s["rank"])}
        for name, s in (feature.get("scores") or {}).items()
    ]  # fmt: skip
    return {
        "id": f"feature-{feature['rank']}", "rank": feature["rank"], "name": feature["name"],
        "chosen": f"chosen in {percent(feature['frequency'])} of the folds",
        "chart": _chart(feature, data), "scores": scores, "levels": _levels(feature, data),
    }  # fmt: skip


def _levels(feature: dict[str, Any], data: dict[str, Any]) -> dict[str, Any] | None:
    """Every level's share in every class, where the chart has no room for all."""
    shares = _shares(feature)
    levels = list(dict.fromkeys(level for one in shares.values() for level in one))
    if len(levels) <= LEVELS:
        return None
    return {
        "classes": [class_heading(data["target"], label) for label in shares],
        "rows": [(v, [percent(one.get(v)) for one in shares.values()]) for v in levels],
    }


def _chart(feature: dict[str, Any], data: dict[str, Any]) -> dict[str, Any] | None:
    given = feature.get("distribution")
    if not given:
        return None
    classes = []
    for label, one in given.items():
        missing = (feature.get("missing_counts") or {}).get(label) or 0
        shape = {"shares": one} if feature.get("kind") == "categorical" else one
        n = max((data["counts"].get(label) or 0) - missing, 0)
        heading = class_heading(data["target"], label)
        classes.append({"label": heading, "missing": missing, "n": n, **shape})
    return {"name": feature["name"], "classes": classes}


def _significant(value: float | None) -> str:
    """Four significant digits, whatever the filter's unit."""
    return NONE if value is None else f"{value:.4g}".replace("-", "−")


def _small(p: float | None) -> str:
    """A p-value that may be very small: here it orders features and is no verdict."""
    if p is None or p >= 1e-4:
        return p_text(p)
    return f"{p:.1e}".replace("-", "−") if p > 0 else "< 1e−300"


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
