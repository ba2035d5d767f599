"""Platforms and samples, as files of GEO hold them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

Attributes = dict[str, list[str]]


@dataclass(frozen=True)
class Platform:
    """A type of array.

    Attributes
    ----------
    name : str
        As ``GPL96``.
    attributes : dict of str to list of str
        As ``title``, ``organism``: without ``!Platform_``. A key may have several values.
    columns : dict of str to list of str
        Its table: a text for each probe, by the name of the column (``ID``, ``Gene Symbol``, ...).
    """

    name: str
    attributes: Attributes = field(default_factory=dict)
    columns: dict[str, list[str]] = field(default_factory=dict)

    def frame(self) -> pd.DataFrame:
        """The table of the platform, all of it text."""
        import pandas as pd

        return pd.DataFrame(self.columns, dtype=str)


@dataclass(frozen=True)
class Sample:
    """An array that was measured.

    Attributes
    ----------
    name : str
        As ``GSM1000``.
    attributes : dict of str to list of str
        As ``title``, ``platform_id``, ``characteristics_ch1``: without ``!Sample_``.
    probes : list of str, or None
        ID_REF of its values; None if they are those of the platform's first sample with a table.
    values : ndarray of float64, or None
        The column VALUE, NaN where it is empty. None if the sample has no table.
    """

    name: str
    attributes: Attributes = field(default_factory=dict)
    probes: list[str] | None = None
    values: np.ndarray | None = None

    @property
    def platform(self) -> str:
        """Name of its platform; empty if the file does not say it."""
        return self.attributes.get("platform_id", [""])[0]
