"""Which splits a run has: those of the plan, or those of the companion runs.

What chance gives is measured on companion runs: the whole procedure in five outer folds, once
with the true labels and once for each draw of permuted ones. All have the same design, so under
the null they are exchangeable, in score and in stability (the stability of selection depends
on how much training parts share, so that of ten folds is compared with nothing of five).
"""

from __future__ import annotations

from .plan import Plan, Split
from .splits import Labels, members_of

COMPANION = "companion"  # the repeat of the run with true labels that permuted ones are compared to
FOLDS = 5


def _inside(members: int, outer: Split) -> int:
    """Members of a class that an outer training part has at least."""
    if outer.kind == "k-fold":
        return members - -(-members // outer.folds)
    if outer.kind == "holdout":
        return members - max(1, round(outer.test_size * members))
    return members - 1


def fewer_folds(plan: Plan, labels: Labels) -> tuple[Plan, list[str]]:
    """The plan with default folds that the smallest class can fill, and what was changed.

    Folds that the plan names are left alone: more than a class can fill are refused later.
    """
    members, unit = members_of(labels)
    least, smallest = int(members.min()), labels.classes[int(members.argmin())]
    have = f"class {smallest!r} has {least} {unit}"
    changes, remarks = {}, []
    outer, inner = plan.outer, plan.inner
    if outer.kind == "k-fold" and "folds" not in outer.model_fields_set and 2 < least < outer.folds:
        remarks.append(f"{have}: {least} outer folds instead of {outer.folds}")
        outer = changes["outer"] = outer.model_copy(update={"folds": least})
    left = _inside(least, outer)
    if inner.kind == "k-fold" and "folds" not in inner.model_fields_set and 2 <= left < inner.folds:
        remarks.append(f"{have}: {left} inner folds instead of {inner.folds}")
        changes["inner"] = inner.model_copy(update={"folds": left})
    return (plan.model_copy(update=changes) if changes else plan), remarks


def companion_splits(plan: Plan, labels: Labels) -> tuple[Split, Split]:
    """Outer and inner split of the companion runs.

    Five folds, or as many as the plan or the smallest class has if they are fewer; a predefined
    split stays what it is.
    """
    least = int(members_of(labels)[0].min())
    if plan.outer.kind == "predefined":
        return plan.outer, plan.inner
    most = plan.outer.folds if plan.outer.kind == "k-fold" else FOLDS
    outer = Split(folds=max(2, min(FOLDS, most, least)))
    inner = plan.inner
    if inner.kind == "k-fold":
        folds = max(2, min(inner.folds, _inside(least, outer)))
        inner = inner.model_copy(update={"folds": folds})
    return outer, inner


def splits_for(
    plan: Plan, labels: Labels, permutation: int, repeat: int | str
) -> tuple[Split, Split]:
    """Outer and inner split of a run."""
    if permutation == 0 and repeat != COMPANION:
        return plan.outer, plan.inner
    return companion_splits(plan, labels)


def observed_repeat(plan: Plan, labels: Labels) -> int | str:
    """The run with true labels to compare permuted ones with: the study's own first repeat
    where it has the companions' splits."""
    same = companion_splits(plan, labels) == (
        plan.outer.model_copy(update={"repeats": 1}), plan.inner,
    )  # fmt: skip
    if plan.outer.kind == "predefined" or (same and plan.outer.kind == "k-fold"):
        return 0
    return COMPANION
