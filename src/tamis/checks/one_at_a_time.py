"""A row gets the same values alone as among others."""

from __future__ import annotations

import numpy as np

from .procedure import Procedure, count_rows, first_difference, taken_rows
from .verdict import Check, Fault

ROUNDING_TOLERANCE = 1e-12
SEVERAL_SIZES_TOLERANCE = 1e-9  # where several sizes are predicted at once


def check_one_at_a_time(method: Procedure) -> None:
    """Predictions, and what steps make of rows."""
    for kind in method.kinds:
        run = method.kept_run(kind)
        first = {k: v[:1] for k, v in run.outputs.items()}
        of_one = method.run_for_one(kind).outputs
        if name := first_difference(first, of_one, SEVERAL_SIZES_TOLERANCE):
            raise _batch_fault(name)
        for one in run.few:
            batch = one.say(one.rows)
            for i in range(count_rows(one.rows)):
                row = np.array([i])
                alone = one.say(taken_rows(one.rows, row))
                if name := first_difference(
                    {k: v[row] for k, v in batch.items()}, alone, ROUNDING_TOLERANCE
                ):
                    raise _batch_fault(f"{one.name}: {name}")


def _batch_fault(name: str) -> Fault:
    return Fault(
        f"a held-out row gets other values by itself than among others ({name}): use nothing "
        "of the other rows, such as their mean"
    )


CHECK = Check(
    "one-at-a-time",
    "A row predicted alone is predicted the same as among others.",
    check_one_at_a_time,
    after=("memory", "global-random"),
)
