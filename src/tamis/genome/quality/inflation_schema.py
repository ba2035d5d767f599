"""p-values against uniform ones, as results hold them."""

from __future__ import annotations

from typing import Any, TypedDict


class Quantiles(TypedDict):
    """p-values against those of as many that are uniform: -log10 of both, the smallest p first."""

    tested: int
    points: list[list[Any]]  # expected, observed, name ("" but of the smallest)
