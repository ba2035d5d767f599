"""The first features of the signature, and how many people of each class were found."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .._core.errors import shorten_text
from ..data.class_heading import class_heading
from ..study.results.schema import FeatureEntry, StudyContent
from ._features import MAX_LEVEL_LENGTH, has_detail, level_shares, most_different_level
from ._numbers import decimal_text, magnitude_text, percent_text, plural_text
from ._page import FoundView, TopView
from ._table import Cell

CLASS_NOTE = (
    "Difference of means, in the units of the table, on the samples used to select these features: "
    "on new samples expect less."
)
NUMBER_NOTE = (
    "Pearson's correlation on the samples used to select these features: on new samples expect "
    "less."
)
MAX_SHOWN_FEATURES = 10  # features
MAX_COUNTED_CLASSES = 12  # of which people are counted
MAX_HEAD_LENGTH = 20  # characters of the number's name at the head of a column
MAX_NAME_LENGTH = 60  # characters of a name in a narrow column


def found_by_class(
    table: Sequence[Sequence[float]],
    declined: Sequence[float],
    names: Sequence[str],
    lows: Sequence[float | None],
) -> list[FoundView]:
    """Of each class, how many samples were found, as they were, and how many of 100 new ones at the
    least: the lower limit of the recall. Counts are rows predicted, columns true, and may be means
    over repeats."""
    found: list[FoundView] = []
    for k, (name, low) in enumerate(zip(names[:MAX_COUNTED_CLASSES], lows, strict=False)):
        abstained = round(declined[k] or 0)
        decided = sum(row[k] or 0 for row in table)
        if not decided and not abstained:  # a cohort need not hold every class
            continue
        of = f"{round(table[k][k] or 0):,} of {round(decided):,}"
        least = "" if low is None else f"expect at least {math.floor(100 * low)} of 100"
        if abstained:
            least = "; ".join(filter(None, [f"{abstained:,} without a class", least]))
        found.append({"count": of, "label": name, "least": least})
    return found


def top_features(result: StudyContent) -> TopView | None:
    """The first of the final model, or those selected most often."""
    rank = {one["name"]: k for k, one in enumerate(result["features"], 1)}
    final = result["final"]["features"] if result["final"] else []
    names = [name for name in final if name in rank] or list(rank)
    if not names:
        return None
    of = {one["name"]: one for one in result["features"]}
    rows = [_top_feature(of[name], rank[name], result) for name in names[:MAX_SHOWN_FEATURES]]
    total = len(final) or len(names)
    more = total - len(rows)
    return {
        "rows": rows,
        "several": len(result["data"]["classes"]) > 2,
        "heads": _middle_heads(result),
        "note": NUMBER_NOTE if not result["data"]["classes"] else CLASS_NOTE,
        "more": f"and {plural_text(more, 'more feature')}" if more else "",
        "parts": plural_text(len(result["headline"]["folds"]), "training set"),
    }


def _middle_heads(result: StudyContent) -> tuple[str, str]:
    """Of the columns about what a feature does."""
    if not result["data"]["classes"]:
        return shorten_text(result["data"]["target"], MAX_HEAD_LENGTH), "Correlation"
    return ("Highest in" if len(result["data"]["classes"]) > 2 else "Higher in"), "Difference"


def _top_feature(feature: FeatureEntry, rank: int, result: StudyContent) -> list[Cell]:
    where, effect = _direction(feature, result)
    href = f"#feature-{rank}" if has_detail(feature) else ""
    share = Cell(percent_text(feature["frequency"]), bar=feature["frequency"])
    return [
        Cell(shorten_text(feature["name"], MAX_NAME_LENGTH), href=href),
        Cell(where),
        Cell(effect),
        share,
    ]


def _direction(feature: FeatureEntry, result: StudyContent) -> tuple[str, str]:
    """The class with the highest mean, and by how much: of two classes the difference of means,
    of more that to the mean of the others. Of categories the level whose shares differ most."""
    target = result["data"]["target"]
    if not result["data"]["classes"]:
        found = feature.get("relation")
        r = None if found is None else found["pearson"]
        if r is None:
            return "", ""
        return "rises" if r > 0 else "falls", decimal_text(r, 2)
    level = most_different_level(feature)
    shares = {label: one.get(level) for label, one in level_shares(feature).items()}
    known = {k: v for k, v in (shares or feature["class_means"] or {}).items() if v is not None}
    if len(known) < 2:
        return "", ""
    best = max(known, key=lambda label: known[label])
    others = [value for label, value in known.items() if label != best]
    gap = known[best] - sum(others) / len(others)
    heading = class_heading(target, best)
    if shares:
        return f"{heading}: {shorten_text(level, MAX_LEVEL_LENGTH)}", f"+{percent_text(gap)}"
    return heading, f"+{magnitude_text(gap)}"
