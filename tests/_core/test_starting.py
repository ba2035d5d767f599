"""The collector of garbage while a command starts."""

from __future__ import annotations

import subprocess
import sys

CODE = """if True:
    import gc
    from tamis._core.progress import Progress
    from tamis._core.starting import begin_to_load
    usual = gc.get_threshold()
    with Progress(1, "in a program of the user's", quiet=True):
        print(gc.get_threshold() == usual, gc.get_freeze_count())
    begin_to_load()
    print(gc.get_threshold()[0] > 100 * usual[0])
    with Progress(1, "in a command", quiet=True):
        print(gc.get_threshold() == usual, gc.get_freeze_count() > 0)
"""


def test_it_rests_until_work_begins_in_commands_alone():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:-1] == ["True 0", "True", "True True"]
