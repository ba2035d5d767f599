"""Levels of categories that no training row has."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..classifiers.base.natural_scale import fit_natural
from ..classifiers.classifier_labels import takes_raw
from ..data.dataset import Dataset
from . import roles
from .fold_run import beliefs_arrays
from .on_tables import OnTables
from .one_object import made_classifier
from .procedure import Procedure, first_difference, global_state
from .tables import made_up_table, two_levels, with_a_level_before, with_a_new_level
from .verdict import Check, Fault, Inapplicable

N_LEVELS = 5  # declared; training rows have all but the first
UNSEEN_CODES = (0, N_LEVELS, N_LEVELS + 8)


def check_unseen_levels(method: Procedure) -> None:
    """A level of held-out rows alone changes nothing else, and its code says nothing."""
    if not isinstance(method, OnTables) or roles.is_step(method.row):
        raise Inapplicable("it sees no categories")
    if "mixed" not in method.kinds:
        raise Inapplicable("it takes no table with categories and missing values")
    if roles.is_classifier(method.row) and takes_raw(method.plans[0].classify[0], method.outcome):
        _check_codes(method)
    for data, another in (
        (made_up_table("mixed"), with_a_new_level),
        (two_levels(made_up_table("mixed")), with_a_new_level),
        (two_levels(made_up_table("mixed")), with_a_level_before),
    ):
        _check_others(method, data, another)


def _check_others(
    method: OnTables, data: Dataset, another: Callable[[Dataset, np.ndarray], Dataset]
) -> None:
    """Features, and predictions of other rows."""
    first = method.fold_of_table(data, 1)
    test = first.tests[0]
    second = method.fold_of_table(another(data, test[::2]), 1)
    plan = method.plans[-1]
    (_, ours), (_, theirs) = (method.features(fold, plan) for fold in (first, second))
    for k, (part, twin) in enumerate(zip(ours, theirs, strict=True)):
        kept = np.arange(1, len(test), 2) if k == 0 else np.arange(len(first.tests[k]))
        for a, b in zip(part, twin, strict=True):
            found, other = (
                {"features": one.features, **beliefs_arrays(one.beliefs.take(kept))}
                for one in (a, b)
            )
            if name := first_difference(found, other):
                raise Fault(
                    f"a level that held-out rows alone have changes the {name} of others: let "
                    "nothing depend on how many levels are declared, or on their order"
                )


def _check_codes(method: OnTables) -> None:
    """One row, its category unseen, under codes below, above and far above those of training."""
    rng = np.random.default_rng(6)
    codes = 1 + np.arange(60) % (N_LEVELS - 1)
    y = ((codes > 2) ^ (rng.random(60) < 0.1)).astype(np.int64)
    X = np.column_stack([codes, rng.normal(size=60) + 0.3 * y])
    new = np.array([[code, 0.0] for code in UNSEEN_CODES])
    with global_state(0):
        n_classes = len(method.fold("plain").design.labels.classes) or 1
        built = made_classifier(method.plans[0], n_classes)
        fitted = fit_natural(built, X, y, n_classes, 0, {0: N_LEVELS})
        said = beliefs_arrays(fitted.beliefs(new))
    first = {k: v[[0, 0]] for k, v in said.items()}
    if first_difference(first, {k: v[1:] for k, v in said.items()}, 1e-12):
        raise Fault(
            f"the prediction for a level that no training row has depends on its code "
            f"({UNSEEN_CODES}): take "
            "every unseen code for missing, and never clip codes"
        )


CHECK = Check(
    "unseen-levels",
    "A level that no training row has is like a missing value, whatever its code.",
    check_unseen_levels,
    after=("memory", "global-random", "leak", "one-at-a-time"),
)
