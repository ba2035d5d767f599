"""A size does not depend on what other sizes are requested."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._core.own_code import OwnCodeError
from . import roles
from .fold_run import beliefs_arrays
from .on_tables import OnTables
from .procedure import Procedure, first_difference
from .verdict import Check, Fault, Inapplicable


def check_sizes(method: Procedure) -> None:
    """Two features alone, among other sizes, and beside another method of the same ranking."""
    if not isinstance(method, OnTables) or not roles.takes_sizes(method.row):
        raise Inapplicable("it takes no number of features")
    for kind in method.kinds:
        try:
            alone = _of_two(method, kind, [2])
        except OwnCodeError as error:
            raise Inapplicable("it has no size but its own") from error
        for name, found in alone.items():
            if name.startswith("features") and len(found) > 2:
                raise Fault(
                    f"2 features were requested, and it gives {len(found)}: let its path hold at "
                    "most as many as are requested"
                )
        for sizes, beside in (([2, 5], ()), ([1, 2, 3, 5], ()), ([2], ([1, 4], [3, 7]))):
            if name := first_difference(alone, _of_two(method, kind, sizes, beside), 1e-12):
                raise Fault(
                    f"what it gives for 2 features depends on which other sizes are requested "
                    f"({name}): let each size follow from the training set alone"
                )


def _of_two(
    method: OnTables, kind: str, sizes: Sequence[int], beside: Sequence[Sequence[int]] = ()
) -> dict[str, np.ndarray]:
    """Features and beliefs of the candidates of two features in every part."""
    plan = method.plans_at(sizes)[-1]
    others = [method.plans_at(one)[-1] for one in beside]
    candidates, parts = method.features(method.fold(kind), plan, others)
    found: dict[str, np.ndarray] = {}
    for at, candidate in enumerate(candidates):
        size = candidate.parameters["features"] if roles.is_path(method.row) else candidate.size
        if size != 2 or candidate.own:
            continue
        label = f"{candidate.classify} {sorted(set(candidate.parameters) - {'features'})}"
        for k, part in enumerate(parts):
            found[f"features of part {k}, {label}"] = part[at].features
            for name, array in beliefs_arrays(part[at].beliefs, part[at].features).items():
                found[f"{name} of part {k}, {label}"] = array
    return found


CHECK = Check(
    "sizes",
    "What a size gives does not depend on the other sizes requested.",
    check_sizes,
    after=("memory", "global-random"),
)
