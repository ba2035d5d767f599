"""Reading wide tables, against numpy.loadtxt, pandas and polars (if installed) in the same run.

    python benchmarks/reading.py [--rows 200] [--columns 50000] [--repeats 3] [--only turned ...]

Files are made in a temporary folder; values are checked to be equal before anything is
timed; the least of the repeats counts, of wall seconds and of CPU seconds (user and system, of
all threads) by itself. All read with one thread. loadtxt is always timed on the numbers alone
(the same table without its text columns), since it reads nothing else.

`turned` files have features in rows. What is timed there ends with a matrix of samples x features
in C order, as estimators want it.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import os
import platform
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ |= {"OMP_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}  # read while they are imported

import numpy as np
import pandas as pd
import pyarrow as pa

from tamis.data import Dataset, read_table

POLARS = importlib.util.find_spec("polars") is not None
NUMBERS = ("numbers", "full", "turned", "turned gaps", "turned.parquet")  # no class column


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
        files["numbers"].open("w") as numbers,
        files["text"].open("w") as text,
        files["middle"].open("w") as middle,
        files["empty"].open("w") as empty,
        files["NA"].open("w") as marked,
        files["full"].open("w") as full,
    ):
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
    return files | make_turned(folder, X, gaps, names)


def make_turned(folder: Path, X: np.ndarray, gaps: np.ndarray, names: list[str]) -> dict[str, Path]:
    """The numbers with features in rows, also with gaps, and as Parquet."""
    kinds = ("turned", "turned gaps", "turned.parquet")
    text, marked, parquet = (
        folder / name for name in ("turned.csv", "turned_gaps.csv", "turned.parquet")
    )
    ids = [f"s{i}" for i in range(len(X))]
    with text.open("w") as plain, marked.open("w") as holes:
        for file in (plain, holes):
            file.write(",".join(["gene", *ids]) + "\n")
        for name, values, lost in zip(names, X.T, gaps.T, strict=True):
            cells = [f"{v:.5f}" for v in values]
            plain.write(",".join([name, *cells]) + "\n")
            some = ["NA" if g else c for g, c in zip(lost, cells, strict=True)]
            holes.write(",".join([name, *some]) + "\n")
    frame = pd.DataFrame(X.T.round(5), columns=ids)
    frame.insert(0, "gene", names)
    frame.to_parquet(parquet, index=False)
    return dict(zip(kinds, (text, marked, parquet), strict=True))


def best(call: Callable[[], object], repeats: int) -> tuple[float, float]:
    """Least wall time and least CPU time of some calls, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter(), time.process_time()
        call()
        times.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    return min(wall for wall, _ in times), min(cpu for _, cpu in times)


def with_pandas(path: Path, turned: bool, **options) -> np.ndarray:
    """What a user would write: read, take the numeric columns as an array."""
    read = pd.read_parquet if path.suffix == ".parquet" else pd.read_csv
    if not turned:
        return read(path, **options).select_dtypes("number").to_numpy()
    return np.ascontiguousarray(read(path, **options).set_index("gene").T.to_numpy())


def with_polars(path: Path, turned: bool) -> np.ndarray:
    """The same with polars."""
    import polars as pl
    import polars.selectors as cs

    if path.suffix == ".parquet":
        frame = pl.read_parquet(path)
    else:
        frame = pl.read_csv(path, null_values="NA")
    numbers = frame.select(cs.numeric()).to_numpy()
    return np.ascontiguousarray(numbers.T if turned else numbers)


def equal(ours: Dataset, theirs: np.ndarray) -> bool:
    """Bit for bit, on the numeric columns."""
    numeric = np.setdiff1d(np.arange(ours.X.shape[1]), list(ours.levels))
    return np.array_equal(ours.X[:, numeric], theirs, equal_nan=True)


def measure(kind: str, files: dict[str, Path], repeats: int) -> list[str]:
    """The cells of a row: values are compared, then each reader is timed."""
    path, turned = files[kind], kind.startswith("turned")
    target = None if kind in NUMBERS else "class"
    is_parquet = path.suffix == ".parquet"
    exact = {} if is_parquet else {"float_precision": "round_trip"}
    data = read_table(path, target=target, transpose=turned)
    assert equal(data, with_pandas(path, turned, **exact)), kind
    if POLARS:
        assert equal(data, with_polars(path, turned)), f"{kind}, polars"
    del data
    ours = best(lambda: read_table(path, target=target, transpose=turned), repeats)
    pandas = best(lambda: with_pandas(path, turned), repeats)
    polars = best(lambda: with_polars(path, turned), repeats) if POLARS else None
    loadtxt = None
    if kind in ("numbers", "text", "middle", "full"):
        plain = files["full" if kind == "full" else "numbers"]
        loadtxt = best(lambda: np.loadtxt(plain, delimiter=",", skiprows=1), repeats)
    cells = [kind, f"{path.stat().st_size / 1e6:.0f}"]
    cells += [
        "" if one is None else f"{one[0]:.2f}; {one[1]:.2f}"
        for one in (ours, loadtxt, pandas, polars)
    ]
    peers = [one[1] for one in (loadtxt, pandas, polars) if one is not None]
    return [*cells, f"{ours[1] / min(peers):.2f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--columns", type=int, default=50_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=[], help="rows whose names begin so")
    args = parser.parse_args()
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    polars = "polars not installed"
    if POLARS:
        import polars as pl

        polars = f"polars {pl.__version__}"
    with tempfile.TemporaryDirectory() as folder:
        files = make(Path(folder), args.rows, args.columns)
        print(
            f"{args.rows} x {args.columns:,}; Python {platform.python_version()}, NumPy "
            f"{np.__version__}, pandas {pd.__version__}, pyarrow {pa.__version__}, {polars}, "
            f"{platform.machine()}; one thread; wall; CPU seconds, least of {args.repeats}\n"
        )
        print("| file | MB | tamis | loadtxt | pandas | polars | tamis/best peer, CPU |")
        print("| --- | --- | --- | --- | --- | --- | --- |")
        for kind in files:
            if not args.only or kind.startswith(tuple(args.only)):
                print(f"| {' | '.join(measure(kind, files, args.repeats))} |", flush=True)


if __name__ == "__main__":
    main()
