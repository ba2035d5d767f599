"""Methods with and without a step that chooses features by how well they were measured.

What the step keeps is reported of training sets and of all samples; nothing learns from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np

from ..plan import MethodPlan
from ..protocol.design import Design
from ..protocol.splits import training_rows
from .collect import Choice, at_full_coverage
from .columns_schema import FilteredPair, PairedDifference
from .held_out import paired_difference
from .summary import Context

MAX_COUNTED_PARTS = 20  # training sets in which the columns kept are counted, at most


def filtered_pairs(context: Context, design: Design) -> list[FilteredPair]:
    """The `filtered` entry of docs/json.md."""
    if isinstance(design.X, np.ndarray):  # such steps go on tables by themselves
        return []
    pairs = permutations(context.plan.method, 2)
    return [_filtered_pair(context, design, *pair) for pair in pairs if _differ_by_filter(*pair)]


def _differ_by_filter(without: MethodPlan, filtered: MethodPlan) -> bool:
    """Whether the latter is the former behind one step more, a filter that gives its reasons."""
    if not filtered.prepare or filtered.prepare[1:] != without.prepare:
        return False
    own = {"name", "prepare"}
    if without.model_dump(exclude=own) != filtered.model_dump(exclude=own):
        return False
    return filtered.prepare[0].named.row.load().gives_reasons


def _filtered_pair(
    context: Context, design: Design, without: MethodPlan, filtered: MethodPlan
) -> FilteredPair:
    named, y = filtered.prepare[0].named, context.y[0]
    if filtered.blocks:
        design = design.restricted(filtered.blocks)
    step: Any = named.row.build(named.parameters)
    before, after = (context.collected.methods[m.name] for m in (without, filtered))
    parts = after[:: -(-len(after) // MAX_COUNTED_PARTS)]
    kept = []
    for part in parts:
        rows = training_rows(len(y), part.test)
        kept.append(len(step.choose(design.X, rows, y[rows])))
    reasons = step.reasons(design.X, np.arange(len(y)), y)
    p = design.X.shape[1]
    return {
        "step": named.name,
        "without": without.name,
        "filtered": filtered.name,
        "n_features": p,
        "kept": {
            "least": min(kept),
            "mean": float(np.mean(kept)),
            "most": max(kept),
            "n_parts": len(kept),
        },
        "n_kept": p - sum(reasons.values()),
        "left_out": [{"reason": reason, "n": n} for reason, n in reasons.items()],
        "differences": _metric_differences(context, before, after),
    }


def _metric_differences(
    context: Context, before: Sequence[Choice], after: Sequence[Choice]
) -> dict[str, PairedDifference]:
    """Of what the study tunes on, the balanced accuracy and the AUC."""
    y, names = context.y[0], list(dict.fromkeys([context.plan.metric, "bcr", "auc"]))
    old, new = at_full_coverage(before), at_full_coverage(after)
    found: dict[str, PairedDifference] = {}
    for name in names:
        found[name] = paired_difference(new, old, y, name, context.costs).to_dict()
    return found
