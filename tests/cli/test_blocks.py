"""Tables joined on the command line, from a study to predictions."""

from __future__ import annotations

import csv
import io

import numpy as np
import pandas as pd
import pytest

from common.h5mu_files import write_h5mu
from common.studies import make_data

PLAN = """
permutations = 0
[outer]
folds = 3
[inner]
folds = 2
repeats = 1
[[method]]
select = "pearson"
sizes = [{rna = 1, mirna = 1}]
prepare = [{name = "standardize", block = "mirna"}]
"""
BLOCKS = ("--block", "rna=rna.tsv", "--block", "mirna=mirna.csv")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A sheet of classes, a table of samples in rows, and one of samples in columns."""
    monkeypatch.chdir(tmp_path)
    data = make_data(seed=2, n=36, p=20, informative=12, shift=2.0)
    ids = [f"s{i}" for i in range(36)]
    sheet = ["id,diagnosis", *(f"{s},{y}" for s, y in zip(ids, data.y, strict=True))]
    (tmp_path / "sheet.csv").write_text("\n".join(sheet) + "\n")
    order = np.random.default_rng(0).permutation(36)
    rows = [",".join(["id", *(f"m{j}" for j in range(10))])]
    rows += [",".join([ids[i], *map(repr, data.X[i, 10:].tolist())]) for i in order]
    (tmp_path / "mirna.csv").write_text("\n".join(rows) + "\n")
    columns = ["\t".join(["gene", *ids])]
    columns += ["\t".join([f"g{j}", *map(repr, data.X[:, j].tolist())]) for j in range(10)]
    (tmp_path / "rna.tsv").write_text("\n".join(columns) + "\n")
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


@pytest.mark.quick
@pytest.mark.parametrize("table", [["sheet.csv"], ["--samples", "sheet.csv"]])
def test_two_blocks(tamis, folder, table):
    study = ["study", *table, "--target", "diagnosis", *BLOCKS, "--plan", "plan.toml"]
    code, out, err = tamis(*study, "--out", "s")
    assert code == 0, err
    assert "2 features (rna 1, mirna 1) by" in out
    assert "blocks of features: rna 10, mirna 10" in err
    page = (folder / "s" / "report.html").read_text(encoding="utf-8")
    assert "1.0 of 10 rna, 1.0 of 10 mirna" in page
    assert "standardisation of mirna" in page
    code, out, err = tamis("predict", "s/model.npz", "sheet.csv", *BLOCKS)
    assert code == 0, err
    rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    assert [row["sample"] for row in rows] == [f"s{i}" for i in range(36)]
    evaluate = ["evaluate", "s/model.npz", "sheet.csv", "--target", "diagnosis"]
    code, out, err = tamis(*evaluate, *BLOCKS)
    assert code == 0, err
    code, _, err = tamis(*evaluate, *BLOCKS[:2])
    assert code == 2
    assert "lacks 1 of the 2 columns the model needs: 'mirna:m" in err


def test_a_plan_lists_blocks_beside_tables(tamis, folder):
    (folder / "sets.toml").write_text(
        PLAN + '[[dataset]]\ntable = "sheet.csv"\ntarget = "diagnosis"\n'
        'blocks = {rna = "rna.tsv", mirna = "mirna.csv"}\n'
    )
    code, _, err = tamis("study", "--plan", "sets.toml", "--out", "many")
    assert code == 0, err
    assert (folder / "many" / "sheet" / "results.json").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--block", "rna"], "as in rna=rna.tsv"),
        (["--block", "rna=rna.tsv", "--block", "rna=mirna.csv"], "two blocks are named 'rna'"),
        (["--block", "rna=gone.tsv"], "there is no file"),
    ],
)
def test_faults_are_told(tamis, folder, given, said):
    code, _, err = tamis("study", "sheet.csv", "--target", "diagnosis", *given, "--out", "s")
    assert code == 2
    assert said in err.replace("\n", " ")
    assert not (folder / "s").exists()


def test_samples_missing_from_a_block(tamis, folder):
    lines = (folder / "mirna.csv").read_text().splitlines()
    gone = lines.pop(4).split(",")[0]
    (folder / "mirna.csv").write_text("\n".join(lines) + "\n")
    study = ("study", "sheet.csv", "--target", "diagnosis", *BLOCKS, "--plan", "plan.toml")
    code, _, err = tamis(*study, "--out", "s")
    assert code == 2
    assert f"1 sample of 'sheet' not in block 'mirna': '{gone}'" in err
    assert "--incomplete" in err
    code, _, err = tamis(*study, "--out", "s", "--incomplete", "drop")
    assert code == 0
    assert f"left out: '{gone}'" in err


@pytest.mark.longer
def test_modalities_and_layers_from_a_study_to_predictions(tamis, folder):
    """One file of two tables, of which a study, a prediction and a validation read one layer."""
    anndata = pytest.importorskip("anndata")
    data = make_data(seed=2, n=36, p=20, informative=12, shift=2.0)
    obs = pd.DataFrame(
        {"diagnosis": data.y, "age": np.arange(36) % 7}, index=[f"s{i}" for i in range(36)]
    )
    parts = {}
    for name, columns in (("rna", range(10)), ("mirna", range(10, 20))):
        X = data.X[:, columns]
        var = pd.DataFrame(index=[f"g{j}" for j in columns])
        parts[name] = anndata.AnnData(-X, obs=obs[[]], var=var, layers={"logs": X})
    write_h5mu(folder / "t.h5mu", parts, obs)
    asked = ["--target", "diagnosis", "--layer", "logs"]
    study = ["study", "t.h5mu", *asked, "--covariate", "age", "--plan", "plan.toml", "--out", "s"]
    code, out, err = tamis(*study)
    assert code == 0, err
    assert "blocks of features: rna 10, mirna 10" in err
    assert "2 features (rna 1, mirna 1) by" in out
    found = {}
    for layer in (["--layer", "logs"], []):
        code, out, err = tamis("predict", "s/model.npz", "t.h5mu", *layer)
        assert code == 0, err
        found[len(layer)] = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
        assert ("--layer 'rna:logs'" in err) == (not layer)  # which layer is read is told
    assert [row["sample"] for row in found[2]] == list(obs.index)
    same = [row["predicted"] == y for row, y in zip(found[2], data.y, strict=True)]
    assert np.mean(same) > 0.8
    assert [row["predicted"] for row in found[0]] != [row["predicted"] for row in found[2]]
    code, out, err = tamis("evaluate", "s/model.npz", "t.h5mu", *asked)
    assert code == 0, err
    code, _, err = tamis("study", "t.h5mu", *asked[:2], "--layer", "counts", "--plan", "plan.toml")
    assert code == 2
    assert "has no layer 'counts'; it has 'logs'" in err
    code, _, err = tamis("interact", "sheet.csv", *asked)
    assert code == 2
    assert "the layer 'logs' is requested of 'sheet.csv'" in err
