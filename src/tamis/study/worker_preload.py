"""Importing this loads what tasks need: the fork server does (`_core/fork_server.py`). What is not
compiled yet it compiles, once for all workers."""

from __future__ import annotations

from contextlib import suppress

from .._core.fork_server import end_with_parent
from .._core.starting import begin_to_load, end_loading
from .result_preload import load_tasks

end_with_parent()
begin_to_load()
with suppress(Exception):  # what fails here fails in a task, which reports it
    load_tasks()
end_loading()
