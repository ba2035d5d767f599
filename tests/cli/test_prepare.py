"""Steps on the command, and what `tamis look` prints as the next one."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pandas as pd
import pytest

N = 40
CLASSES = ["ill", "well"] * (N // 2)


def write_table(path, X, **more):
    frame = pd.DataFrame(X, columns=[f"g{j}" for j in range(X.shape[1])]).assign(**more)
    frame.insert(0, "class", CLASSES)
    frame.to_csv(path, index=False)


def reads(p=300):
    rng = np.random.default_rng(1)
    expected = np.exp(rng.uniform(0, np.log(14), (N, 1))) * rng.lognormal(0, 2, p)
    return rng.poisson(rng.gamma(3, expected / 3))


def peaks(p=120):
    rng = np.random.default_rng(2)
    areas = np.round(2 ** (rng.normal(18, 2, p) + rng.normal(0, 1, (N, p))))
    return np.where(rng.random(areas.shape) < 0.2, 0, areas)


@pytest.fixture
def look(tamis, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def look_at(*words, target="class"):
        code, out, err = tamis("look", *words, "--target", target, "--out", "seen", "--force")
        assert code == 0, err
        content = json.loads((tmp_path / "seen" / "look.json").read_text())
        codes = [one["code"] for one in content["cautions"]]
        return out, content["command"], codes

    return look_at


def test_counts_are_studied_as_their_logarithms(look, tamis):
    write_table("t.csv", reads())
    out, command, codes = look("t.csv")
    assert codes == ["unlogged"]
    assert command == "tamis study t.csv --target class --prepare log_cpm"
    assert out.splitlines()[-1] == f"  next      {command}"
    code, plan, err = tamis(*shlex.split(command)[1:], "--dry-run")
    assert code == 0, err
    assert plan.count('"log_cpm"') == 2  # of the method and of its reference
    assert "Values look like raw" not in err


def test_whose_zeros_are_not_clear_gets_no_command(look, tamis):
    write_table("t.csv", peaks())
    out, command, codes = look("t.csv")
    assert codes == ["zeros", "unlogged"]
    assert command == ""
    assert "  next " not in out
    assert "read it as missing with --missing '0'" in out
    assert "log_cpm" not in out
    _, command, codes = look("t.csv", "--missing", "0")
    assert codes == ["unlogged", "imputed"]
    assert command == "tamis study t.csv --target class --missing 0 --prepare log2"
    code, _, err = tamis(*shlex.split(command)[1:], "--dry-run")
    assert (code, "of the values are 0" in err) == (0, False)
    code, _, err = tamis("study", "t.csv", "--target", "class", "--prepare", "log2", "--dry-run")
    assert (code, "of the values are 0" in err) == (0, True)


def test_a_time_to_an_event_gets_no_command_and_the_page_speaks_the_options(look, tamis, tmp_path):
    rng = np.random.default_rng(3)
    status = np.arange(N) % 2
    write_table("t.csv", rng.normal(size=(N, 60)), status=status, time=rng.integers(1, 900, N))
    out, command, _ = look("t.csv", "--drop", "class", target="status")
    assert command == ""
    assert "  next " not in out
    assert "! time-to-event: looks like a time to an event: columns 'time' and 'status'" in out
    page = (tmp_path / "seen" / "report.html").read_text()
    assert "--drop" in page
    assert "drop=[" not in page
    code, _, err = tamis("study", "t.csv", "--target", "status", "--drop", "class", "--dry-run")
    assert code == 2
    assert "'t' is not studied: it looks like a time to an event" in err.splitlines()[-1]
    assert "--drop 'time'" in err


def test_blocks_have_steps_of_their_own(look, tamis):
    ids = pd.Index([f"s{i}" for i in range(N)], name="id")
    counts = pd.DataFrame(reads(), index=ids).add_prefix("g")
    counts.assign(**{"class": CLASSES}).to_csv("t.csv")
    logs = pd.DataFrame(np.random.default_rng(4).normal(8, 2, (N, 60)).round(3), index=ids)
    logs.add_prefix("p").to_csv("p.csv")
    blocks = ("--id", "id", "--block", "rna=t.csv", "--block", "prot=p.csv")
    out, command, _ = look("t.csv", *blocks)
    assert shlex.split(command)[-2:] == ["--prepare", '{name = "log_cpm", block = "rna"}']
    assert "! unlogged: block 'rna': Values look like raw counts" in out
    code, plan, err = tamis(*shlex.split(command)[1:], "--dry-run")
    assert code == 0, err
    assert plan.count('block = "rna"') == 2


def test_steps_are_taken_in_order_in_the_place_of_those_of_the_plan(tamis, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_table("t.csv", reads())
    (tmp_path / "p.toml").write_text(
        'permutations = 0\nprepare = ["log2"]\n[[method]]\nselect = "pearson"\nsizes = [2]\n'
        '[[method]]\nname = "own"\nselect = "pearson"\nsizes = [2]\nprepare = ["vst"]\n'
    )
    study = ("study", "t.csv", "--target", "class", "--plan", "p.toml", "--dry-run", "--json")
    steps = ("--prepare", "log_cpm", "--prepare", "{name = 'standardize'}")
    code, out, err = tamis(*study, *steps)
    assert code == 0, err
    first, own = json.loads(out)["plan"]["method"]
    assert [one["name"] for one in first["prepare"]] == ["log_cpm", "standardize"]
    assert [one["name"] for one in own["prepare"]] == ["vst"]
    assert "--prepare is for methods without a `prepare` of their own: not 'own'" in err


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("log_cmp", "log_cpm"),
        ("{name = log2}", "is no table of a plan"),
        ("{name = 'log2', lest = 1}", "least"),
    ],
)
def test_what_is_no_step_is_refused_in_one_line(tamis, tmp_path, monkeypatch, step, said):
    monkeypatch.chdir(tmp_path)
    write_table("t.csv", reads(60))
    code, _, err = tamis("study", "t.csv", "--target", "class", "--prepare", step, "--dry-run")
    assert code == 2
    assert said in err.splitlines()[-1]
