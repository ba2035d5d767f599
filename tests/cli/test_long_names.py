"""Very long names and very many blocks: no line of the terminal, and no text of a page, has all."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import listed_parts
from tamis.data.class_heading import class_headings

N, LETTERS, MOST = 24, 5000, 600
PLAN = """
permutations = 0
[outer]
folds = 2
[inner]
folds = 2
[[method]]
select = "pearson"
sizes = [1, 2]
classify = "naive_bayes"
"""


def too_long(text):
    """Lines of the terminal, but for commands to copy and `--positive NAME`."""
    lines = [line for line in text.splitlines() if not line.startswith("  next  ")]
    return [line[:80] for line in lines if len(line) > MOST]


def page_texts(path):
    page = re.sub(r"<(script|style).*?</\1>", "", path.read_text(), flags=re.DOTALL)
    return re.findall(r">([^<]+)<", page)


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(0)
    names = ["a" * LETTERS, "b" * LETTERS]
    frame = pd.DataFrame({"id": [f"s{k}{'x' * LETTERS}" for k in range(N)]})
    frame["c" * LETTERS] = [names[k % 2] for k in range(N)]
    frame["batch"] = [f"r{k % 3}{'y' * LETTERS}" for k in range(N)]
    frame["h" * LETTERS] = rng.normal(size=N) + (np.arange(N) % 2)
    frame["g"] = rng.normal(size=N)
    frame.to_csv(tmp_path / "t.csv", index=False)
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


@pytest.mark.longer
def test_long_names(tamis, folder):
    table, target = folder / "t.csv", ("--target", "c" * LETTERS, "--batch", "batch")
    code, out, err = tamis("read", table, *target[:2], "--drop", "batch")
    assert (code, too_long(out + err)) == (0, []), err[-500:]
    code, out, err = tamis("look", table, *target, "--out", folder / "look")
    assert (code, too_long(out + err)) == (0, []), err[-500:]
    assert not [
        one[:80] for one in page_texts(folder / "look" / "report.html") if "aaaa" * 50 in one
    ]
    plan = ("--plan", folder / "plan.toml", "--out", folder / "study")
    code, out, err = tamis("study", table, *target, *plan)
    assert (code, too_long(out + err)) == (0, []), err[-500:]
    assert "aaa...aaa" in out
    texts = page_texts(folder / "study" / "report.html")
    for letter in "abcxy":  # names of features are there to be copied
        assert not [one[:80] for one in texts if letter * 200 in one]
    model = folder / "study" / "model.npz"
    code, out, err = tamis("evaluate", model, table, *target)
    assert (code, too_long(out + err)) == (0, []), err[-500:]


@pytest.mark.longer
def test_many_blocks(tamis, tmp_path):
    rng = np.random.default_rng(0)
    ids = [f"s{k}" for k in range(N)]
    pd.DataFrame({"id": ids, "class": list("ab") * (N // 2)}).to_csv(
        tmp_path / "t.csv", index=False
    )
    blocks = []
    for k in range(100):
        path = tmp_path / f"{k}.csv"
        pd.DataFrame({"id": ids, "v": rng.normal(size=N)}).to_csv(path, index=False)
        blocks += ["--block", f"{'block' * 20}{k}={path}"]
    for command in (("read",), ("look", "--out", tmp_path / "look")):
        code, out, err = tamis(
            command[0], tmp_path / "t.csv", "--target", "class", *blocks, *command[1:]
        )
        assert code == 0
        assert not [
            line[:80]
            for line in (out + err).splitlines()
            if len(line) > 3000 and "next" not in line[:8]
        ]
        assert "and 80 more" in out + err
    shown = [one for one in page_texts(tmp_path / "look" / "report.html") if "--block" not in one]
    assert max(map(len, shown)) < 3000


def test_what_is_listed():
    assert listed_parts(f"{k} c{k}" for k in range(25)).endswith("19 c19 and 5 more")
    assert listed_parts([]) == ""
    assert listed_parts(["a; b", "c"], 1, "; ") == "a; b and 1 more"
    long = ["a" * 41 + "x" * LETTERS + "b" * 17, "a" * 41 + "y" * LETTERS + "b" * 17]
    shown = f"{'a' * 40}...{'b' * 17}"
    assert class_headings("t", long) == [shown, f"{shown} (2)"]
    assert class_headings("t", ["1", "ill"]) == ["t = 1", "ill"]


def test_unknown_names_of_spellings_are_refused_in_a_line(tamis, tmp_path):
    frame = pd.DataFrame({"class": list("ab") * 6, "patient": [f"p{k}" for k in range(12)]})
    frame.assign(g=range(12)).to_csv(tmp_path / "t.csv", index=False)
    for command, option in (("read", "unify"), ("look", "unify"), ("study", "allow")):
        code, _, err = tamis(
            command, tmp_path / "t.csv", "--target", "class", f"--{option}", "patiend"
        )
        assert code == 2
        assert err.strip().endswith(
            f"{option} names the column 'patiend', which 't.csv' does not have: did you mean "
            "'patient'?"
        )
