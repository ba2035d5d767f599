"""What is asked of plans that may be wrong: to be read, and to be fitted to a table, before
anything runs. What is printed of a plan that is right is the same plan."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from fuzz.plan_texts import PLANS, plan_text
from tamis._core.errors import PlanError
from tamis.data import Dataset
from tamis.study.multi_dataset import tables_of
from tamis.study.plan import Plan
from tamis.study.plan.toml import plan_toml
from tamis.study.prepare import check_methods, prepare_study


def small_table() -> Dataset:
    """24 samples of two classes, 6 features."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(24, 6))
    y = np.array(["ill", "well"] * 12)
    X[y == "ill", 0] += 2
    return Dataset(X, y, [f"g{j}" for j in range(6)], name="small")


TABLE = small_table()


def warm() -> None:
    """Every valid plan."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "plan.toml")
        for plan in PLANS.values():
            path.write_text(plan_text(plan), encoding="utf-8")
            ask(path)


def ask(path: Path) -> None:
    """Read, prepare and print, as `tamis study --plan` with --dry-run does.

    Raises
    ------
    PlanError
        The plan is wrong.
    """
    plan = Plan.read(path)
    if plan.dataset:
        tables_of(None, plan, path, {})
        plan = plan.model_copy(update={"dataset": []})
    found, design, remarks = prepare_study(TABLE, plan)
    check_methods(found, design)
    assert all(remark.isprintable() for remark in remarks)
    content = found.model_dump(mode="json")
    path.write_text(plan_toml(content), encoding="utf-8")
    try:
        again = Plan.read(path)
    except PlanError as error:
        raise AssertionError(f"what was printed is refused: {error}") from error
    assert again.model_dump(mode="json") == content, "what was printed is another plan"
