"""Studies on the workers of a Dask scheduler, which are processes of their own."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from common.cluster import cluster
from common.filed import Filed
from common.studies import make_data
from common.tables import PLAN, write_table
from tamis._core import own_code
from tamis._core.errors import DataError, PlanError
from tamis._core.scheduler import on_scheduler
from tamis.data import load_golub
from tamis.genome import simulate_cohort
from tamis.study import run_study
from tamis.study.run import begin_study
from tamis.study.store import Store

pytestmark = pytest.mark.longer

pytest.importorskip("distributed", reason="needs Dask: pip install '.[dask]'")

TESTS = str(Path(__file__).resolve().parents[1])
IMPORTS = {"PYTHONPATH": os.pathsep.join([TESTS, os.environ.get("PYTHONPATH", "")])}
SHORT = {
    "outer": {"folds": 3},
    "inner": {"folds": 2, "repeats": 1},
    "permutations": 1,
    "method": [{"select": "welch_t", "sizes": [2, 5]}],
}
PACKED = """
permutations = 0
inner = { folds = 2, repeats = 1 }
[[method]]
prepare = ["genotype_quality"]
select = "mtd"
sizes = [2, 5]
"""
CODE = """
from sklearn.naive_bayes import GaussianNB
class Nearer(GaussianNB):
    "Of one's own."
"""


def content(folder):
    """Every file of a study but the journal."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "journal.jsonl"
    }


def genotypes(folder):
    """A data set whose numbers stay in a file."""
    codes = np.random.default_rng(3).integers(-1, 3, (4_200, 40), dtype=np.int8)
    np.save(folder / "chip.npy", codes)
    made = make_data(seed=1, n=40, p=4_200)
    return replace(made, X=Filed(folder / "chip.npy"))


@pytest.fixture
def at_cell(monkeypatch):
    """Do something once a number of cells are written."""
    put = Store.put

    def let(number, act):
        written = itertools.count(1)

        def put_and_act(store, path, content, **more):
            put(store, path, content, **more)
            if next(written) == number:
                act()

        monkeypatch.setattr(Store, "put", put_and_act)

    return let


@pytest.mark.slow
def test_the_same_bytes_whoever_does_the_work(tamis, tmp_path, monkeypatch, at_cell):
    """Of one table, of a folder of them, of packed genotypes, and of another table that is no
    matrix; with decisions that learn. What all folds need is sent once to each worker, and again
    if all die that had it and another starts. A lost scheduler is one line, and what was finished
    is kept."""
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(f'recalibrate = "platt"\n{PLAN}')
    write_table("golub.csv", load_golub())
    Path("tables").mkdir()
    for k in range(2):
        write_table(f"tables/set{k}.csv", make_data(seed=k, n=32, p=12))
    asked = ("--target", "diagnosis", "--plan", "plan.toml")
    assert tamis("study", "golub.csv", *asked, "--n-jobs", "1", "--out", "golub")[0] == 0
    assert tamis("study", "tables", *asked, "--n-jobs", "1", "--out", "sets")[0] == 0
    data = genotypes(tmp_path)
    run_study(data, SHORT, "chip")
    simulate_cohort("cohort", 20, 20, 300, missing=0.03)
    Path("packed.toml").write_text(PACKED)
    cohort = ("genome", "study", "cohort.bed", "--plan", "packed.toml", "--folds", "3")
    assert tamis(*cohort, "--n-jobs", "1", "--out", "cohort1")[0] == 0
    with cluster(tmp_path, 2, **IMPORTS) as running:
        on_it = (*asked, "--scheduler", running.address)
        code, out, err = tamis("study", "golub.csv", *on_it, "--out", "golub2", "--n-jobs", "1")
        assert (code, f"{running.address}: 2 workers, 2 threads\n" in err) == (0, True)
        assert "golub2" in out
        assert content(tmp_path / "golub2") == content(tmp_path / "golub")
        assert tamis("study", "tables", *on_it, "--out", "sets2")[0] == 0
        assert content(tmp_path / "sets2") == content(tmp_path / "sets")
        assert tamis(*cohort, "--scheduler", running.address, "--out", "cohort2")[0] == 0
        assert content(tmp_path / "cohort2") == content(tmp_path / "cohort1")
        assert " on 2 cores" in tamis("study", "tables/set0.csv", *on_it, "--dry-run")[1]

        with on_scheduler(running.address):
            run_study(data, SHORT, "chip2")
        assert content(tmp_path / "chip2") == content(tmp_path / "chip")
        assert sorted(data.X.openings) == sorted(worker.pid for worker in running.workers)

        def replace_all():
            for worker in running.workers:
                worker.kill()
            running.start_workers(1)

        at_cell(2, replace_all)
        with on_scheduler(running.address):
            run_study(data, SHORT, "chip3")
        assert content(tmp_path / "chip3") == content(tmp_path / "chip")
        assert running.workers[-1].pid in data.X.openings
        at_cell(3, running.scheduler.kill)
        code, _, err = tamis("study", "golub.csv", *on_it, "--out", "golub3")
        assert code == 2
        progress = [line for line in err.splitlines() if line.startswith("study: ")]
        assert err.count("\n") - len(progress) <= 5, err
        assert f"the scheduler at {running.address!r} was lost on the way" in err
    assert len(list(tmp_path.glob("golub3/cells/**/*.arrow"))) >= 3
    again = (*asked, "--out", "golub3", "--resume", "--n-jobs", "1")
    assert tamis("study", "golub.csv", *again)[0] == 0
    assert content(tmp_path / "golub3") == content(tmp_path / "golub")


