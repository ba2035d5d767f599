"""`tamis expression`: from CEL files to a table, and a later patient by the saved model."""

from __future__ import annotations

import json
import os

import numpy as np
import pandas as pd
import pytest

from expression.made_arrays import SHAPE, write_arrays
from expression.reading.array_files import cel_version_4
from tamis._core.array_file import array_file
from tamis.expression import RMA, rma
from tamis.expression.cel_arrays import CelArrays


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_arrays(tmp_path / "cel")
    return tmp_path


RUN = ("expression", "rma", "cel", "--cdf", "Made_1.CDF", "--out", "t.parquet")


@pytest.mark.quick
def test_the_table_is_rma_of_the_files(tamis, folder):
    code, out, err = tamis(*RUN)
    assert (code, err) == (0, "")
    assert out.splitlines()[0].startswith("8 arrays of type ")
    found = pd.read_parquet("t.parquet").set_index("sample")
    assert found.index.tolist() == [f"GSM{1000 + k}" for k in range(8)]
    expected = rma("cel", "Made_1.CDF").frame(found.index)
    np.testing.assert_allclose(found[expected.columns], expected, rtol=0, atol=1e-12)
    arrays = CelArrays.of(["cel"], "Made_1.CDF")
    X = np.stack(list(arrays.perfect_matches()))
    frozen = RMA(arrays.cdf.probe_sets).fit_transform(X)
    np.testing.assert_allclose(found, frozen, rtol=0, atol=1e-12)


@pytest.mark.parametrize("detected", ["0", "0.5"])
def test_one_patient_a_batch_and_the_own_run_have_the_same_values(tamis, folder, detected):
    code, out, err = tamis(*RUN, "--save", "m.npz", "--detected", detected, "--json")
    assert (code, err) == (0, "")
    content = json.loads(out)
    trained = pd.read_parquet("t.parquet").set_index("sample")
    assert content["n_probe_sets"] == trained.shape[1]
    assert (trained.shape[1] < 60) == (detected != "0")
    for files, rows in ((("cel",), slice(None)), (("cel/GSM1005_x.CEL",), slice(5, 6))):
        code, _, err = tamis(
            "expression", "rma", *files, "--model", "m.npz", "--out", "one.parquet"
        )
        assert (code, err) == (0, "")
        again = pd.read_parquet("one.parquet").set_index("sample")
        pd.testing.assert_frame_equal(again, trained[rows], rtol=0, atol=1e-12)


def test_the_model_file_is_the_same_for_the_same_arrays(tamis, folder):
    for name in "ab":
        assert tamis(*RUN[:-1], f"{name}.csv", "--save", f"{name}.npz")[0] == 0
    assert (folder / "a.npz").read_bytes() == (folder / "b.npz").read_bytes()
    assert (folder / "a.csv").read_bytes() == (folder / "b.csv").read_bytes()


def test_a_spoiled_model_is_told(tamis, folder):
    assert tamis(*RUN, "--save", "m.npz")[0] == 0
    whole = (folder / "m.npz").read_bytes()
    rng = np.random.default_rng(0)
    for at in [0, 100, *rng.integers(0, len(whole), 20)]:
        spoiled = bytearray(whole[: at + 1] if at % 3 else whole)
        spoiled[at] ^= 0xFF
        (folder / "bad.npz").write_bytes(spoiled)
        code, _, err = tamis(*RUN[:3], "--model", "bad.npz", "--out", "bad.csv", "--force")
        assert code in (0, 2)  # a byte of a date in the archive changes nothing
        assert len(err.splitlines()) <= 1


@pytest.mark.quick
def test_probes_for_rma_inside_the_folds(tamis, folder):
    run = ("expression", "probes", "cel", "--cdf", "Made_1.CDF", "--out", "p.parquet")
    code, out, err = tamis(*run)
    assert (code, err) == (0, "")
    assert "perfect matches and" in out
    table = pd.read_parquet("p.parquet").set_index("sample")
    assert tamis(*RUN)[0] == 0
    expected = pd.read_parquet("t.parquet").set_index("sample")
    found = RMA().fit(table).set_output(transform="pandas").transform(table)
    np.testing.assert_allclose(found[expected.columns], expected, rtol=0, atol=1e-5)  # float32


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (RUN[:3], "Missing option '--out'"),
        ((*RUN[:3], "--out", "t.csv"), "give --cdf FILE, or --model FILE"),
        ((*RUN[:-1], "t.xlsx"), "'t.xlsx': a table is written as '.parquet'"),
        ((*RUN, "--detected", "2"), "2"),
        (("expression", "rma", "Made_1.CDF", *RUN[3:]), "'Made_1.CDF' is no CEL file"),
        (("expression", "rma", "none", *RUN[3:]), "no such file or folder: 'none'"),
        (("expression", "rma", "empty", *RUN[3:]), "folder 'empty' holds no file .CEL or .CEL.gz"),
        (("expression", "rma", "a.tar", *RUN[3:]), "'a.tar' is an archive: unpack it"),
        ((*RUN[:3], "--cdf", "cel/GSM1000_x.CEL", *RUN[5:]), "is no CDF in text or binary"),
        ((*RUN[:3], "--model", "Made_1.CDF", *RUN[5:]), "no model"),
        ((*RUN[:3], "--model", "Made_1.CDF", "--detected", ".5", *RUN[5:]), "--model says all"),
        ((*RUN[:-1], "Made_1.CDF"), "a table is written as"),
    ],
)
def test_what_cannot_be_is_one_line(tamis, folder, arguments, words):
    (folder / "empty").mkdir()
    (folder / "a.tar").write_bytes(b"x")
    code, out, err = tamis(*arguments)
    assert (code, out) == (2, "")
    assert words in err.splitlines()[-1]
    assert not (folder / "t.parquet").exists()


