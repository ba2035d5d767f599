"""A row is told the same alone as among others."""

from __future__ import annotations

import numpy as np

from .procedure import Procedure, count, difference, taken
from .verdict import Check, Fault

ROUNDING = 1e-12


def check_one_at_a_time(method: Procedure) -> None:
    """Predictions, and what steps make of rows."""
    for kind in method.kinds:
        for one in method.kept_run(kind).few:
            batch = one.say(one.rows)
            for i in range(count(one.rows)):
                row = np.array([i])
                alone = one.say(taken(one.rows, row))
                if name := difference({k: v[row] for k, v in batch.items()}, alone, ROUNDING):
                    raise Fault(
                        f"a held-out row by itself is told something else than among others "
                        f"({one.name}: {name}): use nothing of the other rows, such as their mean"
                    )


CHECK = Check(
    "one-at-a-time", "A row by itself is told the same as among others.", check_one_at_a_time,
    after=("memory", "global-random"),
)  # fmt: skip
