"""Reading wide tables, against numpy.loadtxt and pandas in the same run.

    python benchmarks/reading.py [--rows 200] [--columns 50000] [--repeats 3]

Files are made in a temporary folder; values are checked to be equal before anything is
timed; the least of the repeats counts. loadtxt is always timed on the numbers alone (the
same table without its text columns), since it reads nothing else.
"""

from __future__ import annotations

import argparse
import gzip
import platform
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from tamis.data import Dataset, read_table


def make(folder: Path, n: int, p: int) -> dict[str, Path]:
    """The same table as numbers only, with text columns, with gaps, gzip and Parquet."""
    rng = np.random.default_rng(1)
    X = rng.normal(7.0, 2.0, size=(n, p))
    names = [f"gene_{j}" for j in range(p)]
    labels = rng.choice(["ALL", "AML"], size=n)
    gaps = rng.random((n, p)) < 0.05
    files = {k: folder / f"{k}.csv" for k in ("numbers", "text", "middle", "empty", "NA", "full")}
    half = p // 2
    with (
        files["numbers"].open("w") as numbers, files["text"].open("w") as text,
        files["middle"].open("w") as middle, files["empty"].open("w") as empty,
        files["NA"].open("w") as marked, files["full"].open("w") as full,
    ):  # fmt: skip
        numbers.write(",".join(names) + "\n")
        full.write(",".join(names) + "\n")
        middle.write(",".join([*names[:half], "class", *names[half:]]) + "\n")
        for file in (text, empty, marked):
            file.write(",".join(["id", "class", *names]) + "\n")
        for i in range(n):
            cells = [f"{v:.5f}" for v in X[i]]
            row = ",".join(cells)
            numbers.write(row + "\n")
            full.write(",".join(map(repr, X[i].tolist())) + "\n")
            text.write(f"s{i},{labels[i]},{row}\n")
            middle.write(",".join([*cells[:half], labels[i], *cells[half:]]) + "\n")
            for file, mark in ((empty, ""), (marked, "NA")):
                some = [mark if g else c for g, c in zip(gaps[i], cells, strict=True)]
                file.write(f"s{i},{labels[i]},{','.join(some)}\n")
    files["text.gz"] = folder / "text.csv.gz"
    with gzip.open(files["text.gz"], "wb", compresslevel=4) as file:
        file.write(files["text"].read_bytes())
    frame = pd.DataFrame(X, columns=names)
    frame.insert(0, "class", labels)
    files["parquet"] = folder / "text.parquet"
    frame.to_parquet(files["parquet"], index=False)
    tall = pd.DataFrame(rng.normal(size=(n * p // 50, 20)).round(4)).add_prefix("x")
    for k in range(4):
        tall[f"c{k}"] = rng.choice(["low", "middle", "high"], size=len(tall))
    tall["class"] = rng.choice(["yes", "no"], size=len(tall))
    files["tall"] = folder / "tall.csv"
    tall.to_csv(files["tall"], index=False)
    return files


def best(call: Callable[[], object], repeats: int) -> float:
    """Least wall time of some calls, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def with_pandas(path: Path, **options) -> np.ndarray:
    """What a user would write: read, take the numeric columns as an array."""
    read = pd.read_parquet if path.suffix == ".parquet" else pd.read_csv
    return read(path, **options).select_dtypes("number").to_numpy()


def equal(ours: Dataset, theirs: np.ndarray) -> bool:
    """Bit for bit, on the numeric columns."""
    numeric = np.setdiff1d(np.arange(ours.X.shape[1]), list(ours.levels))
    return np.array_equal(ours.X[:, numeric], theirs, equal_nan=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--columns", type=int, default=50_000)
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = make(Path(folder), args.rows, args.columns)
        print(
            f"{args.rows} x {args.columns:,}; Python {platform.python_version()}, NumPy "
            f"{np.__version__}, pandas {pd.__version__}, pyarrow {pa.__version__}, "
            f"{platform.machine()}; seconds, least of {args.repeats}\n"
        )
        print("| file | MB | tamis | loadtxt | pandas | tamis/loadtxt | tamis/pandas |")
        print("| --- | --- | --- | --- | --- | --- | --- |")
        for kind, path in files.items():
            target = None if kind in ("numbers", "full") else "class"
            exact = {} if kind == "parquet" else {"float_precision": "round_trip"}
            assert equal(read_table(path, target=target), with_pandas(path, **exact)), kind
            ours = best(lambda p=path, t=target: read_table(p, target=t), args.repeats)
            pandas = best(lambda p=path: with_pandas(p), args.repeats)
            loadtxt, ratio = "", ""
            if kind in ("numbers", "text", "middle", "full"):
                plain = files["full" if kind == "full" else "numbers"]
                base = best(lambda p=plain: np.loadtxt(p, delimiter=",", skiprows=1), args.repeats)
                loadtxt, ratio = f"{base:.2f}", f"{ours / base:.2f}"
            size = path.stat().st_size / 1e6
            print(
                f"| {kind} | {size:.0f} | {ours:.2f} | {loadtxt} | {pandas:.2f} | {ratio} | "
                f"{ours / pandas:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
