"""Every search of the registry keeps what `tamis.checks.searches` asks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from discovery import faulty_searches
from discovery.faulty_searches import FAULTS, row_of
from tamis._core.citations import CITATIONS
from tamis._core.errors import DataError, PlanError, StoreError
from tamis._core.registry import find_row, rows_of, with_rows
from tamis._core.rows import SearchRow
from tamis.checks.searches import CHECKS, Trial, check_level, check_search, fault_of, planted_table
from tamis.cli._interact_options import search_options
from tamis.discovery import find_interactions, open_interactions
from tamis.discovery.interface import Setting


@pytest.mark.longer
@pytest.mark.parametrize("row", rows_of(SearchRow), ids=lambda row: row.name)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.code)
def test_every_search_passes(check, row):
    assert fault_of(check, row) == ""


@pytest.mark.quick
def test_the_fastest_search_passes():
    """One search through all checks but that of its level, for those who run the quick tests."""
    row = find_row("pairs", SearchRow)
    assert [fault_of(check, row) for check in CHECKS if check.code != "chance"] == [""] * 12


@pytest.mark.slow
@pytest.mark.parametrize("row", rows_of(SearchRow), ids=lambda row: row.name)
def test_noise_is_found_at_the_level_that_is_named(row):
    check_level(Trial(row), tables=150)


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_named_by_its_check_alone(fault):
    report = check_search(row_of(fault))
    assert set(report.failed) == FAULTS[fault], report.summary()
    assert len(report.verdicts) == len(CHECKS)


def test_every_row_has_its_words_and_its_page():
    docs = Path(__file__).parents[2] / "docs" / "methods"
    for row in rows_of(SearchRow):
        assert row.title
        assert (docs / row.page).is_file()
        assert set(row.cite) <= CITATIONS.keys()
        assert all(setting.help[-1] != "." for setting in row.load().settings)


@pytest.mark.parametrize("row", rows_of(SearchRow), ids=lambda row: row.name)
def test_a_matrix_without_the_reader_is_looked_at_too(row, tmp_path):
    data = planted_table()
    X = data.X.astype(np.float64)
    X[3, 1] = np.inf
    told = rf"infinite value in column {data.feature_names[1]!r}, sample "
    with pytest.raises(DataError, match=told):
        find_interactions(replace(data, X=X), tmp_path / "s", method=row.name)
    names = (data.feature_names[1], *data.feature_names[1:])
    with pytest.raises(DataError, match=f"several features of .* are named {names[0]!r}$"):
        find_interactions(replace(data, feature_names=names), tmp_path / "s", method=row.name)
    assert not (tmp_path / "s").exists()


def test_names_that_are_taken_are_refused_in_one_line():
    with (
        pytest.raises(PlanError, match="'pairs', which there is already"),
        with_rows([find_row("pairs", SearchRow)]),
    ):
        pass


def test_two_meanings_of_one_option_are_refused(monkeypatch):
    """Whose search it is says so, and what to do."""
    other = replace(
        find_row("pairs", SearchRow).load(), given=(Setting("bins", "Bins", float, default=1.0),)
    )
    monkeypatch.setattr(faulty_searches, "OTHER", other, raising=False)
    row = SearchRow("other", f"{faulty_searches.__name__}:OTHER", "nothing", "another")
    with pytest.raises(PlanError, match="'pairs' and 'other' both have an option --bins"):
        search_options([find_row("pairs", SearchRow), row])


def test_a_result_of_a_search_that_is_gone_says_so(tmp_path):
    with with_rows([row_of("")]):
        Trial(row_of("")).find(planted_table(40), tmp_path / "o")
        open_interactions(tmp_path / "o")
    with pytest.raises(StoreError, match="of the search 'faulty', which is not there: install"):
        open_interactions(tmp_path / "o")