def test_another_type_of_array_is_told(tamis, folder, monkeypatch):
    other = folder / "other"
    monkeypatch.setattr("expression.made_arrays.SHAPE", (40, 40))
    write_arrays(other / "cel", n=1, n_sets=20)
    (folder / "cel" / "GSM2_x.CEL").write_bytes((other / "cel" / "GSM1000_x.CEL").read_bytes())
    code, _, err = tamis(*RUN)
    assert code == 2
    assert "'GSM2_x.CEL' is an array of type" in err
    assert "take each type by itself" in err


def test_two_arrays_of_one_name_are_told(tamis, folder):
    (folder / "b").mkdir()
    for name in ("x.CEL", "b/x.CEL"):
        (folder / name).write_bytes((folder / "cel" / "GSM1000_x.CEL").read_bytes())
    code, _, err = tamis("expression", "rma", "x.CEL", "b/x.CEL", *RUN[3:])
    assert code == 2
    assert "two files are named 'x'" in err


def test_a_table_is_not_replaced_by_accident(tamis, folder):
    (folder / "t.csv").write_text("mine")
    code, _, err = tamis(*RUN[:-1], "t.csv")
    assert code == 2
    assert "'t.csv' exists, and a .csv file does not say what wrote it: " in err
    assert (folder / "t.csv").read_text() == "mine"
    assert tamis(*RUN[:-1], "t.csv", "--force")[0] == 0
    (folder / "t.parquet").write_text("mine")
    assert "holds no Parquet table of `tamis expression rma`" in tamis(*RUN)[2]
    (folder / "t.parquet").unlink()
    assert tamis(*RUN)[0] == 0
    assert tamis(*RUN)[0] == 0  # its own is


def test_models_of_arrays_and_of_studies_are_told_apart(tamis, folder):
    assert tamis(*RUN, "--save", "m.npz")[0] == 0
    code, _, err = tamis("predict", "m.npz", "t.parquet")
    assert code == 2
    assert "'m.npz' is of `tamis expression rma --save`" in err
    (folder / "model.npz").write_bytes(array_file({"kind": "study", "format": 1}, {}))
    code, _, err = tamis(*RUN[:3], "--model", "model.npz", "--out", "n.csv")
    assert code == 2
    assert "a study's model predicts by `tamis predict`" in err


def test_a_study_does_not_take_values_of_rma_as_intensities(tamis, folder):
    assert tamis(*RUN)[0] == 0
    rows = [f"GSM{1000 + k},{'ab'[k % 2]}\n" for k in range(8)]
    (folder / "sheet.csv").write_text("sample,class\n" + "".join(rows))
    (folder / "plan.toml").write_text('prepare = ["rma"]\n[[method]]\nselect = "welch_t"\n')
    code, _, err = tamis(
        "study",
        "t.parquet",
        "--samples",
        "sheet.csv",
        "--id",
        "sample",
        "--target",
        "class",
        "--plan",
        "plan.toml",
    )
    assert code == 2
    assert "prepare: 'rma' needs raw intensities of probes" in err.splitlines()[-1]


def test_table_and_model_are_two_files(tamis, folder):
    code, _, err = tamis(*RUN[:-1], "a.csv", "--save", "a.csv")
    assert code == 2
    assert "'a.csv' would be written twice" in err
    (folder / "mine.h5").write_text("mine")
    code, _, err = tamis(*RUN, "--save", "mine.h5")
    assert code == 2
    assert "choose another --save" in err


