"""Scans on the workers of a Dask scheduler, which are processes of their own."""

from __future__ import annotations

import os
import time
from collections import deque

import numpy as np
import pytest

from common.cluster import cluster
from tamis._core import dask_backend, scheduler
from tamis._core.errors import DataError, PlanError
from tamis._core.scheduler import on_scheduler
from tamis.genome import mtd_scan, open_genotypes, pair_scan, quality_control, simulate_cohort
from tamis.genome.blocks.sharing import each_block

pytestmark = pytest.mark.longer

pytest.importorskip("distributed", reason="needs Dask: pip install '.[dask]'")

NO_SECOND_TRY = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"}


@pytest.fixture
def made(tmp_path):
    simulate_cohort(
        tmp_path / "made", n_cases=90, n_controls=80, n_variants=600, missing=0.02, seed=5
    )
    return tmp_path / "made.bed"


def results(genotypes):
    """Bytes of what scans find."""
    strata = np.arange(genotypes.shape[0]) % 2
    folds = np.arange(genotypes.shape[0]) % 3
    scan = mtd_scan(genotypes, folds=folds, strata=strata, permutations=19, n_jobs=2, width=70)
    quality = quality_control(genotypes, n_jobs=2)
    pairs = pair_scan(genotypes, permutations=19, n_jobs=2)
    told = [scan.counts, scan.scores, scan.fold_scores, scan.p_values, scan.p_adjusted]
    told += [pairs.pairs, pairs.score, pairs.interaction, pairs.maxima]
    return [part.tobytes() for part in told] + [quality.frame().to_csv()]


def test_the_same_bytes_whoever_does_the_work(made, tmp_path, monkeypatch):
    """Of a part of the samples and variants too; the workers open the file by its path, and refuse
    another one."""
    whole = open_genotypes(made)
    part = whole.subset(samples=np.arange(20, 170), variants=np.arange(0, 600, 2))
    here = results(whole) + results(part)
    said = []
    with cluster(tmp_path) as running:
        monkeypatch.chdir(tmp_path)
        with on_scheduler(running.address, said.append):
            who = each_block(part, lambda packed: os.getpid(), "who", 1, True, 10)
            assert {pid for _, pid in who} == {worker.pid for worker in running.workers}
            assert results(open_genotypes("made.bed")) + results(part) == here
        assert said == [f"{running.address}: 2 workers, 2 threads"]
        again = open_genotypes(made)
        calls = bytearray(made.read_bytes())
        calls[50] ^= 1
        with on_scheduler(running.address):
            mtd_scan(again)
            other = made.with_name("other.bed")
            for ending in (".bed", ".bim", ".fam"):
                other.with_suffix(ending).write_bytes(made.with_suffix(ending).read_bytes())
            moved = open_genotypes(other)
            moved.sources[0].__reduce__()  # the digest is taken
            other.write_bytes(calls)
            with pytest.raises(DataError, match=r"'.*other\.bed' is another file than here"):
                mtd_scan(moved)


@pytest.mark.slow
def test_a_killed_worker_loses_nothing_and_a_killed_scheduler_is_one_line(
    made, tmp_path, monkeypatch
):
    genotypes = open_genotypes(made)

    def slowly(packed, at):
        time.sleep(0.05)
        return os.getpid(), packed.sum(dtype=np.int64) + at.sum()

    along = (np.arange(600),)
    wanted = [made[1][1] for made in each_block(genotypes, slowly, "sums", 2, True, 30, along)]
    with cluster(tmp_path, 2) as running, on_scheduler(running.address):
        found, who = [], set()
        for k, (_, (pid, one)) in enumerate(each_block(genotypes, slowly, "", 2, True, 30, along)):
            found.append(one)
            who.add(pid)
            if k == 6:
                running.workers[0].kill()
        assert found == wanted
        assert who == {worker.pid for worker in running.workers}
    with cluster(tmp_path, 2, **NO_SECOND_TRY) as running:  # noqa: SIM117
        with pytest.raises(DataError, match=r"died one after the other on the same task"):
            with on_scheduler(running.address):
                deque(each_block(genotypes, lambda packed: os._exit(1), "", 2, True, 30), maxlen=0)

    def kill_on_the_way(address, *processes):
        with on_scheduler(address):
            for k, _ in enumerate(each_block(genotypes, slowly, "", 2, True, 30, along)):
                if k == 6:
                    for process in processes:
                        process.kill()

    monkeypatch.setattr(dask_backend, "WORKER_WAIT_SECONDS", 2)
    with cluster(tmp_path, 2) as running:  # noqa: SIM117
        with pytest.raises(DataError, match=r"no worker of the scheduler is left"):
            kill_on_the_way(running.address, *running.workers)
    with cluster(tmp_path, 2) as running:  # noqa: SIM117
        with pytest.raises(DataError, match=r"the scheduler at .* was lost on the way"):
            kill_on_the_way(running.address, running.scheduler)


def test_who_does_not_answer_is_named(monkeypatch, tmp_path):
    with pytest.raises(PlanError, match=r"nobody answers there \(.*refused"):  # noqa: SIM117
        with on_scheduler("tcp://127.0.0.1:9"):
            pass
    with pytest.raises(PlanError, match=r"is no address that can be used"):  # noqa: SIM117
        with on_scheduler("no address"):
            pass
    with cluster(tmp_path, 0) as alone:
        monkeypatch.setattr(scheduler, "SCHEDULER_WAIT_SECONDS", 4)
        with pytest.raises(PlanError, match=r"has no worker: start some with `dask worker"):  # noqa: SIM117
            with on_scheduler(alone.address):
                pass
