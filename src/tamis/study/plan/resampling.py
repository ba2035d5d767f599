"""Estimates beside the headline that a plan may ask for: by the bootstrap, and by fewer samples."""

from __future__ import annotations

from pydantic import Field

from .split import Strict


class BootstrapPlan(Strict):
    """The bootstrap .632+ estimate: so many bootstrap samples of the rows."""

    repeats: int = Field(default=50, ge=1, le=10_000, strict=True)
