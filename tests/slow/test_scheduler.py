"""Studies on a cluster whose workers have several threads, die again and again, or are left."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from common.cluster import cluster
from common.studies import QUICK, make_data
from common.tables import PLAN, write_table
from tamis._core import own_code
from tamis._core.scheduler import on_scheduler
from tamis.study import run_study
from tamis.study.store import Store

pytest.importorskip("distributed", reason="needs Dask: pip install '.[dask]'")
pytestmark = pytest.mark.slow

LONGER = {**QUICK, "permutations": 9}
ALONE = """
import time
from sklearn.naive_bayes import GaussianNB
inside = []
class Alone(GaussianNB):
    "Fails where another is fitted in the same process meanwhile."
    def fit(self, X, y):
        inside.append(self)
        time.sleep(0.01)
        assert inside == [self], "somebody else is here"
        inside.remove(self)
        return super().fit(X, y)
"""


def content(folder):
    """Every file of a study but the journal."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "journal.jsonl"
    }


def test_threads_of_a_worker_do_not_meet(tmp_path, monkeypatch):
    """Random numbers of some libraries, and how many threads they use, are those of a process."""
    (tmp_path / "quite_alone.py").write_text(ALONE)
    monkeypatch.setattr(own_code, "_folders", [])
    own_code.code_folder(str(tmp_path))
    own = {"select": "welch_t", "sizes": [5], "classify": ["quite_alone:Alone", "svm_linear"]}
    plan = {**QUICK, "method": [own]}
    run_study(make_data(), plan, tmp_path / "here")
    with cluster(tmp_path, 1, threads=4) as running, on_scheduler(running.address) as workers:
        assert (workers.processes, workers.threads) == (1, 4)
        run_study(make_data(), plan, tmp_path / "there")
    assert content(tmp_path / "there") == content(tmp_path / "here")


def test_workers_that_die_again_and_again_lose_nothing(tmp_path, monkeypatch):
    run_study(make_data(), LONGER, tmp_path / "here")
    put, written = Store.put, []
    with cluster(tmp_path, 3) as running:

        def put_and_kill(store, path, content, **more):
            put(store, path, content, **more)
            written.append(path)
            if len(written) % 12 == 5:
                running.workers[len(written) // 12].kill()
                running.start_workers(1)

        monkeypatch.setattr(Store, "put", put_and_kill)
        with on_scheduler(running.address):
            run_study(make_data(), LONGER, tmp_path / "there")
        assert len(running.workers) > 8
    assert content(tmp_path / "there") == content(tmp_path / "here")


def test_what_is_stopped_goes_on_elsewhere(tmp_path):
    """Ctrl-C: the cluster does no more of it, and is there for the next study."""
    write_table(tmp_path / "made.csv", make_data(n=60, p=400))
    (tmp_path / "plan.toml").write_text(PLAN.replace("permutations = 1", "permutations = 300"))
    asked = ("study", "made.csv", "--target", "diagnosis", "--plan", "plan.toml", "--out")
    tamis = (sys.executable, "-c", "from tamis.cli.main import run; run()", *asked)
    subprocess.run((*tamis, "here"), cwd=tmp_path, check=True)
    with cluster(tmp_path, 2) as running:
        there = (*tamis, "there", "--scheduler", running.address)
        process = subprocess.Popen(there, cwd=tmp_path, stderr=subprocess.PIPE)
        while len(list(tmp_path.glob("there/cells/**/*.arrow"))) < 5:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
        assert process.returncode == 130, err
        assert b"continue with --resume" in err
        assert b"Traceback" not in err
        with on_scheduler(running.address):
            from distributed import get_client

            time.sleep(3)
            assert not any(get_client().processing().values())
        subprocess.run((*there, "--resume"), cwd=tmp_path, check=True)
    assert content(tmp_path / "there") == content(tmp_path / "here")
