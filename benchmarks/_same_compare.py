"""What two folders of results have that differs: values, files and fields, and words.

Every file becomes nested values: JSON as it is, delimited text and Arrow a list a column, .npz an
array a member, all else lines. Numbers are compared by their relative difference. Lines of prose
are aligned with their numbers masked, so that a new sentence does not hide a number in an old one.
"""

from __future__ import annotations

import csv
import difflib
import html
import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

MAX_RELATIVE_DIFFERENCE = 1e-15
# Of a journal and of versions; a checksum is compared by what it sums.
PASSED_OVER = {"time", "cpu", "host", "pid", "versions", "version", "sum"}
FAILURES = ("number", "value", "gone")  # what two versions that give the same do not have
KINDS = (*FAILURES, "new", "words")
NUMBER = re.compile(r"(?<![\w.])[-−+]?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w])")
ADDRESS = re.compile(r"\b0x[0-9a-f]+\b")
RELEASE = re.compile(r"(?i)\btamis[ /-]v?\d+(?:\.\w+)+")


@dataclass(frozen=True)
class Difference:
    """One place where two versions differ."""

    kind: str
    place: str
    first: str
    second: str
    size: float = 0.0  # of a number: relative

    def line(self) -> str:
        """In one line, for a list."""
        size = f" ({self.size:.1e})" if self.kind == "number" else ""
        return f"{self.kind}{size}  {self.place}: {_short(self.first)} | {_short(self.second)}"


def _short(text: str, width: int = 90) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."


@dataclass
class Comparison:
    """What was compared, and what differs."""

    files: int = 0
    numbers: int = 0
    worst: float = 0.0
    differences: list[Difference] = field(default_factory=list)

    def count(self, kind: str) -> int:
        """Differences of a kind."""
        return sum(one.kind == kind for one in self.differences)

    @property
    def failed(self) -> bool:
        """Whether a number, a value, a file or a field is not what it was."""
        return any(self.count(kind) for kind in FAILURES)

    def join(self, other: Comparison, where: str) -> None:
        """Take in another one, whose places begin with a word of where they are."""
        self.files += other.files
        self.numbers += other.numbers
        self.worst = max(self.worst, other.worst)
        for one in other.differences:
            self.differences.append(replace(one, place=where + one.place))

    def add(self, kind: str, place: str, first: object, second: object, size: float = 0.0) -> None:
        self.differences.append(Difference(kind, place, str(first), str(second), size))

    def number(self, place: str, a: float, b: float) -> None:
        """Two numbers; missing ones are equal, and so are zeros of either sign."""
        self.numbers += 1
        if a == b or (a != a and b != b):
            return
        size = abs(a - b) / max(abs(a), abs(b))
        size = size if size == size else float("inf")
        self.worst = max(self.worst, size)
        if size > MAX_RELATIVE_DIFFERENCE:
            self.add("number", place, a, b, size)

    def values(self, place: str, a: Any, b: Any) -> None:
        """Two values of any kind."""
        if isinstance(a, Lines) and isinstance(b, Lines):
            self.lines(place, a.lines, b.lines)
        elif isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
            self.arrays(place, a, b)
        elif isinstance(a, Mapping) and isinstance(b, Mapping):
            self.fields(place, a, b)
        elif _is_list(a) and _is_list(b):
            self.lists(place, a, b)
        elif _is_number(a) and _is_number(b):
            self.number(place, a, b)
        elif isinstance(a, str) and isinstance(b, str):
            self.text(place, a, b)
        elif type(a) is not type(b) or a != b:
            self.add("value", place, a, b)

    def fields(self, place: str, a: Mapping[str, Any], b: Mapping[str, Any]) -> None:
        """By name; one that has another name and the same value is renamed, which is words."""
        for key in a:
            if key in b and key not in PASSED_OVER:
                self.values(f"{place} {key}", a[key], b[key])
        left = [key for key in b if key not in a and key not in PASSED_OVER]
        for key in a:
            if key in b or key in PASSED_OVER:
                continue
            twin = next((k for k in left if _same(a[key], b[k])), None)
            if twin is None:
                self.add("gone", f"{place} {key}", a[key], "")
            else:
                left.remove(twin)
                self.add("words", f"{place} {key}", key, f"{twin}, with the same value")
        for key in left:
            self.add("new", f"{place} {key}", "", b[key])

    def lists(self, place: str, a: Sequence[Any], b: Sequence[Any]) -> None:
        if len(a) != len(b):
            what = "gone" if len(a) > len(b) else "new"
            self.add(what, place, f"{len(a)} values", f"{len(b)} values")
            return
        for k, (one, other) in enumerate(zip(a, b, strict=True)):
            self.values(f"{place}[{k}]", one, other)

    def arrays(self, place: str, a: np.ndarray, b: np.ndarray) -> None:
        if a.shape != b.shape or a.dtype.kind != b.dtype.kind:
            self.add("value", place, f"{a.dtype} {a.shape}", f"{b.dtype} {b.shape}")
        elif a.dtype.kind == "V":
            for name in a.dtype.names or ():
                self.arrays(f"{place} {name}", a[name], b[name])
        elif a.dtype.kind in "OUS":
            self.lists(place, a.ravel().tolist(), b.ravel().tolist())
        else:
            for k, (one, other) in enumerate(zip(a.ravel().tolist(), b.ravel().tolist())):  # noqa: B905
                self.number(f"{place}[{k}]", one, other)

    def text(self, place: str, a: str, b: str) -> None:
        """A name, a label or a list of them is a value; what has blanks is prose."""
        a, b = cleaned(a), cleaned(b)
        if a == b:
            self.numbers += len(NUMBER.findall(a))
        elif " " in a.strip() or " " in b.strip():
            self.lines(place, [a], [b])
        else:
            self.add("value", place, a, b)

    def lines(self, place: str, a: list[str], b: list[str]) -> None:
        """Prose: numbers of lines that are alike but for numbers, and the other lines."""
        if a == b:
            self.numbers += sum(len(NUMBER.findall(line)) for line in a)
            return
        masked = [[NUMBER.sub("#", line) for line in lines] for lines in (a, b)]
        matcher = difflib.SequenceMatcher(None, *masked, autojunk=False)
        for tag, i, to_i, j, to_j in matcher.get_opcodes():
            if tag != "equal":
                self.add(
                    "words", f"{place} line {i + 1}", " / ".join(a[i:to_i]), " / ".join(b[j:to_j])
                )
                continue
            for k, (one, other) in enumerate(zip(a[i:to_i], b[j:to_j], strict=True)):
                numbers = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
                for left, right in numbers:
                    self.number(f"{place} line {i + k + 1}", _float(left), _float(right))


