"""Each warning is shown by the commands of docs/warnings.md, and stays away without its cause."""

from __future__ import annotations

import importlib
import json
import re
import shlex
import sys
from functools import cache
from pathlib import Path

import pytest

from common.test_warning_codes import codes

DOCS = Path(__file__).parents[2] / "docs"
COHORTS = "-cohort"  # ends the name of a table of a code that studies have too


@cache
def pages_code():
    """docs/warning_tables.py, which imports its neighbour."""
    sys.path.insert(0, str(DOCS))
    try:
        return importlib.import_module("warning_tables")
    finally:
        sys.path.remove(str(DOCS))


def codes_told(tamis, made, folder):
    """Of the last command: in its results, by its methods, and on the screen."""
    for words in made.write(folder):
        code, out, err = tamis(*words, *(["--json"] if "evaluate" in words else ["--n-jobs", "1"]))
        assert code == 0, err
    if "evaluate" in words:
        return {one["code"] for one in json.loads(out)["warnings"]}
    found = json.loads((folder / "study" / "results.json").read_text(encoding="utf-8"))
    of_methods = {code for method in found["methods"] for code in method["warnings"]}
    screen = re.findall(r"^  ! ([a-z-]+): ", out, re.MULTILINE)
    return {one["code"] for one in found["warnings"]} | of_methods | {*screen}


def test_every_code_has_a_table():
    text = (DOCS / "warnings.md").read_text("utf-8")
    rows = re.findall(r"^\| (?:<a[^|]*></a>)*(`[^|]+) \|", text, re.MULTILINE)
    explained = {code for row in rows for code in re.findall(r"`([a-z-]+)`", row)}
    assert explained == {name.removesuffix(COHORTS) for name in pages_code().TABLES}
    assert codes() <= explained


@pytest.mark.parametrize(("more", "batches"), [([], {"r1", "r2"}), (["--not"], {"r0", "r1"})])
def test_its_commands_are_printed(tmp_path, monkeypatch, capsys, more, batches):
    folder = tmp_path / "a folder"
    monkeypatch.setattr(sys, "argv", ["warning_tables.py", "unseen-batch", str(folder), *more])
    pages_code().main()
    first, second = map(shlex.split, capsys.readouterr().out.splitlines())
    assert first[:3] == ["tamis", "study", str(folder / "first.csv")]
    model = str(folder / "first" / "model.npz")
    assert second[:4] == ["tamis", "evaluate", model, str(folder / "study.csv")]
    cohort = (folder / "study.csv").read_text(encoding="utf-8")
    assert {*re.findall(r",(r\d),", cohort)} == batches


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(pages_code().TABLES))
def test_it_is_said_with_its_cause_alone(name, tamis, tmp_path):
    make, code = pages_code().TABLES[name], name.removesuffix(COHORTS)
    for cause in (True, False):
        folder = tmp_path / str(cause)
        folder.mkdir()
        assert (code in codes_told(tamis, make(cause), folder)) == cause
