"""What is asked of .h5ad files that may be wrong.

The process that reads a file is forked from this one instead of begun anew, since it would mostly
import libraries; what it does is the same.
"""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path
from typing import IO

from fuzz.spoiled_h5ad import KINDS, valid
from fuzz.table_questions import check
from tamis.data import bounded, bounded_child, h5ad_child, read_table


class Forked:
    """As much of `subprocess.Popen` as the reader uses."""

    def __init__(self, job: Path, path: Path, asked: object, seconds: int, most: int):
        back, front = os.pipe()
        self.pid, self.code = os.fork(), None
        if not self.pid:
            os.close(back)
            try:
                stream = os.fdopen(front, "wb")
                bounded_child.main(h5ad_child, str(path), asked, seconds, most, stream)
            finally:
                os._exit(0)
        os.close(front)
        self.stdout: IO[bytes] = os.fdopen(back, "rb")

    def __enter__(self) -> Forked:
        return self

    def __exit__(self, *_: object) -> None:
        self.stdout.close()
        self.wait()

    def kill(self) -> None:
        """End it, if it is still there."""
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """How it ended."""
        if self.code is None:
            self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.code


def warm() -> None:
    """Valid files of each kind, so that all is imported before the first fork."""
    os.environ["TAMIS_READER_SECONDS"] = "5"
    h5ad_child.prepare()
    bounded.begin_reader = Forked
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            path = Path(folder, "made.h5ad")
            path.write_bytes(valid(kind))
            ask(path)


def ask(path: Path) -> None:
    """Read with a target, and read a layer.

    Raises
    ------
    DataError
        The file is wrong.
    """
    check(read_table(path, target="class"), {"target": "class"})
    read_table(path, target="class", covariates=["n"], layer="counts")
