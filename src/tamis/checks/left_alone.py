"""Columns that a step says it left alone."""

from __future__ import annotations

import numpy as np

from ..selection._parts import TrainingParts
from ..study.protocol.prepared import prepared_fold
from . import roles
from .on_tables import OnTables
from .procedure import Procedure
from .verdict import Check, Fault, Inapplicable


def check_left_alone(method: Procedure) -> None:
    """Statistics that parts share are those of the prepared part by itself."""
    if not isinstance(method, OnTables) or not roles.is_step(method.row):
        raise Inapplicable("it is no step before ranking")
    for kind in method.kinds:
        fold = method.fold(kind)
        for view in prepared_fold(fold, method.plans[0].prepare).views:
            shared = view.parts
            own = TrainingParts(shared.X, shared.y, shared.rows, n_classes=fold.n_classes)
            same = all(
                a.counts.tolist() == b.counts.tolist()
                and np.allclose(a.means, b.means, rtol=1e-12, atol=1e-12)
                and np.allclose(a.squares, b.squares, rtol=1e-9, atol=1e-12)
                for a, b in zip(shared.moments, own.moments, strict=True)
            )
            if not same:
                raise Fault(
                    "columns that `changed()` says are as they were are not: let it name "
                    "every output that may differ from its input, or leave it out"
                )


CHECK = Check(
    "left-alone",
    "Columns that a step says it left alone are as they were.",
    check_left_alone,
    after=("memory", "global-random", "leak"),
)
