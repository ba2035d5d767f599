"""A study in parts is the study that one run gives, and what is missing is named."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import PlanError, StoreError
from tamis._core.parts import Part
from tamis.data import as_dataset
from tamis.study import join_parts, open_study, run_part, run_study
from tamis.study.run import begin_study
from tamis.study.tasks import task_costs, tasks_of_part

PLAN = {
    "permutations": 4,
    "outer": {"folds": 4},
    "inner": {"folds": 3, "repeats": 2},
    "method": [
        {"select": "welch_t", "sizes": [2, 5], "classify": ["lda"]},
        {"select": "pam"},
        {"select": "wilcoxon", "sizes": [3], "classify": ["knn", "logistic"], "name": "third"},
    ],
}


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(5)
    y = np.repeat(["a", "b"], 20)
    X = rng.normal(size=(40, 30))
    X[20:, :3] += 1.5
    return as_dataset(X, y)


@pytest.fixture(scope="module")
def whole(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("one") / "run"
    run_study(data, PLAN, folder)
    return folder


@pytest.fixture(scope="module")
def three(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("three")
    for k in (3, 1, 2):
        run_part(data, PLAN, folder / str(k), part=f"{k}/3")
    return folder


def content(folder: Path) -> dict[str, bytes]:
    """All files but the journal, which has times."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "journal.jsonl"
    }


@pytest.mark.quick
@pytest.mark.parametrize("which", [["."], ["1", "2", "3"], ["3", "2", "1", "2"]])
def test_joined_parts_are_one_run_byte_for_byte(data, whole, three, tmp_path, which):
    result = join_parts(data, PLAN, tmp_path / "all", parts=[three / one for one in which])
    assert content(tmp_path / "all") == content(whole)
    assert result.metrics["bcr"]["mean"] > 0.5


def test_parts_have_all_training_sets_once_and_cost_the_same(data, tmp_path):
    with begin_study(data, {"permutations": 30}, tmp_path / "s") as study:
        costs = dict(
            zip(study.tasks, task_costs(study.plan, study.design, study.tasks), strict=True)
        )
        for count in (1, 3, 10):
            parts = [
                tasks_of_part(study.plan, study.design, study.tasks, Part(k, count))
                for k in range(1, count + 1)
            ]
            assert sorted(t.path("x") for own in parts for t in own) == sorted(
                t.path("x") for t in study.tasks
            )
            load = np.array([sum(costs[t] for t in own) for own in parts])
            assert load.max() <= 1.2 * load.mean()


def test_more_parts_than_training_sets_leave_some_without(data, whole, tmp_path):
    plan = {**PLAN, "permutations": 0}
    for k in range(1, 9):
        found = run_part(data, plan, tmp_path / "parts" / str(k), part=Part(k, 8))
        assert found.of == 5  # four folds, and the fit on all samples
    join_parts(data, plan, tmp_path / "all", parts=[tmp_path / "parts"])
    run_study(data, plan, tmp_path / "one")
    assert content(tmp_path / "all") == content(tmp_path / "one")


def test_a_part_that_is_missing_is_named_and_what_is_there_is_kept(data, whole, three, tmp_path):
    with pytest.raises(StoreError, match="part 2/3 is not among the folders") as raised:
        join_parts(data, PLAN, tmp_path / "all", parts=[three / "1", three / "3"])
    assert "\n" not in str(raised.value)
    with pytest.raises(StoreError, match="parts 2/3, 3/3 are not among the folders"):
        join_parts(data, PLAN, tmp_path / "one", parts=[three / "1"])
    kept = len(list((tmp_path / "all").rglob("*.arrow")))
    assert 0 < kept < len(list(whole.rglob("*.arrow")))
    with pytest.raises(StoreError, match="already holds a study"):
        join_parts(data, PLAN, tmp_path / "all", parts=[three])
    join_parts(data, PLAN, tmp_path / "all", parts=[three / "2"], if_exists="resume")
    assert content(tmp_path / "all") == content(whole)


