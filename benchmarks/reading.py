"""Reading wide tables, against numpy.loadtxt, pandas and polars (if installed) in the same run.

    python benchmarks/reading.py [--rows 200] [--columns 50000] [--repeats 3] [--only turned ...]
        [--without pandas ...]

Files are made in a temporary folder; values are checked to be equal before anything is
timed; the readers take turns, and the least of the repeats counts, of wall seconds and of CPU
seconds (user and system, of all threads) by itself. All read with one thread; of several only if
the variable OMP_NUM_THREADS says how many. loadtxt is always timed on the numbers alone
(the same table without its text columns), since it reads nothing else.

`turned` files have features in rows. What is timed there ends with a matrix of samples x features
in C order, as estimators want it. `floats.parquet` has samples in rows and numbers alone.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import os
import platform
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

# read while they are imported
os.environ |= {"OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "1")}
os.environ |= {"POLARS_MAX_THREADS": os.environ["OMP_NUM_THREADS"]}

import numpy as np
import pandas as pd
import pyarrow as pa

from tamis.data import Dataset, read_table

THREADS = int(os.environ["OMP_NUM_THREADS"])
POLARS = importlib.util.find_spec("polars") is not None
KINDS = {  # and their files
    "numbers": "numbers.csv",
    "text": "text.csv",
    "middle": "middle.csv",
    "empty": "empty.csv",
    "NA": "NA.csv",
    "full": "full.csv",
    "text.gz": "text.csv.gz",
    "parquet": "text.parquet",
    "floats.parquet": "floats.parquet",
    "tall": "tall.csv",
    "turned": "turned.csv",
    "turned gaps": "turned_gaps.csv",
    "turned quoted": "turned_quoted.csv",
    "turned.parquet": "turned.parquet",
}
NUMBERS = {  # no class column
    "numbers",
    "full",
    "floats.parquet",
    "turned",
    "turned gaps",
    "turned quoted",
    "turned.parquet",
}
PEERS = ("loadtxt", "pandas", "polars")
LOADTXT = {"numbers": "numbers", "text": "numbers", "middle": "numbers", "full": "full"}


@dataclass
class Table:
    """What all wide files hold."""

    n: int
    p: int

    def __post_init__(self) -> None:
        rng = np.random.default_rng(1)
        self.X = rng.normal(7.0, 2.0, size=(self.n, self.p))
        self.names = [f"gene_{j}" for j in range(self.p)]
        self.ids = [f"s{i}" for i in range(self.n)]
        self.labels = rng.choice(["ALL", "AML"], size=self.n).tolist()

    @cached_property
    def gaps(self) -> np.ndarray:
        """Which values are missing, where some are."""
        return np.random.default_rng(2).random((self.n, self.p)) < 0.05

    def rows(self, mark: str | None = None, turned: bool = False) -> Iterator[list[str]]:
        """The cells of each line, of which some are missing if there is a mark for them."""
        gaps = None if mark is None else self.gaps.T if turned else self.gaps
        for i, values in enumerate(self.X.T if turned else self.X):
            cells = [f"{v:.5f}" for v in values.tolist()]
            if gaps is not None:
                cells = [mark if g else c for g, c in zip(gaps[i], cells, strict=True)]
            yield cells


def make(kind: str, folder: Path, table: Table) -> Path:
    """The file of a kind, if it is not there yet."""
    path = folder / KINDS[kind]
    if path.exists():
        return path
    if kind == "tall":
        tall_frame(table.n * table.p // 50).to_csv(path, index=False)
    elif path.suffix == ".parquet":
        parquet_frame(kind, table).to_parquet(path, index=False)
    elif path.suffix == ".gz":
        with gzip.open(path, "wb", compresslevel=4) as file:
            file.write(make("text", folder, table).read_bytes())
    else:
        with path.open("w") as file:
            file.writelines(",".join(line) + "\n" for line in text_lines(kind, table))
    return path


def text_lines(kind: str, table: Table) -> Iterable[list[str]]:
    """The fields of each line of a text file, the header first."""
    names, half = table.names, table.p // 2
    if kind.startswith("turned"):
        quote = '"' if kind == "turned quoted" else ""  # as R's write.csv has it
        yield [quote + name + quote for name in ("gene", *table.ids)]
        mark = "NA" if kind == "turned gaps" else None
        for name, cells in zip(names, table.rows(mark, turned=True), strict=True):
            yield [quote + name + quote, *cells]
    elif kind in ("numbers", "full"):
        yield names
        yield from table.rows() if kind == "numbers" else (map(repr, v.tolist()) for v in table.X)
    elif kind == "middle":
        yield [*names[:half], "class", *names[half:]]
        for label, cells in zip(table.labels, table.rows(), strict=True):
            yield [*cells[:half], label, *cells[half:]]
    else:
        yield ["id", "class", *names]
        mark = {"empty": "", "NA": "NA"}.get(kind)
        for row in zip(table.ids, table.labels, table.rows(mark), strict=True):
            yield [*row[:2], *row[2]]


def parquet_frame(kind: str, table: Table) -> pd.DataFrame:
    if kind == "turned.parquet":
        frame = pd.DataFrame(table.X.T.round(5), columns=table.ids)
        frame.insert(0, "gene", table.names)
        return frame
    frame = pd.DataFrame(table.X, columns=table.names)
    if kind != "floats.parquet":
        frame.insert(0, "class", table.labels)
    return frame


def tall_frame(n: int) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    tall = pd.DataFrame(rng.normal(size=(n, 20)).round(4)).add_prefix("x")
    for k in range(4):
        tall[f"c{k}"] = rng.choice(["low", "middle", "high"], size=n)
    tall["class"] = rng.choice(["yes", "no"], size=n)
    return tall


def best(calls: dict[str, Callable[[], object]], repeats: int) -> dict[str, tuple[float, float]]:
    """Least wall time and least CPU time of some calls each, in seconds; they take turns."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            start = time.perf_counter(), time.process_time()
            call()
            took = time.perf_counter() - start[0], time.process_time() - start[1]
            times[name].append(took)
    return {name: (min(w for w, _ in t), min(c for _, c in t)) for name, t in times.items()}


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


