"""Columns of the table of features for near-duplicates, or variants in linkage."""

from __future__ import annotations

from collections.abc import Sequence

from ..study.results.schema import FeatureEntry, Near
from ._numbers import count_text, decimal_text, percent_text
from ._table import Cell, Column

GROUPS_MEANING = (
    "features with an absolute correlation r of at least 0.9: exchangeable; with the share of "
    "outer folds that selected any of the group"
)
LINKAGE_MEANING = (
    "variants near by with an absolute correlation r of at least 0.9 (r² 0.81): exchangeable, in "
    "linkage disequilibrium; r, and r² in brackets, with the share of outer folds that selected any"
)


def group_columns(features: Sequence[FeatureEntry], linked: bool) -> list[Column]:
    """Who is alike, and how much."""
    title, help = ("In linkage", LINKAGE_MEANING) if linked else ("Near-duplicates", GROUPS_MEANING)
    if not any(f["group_size"] for f in features):
        title = ""  # downloaded alone
    return [
        Column(
            "group_size",
            lambda f: f["group_size"],
            title,
            lambda f: _near_cell(f, linked),
            help=help,
        ),
        Column("group_frequency", lambda f: f["group_frequency"]),
        Column("near_duplicates", _near_text),
    ]


def _near_cell(feature: FeatureEntry, linked: bool) -> Cell:
    group, size = feature["group"] or [], feature["group_size"] or 0
    if not size:
        return Cell("")
    more = [(g["name"], _correlation_text(g, linked)) for g in group]
    more.append(("selected, any of the group", percent_text(feature["group_frequency"])))
    rest = size - len(group)
    return Cell(
        count_text(size), more=more, rest=f"and {count_text(rest)} more" if rest > 0 else ""
    )


def _correlation_text(near: Near, linked: bool) -> str:
    square = f" ({decimal_text(near['r'] ** 2, 2)})" if linked else ""
    return decimal_text(near["r"], 2) + square


def _near_text(feature: FeatureEntry) -> str:
    return "; ".join(g["name"] for g in feature["group"] or [])
