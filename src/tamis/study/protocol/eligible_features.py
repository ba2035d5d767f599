"""What a method can choose from: blocks, and features that steps create in the place of others."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..._core.errors import PlanError, nearest_hint
from ...data.dataset import Dataset
from ...preparation.chain import created_by
from ...preparation.on_table import leading_steps
from ..plan import MethodPlan, Plan
from .design import Design, distinct_numbers


def created_names(plan: Plan, data: Dataset) -> dict[str, str]:
    """Features that steps of the plan may create: by the name that the step gives what it is called
    in the study, where no feature of the table has that name.

    Where one has, all features of that step are called by the step too: ``pca:PC1``.
    """
    if not isinstance(data.X, np.ndarray):
        _refuse_beside(plan, data)
    made: dict[tuple[str, str], dict[str, None]] = {}  # by block and step, whatever the settings
    for step in plan.steps:
        made.setdefault((step.block, step.name), {}).update(dict.fromkeys(created_by(step.named)))
    taken, found = set(data.feature_names) if any(made.values()) else set(), dict[str, str]()
    for (block, name), columns in made.items():
        new = [column for column in columns if column not in found]
        called, start = new, f"{block}:" if block else ""
        while not taken.isdisjoint(called):
            called = [f"{start}{name}:{column.removeprefix(start)}" for column in called]
        taken.update(called)
        found |= dict(zip(new, called, strict=True))
    return found


def _refuse_beside(plan: Plan, data: Dataset) -> None:
    """Refuse columns created beside those of a table that is no matrix."""
    for method in plan.method:
        steps = [step.named for step in method.prepare]
        for step in steps[leading_steps(steps) :]:
            if names := created_by(step):
                raise PlanError(
                    f"prepare: {data.name!r} is no matrix, beside which no column can be created "
                    f"({names[0]!r}): leave out the step that creates it, or give X as a matrix"
                )


def check_blocks(plan: Plan, data: Dataset) -> None:
    """Refuse blocks that a table does not have, and steps for blocks that a method leaves out."""
    for method in plan.method:
        by_size = [name for size in method.sizes if isinstance(size, dict) for name in size]
        own = method.blocks or list(data.blocks)
        _check_names(method.blocks, data.blocks, f"blocks of {method.name!r}")
        _check_names(by_size, own, f"sizes of {method.name!r}")
        _check_names([s.block for s in method.prepare if s.block], own, "prepare")
        for names in (method.blocks, *(list(s) for s in method.sizes if isinstance(s, dict))):
            if names and not any(len(data.blocks[name]) for name in names):
                raise PlanError(f"method {method.name!r}: block {names[0]!r} has no feature")


def _check_names(names: Iterable[str], known: Iterable[str], where: str) -> None:
    known = list(known)
    for name in names:
        if name not in known:
            hint = nearest_hint(name, known) if known else "there are none (--block NAME=TABLE)"
            raise PlanError(f"{where} names the block {name!r}: {hint}")


def eligible_features(method: MethodPlan, design: Design) -> np.ndarray:
    """Features that selection by a method may choose from, rising.

    Stability is counted among these: a set of five among ten is no wonder, among thousands it is.
    """
    found = design.features
    if method.blocks:
        found = np.concatenate([design.blocks[name] for name in method.blocks])
    created = len(design.names) - len(design.created)
    numeric = distinct_numbers(design.owner[design.numeric])
    for step in method.prepare:
        names = created_by(step.named)
        if not names:
            continue
        gone = np.concatenate([numeric, created + np.arange(len(design.created))])
        if step.block:
            gone = np.intersect1d(gone, design.features_of(step.block))
        own = [created + design.created.index(name) for name in names]
        found = np.union1d(np.setdiff1d(found, gone), own)
    return distinct_numbers(found)
