"""A process that answers for one spoiled input after the other; who watches it sees it end.

Lines come on stdin, a path each; lines go to stdout, an answer each, as JSON: what was the matter
("" for nothing; the lines of a `TamisError`), or the traceback of what should not have happened.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback
import warnings
from pathlib import Path

from tamis._core.errors import TamisError

ALLOWANCE = 256 << 20  # bytes that any input may take
SHARE = 64  # bytes that a byte of the input may take


def bound_memory(folder: Path) -> None:
    """From now on no more than the input's own content is worth."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    most = pages * os.sysconf("SC_PAGE_SIZE") + ALLOWANCE + SHARE * size
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def main(questions: str) -> None:
    """Answer until stdin ends; `questions` is a module with `ask`, and with `warm` for
    all that is imported and compiled once."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever else is printed
    warnings.simplefilter("error", RuntimeWarning)
    module = importlib.import_module(questions)
    module.warm()
    for line in sys.stdin:
        path = Path(json.loads(line))
        found = {"said": "", "fault": ""}
        try:
            bound_memory(path.parent)
            module.ask(path)
        except TamisError as error:
            found["said"] = "\n".join(error.lines)
        except BaseException:
            found["fault"] = traceback.format_exc()
        answers.write(json.dumps(found) + "\n")
        answers.flush()


if __name__ == "__main__":
    main(sys.argv[1])
