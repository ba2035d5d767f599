"""What a look at a table finds."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .._core.first_screen import FirstScreen
from .._core.pages import report_function
from ..data.dataset import Dataset
from .column_kinds import COLUMN_KINDS, kinds_of
from .columns import ColumnFacts, Walked
from .near_copies import CopySet
from .schema import ComponentsSeen, LookContent
from .words import look_lines

if TYPE_CHECKING:
    import pandas as pd

    from ..plotting.picture import Picture


@dataclass(frozen=True, repr=False)
class TableLook(FirstScreen):
    """A look at a table: what `look_at` finds.

    Attributes
    ----------
    content : dict
        What ``look.json`` holds (docs/look.md).
    data : Dataset
    facts : ColumnFacts
    walked : Walked
    quantiles : ndarray of shape (n_samples, 5)
        At 5, 25, 50, 75 and 95 % of each sample's numbers.
    copies : list of CopySet
        Columns that tell nearly the same.
    components : tuple of ndarray or None
        Scores (m, 2) of the samples `walked.rows` on the first two principal components, and their
        shares of the variance.
    """

    content: LookContent
    data: Dataset
    facts: ColumnFacts
    walked: Walked
    quantiles: np.ndarray
    copies: list[CopySet]
    components: tuple[np.ndarray, np.ndarray] | None

    def to_dict(self) -> LookContent:
        """What ``look.json`` holds, from which page and summary are made."""
        return self.content

    def summary(self) -> str:
        """A few lines for a terminal."""
        return "\n".join(look_lines(self.content))

    def write_report(self, path: str | os.PathLike[str]) -> Path:
        """Write the page (`tamis.report.write_look_page`); its path."""
        written: Path = report_function("write_look_page")(self.content, path)
        return written

    def frame(self) -> pd.DataFrame:
        """A row a column of the table: what it holds; `copies` is the number of its set of
        near-copies, from 1, or 0."""
        import pandas as pd

        return pd.DataFrame(self.column_arrays())

    def samples_frame(self) -> pd.DataFrame:
        """A row a sample: its class, group and batch, missing values, quantiles of its numbers and
        scores on the components (NaN of samples that were not looked at)."""
        import pandas as pd

        return pd.DataFrame(self.sample_arrays())

    def column_arrays(self) -> dict[str, np.ndarray]:
        """Columns of `frame`, by name."""
        facts, numeric = self.facts, self.facts.numeric
        of_set = np.zeros(self.data.shape[1], np.int64)
        for k, one in enumerate(self.copies, 1):
            of_set[list(one.columns)] = k
        columns: dict[str, np.ndarray] = {
            "column": np.array(self.data.feature_names, dtype=object),
            "kind": np.array(COLUMN_KINDS)[kinds_of(facts)],
            "missing": facts.missing,
        }
        for name in ("low", "high", "mean", "sd"):
            columns[name] = np.where(numeric, getattr(facts, name), np.nan)
        for name, gone in zip(self.data.classes, facts.missing_by_class.T, strict=False):
            columns[f"missing in {name}"] = gone
        return {**columns, "copies": of_set}

    def sample_arrays(self) -> dict[str, np.ndarray]:
        """Columns of `samples_frame`, by name."""
        data, n = self.data, self.data.shape[0]
        columns: dict[str, np.ndarray] = {"sample": np.array(data.sample_names, dtype=object)}
        for name, labels in (("class", data.y), ("group", data.groups), ("batch", data.batches)):
            if labels is not None:
                columns[name] = labels
        columns["missing"] = self.walked.sample_missing
        for name, cut in zip(("q05", "q25", "median", "q75", "q95"), self.quantiles.T, strict=True):
            columns[name] = cut
        if self.components is not None:
            scores = np.full((n, 2), np.nan)
            scores[self.walked.rows] = self.components[0]
            columns |= {"PC1": scores[:, 0], "PC2": scores[:, 1]}
        return columns

    def plot(self, by: str = "class") -> Picture:
        """Samples on the first two principal components, coloured by class or batch, as on the page
        (`tamis.plotting.component_scatter`).

        Parameters
        ----------
        by : {"class", "batch"}, default="class"

        Raises
        ------
        PlanError
            `by` is neither.
        DataError
            There are no components to show.
        """
        return draw_components(self.content["components"], self.data.name, by)


def draw_components(seen: ComponentsSeen | None, name: str, by: str) -> Picture:
    """Samples of a table on two components; without batches there are no colours of them."""
    from .._core.errors import DataError, PlanError, value_text
    from ..plotting.components import component_scatter
    from ..plotting.picture import Picture

    if by not in ("class", "batch"):
        raise PlanError(f"by={value_text(by)}: give 'class' or 'batch'")
    if seen is None:
        raise DataError(f"{name!r} has no two components: too few numbers vary")
    drawn = seen["by_class"] if by == "class" else seen["by_batch"]
    if drawn is None:
        bare = [[who, None, *scores] for who, _, *scores in seen["by_class"]["samples"]]
        drawn = {"classes": [], "samples": bare}
    share = [one["share"] for one in seen["components"]]
    return Picture("components", (component_scatter(drawn, 0, share, by),))
