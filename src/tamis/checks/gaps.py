"""Tables with missing values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..study.protocol.fold import Fold, parts_of
from .on_tables import OnTables
from .procedure import Procedure, first_difference, taken_rows
from .verdict import Check, Fault, Inapplicable


def check_gaps(method: Procedure) -> None:
    """It runs, and missing values of one held-out row change what is said of no other."""
    if not isinstance(method, OnTables):
        raise Inapplicable("it sees no table")
    for kind, error in method.stopped.items():
        if kind == "holes" or (kind == "mixed" and "levels" not in method.stopped):
            raise Fault(f"it stops on a table with missing values ({error})")
    one = method.fold("holes")
    run, other = method.kept_run("holes"), method.run_on(with_a_gap(one))
    names = [first_difference(run.learnt, other.learnt)]
    kept = np.arange(1, len(one.tests[0]))
    for a, b in zip(run.few, other.few, strict=True):
        names.append(
            first_difference(a.say(taken_rows(a.rows, kept)), b.say(taken_rows(b.rows, kept)), 1e-9)
        )
    if name := next(filter(None, names), ""):
        raise Fault(
            f"a missing value in one held-out row changes what is learnt or said of others "
            f"({name}): fill missing values by the training rows"
        )


def with_a_gap(fold: Fold) -> Fold:
    """The fold with nothing known of the first held-out row but one column."""
    X = fold.design.matrix.copy()
    X[fold.tests[0][0], 1:] = np.nan
    incomplete = np.flatnonzero(np.isnan(X).any(axis=0))
    design = replace(fold.design, X=X, incomplete=incomplete)
    return replace(fold, design=design, parts=parts_of(design, fold.y, fold.parts.rows))


CHECK = Check(
    "gaps",
    "It takes a table with missing values, each row by itself.",
    check_gaps,
    after=("memory", "global-random", "leak", "missing-made", "left-alone"),
)
