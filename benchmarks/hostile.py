"""Files made to hang a reader or to fill the memory: seconds and memory at three sizes each.

    python benchmarks/hostile.py [--shapes NAME ...] [--seconds 120]

Each file is read in a process of its own. Memory is the most that the process had, less what it
had when everything was imported. What is told is the message, or the table's shape.
"""

from __future__ import annotations

import argparse
import gzip
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

MB = 1_000_000
READS = """
import resource, sys, time
import numpy, pandas, pyarrow.compute, pyarrow.parquet
from tamis._core.errors import DataError
from tamis.data import read_table
import tamis.data.arff, tamis.data.delimited, tamis.data.parquet

def high():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000

first, start, worked = high(), time.perf_counter(), time.process_time()
try:
    told = "read: {} x {}".format(*read_table(sys.argv[1], target="class").shape)
except DataError as error:
    told = str(error)
wall, worked = time.perf_counter() - start, time.process_time() - worked
print(f"{wall:.2f} | {worked:.2f} | {high() - first:,.0f} | {told[:150]}")
"""


def zipped(path: Path, *parts: bytes) -> Path:
    """A gzip file; parts of the same bytes again and again are cheap to write."""
    with gzip.open(path, "wb", compresslevel=6) as file:
        for part in parts:
            file.write(part)
    return path


def many(byte: bytes, size: int) -> list[bytes]:
    """That many bytes, a million at a time."""
    return [byte * MB] * (size // MB)


def newlines(folder: Path, size: int) -> Path:
    return zipped(folder / "newlines.csv.gz", *many(b"\n", size))


def spaces(folder: Path, size: int) -> Path:
    head = "@relation r\n@attribute x numeric\n@attribute class {a,b}\n@data\n"
    path = folder / "spaces.arff"
    path.write_text(f"{head}{{0 1,1 b}}\n{{0 1{' ' * size}1,1 b}}\n")
    return path


def comments(folder: Path, size: int) -> Path:
    text = "@relation r\n@attribute x numeric\n@attribute class {a,b}\n@data\n1,a\n2,b\n"
    path = folder / "comments.arff"
    path.write_text("%\n" * size + text)
    return path


def genotypes(folder: Path, columns: int) -> Path:
    rng = np.random.default_rng(0)
    path = folder / "genotypes.csv"
    with path.open("w") as file:
        file.write("id,class," + ",".join(f"rs{j}" for j in range(columns)) + "\n")
        for i in range(12):
            calls = rng.choice(["AA", "AG", "GG"], size=columns)
            file.write(f"s{i},{'ab'[i % 2]},{','.join(calls.tolist())}\n")
    return path


def header(folder: Path, size: int) -> Path:
    return zipped(folder / "header.csv.gz", b"id,class", *many(b",", size), b"\na,b\n")


def quote(folder: Path, size: int) -> Path:
    return zipped(folder / "quote.csv.gz", b'id,class,x\na,u,1\nb,v,"', *many(b"x", size))


def ragged(folder: Path, size: int) -> Path:
    return zipped(folder / "ragged.csv.gz", b"id,class,x\na,u,1\nb,v,2\nc", *many(b",", size))


def rows(folder: Path, size: int) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    codes = pa.array(np.arange(size) >= size // 2).cast(pa.int8())
    label = pa.DictionaryArray.from_arrays(codes, ["a", "b"]).cast(pa.string())
    path = folder / "rows.parquet"
    pq.write_table(pa.table({"class": label, "x": np.zeros(size)}), path, compression="zstd")
    return path


SHAPES: dict[str, tuple[Callable[[Path, int], Path], tuple[int, int, int]]] = {
    "newlines": (newlines, (2 * MB, 20 * MB, 200 * MB)),
    "spaces": (spaces, (100_000, 1_000_000, 10_000_000)),
    "comments": (comments, (100_000, 1_000_000, 10_000_000)),
    "genotypes": (genotypes, (50_000, 100_000, 200_000)),
    "header": (header, (3 * MB, 30 * MB, 300 * MB)),
    "quote": (quote, (3 * MB, 30 * MB, 300 * MB)),
    "ragged": (ragged, (3 * MB, 30 * MB, 300 * MB)),
    "rows": (rows, (500_000, 2 * MB, 30 * MB)),
}


def read(path: Path, seconds: float) -> str:
    command = [sys.executable, "-c", READS, str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"over {seconds:.0f} | | |"
    return done.stdout.strip() or f"ended: {done.returncode} | | | {done.stderr[-150:]!r}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--seconds", type=float, default=120)
    given = parser.parse_args()
    print("| shape | size | kB | seconds | of a processor | MB | told |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in given.shapes:
        make, sizes = SHAPES[name]
        for size in sizes:
            with tempfile.TemporaryDirectory() as folder:
                path = make(Path(folder), size)
                kb, told = path.stat().st_size / 1000, read(path, given.seconds)
                print(f"| {name} | {size:,} | {kb:,.0f} | {told} |", flush=True)


if __name__ == "__main__":
    main()
