"""What a preview runs to know the pace."""

from __future__ import annotations

import pytest
from numba import njit

from genome.sets import random_codes, write_bed
from tamis._core.parts import Part
from tamis.genome import genotype_dataset, open_genotypes
from tamis.study import tasks
from tamis.study.prepare import prepare_study


@pytest.mark.parametrize(
    ("imported", "compiled", "compiles", "runs"),
    [
        (-1, 60, False, 1),  # long, and all of it work: it is not run again
        (-1, 60, True, 2),  # long, but it compiled
        (-1, -1, True, 1),  # so long that compiling is little of it
        (60, 60, False, 2),  # short: modules may have been most of it
    ],
)
def test_one_training_part_is_run_again_where_the_first_says_little(
    data, quick, monkeypatch, imported, compiled, compiles, runs
):
    own, seen = tasks.nested_cv.run_nested_fold, []

    def compute(*arguments):
        seen.append(arguments)
        if compiles:
            njit(lambda x: x + 1)(1)
        return own(*arguments)

    plan, design, _ = prepare_study(data, quick)
    own(design, plan, tasks.tasks_of(plan, design)[0])  # kernels are compiled, or read, here
    monkeypatch.setattr(tasks.nested_cv, "run_nested_fold", compute)
    monkeypatch.setattr(tasks, "ALL_IMPORTED", imported)
    monkeypatch.setattr(tasks, "ALL_COMPILED", compiled)
    n_tasks, fits, seconds = tasks.estimate_seconds(plan, design, 1)
    assert len(seen) == runs
    assert n_tasks > 1
    assert fits > n_tasks
    assert seconds > 0


def test_progress_is_shown_unless_quiet(data, quick, monkeypatch, capsys):
    monkeypatch.setattr(tasks.Progress, "LONG", 0.0)
    plan, design, _ = prepare_study(data, quick)
    tasks.estimate_seconds(plan, design, 1, quiet=False)
    assert "one outer fold" in capsys.readouterr().err
    tasks.estimate_seconds(plan, design, 1)
    assert capsys.readouterr().err == ""


def test_what_does_not_go_with_the_folds_goes_with_the_table(data, quick, tmp_path, monkeypatch):
    monkeypatch.setattr(tasks.nested_cv, "run_nested_fold", lambda *_: None)
    monkeypatch.setattr(tasks.time, "perf_counter", lambda: 0.0)
    path = write_bed(tmp_path / "made", random_codes(1, 500, 40))
    packed = genotype_dataset(open_genotypes(path), covariates=("sex",))
    plan = {**quick, "method": [{"select": "mtd", "sizes": [2], "classify": ["naive_bayes"]}]}
    for table, seconds in [
        (data, tasks.SECONDS_PER_VALUE * data.X.size),
        (packed, tasks.SECONDS_PER_COLUMN * 500),
    ]:
        resolved, design, _ = prepare_study(table, {**plan, "describe": True})
        *_, found = tasks.estimate_seconds(resolved, design, 1)
        assert found == pytest.approx(tasks.FIXED_SECONDS + seconds)


@pytest.mark.parametrize("permutations", [0, 1, 3])
def test_every_permuted_run_is_counted(data, quick, monkeypatch, permutations):
    monkeypatch.setattr(tasks.nested_cv, "run_nested_fold", lambda *_: None)
    plan, design, _ = prepare_study(data, {**quick, "permutations": permutations})
    every = tasks.tasks_of(plan, design)
    n_tasks, fits, _ = tasks.estimate_seconds(plan, design, 1)
    assert n_tasks == len(every) == 4 * (1 + permutations) + 1  # and the model
    assert fits == tasks.count_fits(plan, design, *tasks.task_counts(every))
    assert tasks.task_counts(every) == (5, 4 * permutations, 0)


def test_a_part_takes_its_share_of_the_time(data, quick, monkeypatch):
    monkeypatch.setattr(tasks.nested_cv, "run_nested_fold", lambda *_: None)
    plan, design, _ = prepare_study(data, {**quick, "permutations": 3})
    monkeypatch.setattr(tasks.time, "perf_counter", iter(range(1000)).__next__)
    n_tasks, fits, seconds = tasks.estimate_seconds(plan, design, 1)
    parts = [tasks.estimate_seconds(plan, design, 1, part=Part(k, 4)) for k in range(1, 5)]
    assert sum(n for n, *_ in parts) == n_tasks
    assert sum(n for _, n, _ in parts) == fits
    shown = tasks.SECONDS_PER_VALUE * data.X.size * plan.describe
    own = [found - tasks.FIXED_SECONDS for *_, found in parts]
    assert sum(own) == pytest.approx(seconds - tasks.FIXED_SECONDS - shown)
    assert tasks.estimate_seconds(plan, design, 1, part=Part(99, 99))[:2] == (0, 0)
