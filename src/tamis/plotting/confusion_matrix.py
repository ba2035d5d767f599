"""Predicted by true class: where the samples of each class go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from typing_extensions import ReadOnly

from . import _svg as svg

ROW_HEIGHT, TOP_MARGIN, LEFT_MARGIN = 40.0, 52.0, 104.0
MAX_NAME_LENGTH = 15  # of a class beside its row


class MatrixCell(TypedDict):
    """A number of samples, its share of the true class, and that in per cent."""

    text: ReadOnly[str]
    share: ReadOnly[str]
    shade: ReadOnly[int]


class MatrixRow(TypedDict):
    """What was predicted, by true class."""

    label: ReadOnly[str]
    cells: ReadOnly[Sequence[MatrixCell]]


class ErrorMatrix(TypedDict):
    """Predicted by true class."""

    classes: ReadOnly[Sequence[str]]
    rows: ReadOnly[Sequence[MatrixRow]]


def confusion_matrix(data: ErrorMatrix) -> str:
    """Counts and shares of each true class, as SVG; the more of a class, the darker.

    Parameters
    ----------
    data : mapping
        ``classes`` (names of the columns, the true classes) and ``rows``: list of ``{"label",
        "cells"}``, what was predicted, with a ``{"text", "share", "shade"}`` for each class
        (``shade`` is the share in per cent).

    Examples
    --------
    >>> cells = [{"text": "9", "share": "90 %", "shade": 90}]
    >>> "90 %" in confusion_matrix({"classes": ["a"], "rows": [{"label": "a", "cells": cells}]})
    True
    """
    classes, rows = data["classes"], data["rows"]
    width = (svg.CHART_WIDTH - LEFT_MARGIN - 8) / max(len(classes), 1)
    letters = max(3, int(width / (svg.CHARACTER_WIDTH * svg.FONT_SIZE)))
    middle = [LEFT_MARGIN + (k + 0.5) * width for k in range(len(classes))]
    parts = [
        svg.text_label("True class", LEFT_MARGIN + len(classes) * width / 2, 16, "middle"),
        svg.text_label("Predicted", LEFT_MARGIN - 8, 38, "end"),
        *(
            svg.text_label(_cut_name(c, letters), x, 38, "middle")
            for c, x in zip(classes, middle, strict=True)
        ),
    ]
    for i, row in enumerate(rows):
        y = TOP_MARGIN + i * ROW_HEIGHT
        parts.append(
            svg.text_label(_cut_name(row["label"], MAX_NAME_LENGTH), LEFT_MARGIN - 8, y + 24, "end")
        )
        for k, cell in enumerate(row["cells"]):
            opacity = f"{0.05 + 0.5 * cell['shade'] / 100:.2f}"
            parts.append(
                svg.make_element(
                    "rect",
                    x=LEFT_MARGIN + k * width + 1,
                    y=y + 1,
                    width=width - 2,
                    height=ROW_HEIGHT - 2,
                    fill=svg.ACCENT_COLOUR,
                    fill_opacity=opacity,
                )
            )
            parts.append(
                svg.text_label(cell["text"], middle[k], y + 18, "middle", font_weight="bold")
            )
            parts.append(svg.text_label(cell["share"], middle[k], y + 32, "middle", font_size=10))
    said = "; ".join(
        f"predicted {row['label']}: "
        + ", ".join(f"{cell['text']} of {c}" for c, cell in zip(classes, row["cells"], strict=True))
        for row in rows
    )
    return svg.chart_root(
        TOP_MARGIN + len(rows) * ROW_HEIGHT + 8,
        "Predicted by true class",
        said,
        *parts,
        kind="confusion",
    )


def _cut_name(text: object, most: int) -> str:
    name = svg.clean_text(text)
    return name if len(name) <= most else f"{name[: most - 1]}…"
