"""`tamis interact` as people meet it: files, output, resuming, errors in one line."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tamis._core.fields import text_of_field
from tamis.data import make_mcfs_toy

QUICK = ("--s", 60, "--t", 2, "--top", 8, "--meetings", 20, "--seed", 1)
FILES = {
    "settings.json",
    "interactions.json",
    "features.csv",
    "edges.csv",
    "graph.graphml",
    "rules.csv",
    "report.html",
}


def process(*arguments, cwd, **more):
    """The command in a process of its own."""
    code = "from tamis.cli.main import run\nrun()"
    return subprocess.Popen(
        [sys.executable, "-c", code, "interact", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        **more,
    )


def by_itself(*arguments, cwd):
    """(exit code, stdout, stderr) of such a process."""
    started = process(*arguments, cwd=cwd)
    out, err = started.communicate(timeout=120)
    return started.returncode, out, err


@pytest.fixture
def interact(tamis, monkeypatch):
    """The command in this process, which is quicker."""

    def call(*arguments, cwd):
        monkeypatch.chdir(cwd)
        return tamis("interact", *arguments)

    return call


def content(folder):
    """Every file by name."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def write(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)
    return path


def write_toy(path, n_noise=14, rename=lambda name: name, holes=()):
    """The toy data; the level 0 of class A's features is called "no A"."""
    toy = make_mcfs_toy(n_noise=n_noise)

    def value(i, j):
        if (i, j) in holes:
            return ""
        code = toy.X[i, j]
        return ("no ", "")[int(code)] + toy.levels[j][1] if j in toy.levels else repr(float(code))

    rows = [[f"s{i}", toy.y[i], *(value(i, j) for j in range(toy.shape[1]))] for i in range(70)]
    return write(path, ["sample", "class", *map(rename, toy.feature_names)], rows)


@pytest.fixture
def folder(tmp_path):
    write_toy(tmp_path / "toy.csv")
    return tmp_path


@pytest.mark.longer
def test_it_prints_what_it_found_and_leaves_its_files(folder):
    code, out, err = by_itself("toy.csv", "--target", "class", *QUICK, cwd=folder)
    assert code == 0
    lead = "  p        0.05, 19 permuted runs: the least possible (family p of the best feature)"
    assert out.splitlines()[1] == lead
    assert "feature      RI  family p  single p" in out
    assert "kept     6 of 20 features, by permutations at level 0.05" in out
    assert "A1" in out
    assert " -> " in out
    assert "IF " in out
    assert str(Path("tamis-interact-toy") / "report.html") in out
    assert "70 samples (40 class = A, 20 class = B, 10 class = C), 20 features" in err
    assert set(content(folder / "tamis-interact-toy")) == FILES
    result = json.loads((folder / "tamis-interact-toy" / "interactions.json").read_text())
    assert result["data"]["classes"] == [
        {"name": "A", "size": 40},
        {"name": "B", "size": 20},
        {"name": "C", "size": 10},
    ]
    assert result["data"]["n_categorical"] == 6
    assert result["seed"] == 1
    assert (result["schema"], result["method"]) == (2, "mcfs")
    assert {"tamis", "python", "numpy"} <= set(result["versions"])
    kept = [f["name"] for f in result["graph"]["features"] if f["selected"]]
    assert set(kept) == {"A1", "A2", "B1", "B2", "C1", "C2"}


