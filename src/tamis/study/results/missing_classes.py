"""Whether the values of chosen features are missing more in one class, if the table says.

A description of the finished study on all samples, used by nothing that learns.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...data.counted import counted_table
from ...data.dataset import Dataset
from ...data.walks import table_behind
from ...metrics.false_discovery import benjamini_hochberg
from ..plan import MethodPlan, Plan
from .collect import Choice, Collected
from .columns_schema import MissingByClass, UnlikeShare

# of false discoveries among all features, chosen or not: whatever chose them, by
FALSE_DISCOVERY_RATE = 0.05
# chance alone one of them is found in at most so many studies


def missing_p(data: Dataset) -> np.ndarray | None:
    """p (p,) of equally many missing values in all classes; None where the table has none."""
    table = counted_table(table_behind(data.X))
    return None if table is None else table.missing_p(data.codes)


def missing_section(plan: Plan, collected: Collected, p_values: np.ndarray) -> MissingByClass:
    """The `missing_by_class` entry of docs/json.md."""
    unlike = benjamini_hochberg(p_values) <= FALSE_DISCOVERY_RATE
    looks = {m.name for m in plan.method if looks_for_missing(m)}
    final = [] if collected.final is None else [collected.final]
    free = [c for c in [*collected.headline, *final] if c.method not in looks]
    return {
        "tested": int((~np.isnan(p_values)).sum()),
        "unlike": int(unlike.sum()),
        "largest": float(p_values[unlike].max()) if unlike.any() else None,
        "unguarded": _unlike_share(free, unlike),
        "methods": {name: _unlike_share(own, unlike) for name, own in collected.methods.items()},
    }


def looks_for_missing(method: MethodPlan) -> bool:
    """Whether a step of the method leaves out features whose values are missing unlike."""
    steps = [step.named for step in method.prepare]
    return any(s.row.build(s.parameters).tests_missing for s in steps)


def _unlike_share(choices: Sequence[Choice], unlike: np.ndarray) -> UnlikeShare:
    """Of all that some training sets chose."""
    chosen = np.zeros(len(unlike), dtype=bool)
    for choice in choices:
        chosen[choice.features[choice.features < len(unlike)]] = True
    return {"chosen": int(chosen.sum()), "unlike": int((chosen & unlike).sum())}
