"""--n-jobs: no more workers than are of use, in every command that has it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import rich_click as click
from joblib import cpu_count

from common.studies import make_data
from common.tables import write_table
from tamis._core.errors import counted_noun
from tamis._core.workers import A_CORE
from tamis.cli._shared import checked_workers, useful_threads
from tamis.cli.interact import RUN_OPTIONS
from tamis.cli.main import main
from tamis.genome import simulate_cohort

MOST = A_CORE * cpu_count()
LINE = (
    f"  --n-jobs 100000: {MOST} workers, {A_CORE} for each of "
    f"{counted_noun(cpu_count(), 'core')}; more would be no faster\n"
)


def commands_below(group: click.Group, name: str = "") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        if isinstance(command, click.Group):
            yield from commands_below(command, f"{name}{word} ")
        else:
            yield f"{name}{word}", command


def test_every_command_with_workers_bounds_them():
    """Those of studies once it is known how many tasks there are, all others here."""
    callbacks = {
        name: one.callback
        for name, command in commands_below(main)
        for one in command.params
        if "--n-jobs" in one.opts
    }
    studies = {"demo", "study", "genome study"}
    assert {k for k, v in callbacks.items() if v is checked_workers} == studies
    assert {k for k, v in callbacks.items() if v is useful_threads} == callbacks.keys() - studies
    assert {"genome mtd", "genome kin", "genome clump", "expression rma"} <= callbacks.keys()
    decorated = click.command()(RUN_OPTIONS(lambda: None))  # `interact` makes its options late
    assert [one.callback for one in decorated.params if one.name == "n_jobs"] == [useful_threads]


@pytest.fixture
def cohort(tmp_path):
    simulate_cohort(tmp_path / "cohort", 20, 20, 60)
    return tmp_path / "cohort.bed"


def test_threads_are_fewer_in_one_line(tamis, tmp_path, cohort):
    asked = ("genome", "qc", cohort)
    outs = []
    for n_jobs, more, told in (
        ("100000", (), 1),
        ("100000", ("--quiet",), 0),
        (MOST, (), 0),
        ("1", (), 0),
        ("-1", (), 0),
    ):
        out = tmp_path / f"qc{len(outs)}"
        code, _, err = tamis(*asked, "--n-jobs", n_jobs, "--out", out, *more)
        assert (code, err.count(LINE), err.count("--n-jobs")) == (0, told, told)
        outs.append({p.name: p.read_bytes() for p in out.iterdir() if p.suffix != ".jsonl"})
    assert all(one == outs[0] for one in outs[1:])


def test_workers_of_a_scheduler_are_not_counted(tamis, cohort):
    for at in (("--scheduler", "nowhere"), ()):
        words = ("genome", "mtd", cohort, "--n-jobs", "100000", *at, "--permutations", "x")
        code, _, err = tamis(*words)
        assert (code, err.count("  --n-jobs")) == (2, 0 if at else 1)


def test_a_study_has_no_more_workers_than_tasks(tamis, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tamis._core.workers.cpu_count", lambda: 50)
    monkeypatch.setattr("tamis.study.workers._computed_tasks", lambda *_: iter([]))
    write_table("made.csv", make_data(n=32, p=12))
    asked = ("study", "made.csv", "--target", "diagnosis", "--permutations", "0", "--folds", "3")
    dry = tamis(*asked, "--n-jobs", "100000", "--dry-run")
    assert f" on {cpu_count()} core" in dry[1]
    _, _, err = tamis(*asked, "--n-jobs", "2", "--out", "few")
    assert "--n-jobs" not in err
    _, _, err = tamis(*asked, "--n-jobs", "9", "--out", "more")
    line = "  --n-jobs 9: 4 workers, as there are 4 tasks; more would be no faster\n"
    assert (err.count("--n-jobs"), err.count(line)) == (1, 1)
