"""Two that start in one folder at the same moment: one wins, the other says who works there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from common.studies import make_data
from tamis._core.errors import StoreError
from tamis.discovery import find_interactions
from tamis.study import run_study
from tamis.study.run import begin_study

pytestmark = pytest.mark.longer

TINY = {
    "outer": {"folds": 3},
    "inner": {"folds": 2, "repeats": 1},
    "permutations": 1,
    "method": [{"select": "moderated_t", "sizes": [2, 5], "classify": ["knn"]}],
}
# Imported once; each pair are two copies of it. Who wins goes on when the other has looked.
PAIRS = """
import json, multiprocessing, os, sys
from pathlib import Path
from common.studies import make_data
from tamis._core.errors import StoreError
from tamis.study import run_study
from tamis.study.run import PreparedStudy
folder, pairs, resume = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
plan = json.loads(sys.argv[4])
data = make_data()
run_study(data, plan, folder / "lone")
run = PreparedStudy.run

def start(out, again, begin, looked, told):
    def when_both_have_looked(*given):
        looked.wait(60)
        return run(*given)

    PreparedStudy.run = when_both_have_looked
    begin.wait(60)
    try:
        run_study(data, plan, out, if_exists=again)
    except StoreError as error:
        looked.wait(60)
        told.put((os.getpid(), str(error)))
    else:
        told.put((os.getpid(), None))

context = multiprocessing.get_context("fork")
for k in range(pairs):
    begin, looked, told = context.Barrier(2), context.Barrier(2), context.Queue()
    again = {
        "never": ("refuse", "refuse"), "both": ("resume", "resume"), "one": ("refuse", "resume"),
    }[resume]
    two = [
        context.Process(target=start, args=(folder / str(k), one, begin, looked, told))
        for one in again
    ]
    for one in two:
        one.start()
    print(json.dumps([told.get(timeout=120) for _ in two]), flush=True)
    for one in two:
        one.join()
"""


def content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "journal.jsonl"
    }


def start_pairs(folder: Path, pairs: int, resume: str) -> None:
    asked = (sys.executable, "-c", PAIRS, str(folder), str(pairs), resume, json.dumps(TINY))
    tests = str(Path(__file__).resolve().parents[1])
    paths = f"import sys; sys.path.insert(0, {tests!r})\n"
    command = (*asked[:2], paths + PAIRS, *asked[3:])
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lone, told = content(folder / "lone"), [json.loads(line) for line in done.stdout.splitlines()]
    assert len(told) == pairs
    for k, two in enumerate(told):
        (winner, _), (_, said) = sorted(two, key=lambda one: one[1] is not None)
        assert said.startswith(f"{str(folder / str(k))!r} is in use by process {winner} on "), two
        assert content(folder / str(k)) == lone


@pytest.mark.parametrize("resume", ["never", "both"])
def test_of_two_that_start_together_one_wins(tmp_path, resume):
    start_pairs(tmp_path, 2, resume)


@pytest.mark.slow
@pytest.mark.parametrize("resume", ["never", "both", "one"])
def test_of_a_hundred_pairs_one_wins_each(tmp_path, resume):
    start_pairs(tmp_path, 100, resume)


def test_resuming_beside_a_live_run_touches_nothing(tmp_path):
    data, out = make_data(), tmp_path / "s"
    with begin_study(data, TINY, out) as study:
        flight = out / ".results.json.x.partial"
        flight.write_text("in flight")
        for way in ("refuse", "resume", "overwrite"):
            with pytest.raises(StoreError, match="is in use by process"):
                run_study(data, TINY, out, if_exists=way)
        assert flight.read_text() == "in flight"
        flight.unlink()
        study.run()
        with pytest.raises(StoreError, match="is in use by process"):
            run_study(data, TINY, out, if_exists="resume")
    run_study(data, TINY, out, if_exists="resume")
    run_study(data, TINY, tmp_path / "lone")
    assert content(out) == content(tmp_path / "lone")


def test_a_study_that_is_refused_lets_go(tmp_path):
    data, out = make_data(), tmp_path / "s"
    run_study(data, TINY, out)
    for _ in range(2):
        with pytest.raises(StoreError, match="the plan differs"):
            run_study(data, {**TINY, "seed": 5}, out, if_exists="resume")
    run_study(data, TINY, out, if_exists="resume")


def test_a_journal_that_is_a_link_is_refused(tmp_path):
    data, out = make_data(), tmp_path / "s"
    run_study(data, TINY, out)
    (tmp_path / "private").write_text("kept")
    (out / "journal.jsonl").unlink()
    (out / "journal.jsonl").symlink_to(tmp_path / "private")
    with pytest.raises(StoreError, match=r"journal.jsonl' is no plain file"):
        run_study(data, TINY, out, if_exists="resume")
    assert (tmp_path / "private").read_text() == "kept"


def test_searches_own_their_folder_too(tmp_path, monkeypatch):
    from tamis.discovery import search

    data, real = make_data(n=20, p=6), search.find_row
    said = []

    class Meanwhile:
        def __init__(self, method, kind):
            self.real = real(method, kind).load()

        def load(self):
            return self

        def __getattr__(self, name):
            return getattr(self.real, name)

        def find(self, task):
            monkeypatch.setattr(search, "find_row", real)
            for way in ("refuse", "resume"):
                with pytest.raises(StoreError) as error:
                    find_interactions(data, tmp_path / "o", method="pairs", if_exists=way)
                said.append(str(error.value))
            return self.real.find(task)

    monkeypatch.setattr(search, "find_row", Meanwhile)
    find_interactions(data, tmp_path / "o", method="pairs")
    assert [" is in use by process " in one for one in said] == [True, True]
    assert not (tmp_path / "o" / "journal.jsonl").exists()
    find_interactions(data, tmp_path / "o", method="pairs", if_exists="resume")
