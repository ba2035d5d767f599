"""What `tamis study` asks before it runs: patients, near copies, the positive class."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest


@pytest.fixture
def table(tmp_path):
    g = np.random.default_rng(0)
    who = np.arange(60) // 3
    frame = pd.DataFrame(g.normal(size=(60, 12)).round(4)).add_prefix("g")
    frame.insert(0, "class", np.where(who % 2, "tumour", "normal"))
    frame.insert(1, "patient", [f"P{k:02d}" for k in who])
    path = tmp_path / "t.csv"

    def put(**changes):
        frame.assign(**changes).to_csv(path, index=False)
        return path

    return put


def test_patients_are_asked_for_as_options(tamis, table):
    study = ("study", table(), "--target", "class", "--dry-run")
    code, _, err = tamis(*study, "--drop", "patient")
    assert code == 0
    assert (
        "  column 'patient' is dropped, but its values repeat (20, such as 'P00', in 60 rows): if "
        "they are patients, study them with --group 'patient' in place of drop; otherwise "
        "results look too good\n"
    ) in err
    _, _, err = tamis(*study, "--group", "patient")
    assert "if they are patients" not in err
    code, _, err = tamis(*study, "--id", "patient")
    assert code == 2
    assert err.count("\n") == 1
    assert "if they are patients, study them with --group 'patient' (rows of one patient" in err


def test_the_positive_class_is_asked_for_once(tamis, table):
    study = ("study", table(), "--target", "class", "--drop", "patient", "--dry-run")
    _, _, err = tamis(*study)
    line = "  positive class: tumour (alphabetically last; change with --positive normal)\n"
    assert err.count(line) == 1
    assert err.count("positive") == 2
    for named, other in (("normal", "tumour"), ("tumour", "normal")):
        _, _, err = tamis(*study, "--positive", named)
        assert f"  positive class: {named}\n" in err
        assert f"--positive {other}" not in err


@pytest.mark.parametrize(
    ("labels", "line"),
    [
        (["no", "yes"], "class = yes\n"),
        (["0", "1"], "class = 1\n"),
        (["control", "case"], "control (alphabetically last; change with --positive case)\n"),
        (
            ["big cell", "small cell"],
            "small cell (alphabetically last; change with --positive 'big cell')\n",
        ),
    ],
)
def test_usual_words_decide(tamis, table, labels, line):
    path = table(**{"class": labels * 30})
    _, _, err = tamis("study", path, "--target", "class", "--drop", "patient", "--dry-run")
    assert f"  positive class: {line}" in err


def test_three_classes_have_no_positive_one(tamis, table):
    path = table(**{"class": list("abc") * 20})
    _, _, err = tamis("study", path, "--target", "class", "--drop", "patient", "--dry-run")
    assert "positive" not in err
