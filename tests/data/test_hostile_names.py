"""Tables of awkward names by R, pandas and the csv module, and as Excel, LibreOffice and SAS write
them: read as written, or refused in words.

Nothing is shifted: every feature has the values that were written under its name, every sample
its own.
"""

from __future__ import annotations

import csv
import random
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import read_table

BITS = [
    '"', '""', "\\", '\\"', "\\\\", "'", " ", "\t", ",", ";", "|", "#", "!", "=", "-", ".", "5",
    "A", "gene", "NT", "é", "(", ")", "/", "\n", "NA", "1.5", "e3", "x", '",', '\\",', ", ",
    "%", "&", "<b>", "class2",
]  # fmt: skip
PLAIN = 0.55  # how often a name is of letters


def awkward_names(rng: random.Random, k: int, stem: str) -> list[str]:
    found: list[str] = []
    while len(found) < k:
        name = "".join(rng.choices(BITS, k=rng.choice([1, 1, 2, 3, 4, 5])))
        name = f"{stem}{len(found)}" if rng.random() < PLAIN else name.strip()
        flat = " ".join(name.split()).lower()
        if flat not in ["", "class", "id", *(" ".join(f.split()).lower() for f in found)]:
            found.append(name)
    return found


def tables(seed: int, n: int) -> list[tuple[list[str], list[str]]]:
    """Names of features and samples."""
    rng = random.Random(seed)
    return [
        (awkward_names(rng, rng.choice([2, 3, 4, 6]), "g"), awkward_names(rng, 6, "s"))
        for _ in range(n)
    ]


def values(features, samples):
    rows, columns = np.ogrid[1 : len(samples) + 1, 1 : len(features) + 1]
    return 10.0 * rows + columns


def by_python(rng: random.Random, features, samples, path: Path) -> str:
    """By pandas or csv, told how."""
    frame = pd.DataFrame(values(features, samples), columns=features)
    frame.insert(0, "id", samples)
    frame["class"] = ["a", "b"] * (len(samples) // 2)
    separator, quoting = rng.choice(",\t; |"), rng.choice([0, 1, 2])
    if rng.random() < 0.5:
        frame.to_csv(path, sep=separator, index=False, quoting=quoting)
        return f"pandas {separator!r} {quoting}"
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(
            file, delimiter=separator, quoting=quoting, lineterminator=rng.choice(["\n", "\r\n"])
        )
        writer.writerow(frame.columns)
        writer.writerows(frame.values.tolist())
    return f"csv {separator!r} {quoting}"


# Delimiter, end of line, first bytes, and what makes the program quote a field.
PROGRAMS = {
    "Excel, CSV UTF-8": (",", "\r\n", "\ufeff", '",\n'),
    "Excel, CSV where the comma is decimal": (";", "\r\n", "\ufeff", '";\n'),
    "Excel, Text (Tab delimited)": ("\t", "\r\n", "", '",\t\n'),
    "LibreOffice, all text cells quoted": (",", "\n", "", None),
    "SAS, proc export dbms=csv": (",", "\n", "", '",'),
    "SAS, proc export dbms=tab": ("\t", "\r\n", "", '"\t'),
}


def by_program(name: str, features, samples, path: Path) -> None:
    """As the program writes: these were not run, their rules are those of their manuals."""
    separator, end, first, special = PROGRAMS[name]

    def written(cell) -> str:
        if not isinstance(cell, str):
            return f"{cell:g}"
        quoted = special is None or set(cell) & set(special)
        return '"' + cell.replace('"', '""') + '"' if quoted else cell

    table = [["id", *features, "class"]]
    for sample, row, label in zip(samples, values(features, samples), "ab" * 9, strict=False):
        table.append([sample, *row, label])
    text = "".join(separator.join(map(written, row)) + end for row in table)
    path.write_bytes((first + text).encode())


def by_r(seed: int, made, folder: Path) -> list[str]:
    """By R's writers, told how."""

    def coded(names):
        return ",".join(name.encode().hex() for name in names)

    lines = [f"{k}\t{len(s)}\t{coded(f)}\t{coded(s)}" for k, (f, s) in enumerate(made)]
    (folder / "tables.tsv").write_text("\n".join(lines) + "\n")
    script = Path(__file__).with_name("hostile_names.R")
    subprocess.run(["Rscript", str(script), str(folder), str(seed)], check=True)
    return (folder / "ways.txt").read_text().splitlines()


def read_as_written(path: Path, features, samples, options, fwrite=False) -> bool:
    """Whether it was read, and not refused; anything else fails."""
    try:
        data = read_table(path, target="class", **options)
    except DataError:
        return False
    for got, given in ((data.feature_names, features), (data.sample_names, samples)):
        wanted = [name.strip() for name in given]
        if fwrite:  # two backslashes may be one that it escaped
            got, wanted = ([re.sub(r"\\+", r"\\", name) for name in one] for one in (got, wanted))
        assert list(got) == wanted
    np.testing.assert_array_equal(data.X, values(features, samples))
    return True


@pytest.mark.parametrize(
    ("n", "least"), [(100, 0.8), pytest.param(10_000, 0.8, marks=pytest.mark.slow)]
)
def test_of_pandas_and_csv(tmp_path, n, least):
    rng = random.Random(7)
    read = 0
    for k, (features, samples) in enumerate(tables(n, n)):
        path = tmp_path / f"{k}.txt"
        told = by_python(rng, features, samples, path)
        try:
            read += read_as_written(path, features, samples, {"id": "id"})
        except AssertionError as error:
            raise AssertionError(f"{path.name} by {told}: {error}") from error
        path.unlink()
    assert read >= least * n  # others have names that R's writers could mean otherwise


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("n", [40, pytest.param(2000, marks=pytest.mark.slow)])
def test_of_spreadsheets_and_sas(tmp_path, program, n):
    read = 0
    for k, (features, samples) in enumerate(tables(n + 2, n)):
        if "SAS" in program:  # its names and values hold no ends of lines
            features, samples = ([w.replace("\n", "_") for w in one] for one in (features, samples))
        path = tmp_path / f"{k}.csv"
        by_program(program, features, samples, path)
        try:
            read += read_as_written(path, features, samples, {"id": "id"})
        except AssertionError as error:
            raise AssertionError(f"{path.name} by {program}: {error}") from error
    assert read >= 0.8 * n  # others have names that R's writers could mean otherwise


@pytest.mark.parametrize(
    ("n", "least"), [(60, 0.6), pytest.param(10_000, 0.6, marks=pytest.mark.slow)]
)
def test_of_r(tmp_path, n, least):
    if shutil.which("Rscript") is None:
        pytest.skip("needs R")
    made = tables(n + 1, n)
    ways = by_r(7, made, tmp_path)
    read = 0
    for k, (features, samples) in enumerate(made):
        if ways[k].endswith("FALSE") and any(
            name[0] == '"' or set(name) & set("\t ,;\n") for name in (*features, *samples)
        ):
            continue  # without quotes nothing tells such names from others
        try:
            fwrite = "fwrite" in ways[k] and "escape" in ways[k]
            read += read_as_written(tmp_path / f"{k}.txt", features, samples, {}, fwrite)
        except AssertionError as error:
            raise AssertionError(f"{k}.txt by R, {ways[k]}: {error}") from error
    assert read >= least * n  # others have two readings, or were written without quotes
