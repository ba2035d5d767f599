"""A complete study without a result folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..data.dataset import Dataset
from ..metrics.number_metrics import NUMBER_METRICS
from ..study.plan import Plan
from ..study.prepare import prepare_study
from ..study.protocol import nested_cv
from ..study.protocol.cellfile import decode_cell
from ..study.protocol.design import Design
from ..study.protocol.stability_split import observed_repeat
from ..study.results import collect
from ..study.results.number_context import held_out_numbers
from ..study.results.summary import held_out
from ..study.tasks import tasks_of

SCORES: dict[str, Callable[..., float]] = {  # of choices and what is learnt; .5 at chance
    "class": lambda choices, y: held_out(choices, y).score("bcr"),
    "number": lambda choices, y: held_out_numbers(choices, y).score(NUMBER_METRICS["concordance"]),
}


def run_in_memory(
    data: Dataset, plan: Mapping[str, object]
) -> tuple[Plan, Sequence[nested_cv.Task], Design, dict[str, bytes], Any]:
    """(plan, tasks, design, cells by path, collected)."""
    resolved, design, _ = prepare_study(data, plan)
    tasks = tasks_of(resolved, design)
    files = {}
    for task in tasks:
        for key, content in nested_cv.run_nested_fold(design, resolved, task).items():
            files[task.path(key)] = content
    observed = observed_repeat(resolved, design.labels)
    results = []
    for task in tasks:
        read = {key: decode_cell(files[task.path(key)]) for key in task.rankers}
        run = task.permutation, task.draw
        codes = {run: nested_cv.labels_of(design, resolved, *run).y}
        numbered = nested_cv.numbered_rows(design, resolved, task, codes)
        results.append(collect.found_in(resolved, task, read, *numbered))
    found = collect.collect_choices(resolved, results, observed)
    return resolved, tasks, design, files, found


def pooled_rates(data: Dataset, plan: Mapping[str, object]) -> dict[str, float]:
    """Pooled balanced accuracy, or concordance within folds of a number, of every method of a study
    and of the headline."""
    resolved, _, design, _, found = run_in_memory(data, plan)
    y, score = design.labels.learnt, SCORES[resolved.response]
    every = {**found.methods, "headline": found.headline}
    return {name: score(choices, y) for name, choices in every.items()}
