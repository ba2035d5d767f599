"""The result folder: whole or absent, resumable at any moment, the same bytes however run."""

from __future__ import annotations

import io
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.feather as pf
import pytest

from common.studies import QUICK, make_data
from tamis._core.errors import StoreError
from tamis._core.seal import is_intact
from tamis.study import open_study, run_study
from tamis.study.run import begin_study
from tamis.study.store import TRACEBACK_NAME, study_mark, without_decisions


def content(folder: Path) -> dict[str, bytes]:
    """Every file of a study but the journal."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "journal.jsonl"
    }


def test_any_number_of_workers_gives_the_same_bytes(data, quick, tmp_path):
    run_study(data, quick, tmp_path / "one", n_jobs=1)
    run_study(data, quick, tmp_path / "two", n_jobs=2)
    assert content(tmp_path / "one") == content(tmp_path / "two")


def test_a_traceback_of_what_failed_before_is_no_part_of_a_finished_study(data, quick, tmp_path):
    run_study(data, quick, tmp_path / "one")
    (tmp_path / "one" / "results.json").unlink()
    before = content(tmp_path / "one")
    (tmp_path / "one" / TRACEBACK_NAME).write_text("Traceback")
    run_study(data, quick, tmp_path / "one", if_exists="resume")
    assert content(tmp_path / "one").keys() == before.keys() | {"results.json"}


def test_the_seed_matters_and_the_time_does_not(data, quick, tmp_path):
    run_study(data, quick, tmp_path / "a")
    run_study(data, quick, tmp_path / "b")
    run_study(data, {**quick, "seed": 1}, tmp_path / "c")
    assert content(tmp_path / "a") == content(tmp_path / "b")
    assert content(tmp_path / "a") != content(tmp_path / "c")


SCRIPT = textwrap.dedent(
    """
    import sys
    from common.studies import QUICK, make_data
    from tamis.report import write_report
    from tamis.study import run_study
    plan = {**QUICK, "permutations": 3}
    print("begin", flush=True)
    result = run_study(make_data(), plan, sys.argv[1], n_jobs=int(sys.argv[2]), if_exists="resume")
    write_report(result.to_dict(), sys.argv[1])
    """
)


def start(folder: Path, n_jobs: int) -> subprocess.Popen:
    tests = Path(__file__).resolve().parents[1]
    path = os.pathsep.join([str(tests), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(folder), str(n_jobs)],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


def kill_and_resume(tmp_path, moments: int, n_jobs: int) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    begun = time.monotonic()
    process = start(whole, n_jobs)
    process.stdout.readline()
    ready = time.monotonic() - begun
    assert process.wait() == 0
    length = time.monotonic() - begun
    draw = random.Random(1)
    interrupted = 0
    for _ in range(moments):
        process = start(broken, n_jobs)
        process.stdout.readline()
        time.sleep(draw.uniform(0, max(0.5, (length - ready) * 0.7)))
        if process.poll() is None:
            interrupted += 1
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert interrupted > 0
    assert start(broken, n_jobs).wait() == 0
    assert content(whole) == content(broken)


@pytest.mark.longer
@pytest.mark.full
def test_killed_twice_and_resumed_gives_the_same_bytes(tmp_path):
    kill_and_resume(tmp_path, moments=2, n_jobs=1)


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_killed_at_twenty_moments_and_resumed_gives_the_same_bytes(tmp_path, n_jobs):
    kill_and_resume(tmp_path, moments=20, n_jobs=n_jobs)


def test_resume_computes_only_what_is_missing(data, quick, tmp_path):
    run_study(data, quick, tmp_path / "s")
    before = content(tmp_path / "s")
    lost = sorted((tmp_path / "s" / "cells").rglob("*.arrow"))[3]
    lost.unlink()
    (tmp_path / "s" / "results.json").unlink()
    kept = {p: p.stat().st_mtime_ns for p in (tmp_path / "s" / "cells").rglob("*.arrow")}
    run_study(data, quick, tmp_path / "s", if_exists="resume")
    assert content(tmp_path / "s") == before
    assert {p: p.stat().st_mtime_ns for p in kept} == kept


@pytest.fixture
def finished(data, quick, tmp_path):
    run_study(data, quick, tmp_path / "s")
    return tmp_path / "s"


def refuse(finished, says, data, plan, **options):
    before = content(finished)
    with pytest.raises(StoreError) as error:
        run_study(data, plan, finished, **options)
    assert says in str(error.value)
    assert "\n" not in str(error.value)
    assert content(finished) == before


def test_a_used_folder_is_not_overwritten(finished, data, quick):
    refuse(finished, "--resume", data, quick)


def test_another_plan_is_refused_under_resume(finished, data, quick):
    refuse(finished, "the plan differs", data, {**quick, "seed": 5}, if_exists="resume")


def test_other_data_are_refused_under_resume(finished, data, quick):
    X = data.X.copy()
    X[0, 0] += 1e-9
    refuse(finished, "the data differ", replace(data, X=X), quick, if_exists="resume")


def test_other_versions_are_refused_under_resume(finished, data, quick, monkeypatch):
    from tamis.study import study_record

    found = study_record.library_versions()
    monkeypatch.setattr(study_record, "library_versions", lambda: {**found, "numpy": "0.1"})
    refuse(finished, "another version of numpy", data, quick, if_exists="resume")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_an_unwritable_folder_is_one_clear_line(data, quick, tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)
    with pytest.raises(StoreError, match="cannot write"):
        run_study(data, quick, tmp_path / "locked" / "s")


def test_a_folder_below_a_file_is_one_clear_line(data, quick, tmp_path):
    (tmp_path / "file").write_text("kept")
    with pytest.raises(StoreError):
        run_study(data, quick, tmp_path / "file" / "s")
    assert (tmp_path / "file").read_text() == "kept"


def test_a_full_disk_loses_nothing_and_resumes(data, quick, tmp_path, monkeypatch):
    """The eighth write fails as on a full disk; afterwards the study goes on."""
    run_study(data, quick, tmp_path / "whole")
    real, calls = os.fsync, []

    def full(handle):
        calls.append(handle)
        if len(calls) == 8:
            raise OSError(28, "No space left on device")
        return real(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left on device"):
        run_study(data, quick, tmp_path / "s")
    assert not list((tmp_path / "s").rglob(".*partial"))
    run_study(data, quick, tmp_path / "s", if_exists="resume")
    assert content(tmp_path / "s") == content(tmp_path / "whole")


def test_an_unfinished_or_foreign_folder_cannot_be_opened(finished, tmp_path):
    (finished / "results.json").unlink()
    with pytest.raises(StoreError, match="unfinished"):
        open_study(finished)
    with pytest.raises(StoreError, match="not the folder of a study"):
        open_study(tmp_path / "nowhere")


def test_a_finished_study_opens_as_it_was_returned(data, quick, tmp_path):
    result = run_study(data, quick, tmp_path / "s")
    again = open_study(tmp_path / "s")
    assert again.to_dict() == result.to_dict()
    assert again.summary() == result.summary()
    names = [m["name"] for m in result.to_dict()["methods"]]
    assert list(again.frame().index) == ["headline", *names]


def test_nothing_but_the_journal_holds_a_clock(finished):
    now = str(int(np.floor(time.time())))[:6]
    assert now in (finished / "journal.jsonl").read_text()
    for name in ("plan.json", "data.json", "results.json"):
        assert f": {now}" not in (finished / name).read_text()


@pytest.mark.parametrize("name", ["data.json", "results.json", "model.npz", "tables", "cells"])
def test_somebody_elses_folder_is_left_alone(data, quick, tmp_path, name):
    folder = tmp_path / "s"
    folder.mkdir()
    if "." in name:
        (folder / name).write_text('{"kept": 1}')
    else:
        (folder / name).mkdir()
    with pytest.raises(StoreError, match="choose another --out"):
        run_study(data, quick, folder, if_exists="resume")
    assert [p.name for p in folder.iterdir()] == [name]


def test_killed_before_its_plan_was_written_it_begins_again(finished, data, quick, tmp_path):
    (tmp_path / "killed").mkdir()
    (tmp_path / "killed" / "data.json").write_bytes((finished / "data.json").read_bytes())
    run_study(data, quick, tmp_path / "killed")
    assert content(tmp_path / "killed") == content(finished)


def test_without_what_the_data_were_it_is_not_resumed(finished, data, quick):
    (finished / "data.json").unlink()
    refuse(finished, "the data differ", data, quick, if_exists="resume")


def test_a_plan_that_is_no_object_is_refused(data, quick, tmp_path):
    (tmp_path / "plan.json").write_text("[1]")
    with pytest.raises(StoreError, match="not of a study"):
        run_study(data, quick, tmp_path, if_exists="resume")


def test_another_tables_name_is_refused_under_resume(finished, data, quick):
    says = "there the table is named 'made' and here 'other'"
    refuse(finished, says, replace(data, name="other"), quick, if_exists="resume")


def test_a_damaged_cell_is_computed_anew_under_resume(finished, data, quick):
    before = content(finished)
    cells = sorted((finished / "cells").rglob("*.arrow"))
    whole = cells[0].read_bytes()
    cells[0].write_bytes(whole[:50])
    plain = pf.read_table(io.BytesIO(cells[1].read_bytes()))  # as another program would write it
    pf.write_feather(plain.replace_schema_metadata(None), cells[1])
    study = begin_study(data, quick, finished, if_exists="resume")
    [told] = [remark for remark in study.remarks if "damaged" in remark]
    assert "2 files" in told
    assert cells[0].name in told
    assert not cells[0].exists()
    study.run()
    assert content(finished) == before


def test_a_cell_that_is_damaged_after_that_is_named(finished, data, quick):
    study = begin_study(data, quick, finished, if_exists="resume")
    cell = sorted((finished / "cells").rglob("*.arrow"))[0]
    whole = cell.read_bytes()
    cell.write_bytes(whole[:200] + bytes([whole[200] ^ 1]) + whole[201:])
    with pytest.raises(
        StoreError,
        match="damaged, or of another fold or study: delete",
    ):
        study.run()


@pytest.fixture(scope="module")
def others(tmp_path_factory):
    """Cells of studies that differ in little: another seed, another value, another method."""
    data, found = make_data(), tmp_path_factory.mktemp("others")
    moved = data.X.copy()
    moved[0, 0] += 1e-9
    run_study(data, {**QUICK, "seed": 1}, found / "seed")
    run_study(replace(data, X=moved), QUICK, found / "value")
    method = [{**QUICK["method"][0], "sizes": [1, 2]}, *QUICK["method"][1:]]
    run_study(data, {**QUICK, "method": method}, found / "method")
    return found


def moved_within(cells: Path) -> list[tuple[Path, Path]]:
    """Each cell onto the next of its ranker, over folds, permuted runs and the fit on all."""
    rankers = sorted({path.name.partition("-")[2] for path in cells.rglob("*.arrow")})
    found = []
    for ranker in rankers:
        paths = sorted(cells.rglob(f"*-{ranker}"))
        found += list(zip(paths, [*paths[1:], paths[0]], strict=True))
    first = sorted(cells.rglob("*.arrow"))[0].parent
    return [*found, tuple(sorted(first.iterdir())[:2])]


@pytest.mark.longer
def test_whole_cells_of_elsewhere_are_never_taken(finished, others, data, quick):
    """Copied over a cell of another fold, permuted run, ranking or study they are told."""
    before, cells = content(finished), finished / "cells"
    swaps = [(source, source.read_bytes(), place) for source, place in moved_within(cells)]
    for other in sorted(others.iterdir()):
        path = sorted((other / "cells").rglob("*.arrow"))[0]
        swaps.append((path, path.read_bytes(), cells / path.relative_to(other / "cells")))
    assert len(swaps) > 10
    for _, swapped, place in swaps:
        kept = place.read_bytes()
        place.write_bytes(swapped)
        with begin_study(data, quick, finished, if_exists="resume") as study:
            [told] = [remark for remark in study.remarks if "another fold or study" in remark]
            assert place.name in told
            assert not place.exists()
            place.write_bytes(swapped)  # as if somebody had done it while the study ran
            with pytest.raises(StoreError, match="of another fold or study: delete it"):
                study.run()
        place.write_bytes(kept)
    for _, swapped, place in swaps:  # all at once
        place.write_bytes(swapped)
    run_study(data, quick, finished, if_exists="resume")
    assert content(finished) == before


def test_another_decision_keeps_the_cells(finished, data, quick):
    cells = {path: path.stat().st_mtime_ns for path in (finished / "cells").rglob("*.arrow")}
    with begin_study(
        data, {**quick, "recalibrate": "platt"}, finished, if_exists="resume"
    ) as study:
        [told] = study.remarks
        assert "(in: recalibrate): finished fits are kept" in told
        notes = study.about["notes"]
        assert told not in notes
    with begin_study(
        data, {**quick, "recalibrate": "platt"}, finished, if_exists="resume"
    ) as study:
        assert not study.remarks
    assert {path: path.stat().st_mtime_ns for path in cells} == cells


def test_numbers_that_are_equal_mark_the_same_study():
    plan = {"method": [], "seed": 3, "outer": {"folds": 2.0, "test_size": 0.5}, "final": True}
    data = {"digest": "d", "versions": {"tamis": "1.0"}}
    same = {**plan, "seed": 3.0, "outer": {"test_size": 0.5, "folds": 2}}
    assert same == plan
    assert study_mark(same, data) == study_mark(plan, data)
    for other in ({"seed": 4}, {"seed": 3.5}, {"outer": {"folds": 2}}, {"final": False}):
        assert study_mark({**plan, **other}, data) != study_mark(plan, data)
    for text in ("1", "1.00"):
        assert study_mark(plan, {**data, "versions": {"tamis": text}}) != study_mark(plan, data)


@pytest.mark.parametrize(
    ("methods", "kept"),
    [
        ([("pearson", ["knn", "tree"])], False),
        ([("pearson", ["knn", "cost_weighted(tree)"])], True),  # any of them
        ([("pearson", ["cost_weighted(tree)", "knn"])], True),
        ([("pearson", ["knn"]), ("mtd", ["cost_weighted(tree)"])], True),
    ],
)
def test_costs_are_of_the_cells_where_a_classifier_takes_them(methods, kept):
    plan = {
        "costs": [[0, 1], [2, 0]],
        "metric": "bcr",
        "seed": 1,
        "method": [
            {"select": select, "classify": labels, "decide": "argmax", "tune": False}
            for select, labels in methods
        ],
    }
    left = {"seed": 1, "method": [{"select": s, "classify": labels} for s, labels in methods]}
    assert without_decisions(plan) == left | ({"costs": plan["costs"]} if kept else {})


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted by Linux")
def test_a_cell_with_interactions_starts_no_thread():
    """Cells are written by workers, which have one thread each."""
    code = """