def measure(
    kind: str, folder: Path, table: Table, repeats: int, without: Collection[str]
) -> list[str]:
    """The cells of a row: values are compared, then each reader is timed."""
    path, turned = make(kind, folder, table), kind.startswith("turned")
    target = None if kind in NUMBERS else "class"
    is_parquet = path.suffix == ".parquet"
    exact = {} if is_parquet else {"float_precision": "round_trip"}
    data = read_table(path, target=target, transpose=turned)
    calls: dict[str, Callable[[], object]] = {
        "tamis": lambda: read_table(path, target=target, transpose=turned)
    }
    if "pandas" not in without:
        assert equal(data, with_pandas(path, turned, **exact)), kind
        calls["pandas"] = lambda: with_pandas(path, turned)
    if POLARS and "polars" not in without:
        assert equal(data, with_polars(path, turned)), f"{kind}, polars"
        calls["polars"] = lambda: with_polars(path, turned)
    if kind in LOADTXT and "loadtxt" not in without:
        plain = make(LOADTXT[kind], folder, table)
        calls["loadtxt"] = lambda: np.loadtxt(plain, delimiter=",", skiprows=1)
    del data
    found = best(calls, repeats)
    cells = [kind, f"{path.stat().st_size / 1e6:.0f}"]
    for name in ("tamis", *PEERS):
        cells.append("{:.2f}; {:.2f}".format(*found[name]) if name in found else "")
    ours = found.pop("tamis")[1]
    cells += [f"{ours / found[name][1]:.2f}" if name in found else "" for name in PEERS[1:]]
    return cells


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--columns", type=int, default=50_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=[], help="rows whose names begin so")
    parser.add_argument("--without", nargs="+", default=[], choices=PEERS)
    args = parser.parse_args()
    pa.set_cpu_count(THREADS)
    pa.set_io_thread_count(THREADS)
    polars = "polars not installed"
    if POLARS:
        import polars as pl

        polars = f"polars {pl.__version__}"
    table = Table(args.rows, args.columns)
    with tempfile.TemporaryDirectory() as folder:
        print(
            f"{args.rows} x {args.columns:,}; Python {platform.python_version()}, NumPy "
            f"{np.__version__}, pandas {pd.__version__}, pyarrow {pa.__version__}, {polars}, "
            f"{platform.machine()}; threads: {THREADS}; wall; CPU seconds, least of {args.repeats}"
            "\n"
        )
        print("| file | MB | tamis | loadtxt | pandas | polars | CPU / pandas | / polars |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- |")
        for kind in KINDS:
            if not args.only or kind.startswith(tuple(args.only)):
                cells = measure(kind, Path(folder), table, args.repeats, args.without)
                print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
