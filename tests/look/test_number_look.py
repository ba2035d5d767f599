"""A table whose outcome is a number, looked at: shown by thirds, watched for copies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.studies import number_data
from tamis.look import look_at
from tamis.look.thirds import in_thirds
from tamis.report import write_look_page


def test_equal_values_stay_in_one_third():
    data = number_data(n=9)
    data = replace(data, numbers=np.array([1.0, 1, 1, 1, 2, 2, 3, 3, 3]))
    seen = in_thirds(data)
    assert seen.classes == ("third 1, 1 to 1", "third 2, 2 to 2", "third 3, 3 to 3")
    assert [int((seen.y == name).sum()) for name in seen.classes] == [4, 2, 3]
    few = in_thirds(replace(data, numbers=np.array([1.0] * 8 + [2.0])))
    assert few.classes == ("third 1, 1 to 1", "third 2, 2 to 2")


def test_a_look_at_a_number_shows_its_thirds_and_its_copies(tmp_path):
    data = number_data(n=60, batches=np.repeat(["u", "v"], 30))
    X = np.column_stack([data.X, 2.2 * data.numbers + 1])
    data = replace(data, X=X, feature_names=(*data.feature_names, "pounds"))
    content = look_at(data).to_dict()
    assert content["number"] == pytest.approx(
        dict(zip(("low", "median", "high"), np.quantile(data.numbers, [0, 0.5, 1]), strict=True))
    )
    assert [one["n"] for one in content["classes"]] == [20, 20, 20]
    assert content["positive"] is None
    assert [(one["columns"], one["grave"]) for one in content["suspects"]] == [(["pounds"], True)]
    assert np.sum([one["classes"] for one in content["batches"]]) == 60
    summary = look_at(data).summary()
    assert "bmi from" in summary
    assert "third of the number explains" in summary
    write_look_page(content, tmp_path / "look.html")
    assert "shown by its thirds" in (tmp_path / "look.html").read_text()