def test_an_array_without_a_background_is_named(tamis, folder):
    assert tamis(*RUN, "--save", "m.npz")[0] == 0
    flat = np.full(SHAPE, 100, dtype=np.float32)
    (folder / "cel" / "GSM2_flat.CEL").write_bytes(b"".join(cel_version_4(flat).values()))
    for run in (RUN, ("expression", "rma", "cel", "--model", "m.npz", "--out", "n.csv")):
        code, _, err = tamis(*run)
        assert code == 2
        assert "'GSM2_flat.CEL': no background can be estimated" in err.splitlines()[-1]
        assert "--no-background" in err.splitlines()[-1]


@pytest.mark.parametrize("command", ["rma", "probes"])
def test_a_cdf_of_another_chip_of_the_same_shape_is_told(tamis, folder, command):
    (folder / "HG-U133B.CDF").write_bytes((folder / "Made_1.CDF").read_bytes())
    run = ("expression", command, "cel", "--cdf", "HG-U133B.CDF", "--out", "t.parquet")
    code, _, err = tamis(*run)
    assert code == 0
    assert "The CDF is of 'HG-U133B', and the arrays are of type 'Made_1'" in err
    code, out, err = tamis(*run, "--quiet", "--json")
    assert (code, err) == (0, "")
    assert len(json.loads(out)["remarks"]) == 1
    (folder / "made1_Hs_ENTREZG.CDF").write_bytes((folder / "Made_1.CDF").read_bytes())
    assert tamis(*run[:4], "made1_Hs_ENTREZG.CDF", *run[5:])[::2] == (0, "")  # a custom CDF


def test_one_array_alone_is_told_of_the_model(tamis, folder):
    code, _, err = tamis(*RUN[:2], "cel/GSM1000_x.CEL", *RUN[3:], "--save", "m.npz")
    assert code == 0
    assert "RMA of one array alone" in err
    code, _, err = tamis(*RUN[:2], "cel/GSM1000_x.CEL", "--model", "m.npz", "--out", "n.csv")
    assert (code, err) == (0, "")


def test_folders_inside_a_folder_are_named(tamis, folder):
    (folder / "outer").mkdir()
    (folder / "cel").rename(folder / "outer" / "inner")
    code, _, err = tamis(*RUN[:2], "outer", *RUN[3:])
    assert code == 2
    assert "give the folders inside it, 'outer/inner'" in err


def test_genes_of_another_platform_or_with_dates_are_told(tamis, folder):
    assert tamis(*RUN)[0] == 0
    sets = pd.read_parquet("t.parquet").columns[1:]
    rows = [f"{probe}\tG{k}" for k, probe in enumerate(sets)]
    tables = {"whole": rows, "few": rows[:20], "dates": ["x\tA", *rows[1:], f"{sets[0]}\t2-Sep"]}
    said = {}
    for name, lines in tables.items():
        (folder / name).write_text("\n".join(["ID\tSymbol", *lines]))
        code, _, said[name] = tamis(*RUN, "--genes", name)
        assert code == 0
    assert said["whole"] == ""
    assert "40 of 60 probe sets are not in the annotation" in said["few"]
    assert "Symbols look like dates ('2-Sep')" in said["dates"]


@pytest.mark.parametrize("ending", [".tsv", ".csv.gz"])
def test_a_table_that_it_wrote_as_text_is_told_what_it_is(tamis, folder, ending):
    """It cannot say what wrote it, and it is no array."""
    table = f"t{ending}"
    assert tamis(*RUN[:-1], table)[0] == 0
    before = (folder / table).read_bytes()
    code, _, err = tamis(*RUN[:-1], table)
    assert code == 2
    assert f"a {ending} file does not say what wrote it: choose another --out" in err
    code, _, err = tamis("expression", "rma", table, *RUN[3:-1], "u.tsv")
    assert code == 2
    assert f"'{table}' is a table by its ending {ending}, and CEL files or folders" in err
    assert (folder / table).read_bytes() == before
    assert tamis(*RUN[:-1], table, "--force")[0] == 0
    assert (folder / table).read_bytes() == before


def test_a_pipe_among_the_arrays_of_a_folder_is_not_waited_for(tamis, folder):
    os.mkfifo(folder / "cel" / "GSM1003_b.CEL")
    code, _, err = tamis(*RUN)
    assert code == 2
    assert "'GSM1003_b.CEL' in folder 'cel' is no regular file" in err
    (folder / "cel" / "GSM1003_b.CEL").unlink()
    (folder / "GSM1003_x.CEL").write_bytes((folder / "cel" / "GSM1003_x.CEL").read_bytes())
    (folder / "cel" / "GSM1003_x.CEL").unlink()
    (folder / "cel" / "GSM1003_x.CEL").symlink_to(folder / "GSM1003_x.CEL")
    assert tamis(*RUN)[0] == 0  # who has many arrays links them
