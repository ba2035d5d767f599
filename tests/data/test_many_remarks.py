"""Files of lines that begin with a mark: what is looked at ahead is bounded."""

from __future__ import annotations

import tracemalloc

import pytest

from tamis._core.errors import DataError
from tamis.data import read_table
from tamis.data.formats import find

TABLE = "id\tclass\tg\n" + "".join(f"s{k}\t{'ab'[k % 2]}\t{k}.5\n" for k in range(12))


@pytest.mark.parametrize("mark", ["#", "!", "# a remark\twith a tab", "##"])
def test_nothing_but_remarks_is_refused_in_a_line_and_little_memory(mark, tmp_path):
    n = 8 * find.MOST_REMARKS
    (tmp_path / "t.tsv").write_text(f"{mark}\n" * n)
    tracemalloc.start()
    with pytest.raises(DataError, match="begins with 50,000 lines and more that all begin with"):
        read_table(tmp_path / "t.tsv", target="class")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    size = (tmp_path / "t.tsv").stat().st_size
    assert peak < 12e6 + size  # of all lines it would be 60 bytes a line at least, 24 MB


@pytest.mark.parametrize("n", [0, 1, 5, 6, 7, 1000, 20_000])
def test_a_table_behind_remarks_is_read(n, tmp_path):
    (tmp_path / "t.tsv").write_text("# made by hand\n" * n + TABLE)
    data = read_table(tmp_path / "t.tsv", target="class")
    assert data.X[:, 0].tolist() == [k + 0.5 for k in range(12)]


@pytest.mark.parametrize("n", [12, find.MOST_REMARKS + 20])
def test_rows_whose_ids_begin_with_a_mark_are_rows(n, tmp_path):
    rows = "".join(f"#{k}\t{'ab'[k % 2]}\t{k % 7}.5\n" for k in range(n))
    (tmp_path / "t.tsv").write_text("id\tclass\tg\n" + rows)
    data = read_table(tmp_path / "t.tsv", target="class")
    assert data.shape == (n, 1)
    assert data.sample_names[-1] == f"#{n - 1}"
    assert data.X[:9, 0].tolist() == [k % 7 + 0.5 for k in range(9)]