def test_the_rest_can_be_computed_where_it_is_joined(data, whole, three, tmp_path):
    with pytest.raises(StoreError, match="with --resume alone"):
        join_parts(data, PLAN, tmp_path / "all", parts=[three / "1"])
    run_study(data, PLAN, tmp_path / "all", if_exists="resume")
    assert content(tmp_path / "all") == content(whole)


def test_a_part_that_was_killed_is_named_and_goes_on(data, whole, three, tmp_path):
    shutil.copytree(three, tmp_path / "parts")
    cells = sorted((tmp_path / "parts" / "2").rglob("*.arrow"))
    for path in cells[::2]:
        path.unlink()
    with pytest.raises(StoreError, match=r"part 2/3 lacks \d+ of \d+"):
        join_parts(data, PLAN, tmp_path / "all", parts=[tmp_path / "parts"])
    run_part(data, PLAN, tmp_path / "parts" / "2", part="2/3", if_exists="resume")
    join_parts(data, PLAN, tmp_path / "all", parts=[tmp_path / "parts"], if_exists="resume")
    assert content(tmp_path / "all") == content(whole)


def test_a_damaged_file_is_missing_and_named(data, three, tmp_path):
    shutil.copytree(three, tmp_path / "parts")
    broken = sorted((tmp_path / "parts" / "1").rglob("*.arrow"))[0]
    broken.write_bytes(broken.read_bytes()[:-20] + b"x" * 20)
    with pytest.raises(StoreError, match="is damaged") as raised:
        join_parts(data, PLAN, tmp_path / "all", parts=[tmp_path / "parts"])
    assert broken.name[:20] in str(raised.value)


def test_overlapping_parts_that_differ_are_refused(data, three, tmp_path):
    shutil.copytree(three, tmp_path / "parts")
    other = {**PLAN, "seed": 3}
    run_part(data, other, tmp_path / "other", part="1/3")
    with pytest.raises(StoreError, match=r"the plan differs .*\(in: seed\).*join the parts of one"):
        join_parts(data, PLAN, tmp_path / "all", parts=[tmp_path / "parts", tmp_path / "other"])
    assert not (tmp_path / "all").exists()


def test_parts_of_other_data_are_refused_before_a_folder_is_made(data, three, tmp_path):
    other = as_dataset(data.X + 1, data.y)
    with pytest.raises(StoreError, match="the data differ"):
        join_parts(other, PLAN, tmp_path / "all", parts=[three])
    with pytest.raises(StoreError, match="holds no part of a study"):
        join_parts(data, PLAN, tmp_path / "all", parts=[tmp_path])
    renamed = replace(data, name="renamed")
    with pytest.raises(StoreError, match="there the table is named 'table' and here 'renamed'"):
        join_parts(renamed, PLAN, tmp_path / "all", parts=[three])
    assert not (tmp_path / "all").exists()


def test_a_folder_keeps_its_part(data, three):
    with pytest.raises(StoreError, match="holds part 1/3, not 2/3"):
        run_part(data, PLAN, three / "1", part="2/3", if_exists="resume")


def test_parts_of_another_decision_are_refused(data, three, tmp_path):
    """Cells are those of one run for the same plan alone: what learns has inner folds."""
    with pytest.raises(StoreError, match=r"is another \(in: 'reject'\).*changed afterwards"):
        join_parts(data, {**PLAN, "reject": "f_beta"}, tmp_path / "all", parts=three)
    assert not (tmp_path / "all").exists()


