"""Which splits a run has: those of the plan, or those of the companion runs.

What chance gives is measured on companion runs: the full procedure in five outer folds, inner
folds drawn twice at most, once with the true labels and once for each draw of permuted ones. All
have the same design, so under the null they are exchangeable, in score and in stability (the
stability of selection depends on how much training sets share, so that of ten folds is compared
with nothing of five).
"""

from __future__ import annotations

from math import ceil
from typing import TypeVar

from ..plan import Plan, Split
from .splits import Labels, members_of, predefined_tests, training_rows

# the repeat of the run with true labels that permuted ones are compared to
COMPANION_REPEAT = "companion"
# outer folds; inner folds are drawn so often (docs/results/default_study.md)
COMPANION_FOLDS, COMPANION_REPEATS = 5, 2
S = TypeVar("S", bound=Split)


def _members_inside(labels: Labels, outer: Split) -> int:
    """Members of the smallest class that an outer training set has, if shares are even."""
    members, _ = members_of(labels)
    if outer.kind == "predefined":
        n = len(labels.y)
        parts = [labels.take(training_rows(n, test)) for test in predefined_tests(labels.split)]
        return min(int(members_of(part)[0].min()) for part in parts)
    least = int(members.min())
    if outer.kind == "k-fold":
        return least - ceil(least / outer.folds)
    return least - (ceil(outer.test_size * least) if outer.kind == "holdout" else 1)


def fewer_folds(plan: Plan, labels: Labels) -> tuple[Plan, list[str]]:
    """The plan with default folds that the smallest class can fill, and what was changed.

    Folds that the plan names are left alone: more than a class can fill are refused later.
    """
    members, unit = members_of(labels)
    least, smallest = int(members.min()), labels.strata()[1][int(members.argmin())]
    have = labels.response.stratum_text(smallest, least, unit)
    changes, remarks = {}, []
    outer, inner = plan.outer, plan.inner
    if outer.kind == "k-fold" and "folds" not in outer.model_fields_set and 2 < least < outer.folds:
        remarks.append(f"{have}: {least} outer folds instead of {outer.folds}")
        outer = changes["outer"] = outer.model_copy(update={"folds": least})
    left = _members_inside(labels, outer)
    if inner.kind == "k-fold" and "folds" not in inner.model_fields_set and 2 <= left < inner.folds:
        remarks.append(f"{have}: {left} inner folds instead of {inner.folds}")
        changes["inner"] = inner.model_copy(update={"folds": left})
    return (plan.model_copy(update=changes) if changes else plan), remarks


def possible_folds(how: S, labels: Labels) -> S:
    """A split of folds, or of as many as the smallest class can fill if these are fewer."""
    least = int(members_of(labels)[0].min())
    if how.kind != "k-fold" or how.folds <= least:
        return how
    return how.model_copy(update={"folds": max(2, least)})


def companion_splits(plan: Plan, labels: Labels) -> tuple[Split, Split]:
    """Outer and inner split of the companion runs.

    Five folds, or as many as the plan or the smallest class has if they are fewer; inner folds are
    drawn `COMPANION_REPEATS` times at most. A predefined split stays what it is.
    """
    least = int(members_of(labels)[0].min())
    if plan.outer.kind == "predefined":
        return plan.outer, plan.inner
    most = plan.outer.folds if plan.outer.kind == "k-fold" else COMPANION_FOLDS
    outer = Split(folds=max(2, min(COMPANION_FOLDS, most, least)))
    inner = plan.inner
    if inner.kind == "k-fold":
        folds = max(2, min(inner.folds, _members_inside(labels, outer)))
        inner = inner.model_copy(
            update={"folds": folds, "repeats": min(inner.repeats, COMPANION_REPEATS)}
        )
    return outer, inner


def splits_for(
    plan: Plan, labels: Labels, permutation: int, repeat: int | str
) -> tuple[Split, Split]:
    """Outer and inner split of a run."""
    if permutation == 0 and repeat != COMPANION_REPEAT:
        return plan.outer, plan.inner
    return companion_splits(plan, labels)


def observed_repeat(plan: Plan, labels: Labels) -> int | str:
    """The run with true labels to compare permuted ones with: the study's own first repeat
    where it has the companions' splits."""
    same = companion_splits(plan, labels) == (
        plan.outer.model_copy(update={"repeats": 1}),
        plan.inner,
    )
    if plan.outer.kind == "predefined" or (same and plan.outer.kind == "k-fold"):
        return 0
    return COMPANION_REPEAT
