"""Each warning is shown by the command of docs/warnings.md, and stays away without its cause."""

from __future__ import annotations

import importlib.util
import json
import sys
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamis.cli.main import main

DOCS = Path(__file__).parents[2] / "docs"


@cache
def tables():
    spec = importlib.util.spec_from_file_location("warning_tables", DOCS / "warning_tables.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["warning_tables"] = module  # which its dataclass looks for
    spec.loader.exec_module(module)
    return module.TABLES


def codes_of(made, folder):
    done = CliRunner().invoke(main, [*made.write(folder), "--out", str(folder / "study")])
    assert done.exit_code == 0, done.output
    found = json.loads((folder / "study/results.json").read_text(encoding="utf-8"))
    return {one["code"] for one in found["warnings"]}


@pytest.mark.full
@pytest.mark.parametrize("code", sorted(tables()))
def test_it_is_said_with_its_cause_alone(code, tmp_path):
    for name in ("with", "without"):
        (tmp_path / name).mkdir()
    make = tables()[code]
    assert code in codes_of(make(True), tmp_path / "with")
    assert code not in codes_of(make(False), tmp_path / "without")
