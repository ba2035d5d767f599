"""What a worker frees is there for its next task, without the kernel."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="glibc alone has mallopt")

SCRIPT = """
import resource
import numpy as np
from tamis._core.reused_memory import keep_freed_memory

def faults_of_tasks(size):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(30):
        one, other = np.ones(size // 8), np.ones(size // 8)
        del one, other
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

known = keep_freed_memory()
faults_of_tasks(3_000_000)
print(known, faults_of_tasks(3_000_000))
"""


@pytest.mark.longer
def test_blocks_of_a_task_are_used_again():
    # 3 MB: NumPy asks for huge pages from 4 MB on, which are few
    run = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(run, capture_output=True, text=True, check=True, timeout=60)
    known, count = done.stdout.split()
    if known == "False":
        pytest.skip("this C library has no mallopt")
    assert int(count) < 100  # of 44,000 pages


def test_workers_keep_theirs(monkeypatch):
    from tamis._core import worker_manners

    called = []
    monkeypatch.setattr(worker_manners, "keep_freed_memory", lambda: called.append(1))
    monkeypatch.setattr(worker_manners, "follow_parent", lambda: None)
    monkeypatch.setattr(worker_manners.signal, "signal", lambda *_: None)
    worker_manners.begin_worker()
    assert called == [1]
