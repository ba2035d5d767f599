"""Damaged cells are told from whole ones: `just fuzz` asks many more."""

from __future__ import annotations

import pytest

from fuzz.spoiled_cells import cells

pytestmark = pytest.mark.longer


def test_every_kind_of_cell_is_among_them():
    assert {name.partition("-")[2] for name in cells()} == {
        "pearson.arrow",
        "pam,n_thresholds=4.arrow",
    }
