"""ROC, precision-recall and calibration curves of several methods in one chart each.

The headline procedure is drawn bold and last; the methods are thin lines behind it that a
page can bring forward through their class ``s<number>``.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import _svg as svg
from ._axes import UNIT_HEIGHT, Frame, Series, defined_values, unit_frame

CHANCE_STYLE: dict[str, object] = {
    "class_": "chance",
    "stroke_dasharray": "4 4",
    "stroke_opacity": 0.6,
}


def roc_curve(data: Sequence[Series]) -> str:
    """Receiver operating characteristic, as SVG.

    Parameters
    ----------
    data : sequence of mappings
        ``label``, ``points`` (list of [false positive rate, true positive rate]),
        ``headline`` (bool) and, for the tooltip, ``note``.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> svg = roc_curve([{"label": "all", "points": [[0, 0], [0, 1], [1, 1]], "headline": True}])
    >>> svg.startswith("<svg") and "ROC" in svg
    True
    """
    frame = unit_frame()
    chance = _chance_diagonal(frame, "chance: an uninformative score")
    return draw_curves(
        data, frame, chance, "ROC curve", "False positive rate", "True positive rate", "roc"
    )


def pr_curve(data: Sequence[Series], prevalence: float | None = None) -> str:
    """Precision against recall, as SVG.

    Parameters
    ----------
    data : sequence of mappings
        As for `roc_curve`, with points [recall, precision].
    prevalence : float, optional
        Share of positives: the precision of a score that knows nothing.

    Examples
    --------
    >>> "Recall" in pr_curve([{"label": "all", "points": [[0, 1], [1, 0.5]]}], prevalence=0.5)
    True
    """
    frame = unit_frame()
    chance = svg.Svg()
    if prevalence is not None:
        words = f"chance: precision {prevalence:.2f}"
        chance = svg.tooltip_group(words, frame.across(prevalence, **CHANCE_STYLE))
    return draw_curves(data, frame, chance, "Precision-recall curve", "Recall", "Precision", "pr")


def calibration_curve(data: Sequence[Series]) -> str:
    """Observed share against predicted probability, as SVG.

    Parameters
    ----------
    data : sequence of mappings
        ``label``, ``headline`` and ``points``: list of ``{"mean_predicted", "observed",
        "n", "low", "high"}``; the headline's points carry their 95 % intervals.

    Examples
    --------
    >>> point = {"mean_predicted": 0.2, "observed": 0.3, "n": 9, "low": 0.1, "high": 0.6}
    >>> "Calibration" in calibration_curve([{"label": "all", "points": [point]}])
    True
    """
    frame = unit_frame()
    series, marks = [], []
    for one in data:
        bins = [
            b
            for b in one.get("points") or []
            if b.get("mean_predicted") is not None and b.get("observed") is not None
        ]
        points = [[b["mean_predicted"], b["observed"]] for b in bins]
        series.append({**one, "points": points})
        if one.get("headline"):
            marks = [_calibration_bin(b, frame) for b in bins]
    perfect = _chance_diagonal(frame, "perfectly calibrated: observed equals predicted")
    return draw_curves(
        series,
        frame,
        perfect,
        "Calibration curve",
        "Predicted probability",
        "Observed share",
        "calibration",
        svg.join_elements(marks),
    )


def _calibration_bin(b: Series, frame: Frame) -> svg.Svg:
    x, y = frame.x(b["mean_predicted"]), frame.y(b["observed"])
    words = f"predicted {b['mean_predicted']:.2f}, observed {b['observed']:.2f}"
    if b.get("n") is not None:
        words += f", {b['n']:g} predictions"
    parts = []
    if len(defined_values([b.get("low"), b.get("high")])) == 2:
        low, high = frame.y(b["low"]), frame.y(b["high"])
        parts.append(
            svg.straight_line(
                x, low, x, high, class_="head", stroke=svg.ACCENT_COLOUR, stroke_width=1.2
            )
        )
    parts.append(svg.circle_at(x, y, 3.6, class_="headdot", fill=svg.ACCENT_COLOUR))
    return svg.tooltip_group(words, *parts)


def _chance_diagonal(frame: Frame, words: str) -> svg.Svg:
    line = svg.straight_line(frame.x(0), frame.y(0), frame.x(1), frame.y(1), **CHANCE_STYLE)
    return svg.tooltip_group(words, line)


def draw_curves(
    data: Sequence[Series],
    frame: Frame,
    behind: svg.Svg,
    title: str,
    x_label: str,
    y_label: str,
    kind: str,
    marks: str = svg.Svg(),
) -> svg.Svg:
    """The frame, the thin curves, then the headline on top."""
    thin: list[svg.Svg] = []
    bold: list[svg.Svg] = []
    words, number = [], 0
    for one in data:
        points = [
            (frame.x(x), frame.y(y))
            for x, y in one.get("points") or []
            if x is not None and y is not None
        ]
        label = f"{one['label']}{': ' + one['note'] if one.get('note') else ''}"
        if one.get("headline"):
            words.append(label)
            look: dict[str, object] = {"stroke_linejoin": "round", "class_": "head"}
            look |= {"stroke": svg.ACCENT_COLOUR, "stroke_width": 2.6}
        else:
            look = {"class_": f"thin s{number}", "stroke": svg.series_colour(number)}
            look |= {"stroke_dasharray": svg.series_dashes(number) or "none", "stroke_width": 1.3}
            number += 1
        if points:
            lines = bold if one.get("headline") else thin
            lines.append(svg.line_through(points, svg.tooltip_title(label), **look))
    desc = "; ".join(words) or f"{len(thin)} methods"
    axes = frame.draw(x_label, y_label)
    return svg.chart_root(UNIT_HEIGHT, title, desc, axes, behind, *thin, *bold, marks, kind=kind)
