"""Blocks of columns of tables of any height."""

from __future__ import annotations

from tamis.data.walks import VALUES, block_width


def test_a_block_has_a_column_at_least():
    assert block_width(VALUES) == block_width(VALUES + 1) == block_width(10 * VALUES) == 1
    assert block_width(VALUES // 2) == 2