@dataclass(frozen=True)
class Lines:
    """A text for people."""

    lines: list[str]


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _float(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def _same(a: Any, b: Any) -> bool:
    """Whether values agree, without a word of where they do not."""
    found = Comparison()
    found.values("", a, b)
    return not found.differences


def cleaned(text: str, hidden: Iterable[str] = ()) -> str:
    """Without the release, addresses in memory, and the paths that are hidden."""
    for path in sorted(hidden, key=len, reverse=True):
        text = text.replace(path, "HERE")
    return RELEASE.sub("Tamis", ADDRESS.sub("0x", text))


def read_values(path: Path, hidden: Iterable[str] = ()) -> Any:
    """A file as nested values."""
    data = path.read_bytes()
    name = path.name.removesuffix(".gz")
    if zipfile.is_zipfile(io.BytesIO(data)):  # not where its end is cut off
        return _members(data)
    if data[:6] == b"ARROW1" or data[:4] == b"PAR1":
        return _columns(path, parquet=data[:4] == b"PAR1")
    if name.endswith(".bin"):  # of a relationship matrix: one triangle in single precision
        return np.frombuffer(data, dtype="<f4")
    try:
        text = cleaned(data.decode("utf-8"), hidden)
    except UnicodeDecodeError:
        return np.frombuffer(data, dtype=np.uint8)
    if name.endswith(".json"):
        return json.loads(text)
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in text.splitlines()]
    if name.endswith((".html", ".htm")):
        return _page(text)
    if name.endswith((".tsv", ".csv")):
        return _table(text, "\t" if name.endswith(".tsv") else ",")
    return Lines(text.splitlines())


def _members(data: bytes) -> dict[str, Any]:
    """Of an archive: arrays, JSON, or bytes."""
    found: dict[str, Any] = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            content = archive.read(name)
            if name.endswith(".npy"):
                found[name] = np.load(io.BytesIO(content), allow_pickle=False)
            elif name.endswith(".json"):
                found[name] = json.loads(content)
            else:
                found[name] = np.frombuffer(content, dtype=np.uint8)
    return found


def _columns(path: Path, parquet: bool) -> dict[str, Any]:
    """Of an Arrow or Parquet file, and what stands in its head."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(path) if parquet else pa.ipc.open_file(path).read_all()
    head = {k.decode(): _json_or_text(v) for k, v in (table.schema.metadata or {}).items()}
    columns = {
        name: [_json_or_text(v) if isinstance(v, str) else v for v in column.to_pylist()]
        for name, column in zip(table.column_names, table.columns, strict=True)
    }
    return {"head": head, "columns": columns}


def _json_or_text(data: str | bytes) -> Any:
    text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
    try:
        return json.loads(text) if text[:1] in ("{", "[") else text
    except ValueError:
        return text


def _page(text: str) -> dict[str, Any]:
    """Its data and its visible text; drawings follow from the numbers beside them."""
    script = re.compile(r"<script\b([^>]*)>(.*?)</script>", re.S)
    data = [
        json.loads(content) for kind, content in script.findall(text) if "application/json" in kind
    ]
    text = re.sub(r"<style\b.*?</style>", "", script.sub("", text), flags=re.S)
    lines = (html.unescape(one).strip() for one in re.sub(r"<[^>]*>", "\n", text).split("\n"))
    return {"data": data, "text": Lines([line for line in lines if line])}


def _table(text: str, separator: str) -> Any:
    """A list a column; lines where it is no table with names of its own."""
    lines = text.splitlines()
    rows = list(csv.reader(lines, delimiter=separator))
    named = bool(rows) and not lines[0].startswith("#") and len(set(rows[0])) == len(rows[0])
    if not named or Counter(map(len, rows)).keys() != {len(rows[0])}:
        return Lines(lines)
    return {name: [_cell(row[k]) for row in rows[1:]] for k, name in enumerate(rows[0])}


def _cell(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def compare_folders(first: Path, second: Path, hidden: Iterable[str] = ()) -> Comparison:
    """Every file of two folders, by its path in them."""
    found = Comparison()
    hidden = list(hidden)
    names = [
        {p.relative_to(f).as_posix() for p in f.rglob("*") if p.is_file()} for f in (first, second)
    ]
    for name in sorted(names[0] | names[1]):
        if name not in names[1]:
            found.add("gone", name, "a file", "")
        elif name not in names[0]:
            found.add("new", name, "", "a file")
        else:
            found.files += 1
            found.values(
                name, read_values(first / name, hidden), read_values(second / name, hidden)
            )
    return found
