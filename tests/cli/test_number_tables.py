"""Commands that take a table whose outcome is a number."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from common.studies import number_data
from tamis.data import read_table


def write_numbers(path):
    data = number_data()
    frame = pd.DataFrame(data.X, columns=data.feature_names)
    frame.insert(0, "bmi", data.numbers)
    frame.to_csv(path, index=False)


def test_the_commands_look_and_read_take_a_number(tamis, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_numbers(tmp_path / "t.csv")
    code, out, err = tamis("look", "t.csv", "--target", "bmi", "--regression")
    assert (code, err) == (0, "")
    assert out.splitlines()[-1].endswith("tamis study t.csv --target bmi --regression")
    code, out, _ = tamis("read", "t.csv", "--target", "bmi", "--regression", "--fix", "u.csv")
    assert code == 0
    assert "number    bmi from" in out
    one, two = (read_table(name, target="bmi", regression=True) for name in ("t.csv", "u.csv"))
    assert np.array_equal(one.numbers, two.numbers)
    assert np.array_equal(one.X, two.X)
    code, out, _ = tamis("read", "u.toml", "--json", "--force")
    assert (code, json.loads(out)["samples"]) == (0, 40)
    assert pd.read_csv("u.csv").shape == (40, 32)


def test_interact_refuses_a_number_in_one_line(tamis, tmp_path):
    write_numbers(tmp_path / "t.csv")
    code, out, err = tamis("interact", tmp_path / "t.csv", "--target", "bmi", "--regression")
    assert (code, out) == (2, "")
    assert "interactions are searched for among classes" in err
    assert len(err.strip().splitlines()) == 1
