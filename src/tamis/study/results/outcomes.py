"""What a study makes of its cells, by the kind of outcome: one row each, loaded when it is used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..._core.rows import load_attribute

_RESULTS = "tamis.study.results"


@dataclass(frozen=True)
class Outcome:
    """A kind of outcome; each field is ``module:attribute``.

    Attributes
    ----------
    candidates : str
        Scores the candidates of a method in a cell: `candidates.tuned_candidates`.
    context : str
        What all numbers of a study are computed with: `summary.Context`.
    cautions : str
        What a careful reader should know: `cautions.study_cautions`.
    method_codes : str
        Codes of cautions of a single method: `cautions.method_codes`.
    predictions : str
        The text of ``predictions.tsv``: `tables.predictions_table`.
    description : str
        What a feature is beside the outcome: `features.class_description`.
    scores : str
        What filters say of features: `filter_scores.filter_scores`.
    """

    candidates: str
    context: str
    cautions: str
    method_codes: str
    predictions: str
    description: str
    scores: str

    def load(self, name: str) -> Callable[..., Any]:
        """What a field names."""
        found: Callable[..., Any] = load_attribute(getattr(self, name))
        return found

    @property
    def tuned(self) -> Callable[..., Any]:
        """What scores candidates."""
        return self.load("candidates")


OUTCOMES = {
    "class": Outcome(
        f"{_RESULTS}.candidates:tuned_candidates",
        f"{_RESULTS}.summary:Context",
        f"{_RESULTS}.cautions:study_cautions",
        f"{_RESULTS}.cautions:method_codes",
        f"{_RESULTS}.tables:predictions_table",
        f"{_RESULTS}.features:class_description",
        f"{_RESULTS}.filter_scores:filter_scores",
    ),
    "number": Outcome(
        f"{_RESULTS}.number_candidates:tuned_candidates",
        f"{_RESULTS}.number_context:NumberContext",
        f"{_RESULTS}.number_cautions:study_cautions",
        f"{_RESULTS}.number_cautions:method_codes",
        f"{_RESULTS}.number_tables:predictions_table",
        f"{_RESULTS}.number_features:number_description",
        f"{_RESULTS}.number_features:filter_scores",
    ),
}
