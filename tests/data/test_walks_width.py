"""Blocks of columns of tables of any height."""

from __future__ import annotations

from tamis.data.walks import MAX_BLOCK_VALUES, block_width


def test_a_block_has_a_column_at_least():
    assert (
        block_width(MAX_BLOCK_VALUES)
        == block_width(MAX_BLOCK_VALUES + 1)
        == block_width(10 * MAX_BLOCK_VALUES)
        == 1
    )
    assert block_width(MAX_BLOCK_VALUES // 2) == 2
