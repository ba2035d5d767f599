"""Coefficients along a path of penalties."""

from __future__ import annotations

from collections.abc import Sequence

from .._core.errors import counted_noun
from . import _svg as svg
from ._axes import Frame, Scale, log_ticks, nice_ticks, tick_frame
from ._line_ends import end_names, line_look, room_for_names

CHART_HEIGHT, TOP_MARGIN = 330.0, 62.0  # two lines of words and the name of the axis stand above
# columns with a colour and a name: those of the largest coefficients at the end
MAX_NAMED_COLUMNS = 8


def coefficient_paths(
    lambdas: Sequence[float],
    classes: Sequence[object],
    coef: Sequence[Sequence[Sequence[float]]],
) -> list[str]:
    """Coefficients over lambda, which falls to the right: an SVG a row of coefficients.

    The columns of the largest coefficients at the least lambda are coloured and named. All charts
    have the same scales.

    Parameters
    ----------
    lambdas : sequence of float, all above 0
    classes : sequence
        Two have one row of coefficients, that of the second; more have one each.
    coef : sequence of shape (n_lambdas,) of sequences
        For each lambda the columns whose coefficients are not 0: column, and a number a row.

    Returns
    -------
    list of str
        ``<svg>`` elements.

    Examples
    --------
    >>> (svg,) = coefficient_paths([0.5, 0.1], ["no", "yes"], [[], [[3, 0.25]]])
    >>> "column 3: 0.25 at the end" in svg
    True
    """
    titles = classes[1:] if len(classes) == 2 else classes
    order = sorted(range(len(lambdas)), key=lambda at: -lambdas[at])
    rows: list[dict[int, list[float]]] = [{} for _ in titles]
    for place, at in enumerate(order):
        for column, *values in coef[at]:
            for lines, value in zip(rows, values, strict=True):
                lines.setdefault(int(column), [0.0] * len(order))[place] = value
    every = [value for lines in rows for path in lines.values() for value in path]
    heights = nice_ticks(min(every, default=0.0), max(every, default=1.0), 6)
    steps = [lambdas[at] for at in order]
    return [_row_chart(str(t), steps, r, heights) for t, r in zip(titles, rows, strict=True)]


def _row_chart(
    title: str,
    steps: Sequence[float],
    lines: dict[int, list[float]],
    heights: Sequence[float],
) -> str:
    """One row of coefficients; `steps`: the lambdas, falling."""
    order = sorted(lines, key=lambda column: (-abs(lines[column][-1]), column))
    named = [column for column in order[:MAX_NAMED_COLUMNS] if lines[column][-1] != 0]
    names = [f"column {column}" for column in named]
    frame = _falling_frame(steps, heights, room_for_names(names))
    places = {
        column: [(frame.x(step), frame.y(value)) for step, value in zip(steps, path, strict=True)]
        for column, path in lines.items()
    }
    rest = [column for column in order if column not in named]
    looks = dict(zip(named, map(line_look, range(len(named))), strict=True))
    grey: dict[str, object] = {"class_": "other", "stroke": "currentColor", "stroke_opacity": 0.22}
    words = {
        column: f"column {column}: {path[-1]:.3g} at the end" for column, path in lines.items()
    }
    parts = [
        frame.draw("λ (log scale)", "coefficient"),
        frame.across(0, class_="chance", stroke_opacity=0.5),
        *(
            svg.line_through(
                places[column],
                svg.tooltip_title(words[column]),
                stroke_width=1.6 if column in looks else 0.9,
                stroke_linejoin="round",
                **(looks.get(column) or grey),
            )
            for column in [*reversed(rest), *reversed(named)]
        ),
        end_names(
            names,
            [places[column][-1][1] for column in named],
            frame.x.stop,
            frame.y.stop,
            frame.bottom,
        ),
        svg.text_label(
            svg.fit_text(f"coefficients for {title}", svg.CHART_WIDTH - 4), 2, 14, class_="note"
        ),
        svg.text_label(_named_words(len(named), len(rest)), 2, 32, class_="note"),
    ]
    desc = "; ".join(words[column] for column in named) or "every coefficient is 0 at the end"
    return svg.chart_root(
        CHART_HEIGHT, f"Coefficients for {title}", desc, *parts, kind="coefficients"
    )


def _falling_frame(steps: Sequence[float], heights: Sequence[float], room: float) -> Frame:
    """The axes: the largest lambda at the left."""
    up = tick_frame([0.0, 1.0], heights, CHART_HEIGHT, left=46, top=TOP_MARGIN, foot=42).y
    across = Scale(steps[0], steps[-1], 46, svg.CHART_WIDTH - 10 - room, log=True)
    return Frame(across, up, log_ticks(steps[-1], steps[0])[::-1], heights)


def _named_words(named: int, rest: int) -> str:
    words = f"named: the {named} largest at the end" if named > 1 else ""
    grey = f"grey: {counted_noun(rest, 'other column')}" if rest else ""
    return "; ".join(filter(None, (words, grey)))
