"""What a plan cannot say of samples declined."""

from __future__ import annotations

from ..._core.errors import PlanError
from ..._core.interfaces import Kind
from ..._core.registry import NOVELTY_CLASSIFIER, find_row
from ..._core.rows import RuleRow
from ...classifiers.classifier_labels import parts_of
from ...metrics.registry import kind_suffices
from .parts import RejectPlan


def refuse_unsure(reject: RejectPlan, label: str, known: Kind) -> None:
    """Refuse a rule that needs to know more of samples than is known.

    `label` is that of the classifier, empty of a method that selects and classifies by itself.
    """
    row = find_row(reject.name, RuleRow)
    needs: Kind = "proba" if reject.score == "posterior" else row.build(reject.parameters).needs
    if not kind_suffices(known, needs):
        what = "probabilities" if needs == "proba" else "how certain a classifier is"
        given = "labels alone" if known == "labels" else "margins alone"
        raise PlanError(
            f"reject = {row.name!r} asks for {what}, and classify = {label!r} gives {given}: write "
            'reject = "nobody" for that method'
            + ("" if known == "labels" else ', or recalibrate = "platt"')
        )
    if reject.novelty is not None and not (label and parts_of(label)[0].name == NOVELTY_CLASSIFIER):
        of = label or "..."
        raise PlanError(
            f"reject: novelty = {reject.novelty:g} asks how far samples are from the training "
            f'samples: write classify = {{ name = "{NOVELTY_CLASSIFIER}", of = "{of}" }}'
        )