@pytest.mark.parametrize("if_exists", ["refuse", "resume", "overwrite"])
def test_a_part_is_not_joined_into_itself(data, three, tmp_path, if_exists):
    shutil.copytree(three, tmp_path / "parts")
    before = content(tmp_path / "parts")
    with pytest.raises(StoreError, match="is one of the parts"):
        join_parts(data, PLAN, tmp_path / "parts/1", parts=tmp_path / "parts", if_exists=if_exists)
    assert content(tmp_path / "parts") == before


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("part.json", '{"part": "2/0"}', "part 2/0: give K/N"),
        ("part.json", '{"part": "2/100000000"}', "part 2/100000000: give K/N"),
        ("part.json", '{"part": 7}', "give K/N, such as 3/10"),
        ("plan.json", None, "has no 'plan.json': copy that part again"),
        ("data.json", None, "has no 'data.json': copy that part again"),
    ],
)
def test_a_broken_part_is_named_before_a_folder_is_made(data, three, tmp_path, name, text, says):
    shutil.copytree(three, tmp_path / "parts")
    place = tmp_path / "parts" / "2" / name
    place.unlink() if text is None else place.write_text(text)
    with pytest.raises(StoreError, match=says) as raised:
        join_parts(data, PLAN, tmp_path / "all", parts=[tmp_path / "parts"])
    assert "parts/2" in str(raised.value)
    assert not (tmp_path / "all").exists()


def test_a_part_that_becomes_the_study_is_a_part_no_more(data, whole, three, tmp_path):
    shutil.copytree(three / "1", tmp_path / "one")
    run_study(data, PLAN, tmp_path / "one", if_exists="resume")
    assert content(tmp_path / "one") == content(whole)
    with pytest.raises(StoreError, match="holds a full study"):
        run_part(data, PLAN, tmp_path / "one", part="1/3", if_exists="resume")


def test_what_reads_a_study_says_of_a_part_what_to_do(three):
    with pytest.raises(StoreError, match=r"holds a part of a study.*--join"):
        open_study(three / "1")


def test_parts_of_different_numbers_are_listed(data, three, tmp_path):
    run_part(data, PLAN, tmp_path / "half", part="1/2")
    with pytest.raises(StoreError, match="the folders hold parts 3/3, 1/2"):
        join_parts(data, PLAN, tmp_path / "all", parts=[three / "3", tmp_path / "half"])


@pytest.mark.parametrize(
    ("given", "says"), [({"part": 2}, "K/N"), ({"part": "1/2", "n_jobs": 0}, "n_jobs=0")]
)
def test_arguments_in_one_line(data, tmp_path, given, says):
    with pytest.raises(PlanError, match=says):
        run_part(data, PLAN, tmp_path / "x", **given)
    with pytest.raises(PlanError, match=r"parts=\[\]"):
        join_parts(data, PLAN, tmp_path / "x", parts=[])


@pytest.mark.parametrize("text", ["3", "0/4", "5/4", "a/b", "1/0", "1/99999999", "-1/3", "1/2/3"])
def test_what_is_no_part_is_refused(text):
    with pytest.raises(PlanError, match="K/N"):
        Part.of(text)


@pytest.mark.longer
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_parts_killed_at_any_time_come_to_one_run(tmp_path):
    from tamis.data import load_golub

    golub = load_golub()
    table = tmp_path / "table.csv"
    frame = pd.DataFrame(golub.X[:, :200], columns=golub.feature_names[:200])
    frame.assign(**{"class": golub.y}).to_csv(table, index=False)
    base = [sys.executable, "-m", "tamis", "study", str(table), "--target", "class"]
    base += ["--permutations", "3", "--quiet", "--n-jobs", "1"]
    rng = np.random.default_rng(2)
    for k in (1, 2):
        line = [*base, "--part", f"{k}/2", "--out", str(tmp_path / "parts" / str(k))]
        process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(1.0, 3.0))
        process.send_signal(signal.SIGKILL)
        process.wait()
        subprocess.run([*line, "--resume"], check=True, capture_output=True)
    for name, more in {"joined": ["--join", str(tmp_path / "parts")], "one": []}.items():
        (tmp_path / name).mkdir()  # the page names the result folder
        line = [*base, *more, "--out", "out"]
        subprocess.run(line, check=True, capture_output=True, cwd=tmp_path / name)
    assert content(tmp_path / "joined") == content(tmp_path / "one")
