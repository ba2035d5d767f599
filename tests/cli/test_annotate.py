"""`--annotate FILE`: symbols where people look, ids everywhere else."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from common.studies import make_data
from common.tables import PLAN, write_table

STUDY = ("study", "t.csv", "--target", "diagnosis", "--plan", "plan.toml")
GENES = ("--annotate", "genes.tsv")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = make_data(seed=1, n=40, p=30, informative=6, shift=2.0)
    ids = [f"{1000 + j}_at" for j in range(30)]
    data = replace(data, feature_names=tuple(ids), X=np.round(data.X, 3))
    write_table(tmp_path / "t.csv", data)
    rows = [f"{name}\tSYM{j}" for j, name in enumerate(ids)]
    (tmp_path / "genes.tsv").write_text("\n".join(["probe\tsymbol", *rows]) + "\n")
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    return tmp_path


def test_a_study_shows_symbols_and_keeps_ids(tamis, folder):
    code, out, err = tamis(*STUDY, *GENES, "--out", "s")
    assert code == 0, err
    found = json.loads((folder / "s" / "results.json").read_text())
    chosen = found["final"]["features"]
    labels = {name: f"SYM{int(name[:4]) - 1000}" for name in chosen}
    assert all(f"{labels[name]} ({name})" in out for name in chosen[:5])
    assert {name: found["labels"][name] for name in chosen} == labels
    assert {f["name"] for f in found["features"]} <= found["labels"].keys()
    page = (folder / "s" / "report.html").read_text(encoding="utf-8")
    assert f">{labels[chosen[0]]} ({chosen[0]})<" in page
    head, first = (folder / "s" / "tables" / "features.tsv").read_text().splitlines()[:2]
    assert head.split("\t")[:2] == ["feature", "symbol"]
    assert first.split("\t")[1] == found["labels"][first.split("\t")[0]]

    tamis(*STUDY, "--out", "plain")
    plain = json.loads((folder / "plain" / "results.json").read_text())
    notes = found["data"].pop("notes")
    assert [n for n in notes if "symbols of" not in n] == plain["data"].pop("notes")
    assert {k: v for k, v in found.items() if k != "labels"} == plain
    models = [(folder / f / "model.npz").read_bytes() for f in ("s", "plain")]
    assert models[0] == models[1]
    shown = (folder / "s" / "report.html").read_bytes()
    assert tamis("report", "s")[0] == 0
    assert (folder / "s" / "report.html").read_bytes() == shown


def test_a_finished_study_is_resumed_with_symbols(tamis, folder):
    tamis(*STUDY, "--out", "s")
    code, out, err = tamis(*STUDY, *GENES, "--out", "s", "--resume")
    assert code == 0, err
    assert "SYM" in out


@pytest.mark.parametrize("method", ["mcfs", "pairs"])
def test_a_search_too(tamis, folder, method):
    search = ["interact", "t.csv", "--target", "diagnosis", "--method", method, "--out", "i"]
    code, out, err = tamis(*search)
    assert code == 0, err
    plain = json.loads((folder / "i" / "interactions.json").read_text())
    assert "labels" not in plain
    assert "SYM" not in out
    code, out, err = tamis(*search, *GENES, "--resume")
    assert code == 0, err
    found = json.loads((folder / "i" / "interactions.json").read_text())
    assert set(found.pop("labels").values()) <= {f"SYM{j}" for j in range(30)}
    assert found == plain
    assert "_at)" in out
    assert not [line for line in out.splitlines() if "_at" in line and "SYM" not in line]
    assert "SYM0 (1000_at)" in (folder / "i" / "report.html").read_text(encoding="utf-8")
