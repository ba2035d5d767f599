"""Numbers stay numbers."""

from __future__ import annotations

import numpy as np

from . import roles
from .on_tables import OnTables
from .procedure import Procedure
from .verdict import Check, Fault

SUM_TOLERANCE = 1e-6


def check_missing_made(method: Procedure) -> None:
    """Of scores, of predictions, and of what steps make of held-out rows; the engine refuses steps
    that lose numbers of training rows."""
    if roles.gives_scores(method.row):
        scores = method.fits_of_one_object()[0]["scores"]
        if not np.isfinite(scores).any():
            raise Fault("it scores no column: give a number for each, 0 for a constant one")
    holes = isinstance(method, OnTables) and "holes" not in method.stopped
    for kind in [*method.kinds, *(["holes"] if holes else [])]:
        for one in method.kept_run(kind).fitted:
            for name, array in one.outputs.items():
                if one.known is not None:
                    _check_step(array, one.known)
                elif not np.isfinite(array).all():
                    n = int((~np.isfinite(array)).reshape(len(array), -1).any(axis=1).sum())
                    raise Fault(
                        f"the {name} of {n} of {len(array)} held-out rows are no numbers "
                        f"({one.name}): predict the class shares where nothing else is known"
                    )
                elif (name == "probabilities" and roles.gives_probabilities(method.row)) and (
                    (array < -SUM_TOLERANCE).any()
                    or (np.abs(array.sum(axis=1) - 1) > SUM_TOLERANCE).any()
                ):
                    raise Fault(f"probabilities do not add to 1 ({one.name})")


def _check_step(values: np.ndarray, known: np.ndarray) -> None:
    lost = ~np.isfinite(values) & known
    if lost.any():
        raise Fault(
            f"the step makes missing values of numbers in {int(lost.any(axis=0).sum())} of "
            f"{values.shape[1]} columns of held-out rows: give a number for every number"
        )


CHECK = Check(
    "missing-made",
    "Scores and predictions are numbers; steps make no missing values.",
    check_missing_made,
)
