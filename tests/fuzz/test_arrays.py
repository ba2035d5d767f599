"""Readers of files of arrays, series and platforms given spoiled ones, in a watched process."""

from __future__ import annotations

import pytest

from fuzz.spoiled_arrays import VALID, whole, write_file

pytestmark = pytest.mark.longer

FAMILY = "arrays"


@pytest.mark.parametrize("name", VALID)
def test_what_is_spoiled_is_valid_at_first(watched, tmp_path, name):
    ending, parts = VALID[name]
    assert watched.ask(write_file(tmp_path, f"made.{ending}", whole(parts))) == ("", "")
