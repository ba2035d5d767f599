"""What a study does about columns that look like leaks: refuses, tells, or is told that they are
meant."""

from __future__ import annotations

import json

import numpy as np
import pytest

from common.leaks import LEAKS, leaky_table, prepared_table
from tamis._core.errors import DataError
from tamis.study import open_study, run_study

FIXED = {
    "outer": {"folds": 3},
    "inner": {"folds": 2, "repeats": 1},
    "permutations": 0,
    "describe": False,
    "method": [{"select": "pearson", "sizes": [2]}],
}
BY_NAME = {leak.__name__: leak for leak in LEAKS}


def warned(result) -> list[str]:
    found = json.loads((result.folder / "results.json").read_text())["warnings"]
    return [w["text"] for w in found if w["code"] == "possible-leak"]


def test_a_grave_suspect_is_refused_in_one_line_and_nothing_is_written(tmp_path):
    data, _ = leaky_table(BY_NAME["censored_time"], "noise", seed=1)
    with pytest.raises(DataError) as caught:
        run_study(data, FIXED, tmp_path / "s")
    text = str(caught.value)
    assert "\n" not in text
    assert text.endswith(
        "leave it out with drop=['time'], or say that it is meant with allow=['time']"
    )
    assert not (tmp_path / "s").exists()


def test_an_allowed_one_is_studied_and_told_everywhere(tmp_path):
    data, _ = leaky_table(BY_NAME["near_copy"], "clinic", seed=1)
    result = run_study(data, {**FIXED, "allow": ["sc*"]}, tmp_path / "s")
    (text,) = warned(result)
    assert text.endswith("; allowed as meant.")
    assert f"! possible-leak: {text}" in result.summary()
    assert result.metrics["bcr"]["mean"] > 0.95
    assert result.to_dict()["plan"]["allow"] == ["sc*"]


def test_others_are_told_with_what_to_do(tmp_path):
    data, _ = leaky_table(BY_NAME["plates"], "noise", seed=1)
    (text,) = warned(run_study(data, FIXED, tmp_path / "s"))
    assert "drop=['plate']" in text
    assert "allow=['plate']" in text


def test_without_the_column_the_study_is_at_chance(tmp_path):
    data, columns = leaky_table(BY_NAME["censored_time"], "noise", seed=1)
    keep = np.array([name not in columns for name in data.feature_names])
    names = tuple(np.array(data.feature_names)[keep])
    from dataclasses import replace

    clean = replace(data, X=np.ascontiguousarray(data.X[:, keep]), feature_names=names)
    result = run_study(clean, FIXED, tmp_path / "s")
    assert not warned(result)
    assert result.metrics["bcr"]["low"] < 0.5 < result.metrics["bcr"]["high"]


def test_what_is_allowed_may_change_when_a_study_goes_on(tmp_path):
    data, _ = leaky_table(BY_NAME["plates"], "noise", seed=1)
    first = run_study(data, FIXED, tmp_path / "s")
    cells = sorted((tmp_path / "s" / "cells").rglob("*.arrow"))
    times = [cell.stat().st_mtime_ns for cell in cells]
    again = run_study(data, {**FIXED, "allow": ["plate"]}, tmp_path / "s", if_exists="resume")
    assert [cell.stat().st_mtime_ns for cell in cells] == times
    assert again.metrics == first.metrics
    assert warned(again)[0].endswith("allowed as meant.")


def test_many_suspects_are_told_a_line_each(tmp_path):
    from dataclasses import replace

    data, _ = leaky_table(BY_NAME["censored_time"], "noise", seed=1)
    time = data.X[:, [-1]]
    more = [f"{end}_months" for end in ("os", "pfs", "dfs", "rfs")]
    wide = replace(
        data,
        X=np.column_stack([data.X, *(time * k for k in range(2, 6))]),
        feature_names=(*data.feature_names, *more),
    )
    with pytest.raises(DataError, match="is not studied: it looks like a time to an") as caught:
        run_study(wide, FIXED, tmp_path / "s")
    assert f"drop={['time', *more]}" in str(caught.value)
    labels = np.where(data.y == "dead", "b", "a")
    other = replace(wide, y=labels, classes=(), target="arm")  # no event
    with pytest.raises(DataError, match="may hold leaks, and is not studied, for 4") as caught:
        run_study(other, FIXED, tmp_path / "s")
    assert "4. column 'rfs_months'" in str(caught.value)
    assert str(caught.value).count("leave it out with drop=") == 4
    assert open_study(run_study(wide, {**FIXED, "allow": ["*"]}, tmp_path / "s").folder)


def test_what_is_found_of_a_table_is_allowed_by_its_kind(tmp_path):
    """From Python and from a file, where a name that nothing has is refused otherwise."""
    data = prepared_table("preselected", "noise", seed=1)
    table = tmp_path / "chosen.csv"
    rows = zip(data.y.tolist(), data.X.tolist(), strict=True)
    lines = [",".join(("arm", *data.feature_names))]
    table.write_text("\n".join([*lines, *(",".join(map(str, (y, *x))) for y, x in rows)]))
    (text,) = warned(run_study(data, FIXED, tmp_path / "asked"))
    assert text.startswith("every column differs by class")
    assert "allow='preselected'" in text
    for k, given in enumerate(({"data": data}, {"data": table, "target": "arm"})):
        result = run_study(plan=FIXED, out=tmp_path / f"{k}", allow="preselected", **given)
        assert [one.endswith("; allowed as meant.") for one in warned(result)] == [True]
    with pytest.raises(DataError, match="allow names the column 'preselect'"):
        run_study(table, FIXED, tmp_path / "no", target="arm", allow="preselect")