import os
import numpy as np
from tamis._core.interfaces import Beliefs, Term
from tamis.study.protocol.cellfile import Entry, decode_cell, encode_cell
beliefs = Beliefs(np.full((4, 2), 0.5), None, None, np.arange(4))
terms = [Term((1, 2), (1, 1), 0, {"share": 0.5})] * 100
one = Entry("m", 0, "c", "{}", 2, 0, "", np.arange(2), beliefs, beliefs, terms, 100)
encode_cell([], [np.arange(4)])
before = len(os.listdir("/proc/self/task"))
cell = decode_cell(encode_cell([one], [np.arange(4), np.arange(4)]))
assert len(cell.terms(0)) == 100
assert len(os.listdir("/proc/self/task")) == before
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_any_changed_byte_of_a_cell_is_seen(finished):
    cell = sorted((finished / "cells").rglob("*.arrow"))[0]
    whole = cell.read_bytes()
    assert is_intact(whole)
    assert pf.read_table(io.BytesIO(whole)).num_rows  # it is an Arrow file all the same
    for at in range(len(whole)):
        for bit in (1, 128):
            assert not is_intact(whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :])
    assert not any(is_intact(whole[:n]) for n in range(0, len(whole), 7))
    assert not is_intact(whole + b"x")


@pytest.mark.parametrize(("other", "says"), [("seed", "plan.json"), ("value", "data.json")])
def test_results_of_another_study_are_told(finished, others, data, quick, other, says):
    before = content(finished)
    (finished / "results.json").write_bytes((others / other / "results.json").read_bytes())
    with pytest.raises(StoreError, match=f"not of the {says} beside it.*--resume"):
        open_study(finished)
    run_study(data, quick, finished, if_exists="resume")
    assert content(finished) == before
    assert open_study(finished).metrics["bcr"]["mean"] > 0.5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{}", "not the result of a study"),
        ("[]", "not the result of a study"),
        ('{"schema": 2}', "schema 2; this one reads 3.*tamis study"),
        ('{"schema": 1, "kind": "mtd-scan"}', "is not the result of a study"),
    ],
)
def test_results_of_something_else_or_of_another_version_are_refused(finished, text, says):
    (finished / "results.json").write_text(text)
    with pytest.raises(StoreError, match=says) as error:
        open_study(finished)
    assert "\n" not in str(error.value)


def test_a_plan_of_another_version_is_not_resumed(finished, data, quick):
    path = finished / "plan.json"
    path.write_text(path.read_text().replace('"tune":', '"colour":', 1))
    with pytest.raises(StoreError, match=r"another version of Tamis .*'colour', 'tune'.*--out"):
        run_study(data, quick, finished, if_exists="resume")
