"""What rankings show beside their order, and the interactions of models: a method's entries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._core.interfaces import Term
from ...data.dataset import Dataset
from .collect import Collected
from .interactions import interaction_stability
from .schema import EvidenceEntries, Interactions


def evidence_entries(
    name: str, collected: Collected, data: Dataset, n_possible: int
) -> EvidenceEntries:
    """The `evidence` and `interactions` of a method (docs/json.md); keys only where there is any.

    Each kind of evidence has its content, of all rows, and how stable its terms are over the
    outer folds; `interactions` are those of the chosen models, among `n_possible` features.
    """

    def stable(folds: Sequence[Sequence[Term]]) -> Interactions:
        return interaction_stability(folds, data.feature_names, data.classes, n_possible)

    found: EvidenceEntries = {}
    kinds: dict[str, dict[str, Any]] = {
        e.kind: dict(e.content) for e in collected.evidence.get(name, [])
    }
    for (who, kind), shown in collected.shown.items():
        if who == name:  # a training part without any has an empty set
            folds = [*shown, *[()] * (len(collected.methods[name]) - len(shown))]
            kinds.setdefault(kind, {})["interactions"] = stable(folds)
    if kinds:
        found["evidence"] = kinds
    choices = collected.methods[name]
    if any(c.n_terms for c in choices):
        found["interactions"] = {
            **stable([c.terms for c in choices]),
            "most": max(c.n_terms for c in choices),
            "kept": max(len(c.terms) for c in choices),
        }
    return found
