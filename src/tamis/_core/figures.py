"""Figures of matplotlib without pyplot's state, which a notebook shows all the same."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

from .errors import require


def empty_figure(size: tuple[float, float], what: str) -> Any:
    """A figure of this size in inches, not registered with pyplot; `what` needs matplotlib.

    Raises
    ------
    MissingExtraError
        It is not installed.
    """
    require("matplotlib.figure", "plot", what)
    return _shown_figure()(figsize=size, layout="constrained")


@cache
def _shown_figure() -> Any:
    """A kind of figure that draws itself where it is the value of a cell."""
    from matplotlib.figure import Figure

    class ShownFigure(Figure):
        def _repr_png_(self) -> bytes:
            content = io.BytesIO()
            self.savefig(content, format="png", dpi=100)
            return content.getvalue()

    return ShownFigure