CONNECTED = """
import sys
from tamis._core.errors import TamisError
from tamis._core.scheduler import on_scheduler
try:
    with on_scheduler(sys.argv[1]) as workers:
        print(workers)
except TamisError as error:
    print(error)
"""


def certificates(folder, name):
    """Dask's settings of a certificate made for the test."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl to make certificates")
    key, made = folder / f"{name}.key", folder / f"{name}.pem"
    subprocess.run(
        ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2")
        + ("-keyout", key, "-out", made, "-subj", "/CN=localhost"),
        check=True,
        capture_output=True,
    )
    settings = {"CA_FILE": str(made)}
    for who in ("SCHEDULER", "WORKER", "CLIENT"):
        settings |= {f"{who}__CERT": str(made), f"{who}__KEY": str(key)}
    return {f"DASK_DISTRIBUTED__COMM__TLS__{key}": value for key, value in settings.items()}


def test_certificates_that_do_not_fit_are_named_and_nobody_is_led_to_do_without(tmp_path):
    """None, others, a file that is missing, and tcp:// where certificates are asked for; with the
    right ones it works."""
    right, others = certificates(tmp_path, "right"), certificates(tmp_path, "others")
    missing = {**right, "DASK_DISTRIBUTED__COMM__TLS__CA_FILE": str(tmp_path / "none.pem")}

    def said_of(address, settings):
        ours = {k: v for k, v in os.environ.items() if "COMM__TLS" not in k}
        command = (sys.executable, "-c", CONNECTED, address)
        done = subprocess.run(command, env={**ours, **settings}, capture_output=True, text=True)
        assert "Traceback" not in done.stderr
        assert done.stdout.count("\n") == 1
        return done.stdout.strip()

    with cluster(tmp_path, 1, protocol="tls", **right) as running:
        assert said_of(running.address, right) == "Workers(processes=1, threads=1)"
        for settings in ({}, others, missing):
            said = said_of(running.address, settings)
            assert said.startswith(f"--scheduler {running.address!r}: no connection by TLS; ")
            assert "distributed.comm.tls.ca-file" in said
            assert "DASK_DISTRIBUTED__COMM__TLS__CA_FILE" in said
            assert "tcp://" not in said
        said = said_of(running.address.replace("tls", "tcp"), {})
        assert "write tls:// for tcp://" in said
    said = said_of(running.address, right)  # it has ended
    assert "nobody answers there" in said
    assert "--protocol tls" in said
    assert "tcp://" not in said


def test_help_says_that_the_port_is_open_and_what_can_be_read(tamis):
    for command in (("study",), ("genome", "study"), ("genome", "mtd"), ("genome", "pairs")):
        _, out, _ = tamis(*command, "--help")
        words = " ".join(out.replace("│", " ").split())
        assert "whoever reaches it can run code as you" in words
        assert "without TLS (tls://) can read the table on its way" in words


def test_workers_that_are_not_alike_are_one_line(tmp_path, monkeypatch):
    """One that lacks the user's own code, has other, or cannot open the table; and what cannot be
    sent at all. The next study has what it needs."""
    (tmp_path / "mine").mkdir()
    module = tmp_path / "mine" / "closer_by.py"
    module.write_text(CODE)
    monkeypatch.setattr(own_code, "_folders", [])
    own_code.code_folder(str(tmp_path / "mine"))
    own = {"select": "welch_t", "sizes": [2], "classify": "closer_by:Nearer"}
    plan = {**SHORT, "permutations": 0, "method": [own]}
    data = make_data()
    with cluster(tmp_path, 1, **IMPORTS) as running:

        def refused(study, match):
            raised = pytest.raises((PlanError, DataError), match=match)
            with raised as told, on_scheduler(running.address):
                study.run()
            assert "\n" not in str(told.value)
            assert not list(study.store.folder.rglob("*.arrow"))

        study = begin_study(data, plan, tmp_path / "lacks")
        module.rename(tmp_path / "away.py")
        refused(study, r"^on .*no module 'closer_by' for 'closer_by:Nearer'")
        study = begin_study(data, plan, tmp_path / "other")
        module.write_text(CODE + "    power = 3\n")
        refused(study, r"has other code of 'closer_by:Nearer' than is here")
        filed = genotypes(tmp_path)
        study = begin_study(filed, SHORT, tmp_path / "moved")
        filed.X.path = tmp_path / "elsewhere.npy"
        refused(study, r"cannot open what it is sent \(FileNotFoundError: .*elsewhere")
        data.X.flags.writeable = False
        study = begin_study(data, SHORT, tmp_path / "whole")
        object.__setattr__(study.design, "names", (name for name in data.feature_names))
        refused(study, r"cannot be sent to a worker \(TypeError: cannot pickle 'generator' object")
        with on_scheduler(running.address):
            run_study(data, SHORT, tmp_path / "after")
    run_study(data, SHORT, tmp_path / "here")
    assert content(tmp_path / "after") == content(tmp_path / "here")
