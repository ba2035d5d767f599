"""Every search of the registry keeps what `tamis.checks.searches` asks."""

from __future__ import annotations

import pytest

from tamis._core.registry import search_rows
from tamis.checks.searches import CHECKS, Trial, check_level, fault_of


@pytest.mark.parametrize("row", search_rows(), ids=lambda row: row.name)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.code)
def test_every_search_passes(check, row):
    assert fault_of(check, row) == ""


@pytest.mark.slow
@pytest.mark.parametrize("row", search_rows(), ids=lambda row: row.name)
def test_noise_is_found_at_the_level_that_is_named(row):
    check_level(Trial(row), tables=150)
