"""What a look at genotypes finds."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .._core.first_screen import FirstScreen
from .._core.pages import report_function
from ..data.dataset import Dataset
from .schema import CohortContent
from .words import cohort_lines

if TYPE_CHECKING:
    import pandas as pd

    from ..genome.quality.quality_result import QualityControl
    from ..genome.structure.components_result import Components
    from ..genome.structure.relatives_result import Relatives
    from ..plotting.picture import Picture

COHORT = "cohort-look"


@dataclass(frozen=True, repr=False)
class CohortLook(FirstScreen):
    """A look at genotypes: what `look_at_cohort` finds.

    Attributes
    ----------
    content : dict
        What ``look.json`` holds (docs/look.md).
    people : Dataset
        What is known of the samples.
    quality : QualityControl
        With its default limits; nothing is dropped here.
    relatives : Relatives or None
    components : Components or None
        Two, of some of the variants.
    """

    content: CohortContent
    people: Dataset
    quality: QualityControl
    relatives: Relatives | None
    components: Components | None

    def to_dict(self) -> CohortContent:
        """What ``look.json`` holds, from which page and summary are made."""
        return self.content

    def summary(self) -> str:
        """A few lines for a terminal."""
        return "\n".join(cohort_lines(self.content))

    def write_report(self, path: str | os.PathLike[str]) -> Path:
        """Write the page (`tamis.report.write_cohort_look_page`); its path."""
        written: Path = report_function("write_cohort_look_page")(self.content, path)
        return written

    def frame(self) -> pd.DataFrame:
        """A row a variant: calls, frequency, p of Hardy-Weinberg equilibrium and of equally many
        missing calls, and why quality control would drop it, "" if it would not."""
        return self.quality.frame()

    def samples_frame(self) -> pd.DataFrame:
        """A row a sample: who, missing calls, class, group and batch, scores on the components."""
        found, people = self.quality.samples_frame(), self.people
        columns = {"class": people.y, "group": people.groups, "batch": people.batches}
        if self.components is not None:
            columns |= {f"PC{k}": score for k, score in enumerate(self.components.scores.T, 1)}
        return found.assign(**{name: v for name, v in columns.items() if v is not None})

    def plot(self, by: str = "class") -> Picture:
        """Samples on the first two components, as `TableLook.plot` draws them."""
        from .result import draw_components

        return draw_components(self.content["components"], self.people.name, by)
