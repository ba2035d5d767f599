"""Importing this loads what tasks need: for the process that workers are forked from
(`_core/fork_server.py`). What is not compiled yet it compiles, once for all of them."""

from __future__ import annotations

from contextlib import suppress

from .ahead import load_tasks

with suppress(Exception):  # what fails here fails in a task, which tells of it
    load_tasks()
