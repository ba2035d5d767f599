"""Programs that messages print for files of other formats: each is run on such a file."""

from __future__ import annotations

import bz2
import json
import lzma
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import read_table

N = 12
TABLE = pd.DataFrame(
    {
        "subj": [f"S{k:02d}" for k in range(N)],
        "grp": ["case", "control"] * (N // 2),
        "dead": [0.0, 1, 0, 0] * (N // 4),
        "a": np.random.default_rng(0).normal(size=N).round(3),
    }
)
LABELS = {"grp": {1: "case", 2: "control"}}
CODED = TABLE.assign(grp=TABLE["grp"].map({"case": 1.0, "control": 2.0}))


def _statistics(writer, **more):
    def write(path):
        pyreadstat = pytest.importorskip("pyreadstat")
        table = CODED if "variable_value_labels" in more else TABLE
        getattr(pyreadstat, writer)(table, str(path), **more)

    return write


def _dataset_json(lines, indent=None):
    def write(path):
        columns = [{"itemOID": f"IT.{name}", "name": name, "label": name} for name in TABLE]
        about = {"datasetJSONVersion": "1.1.0", "name": "X", "records": N, "columns": columns}
        rows = TABLE.to_numpy(dtype=object).tolist()
        if lines:
            text = "".join(json.dumps(one) + "\n" for one in (about, *rows))
        else:
            text = json.dumps({**about, "rows": rows}, indent=indent)
        path.write_text(text)

    return write


def _as_text(path):
    TABLE.assign(subj=[f"0{k:02d}" for k in range(N)]).to_json(path, orient="records")


FILES = {
    "t.sav": _statistics("write_sav", variable_value_labels=LABELS),
    "of text.sav": _statistics("write_sav"),
    "packed.sav": _statistics("write_sav", compress=True),
    "t.dta": _statistics("write_dta", variable_value_labels=LABELS),
    "t12.dta": _statistics("write_dta", version=12, variable_value_labels=LABELS),
    "t8.dta": _statistics("write_dta", version=8),
    "t5.xpt": _statistics("write_xport", file_format_version=5),
    "t8.xpt": _statistics("write_xport", file_format_version=8),
    "t.json": _dataset_json(lines=False),
    "pretty.json": _dataset_json(lines=False, indent=2),
    "t.ndjson": _dataset_json(lines=True),
    "it's.json": _dataset_json(lines=False),
    "plain.json": lambda path: TABLE.to_json(path, orient="records"),
    "ids of digits.json": _as_text,
    "t.feather": lambda path: TABLE.to_feather(path),
}


@pytest.mark.parametrize("name", FILES)
def test_the_program_that_is_printed_makes_the_table(name, tmp_path, monkeypatch):
    FILES[name](tmp_path / name)
    with pytest.raises(DataError) as error:
        read_table(tmp_path / name, target="grp")
    (program,) = re.findall("`(.*)`", str(error.value))
    monkeypatch.chdir(tmp_path)
    exec(program, {})
    made = next(path for path in tmp_path.glob("table.*"))
    data = read_table(made, target="grp")
    subjects = [f"0{k:02d}" for k in range(N)] if "digits" in name else TABLE["subj"].tolist()
    assert list(data.sample_names) == subjects
    assert data.y.tolist() == TABLE["grp"].tolist()
    assert data.feature_names == ("dead", "a")
    np.testing.assert_array_equal(data.X[:, 0], TABLE["dead"])
    np.testing.assert_allclose(data.X[:, 1], TABLE["a"], rtol=1e-6)


PACKED = {"bunzip2": bz2.compress, "xz": lzma.compress}


@pytest.mark.parametrize("program", PACKED)
@pytest.mark.parametrize("name", ["table.csv", "FILE, it's a table.csv"])
def test_the_command_that_is_printed_for_a_packed_file_unpacks_it(program, name, tmp_path):
    if not shutil.which(program):
        pytest.skip(f"needs {program}")
    packed = tmp_path / f"{name}.{'bz2' if program == 'bunzip2' else 'xz'}"
    packed.write_bytes(PACKED[program](TABLE.to_csv(index=False).encode()))
    with pytest.raises(DataError) as error:
        read_table(packed)
    (command,) = re.findall("`(.*)`", str(error.value))
    assert command.startswith(program)
    subprocess.run(shlex.split(command), cwd=tmp_path, check=True)
    assert list(read_table(tmp_path / name, target="grp").sample_names) == TABLE["subj"].tolist()


@pytest.mark.parametrize("name", ["t.biom", "json.biom", "it's a.biom"])
def test_the_command_that_is_printed_for_biom_makes_the_table(name, tmp_path, monkeypatch):
    biom = pytest.importorskip("biom")
    h5py = pytest.importorskip("h5py")
    counts = np.array([[0.0, 0, 7], [3, 0, 4]])
    samples = ["10317.000047180", "10317.000047190", "S3"]
    table = biom.Table(counts, ["O1", "O2"], samples)
    if name.startswith("json"):
        (tmp_path / name).write_text(table.to_json("x"))
    else:
        with h5py.File(tmp_path / name, "w") as file:
            table.to_hdf5(file, "x")
    with pytest.raises(DataError, match="is a BIOM file") as error:
        read_table(tmp_path / name)
    (command,) = re.findall("`(.*)`", str(error.value))
    program = Path(sys.executable).with_name("biom")
    subprocess.run([program, *shlex.split(command)[1:]], cwd=tmp_path, check=True)
    data = read_table(tmp_path / "table.tsv", transpose=True)
    assert (list(data.sample_names), data.feature_names) == (samples, ("O1", "O2"))
    np.testing.assert_array_equal(data.X, counts.T)
