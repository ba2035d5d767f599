"""Load and compile what a study needs before it begins, by running it on a table of noise."""

from __future__ import annotations

import numpy as np

from ..data.dataset import Dataset
from ..kernels.recalibration_slopes import fit_slopes
from ..selection._filters import FILTERS
from .plan import Plan
from .prepare import prepare_study
from .protocol.nested_cv import run_nested_fold
from .results.features import near_duplicates
from .tasks import tasks_of

WARM_UP_SHAPE = (40, 300)  # samples and features: wide, as tables are that take long


def noise_dataset() -> tuple[np.ndarray, Dataset]:
    """A table of two classes that is noise, and its values."""
    n, p = WARM_UP_SHAPE
    X = np.random.default_rng(0).standard_normal(WARM_UP_SHAPE)
    return X, Dataset(X, np.arange(n) % 2, tuple(str(k) for k in range(p)))


def load_tasks() -> None:
    """What tasks of the default plan need: one on the true labels and one on permuted ones."""
    plan, design, _ = prepare_study(noise_dataset()[1], Plan(permutations=1))
    tasks = tasks_of(plan, design)
    for task in (tasks[0], tasks[-1]):
        run_nested_fold(design, plan, task)


def load_results() -> None:
    """What the descriptions of the features that a study shows need."""
    X, data = noise_dataset()
    # filters of moments come last: tasks compile these at their beginning, in another process
    for one in sorted(FILTERS.values(), key=lambda one: one.shortcuts.moments is not None):
        if one.display.show_in_report:
            one.statistics(X, data.codes, 0)
    near_duplicates(data, np.arange(1))
    # decisions are recalibrated by this kernel, in several processes at once: they find it compiled
    fit_slopes(X[None, :, :2], data.codes, np.ones(len(X)))