def test_the_files_agree_with_each_other(folder, interact):
    interact("toy.csv", "--target", "class", *QUICK, "--out", "o", cwd=folder)
    result = json.loads((folder / "o" / "interactions.json").read_text())
    with open(folder / "o" / "features.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 20
    assert [r["name"] for r in rows] == [f["name"] for f in result["ranking"]["features"]]
    importance = [float(r["importance"]) for r in rows]
    assert importance == [f["importance"] for f in result["ranking"]["features"]]
    assert {r["name"] for r in rows if r["kept"] == "yes"} == {
        f["name"] for f in result["graph"]["features"] if f["selected"]
    }
    assert [r["name"] for r in rows if r["levels"]] == [
        r["name"] for r in rows if r["kept"] == "yes"
    ]
    with open(folder / "o" / "edges.csv", encoding="utf-8") as file:
        edges = list(csv.DictReader(file))
    clear = [e for e in edges if e["se"] and float(e["weight"]) >= 2 * float(e["se"])]
    assert 0 < len(clear) < len(edges)
    assert [(e["source"], e["target"]) for e in clear] == [
        (e["source"], e["target"]) for e in result["graph"]["edges"]
    ]
    graph = ElementTree.parse(folder / "o" / "graph.graphml")
    assert len(graph.findall(".//{*}edge")) == len(edges)
    with open(folder / "o" / "rules.csv", encoding="utf-8") as file:
        rules = list(csv.DictReader(file))
    assert len(rules) == result["rules"]["n_rules"] > 0


def test_rules_name_levels_and_not_codes(folder, interact):
    interact("toy.csv", "--target", "class", *QUICK, "--out", "o", cwd=folder)
    result = json.loads((folder / "o" / "interactions.json").read_text())
    rules = [*result["rules"]["rules"], *result["rules"]["rule_list"]]
    values = {c["value"] for r in rules for c in r["conditions"] if c["op"] == "="}
    assert values
    assert values <= {"A", "B", "C", "no A", "no B", "no C"}
    assert {r["label"] for r in rules} <= {"A", "B", "C"}


def test_json_is_one_object_and_that_of_the_file(folder, interact):
    code, out, err = interact(
        "toy.csv", "--target", "class", *QUICK, "--json", "--quiet", "--out", "o", cwd=folder
    )
    assert (code, err) == (0, "")
    assert out.count("\n") == 1
    assert json.loads(out) == json.loads((folder / "o" / "interactions.json").read_text())


@pytest.mark.slow
def test_threads_do_not_matter_and_the_seed_does(folder):
    for jobs in (1, 2):
        common = ("toy.csv", "--target", "class", *QUICK, "--n-jobs", jobs)
        assert by_itself(*common, "--out", f"j{jobs}", cwd=folder)[0] == 0
    by_itself("toy.csv", "--target", "class", *QUICK[:-1], 2, "--out", "other", cwd=folder)
    assert content(folder / "j1") == content(folder / "j2")
    assert content(folder / "j1")["features.csv"] != content(folder / "other")["features.csv"]


@pytest.mark.longer
def test_killed_and_resumed_it_leaves_the_same_bytes(folder):
    """Once with SIGKILL, once with SIGTERM, each after some finished runs."""
    long = ("toy.csv", "--target", "class", "--s", 300, "--meetings", 20, "--n-jobs", 1)
    assert by_itself(*long, "--out", "whole", cwd=folder)[0] == 0
    out, runs = folder / "broken", folder / "broken" / "runs"
    for number, (runs_done, how) in enumerate(((2, signal.SIGKILL), (6, signal.SIGTERM))):
        started = process(*long, "--out", "broken", *(["--resume"] * number), cwd=folder)
        while len(list(runs.glob("*.npz"))) < runs_done and started.poll() is None:
            time.sleep(0.005)
        assert started.poll() is None
        started.send_signal(how)
        _, err = started.communicate(timeout=60)
        if how == signal.SIGTERM:
            assert started.returncode == 130
            assert err.strip().splitlines()[-1].endswith("(continue with --resume)")
        assert not (out / "interactions.json").exists()
    kept = {path: path.stat().st_mtime_ns for path in runs.glob("*.npz")}
    assert len(kept) >= 6
    (runs / ".permuted_9.npz.x.partial").write_text("half")
    started = process(*long, "--out", "broken", "--resume", cwd=folder)
    while not (runs / "second_stage.npz").exists() and started.poll() is None:
        assert all(p.stat().st_mtime_ns == then for p, then in kept.items() if p.exists())
        time.sleep(0.005)
    assert started.wait(timeout=60) == 0
    assert content(out) == content(folder / "whole")
    assert set(content(out)) == FILES


@pytest.mark.slow
def test_killed_at_twenty_moments_and_resumed_it_leaves_the_same_bytes(folder):
    long = ("toy.csv", "--target", "class", "--s", 2000, "--meetings", 400)
    begun = time.monotonic()
    assert by_itself(*long, "--out", "whole", cwd=folder)[0] == 0
    length = time.monotonic() - begun
    draw, killed = np.random.default_rng(1), 0
    for _ in range(20):
        more = ["--resume"] if (folder / "broken" / "settings.json").exists() else []
        started = process(*long, "--out", "broken", *more, cwd=folder)
        time.sleep(draw.uniform(0.3, length))
        if started.poll() is None:
            killed += 1
            os.kill(started.pid, signal.SIGKILL)
        started.communicate()
    assert killed > 0
    assert by_itself(*long, "--out", "broken", "--resume", cwd=folder)[0] == 0
    assert content(folder / "broken") == content(folder / "whole")


def test_resuming_what_is_finished_writes_the_page_again(folder, interact):
    common = ("toy.csv", "--target", "class", *QUICK, "--out", "o")
    _, first, _ = interact(*common, cwd=folder)
    before = content(folder / "o")
    (folder / "o" / "report.html").unlink()
    code, again, _ = interact(*common, "--resume", cwd=folder)
    assert (code, again) == (0, first)
    assert content(folder / "o") == before
    (folder / "o" / "features.csv").unlink()  # not in the JSON: it is computed again
    assert interact(*common, "--resume", cwd=folder)[0] == 0
    assert content(folder / "o") == before


def test_report_writes_the_page_again(folder, interact, tamis):
    assert interact("toy.csv", "--target", "class", *QUICK, "--out", "o", cwd=folder)[0] == 0
    page = (folder / "o" / "report.html").read_bytes()
    (folder / "o" / "report.html").unlink()
    for more, where in (((), "o/report.html"), (("--out", "p.html"), "p.html")):
        code, out, err = tamis("report", "o", *more)
        assert (code, out.strip(), err) == (0, where, "")
        assert (folder / where).read_bytes() == page
    (folder / "o" / "interactions.json").unlink()
    code, out, err = tamis("report", "o")
    assert (code, out) == (2, "")
    assert "--resume" in err


def test_a_used_folder_is_not_overwritten(folder, interact):
    common = ("toy.csv", "--target", "class", "--out", "o")
    assert interact(*common, *QUICK, cwd=folder)[0] == 0
    write_toy(folder / "other.csv", n_noise=15)
    before = content(folder / "o")
    refused = {
        "--resume": (*common, *QUICK),
        "(in: seed)": (*common, *QUICK[:-1], 2, "--resume"),
        "(in: m, t)": (*common, *QUICK, "--m", 5, "--t", 3, "--resume"),
        "the data differ": ("other.csv", *common[1:], *QUICK, "--resume"),
    }
    for says, arguments in refused.items():
        code, out, err = interact(*arguments, cwd=folder)
        assert (code, out) == (2, "")
        assert says in err.splitlines()[-1]
        assert content(folder / "o") == before


def test_a_folder_of_something_else_is_not_touched(folder, interact):
    (folder / "mine").mkdir()
    (folder / "mine" / "thesis.txt").write_text("kept")
    code, out, err = interact(
        "toy.csv", "--target", "class", *QUICK, "--out", "mine", "--resume", cwd=folder
    )
    assert (code, out) == (2, "")
    assert "'thesis.txt'" in err.splitlines()[-1]
    assert content(folder / "mine") == {"thesis.txt": b"kept"}


def test_noise_is_said_to_be_noise(tmp_path, interact):
    """Of three null tables at level 1/20 hardly any reports a feature; what it says then."""
    rng, kept = np.random.default_rng(5), []
    for k in range(3):
        X = rng.normal(size=(40, 12)).round(4)
        rows = [[f"s{i}", "ab"[i % 2], *X[i]] for i in range(40)]
        write(tmp_path / f"null{k}.csv", ["id", "class", *(f"g{j}" for j in range(12))], rows)
        code, out, err = interact(
            f"null{k}.csv", "--target", "class", "--s", 300, "--meetings", 20, cwd=tmp_path
        )
        assert code == 0
        result = json.loads((tmp_path / f"tamis-interact-null{k}/interactions.json").read_text())
        size = result["ranking"]["cutoff"]["size"]
        kept.append(size)
        assert f"kept     {size} of 12 features" in out
        assert ("No feature passes the cut-off" in err) == (size == 0)
        at_chance = result["ranking"]["accuracy"] < 0.52
        assert any("better than chance" in r for r in result["remarks"]) == at_chance
    assert sorted(kept)[:2] == [0, 0]


HOSTILE = (
    "<script>alert(1)</script>",
    "a,b;c\t\"d'",
    "=cmd()",
    "]]>&amp;<",
    "\x1b[31mred",
    "ü – 水",
    "{{ 7*7 }}",
    "-->",
    "x" * 3000,
    "IF a > 1 THEN b",
    "../../etc",
    "%s%n",
    "name",
    "a\\nb",
)


def test_hostile_names_stay_names(tmp_path, interact):
    names = dict(zip(make_mcfs_toy(n_noise=14).feature_names[-14:], HOSTILE, strict=True))
    write_toy(tmp_path / "toy.csv", rename=lambda name: names.get(name, name))
    lines = (tmp_path / "toy.csv").read_text(encoding="utf-8")
    (tmp_path / "toy.csv").write_text(lines.replace(",B,", ",<b>&,"), encoding="utf-8")
    code, out, _ = interact("toy.csv", "--target", "class", *QUICK, "--out", "o", cwd=tmp_path)
    assert code == 0
    assert "\x1b" not in out
    with open(tmp_path / "o" / "features.csv", encoding="utf-8", newline="") as file:
        found = {text_of_field(row["name"]) for row in csv.DictReader(file)}
    assert found >= set(map(str.strip, HOSTILE))
    page = (tmp_path / "o" / "report.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert "<b>&" not in page
    ElementTree.parse(tmp_path / "o" / "graph.graphml")


def test_categories_and_missing_values_are_taken_as_they_are(tmp_path, interact):
    rng = np.random.default_rng(0)
    holes = {(int(i), 19) for i in rng.choice(70, 25, replace=False)} | {(3, 0), (5, 14)}
    write_toy(tmp_path / "toy.csv", holes=holes)
    code, out, err = interact("toy.csv", "--target", "class", *QUICK, "--json", cwd=tmp_path)
    assert code == 0
    result = json.loads(out)
    assert result["data"]["missing"] == pytest.approx(27 / (70 * 20))
    assert result["data"]["n_categorical"] == 6
    with open(tmp_path / "tamis-interact-toy" / "features.csv", encoding="utf-8") as file:
        rows = {row["name"]: row for row in csv.DictReader(file)}
    assert float(rows["C2"]["missing"]) == pytest.approx(25 / 70)
    if rows["C2"]["kept"] == "yes":
        assert "'C2'" in err


def test_classes_of_unequal_size_are_remarked(tmp_path, interact):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 6)).round(3)
    rows = [[f"s{i}", "ill" if i < 5 else "well", *X[i], 1] for i in range(40)]
    write(tmp_path / "t.csv", ["id", "class", *"abcdef", "constant"], rows)
    code, _, err = interact("t.csv", "--target", "class", *QUICK, cwd=tmp_path)
    assert code == 0
    assert "Fewer than 10 samples in 'ill' (5)." in err
    assert "no more than 2 times" in err or "more than 2 times" in err
    assert "1 feature with one value only" in err


