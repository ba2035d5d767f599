"""What rankings show beside their order, and the interactions of models: a method's entries."""

from __future__ import annotations

from collections.abc import Sequence

from ..._core.interfaces import Term
from ...data.dataset import Dataset
from .evidence_schema import Interactions
from .interactions import interaction_stability, mean_size, terms_nogueira
from .schema import EvidenceEntries, InteractionChance
from .summary import Context


def evidence_entries(name: str, context: Context, data: Dataset) -> EvidenceEntries:
    """The `evidence` and `interactions` of a method (docs/json.md); keys only where there is any.

    Each kind of evidence has its content, of all rows, and how stable its terms are over the
    outer folds; `interactions` are those of the chosen models, beside those of the permuted runs.
    """
    collected, n_possible = context.collected, len(context.possible[name])

    def stability_of_folds(folds: Sequence[Sequence[Term]]) -> Interactions:
        return interaction_stability(folds, data.feature_names, data.classes, n_possible)

    found: EvidenceEntries = {}
    kinds: dict[str, dict[str, object]] = {
        e.kind: dict(e.content) for e in collected.evidence.get(name, [])
    }
    for (who, kind), shown in collected.shown.items():
        if who == name:  # a training set without any has an empty set
            folds = [*shown, *[()] * (len(collected.methods[name]) - len(shown))]
            kinds.setdefault(kind, {})["interactions"] = stability_of_folds(folds)
    if kinds:
        found["evidence"] = kinds
    choices = collected.methods[name]
    if any(c.n_terms for c in choices):
        found["interactions"] = {
            **stability_of_folds([c.terms for c in choices]),
            "most": max(c.n_terms for c in choices),
            "kept": max(len(c.terms) for c in choices),
        }
        if context.runs(name):
            found["interactions"]["permuted"] = _beside_permuted(name, context, len(data.classes))
    return found


def _beside_permuted(name: str, context: Context, n_classes: int) -> InteractionChance:
    """How many interactions models used, and how alike, with true and with permuted labels."""
    n_possible = len(context.possible[name])
    true = [c.terms for c in context.collected.observed.get(name, [])]
    runs = [[c.terms for c in run] for _, run in context.runs(name)]
    values = [terms_nogueira(run, n_possible, n_classes) for run in runs]
    return {
        "size": mean_size(true),
        "sizes": [mean_size(run) for run in runs],
        "repeatability": context.beside_chance(terms_nogueira(true, n_possible, n_classes), values),
    }
