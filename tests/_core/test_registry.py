"""Rows are found by name and role, and own code is imported only where it can be what is asked."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from tamis._core.errors import PlanError
from tamis._core.registry import ROLES_BY_MODULE, SAVED_OWN_VIEWS, find_row, rows_of, with_rows
from tamis._core.rows import (
    ClassifierRow,
    DecisionRow,
    PathRow,
    PlanRow,
    RankerRow,
    RuleRow,
    StepRow,
)
from tamis.selection._filters import FilterRow

ONE = StepRow("one_more", "tamis.preparation.logarithm:Logarithms", "one more")


@pytest.mark.parametrize("kind", [FilterRow, PathRow, StepRow, DecisionRow, RuleRow])
def test_code_is_not_imported_for_what_it_cannot_be(kind, tmp_path, monkeypatch):
    """A result file names filters: its page imports no module by such a name."""
    (tmp_path / "never_imported.py").write_text("class Selector: ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PlanError, match="own code can select and classify"):
        find_row("never_imported:Selector", kind)
    assert "never_imported" not in sys.modules


@pytest.mark.parametrize("name", SAVED_OWN_VIEWS)
def test_names_of_saved_code_are_those_of_classifiers(name):
    assert find_row(name, ClassifierRow).name == name
    for kind in (RankerRow, PathRow, DecisionRow):
        with pytest.raises(PlanError, match="own code can select and classify"):
            find_row(name, kind)


def test_more_rows_for_a_while_are_gone_afterwards():
    before = rows_of(PlanRow)
    with with_rows([ONE]):
        with with_rows([]):
            pass
        assert rows_of(PlanRow) == [*before, ONE]
    assert rows_of(PlanRow) == before


def test_two_rows_of_one_name_are_refused():
    with pytest.raises(PlanError, match="names a method 'one_more'"), with_rows([ONE, ONE]):
        pass
    assert ONE not in rows_of(PlanRow)


@pytest.mark.parametrize("room", ROLES_BY_MODULE)
def test_rows_of_a_room_are_of_its_roles(room):
    rows = importlib.import_module(room).ROWS
    assert rows
    assert all(isinstance(row, ROLES_BY_MODULE[room]) for row in rows)


def test_a_row_is_looked_for_in_rooms_of_its_role_alone():
    code = (
        "import sys\n"
        "from tamis._core.registry import find_row\n"
        "from tamis._core.rows import DecisionRow\n"
        "find_row('arg_max', DecisionRow)\n"
        "print(*(name for name in sys.modules if name.startswith('tamis.')))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    rows = {name for name in found.stdout.split() if name.endswith(".rows")}
    assert rows == {"tamis._core.rows", "tamis.classifiers.rows"}
