"""`tamis expression`: from CEL files to a table, and a later patient by the saved model."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from expression.made_arrays import write_arrays
from tamis.expression import RMA, rma
from tamis.expression.array_model import ArrayModel
from tamis.expression.cel_arrays import CelArrays


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_arrays(tmp_path / "cel")
    return tmp_path


RUN = ("expression", "rma", "cel", "--cdf", "chip.CDF", "--out", "t.parquet")


def test_the_table_is_rma_of_the_files(tamis, folder):
    code, out, err = tamis(*RUN)
    assert (code, err) == (0, "")
    assert out.splitlines()[0].startswith("8 arrays of type ")
    found = pd.read_parquet("t.parquet").set_index("sample")
    assert found.index.tolist() == [f"GSM{1000 + k}" for k in range(8)]
    expected = rma("cel", "chip.CDF").frame(found.index)
    np.testing.assert_allclose(found[expected.columns], expected, rtol=0, atol=1e-12)
    arrays = CelArrays.of(["cel"], "chip.CDF")
    X = np.stack(list(arrays.perfect_matches()))
    frozen = RMA(arrays.cdf.probe_sets).fit_transform(X)
    np.testing.assert_allclose(found, frozen, rtol=0, atol=1e-12)


@pytest.mark.parametrize("detected", ["0", "0.5"])
def test_one_patient_a_batch_and_the_own_run_have_the_same_values(tamis, folder, detected):
    code, out, err = tamis(*RUN, "--save", "m.rma", "--detected", detected, "--json")
    assert (code, err) == (0, "")
    content = json.loads(out)
    trained = pd.read_parquet("t.parquet").set_index("sample")
    assert content["n_probe_sets"] == trained.shape[1]
    assert (trained.shape[1] < 60) == (detected != "0")
    for files, rows in ((("cel",), slice(None)), (("cel/GSM1005_x.CEL",), slice(5, 6))):
        code, _, err = tamis(
            "expression", "rma", *files, "--model", "m.rma", "--out", "one.parquet"
        )
        assert (code, err) == (0, "")
        again = pd.read_parquet("one.parquet").set_index("sample")
        pd.testing.assert_frame_equal(again, trained[rows], rtol=0, atol=1e-12)


def test_the_model_file_is_the_same_for_the_same_arrays(tamis, folder):
    for name in "ab":
        assert tamis(*RUN[:-1], f"{name}.csv", "--save", f"{name}.rma")[0] == 0
    assert (folder / "a.rma").read_bytes() == (folder / "b.rma").read_bytes()
    assert (folder / "a.csv").read_bytes() == (folder / "b.csv").read_bytes()


def test_a_spoiled_model_is_told(tamis, folder):
    assert tamis(*RUN, "--save", "m.rma")[0] == 0
    whole = (folder / "m.rma").read_bytes()
    rng = np.random.default_rng(0)
    for at in [0, 100, *rng.integers(0, len(whole), 20)]:
        spoiled = bytearray(whole[: at + 1] if at % 3 else whole)
        spoiled[at] ^= 0xFF
        (folder / "bad.rma").write_bytes(spoiled)
        code, _, err = tamis(*RUN[:3], "--model", "bad.rma", "--out", "bad.csv", "--force")
        assert code in (0, 2)  # a byte of a date in the archive changes nothing
        assert len(err.splitlines()) <= 1


def test_probes_for_rma_inside_the_folds(tamis, folder):
    code, out, err = tamis("expression", "probes", "cel", "--cdf", "chip.CDF", "--out", "p.parquet")
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
        (("expression", "rma", "chip.CDF", *RUN[3:]), "'chip.CDF' is no CEL file"),
        (("expression", "rma", "none", *RUN[3:]), "no such file or folder: 'none'"),
        (("expression", "rma", "empty", *RUN[3:]), "folder 'empty' holds no file .CEL or .CEL.gz"),
        (("expression", "rma", "a.tar", *RUN[3:]), "'a.tar' is an archive: unpack it"),
        ((*RUN[:3], "--cdf", "cel/GSM1000_x.CEL", *RUN[5:]), "is no CDF in text or binary"),
        ((*RUN[:3], "--model", "chip.CDF", *RUN[5:]), "no model"),
        ((*RUN[:3], "--model", "chip.CDF", "--detected", ".5", *RUN[5:]), "--model says all"),
        ((*RUN[:-1], "chip.CDF"), "a table is written as"),
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
    assert "holds no table of `tamis expression rma`" in err
    assert (folder / "t.csv").read_text() == "mine"
    assert tamis(*RUN[:-1], "t.csv", "--force")[0] == 0
    assert tamis(*RUN)[0] == 0
    assert tamis(*RUN)[0] == 0  # its own is


def test_a_model_that_lacks_parts_is_refused(tamis, folder):
    assert tamis(*RUN, "--save", "m.rma")[0] == 0
    model = ArrayModel.load("m.rma")
    assert model.n_arrays == 8
    assert model.shape == (64, 60)
