"""The best features of a vote, at the rank that each member gives them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from . import _svg as svg
from ._axes import Frame, Scale, log_ticks
from ._class_marks import class_legend, class_mark

TOP_MARGIN, ROW_HEIGHT, FOOT_MARGIN = 14.0, 22.0, 42.0
NAME_WIDTH = 112.0  # room for the names at the left
# over which marks of one row are spread, so that equal ranks can be distinguished
JITTER_HEIGHT = 12.0


class RankedFeature(TypedDict):
    name: str
    ranks: list[float]


def member_ranks(features: Sequence[RankedFeature], members: Sequence[str], top: int) -> str:
    """A row a feature, the best on top, and a mark a member at its rank, as SVG.

    Parameters
    ----------
    features : sequence of mappings
        ``name``, ``ranks`` (one a member); see `VotingRanking.to_dict`.
    members : sequence of str
    top : int
        How many features each member votes for; a dashed line.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> features = [{"name": "a", "ranks": [1.0, 3.0]}]
    >>> "a: pearson 1, hsic 3" in member_ranks(features, ["pearson", "hsic"], 5)
    True
    """
    last = max([2.0, float(top), *(rank for one in features for rank in one["ranks"])])
    bottom = TOP_MARGIN + ROW_HEIGHT * max(len(features), 1)
    across = Scale(1, last, NAME_WIDTH + 8, svg.CHART_WIDTH - 14, log=True)
    frame = Frame(across, Scale(0, 1, bottom, TOP_MARGIN), log_ticks(1, last), [])
    parts = [
        frame.draw("rank given by each member (log scale)"),
        frame.down(top, class_="chance", stroke_dasharray="5 4"),
        *(
            _feature_row(one, members, TOP_MARGIN + ROW_HEIGHT * at, frame)
            for at, one in enumerate(features)
        ),
    ]
    legend, more = class_legend(members, False, bottom + FOOT_MARGIN, "member", len(members))
    height = bottom + FOOT_MARGIN + more + 18
    parts += [
        legend,
        svg.straight_line(8, height - 10, 23, height - 10, class_="chance", stroke_dasharray="5 4"),
        svg.text_label(f"each votes for its first {top:,}", 27, height - 6, class_="note"),
    ]
    desc = "; ".join(_rank_words(one, members) for one in features) or "no feature"
    return svg.chart_root(height, "Ranks by member", desc, *parts, kind="members")


def _rank_words(one: RankedFeature, members: Sequence[str]) -> str:
    ranks = zip(members, one["ranks"], strict=True)
    return f"{one['name']}: {', '.join(f'{name} {rank:g}' for name, rank in ranks)}"


def _feature_row(one: RankedFeature, members: Sequence[str], y: float, frame: Frame) -> svg.Svg:
    middle, step = y + ROW_HEIGHT / 2, JITTER_HEIGHT / max(len(members) - 1, 1)
    ends = frame.x(min(one["ranks"])), frame.x(max(one["ranks"]))
    marks = [
        class_mark(k, frame.x(rank), middle + step * (k - (len(members) - 1) / 2))
        for k, rank in enumerate(one["ranks"])
    ]
    return svg.tooltip_group(
        _rank_words(one, members),
        svg.text_label(
            svg.fit_text(one["name"], NAME_WIDTH), NAME_WIDTH, middle + 4, "end", class_="name"
        ),
        svg.straight_line(ends[0], middle, ends[1], middle, class_="grid", stroke_opacity=0.3),
        *marks,
    )
