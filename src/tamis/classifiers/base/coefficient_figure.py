"""Coefficients along a path of penalties for people at a prompt (matplotlib)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..._core.errors import shorten
from ..._core.figures import empty_figure

NAMED = 8  # columns with a colour and a name: those of the largest coefficients at the end


def coefficient_figure(data: Mapping[str, Any], what: str) -> Any:
    """One panel a row of coefficients, lambda falling to the right; not registered with pyplot.

    Parameters
    ----------
    data : mapping
        ``lambdas``, ``classes``, ``intercept`` (for each lambda one a row of coefficients) and
        ``coef`` (for each lambda the columns that are not 0, each with a value a row).
    what : str
        That needs matplotlib.
    """
    n_rows = len(data["intercept"][0])
    titles = data["classes"][1:] if n_rows == 1 else data["classes"]
    canvas = empty_figure((max(6.4, 3.6 * n_rows), 4.2), what)
    panels = canvas.subplots(1, n_rows, sharey=True, squeeze=False)[0]
    for row, (axes, title) in enumerate(zip(panels, titles, strict=True)):
        lines: dict[int, list[float]] = {}
        for at, entries in enumerate(data["coef"]):
            for column, *values in entries:
                lines.setdefault(column, [0.0] * len(data["coef"]))[at] = values[row]
        last = sorted(lines, key=lambda column: (-abs(lines[column][-1]), column))
        for place, column in reversed(list(enumerate(last))):
            named = place < NAMED and lines[column][-1] != 0
            style = {"label": f"column {column}"} if named else {}
            colour = f"C{place}" if named else "0.8"
            axes.plot(data["lambdas"], lines[column], color=colour, linewidth=1.2, **style)
        axes.set_title(shorten(str(title), 40).replace("$", r"\$"), fontsize="small")
        axes.set_xscale("log")
        axes.invert_xaxis()
        axes.set_xlabel("λ")
        if axes.get_legend_handles_labels()[0]:
            handles, labels = axes.get_legend_handles_labels()
            axes.legend(handles[::-1], labels[::-1], frameon=False, fontsize="x-small")
    panels[0].set_ylabel("coefficient")
    return canvas