def table(n=24, p=3, labels="ab", values=None):
    rows = [
        [f"s{i}", labels[i % len(labels)], *(i * (j + 2) % 7 for j in range(p))] for i in range(n)
    ]
    if values is not None:
        rows = [[*row[:2], *values] for row in rows]
    out = io.StringIO()
    csv.writer(out).writerows([["sample", "class", *(f"g{j}" for j in range(p))], *rows])
    return out.getvalue()


NUMERIC = "sample,class,g0,g1\n" + "".join(f"s{i},{i * 0.37},{i},{i % 5}\n" for i in range(40))
BAD = {
    "no target": (table(), (), "name the column of the class with --target"),
    "unknown target": (table(), ("--target", "klass"), "did you mean 'class'?"),
    "one class": (table(labels="a"), "one class only"),
    "a class of one sample": (table() + "s99,c,1,2,3\n", "one sample only of 'c'"),
    "all classes of one sample": (table(n=5, labels="abcde"), "one sample only of 'a', 'b'"),
    "no rows": (table(n=0), "row"),
    "one feature": (table(p=1), "two or more"),
    "constant features": (table(values=[1, 2, 3]), "constant"),
    "regression": (NUMERIC, "say --regression to predict a number"),
    "missing class": (table() + "s99,,1,2,3\n", "no class label for 1 of 25"),
    "m above the features": (table(), ("--m", 4), "--m 4: there are 3 features"),
    "m of one feature": (table(), ("--m", 0.01), "at least 2"),
    "m of nothing": (table(), ("--m", 0), "--m 0:"),
    "m in words": (table(), ("--m", "many"), "'many' is no number"),
    "s": (table(), ("--s", 1.5), "--s 1.5: give a whole number"),
    "balance": (table(), ("--balance", 0.5), "--balance 0.5"),
    "few permutations": (table(), ("--permutations", 5), "--permutations 5: --level 0.05 needs"),
    "level": (table(), ("--level", 1), "--level"),
    "cut-off": (table(), ("--cutoff", "best"), "best"),
    "threads": (table(), ("--n-jobs", 0), "0 workers"),
    "covariate": (table(), ("--covariate", "g0"), "covariate"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_input_is_one_line_and_exit_code_two(kind, tmp_path, tamis, monkeypatch):
    text, *options, says = BAD[kind]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(text)
    given = tuple(options[0]) if options else ()
    target = () if "target" in kind else ("--target", "class")
    code, out, err = tamis("interact", "t.csv", *target, *given, "--quiet")
    assert (code, out) == (2, "")
    assert err.startswith("tamis: ")
    assert err.count("\n") == 1
    assert says in err
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]  # no folder is left behind
