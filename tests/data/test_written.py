"""Tables of samples as files: what was written is read again, in every format."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import PlanError
from tamis.data import read_table
from tamis.data.written import TABLE_WRITERS, check_written, is_written_for, write_values

FRAME = pd.DataFrame(
    np.random.default_rng(0).normal(size=(6, 3)).astype(np.float32),
    index=["a", "b", "c", "d", "7", "a, b"],
    columns=["1007_s_at", "1007_s_at#2", "-at"],
)


@pytest.mark.parametrize("ending", TABLE_WRITERS)
def test_what_was_written_is_read(tmp_path, ending):
    path, sheet = tmp_path / f"t{ending}", tmp_path / "s.csv"
    write_values(FRAME, path, "test")
    labels = pd.DataFrame({"sample": FRAME.index, "ill": ["x", "y", "y"] * 2})
    labels.sample(frac=1, random_state=0).to_csv(sheet, index=False)  # joined by the ids
    found = read_table(path, target="ill", samples=sheet, id="sample")
    assert found.y.tolist() == labels.ill.tolist()
    np.testing.assert_array_equal(found.X.astype(np.float32), FRAME)
    names = [name.lstrip("'") for name in found.feature_names]
    assert names == FRAME.columns.tolist()


def test_only_a_table_that_this_command_wrote_is_ours(tmp_path):
    write_values(FRAME, tmp_path / "t.parquet", "one")
    assert is_written_for("one")(tmp_path / "t.parquet")
    assert not is_written_for("another")(tmp_path / "t.parquet")
    FRAME.to_parquet(tmp_path / "u.parquet")
    (tmp_path / "v.parquet").write_bytes(b"x")
    assert not any(is_written_for("one")(tmp_path / f"{name}.parquet") for name in "uvw")


def test_an_unknown_ending_is_told_before_anything_is_computed():
    with pytest.raises(PlanError, match=r"'t.xlsx': a table is written as '.parquet', '.csv'"):
        check_written(Path("t.xlsx"))
