"""One cell as the bytes of an Arrow file: the same candidates give the same bytes. Most cells are
small, and as Parquet files took more than twice as long to write and read; those of many samples
are compressed.

Among the file's metadata is a checksum of all its other bytes, and, of which it is one, what study
and place the cell is of: intact cells are never confused.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._core.bounded_arrow import read_bounded_stream
from ..._core.bounded_zip import unpacked_allowance
from ..._core.interfaces import Beliefs, Evidence, Term
from ..._core.seal import is_intact, open_seal, sealed
from .candidates import Candidate, CandidateResult
from .packed_lists import Flat, packed_beliefs, packed_rows, unpacked_beliefs, unpacked_rows

if TYPE_CHECKING:
    import pyarrow as pa

STREAM_OFFSET = 8  # bytes of a file before its stream of batches
MIN_PACKED_VALUES = 1 << 15  # probabilities, from which a cell is compressed: 256 KB
MOST_TERMS = 200  # of a candidate, or of a ranking's evidence
BELIEF_KINDS = ("proba", "margin", "novelty", "value")  # of beliefs
# of a candidate, one column each
PLAIN_COLUMNS: dict[str, type] = {
    "method": str,
    "candidate": int,
    "classify": str,
    "settings": str,
    "size": int,
    "step": int,
    "label": str,
    "n_terms": int,
}
MAX_KEPT_COLUMNS = 16  # sets of such columns that are kept, as Arrow's


@dataclass(frozen=True)
class Entry:
    """One candidate in a cell.

    Attributes
    ----------
    beliefs, inner : Beliefs
        Of the outer test rows; of the inner ones, fold by fold.
    n_terms : int
        Interactions there were; at most 200 are kept.
    """

    method: str
    candidate: int
    classify: str
    settings: str
    size: int
    step: int
    label: str
    features: np.ndarray
    beliefs: Beliefs
    inner: Beliefs
    terms: Sequence[Term] = ()
    n_terms: int = 0

    @classmethod
    def of(
        cls, method: str, index: int, candidate: Candidate, outcomes: Sequence[CandidateResult]
    ) -> Entry:
        """A candidate with its outcomes, the outer part's first."""
        first, inside = outcomes[0], [outcome.beliefs for outcome in outcomes[1:]]
        inner = Beliefs.joined(inside or [first.beliefs.take(np.arange(0))])
        return cls(
            method,
            index,
            candidate.classify,
            candidate.settings,
            candidate.size,
            candidate.step,
            candidate.label,
            first.features,
            first.beliefs,
            inner,
            first.terms[:MOST_TERMS],
            len(first.terms),
        )


def encode_cell(
    entries: Sequence[Entry],
    tests: Sequence[np.ndarray],
    evidence: Sequence[Evidence] = (),
    place: str = "",
) -> bytes:
    """The bytes of a cell; `tests` are the rows that the outer and each inner part predict, `place`
    is distinguished from all others by `is_of_place`."""
    import pyarrow as pa

    from ..._core.arrow import arrow_texts

    metadata = {}
    if evidence:
        metadata["evidence"] = json.dumps([_evidence_object(one) for one in evidence])
    plain = _plain_columns(
        tuple(tuple(getattr(e, name) for name in PLAIN_COLUMNS) for e in entries)
    )
    columns, lists = dict(zip(PLAIN_COLUMNS, plain, strict=True)), dict[str, Flat]()
    columns["terms"] = arrow_texts(_terms_text(e.terms) for e in entries)
    lists["features"] = _flattened([e.features for e in entries], np.int32)
    for belief in BELIEF_KINDS:
        for name, where in ((belief, "beliefs"), (f"inner_{belief}", "inner")):
            arrays = [getattr(getattr(e, where), belief) for e in entries]
            if any(a is not None for a in arrays):
                lists[name] = _flattened(arrays, np.float64)
    large = (lists[name] for name in lists if name.endswith(("proba", "value")))
    many = sum(len(values) for values, _ in large) >= MIN_PACKED_VALUES
    if many:
        packed, two = dict[str, bool](), all(e.beliefs.proba.shape[1] == 2 for e in entries)
        for name in [name for name in lists if name.endswith(BELIEF_KINDS)]:
            lists[name], packed[name] = packed_beliefs(lists[name], two and name.endswith("proba"))
        rows = packed_rows(tests)
        lists["tests"] = rows, np.array([0, *[len(rows)] * len(entries)], np.int32)
        metadata["packed"] = json.dumps(packed)
        metadata["sizes"] = json.dumps([len(test) for test in tests])
    else:
        metadata["tests"] = json.dumps([test.tolist() for test in tests])
    columns |= {name: _list_column(flat) for name, flat in lists.items()}
    metadata["sum"] = open_seal(place).decode()
    schema = pa.schema([(name, c.type) for name, c in columns.items()], metadata=metadata)
    table = pa.Table.from_arrays(list(columns.values()), schema=schema)
    # texts of interactions compress, digits of beliefs do not as they are
    content = _arrow_file(table, packed=many or any(e.terms for e in entries))
    if table.nbytes > unpacked_allowance(len(content)):  # nobody would read it
        content = _arrow_file(table, packed=False)
    return sealed(content)


@lru_cache(maxsize=MAX_KEPT_COLUMNS)
def _plain_columns(rows: tuple[tuple[Any, ...], ...]) -> list[pa.Array]:
    """Arrow's columns of what is plain in each candidate, alike in most folds of a run."""
    from ..._core.arrow import arrow_numbers, arrow_texts

    columns = zip(*rows, strict=True) if rows else [()] * len(PLAIN_COLUMNS)
    return [
        arrow_texts(values) if kind is str else arrow_numbers(np.array(values, np.int32))
        for values, kind in zip(columns, PLAIN_COLUMNS.values(), strict=True)
    ]


def _arrow_file(table: pa.Table, packed: bool) -> bytes:
    import pyarrow as pa

    sink = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression="zstd" if packed else None, use_threads=False)
    with pa.ipc.new_file(sink, table.schema, options=options) as file:
        file.write_table(table)
    return sink.getvalue()


def _flattened(arrays: Sequence[np.ndarray | None], kind: Any) -> Flat:
    """Arrays one after the other, and where they begin and end; nothing where there is none."""
    flat = [np.zeros(0) if a is None else a.ravel() for a in arrays]
    ends = np.concatenate([[0], np.cumsum([len(a) for a in flat])]).astype(np.int32)
    return np.concatenate([np.zeros(0), *flat]).astype(kind, copy=False), ends


def _list_column(flat: Flat) -> Any:
    import pyarrow as pa

    from ..._core.arrow import arrow_numbers

    values, ends = flat
    return pa.ListArray.from_arrays(arrow_numbers(ends), arrow_numbers(values))


def _terms_text(terms: Sequence[Term]) -> str:
    found = [[t.features, t.signs, t.class_, dict(t.about)] for t in terms]
    return json.dumps(found) if found else ""


def _terms_from(rows: list[Any]) -> list[Term]:
    return [Term(tuple(f), tuple(s), c, about) for f, s, c, about in rows]


def _evidence_object(one: Evidence) -> dict[str, object]:
    terms = json.loads(_terms_text(one.terms[:MOST_TERMS]) or "[]")
    numbers = {str(k): v for k, v in one.numbers.items()}
    return {
        "kind": one.kind,
        "content": one.content,
        "terms": terms,
        "title": one.title,
        "numbers": numbers,
    }


@dataclass(frozen=True)
class Cell:
    """A cell read back: its candidates in columns.

    Attributes
    ----------
    columns : mapping of name to ndarray
        One value a candidate, as written by `encode_cell`.
    lists : mapping of name to (values, offsets)
        Columns of lists: the values of all candidates, and where each candidate's begin.
    tests : list of ndarray
        Rows that the outer part and each inner part predict.
    evidence : list of Evidence
        Of the ranking of the outer part.
    """

    columns: dict[str, np.ndarray]
    lists: dict[str, tuple[np.ndarray, np.ndarray]]
    tests: list[np.ndarray]
    evidence: list[Evidence] = field(default_factory=list)

    @property
    def test(self) -> np.ndarray:
        """Test rows of the fold."""
        return self.tests[0]

    @cached_property
    def inner_rows(self) -> np.ndarray:
        """Inner test rows, fold by fold."""
        return np.concatenate([self.test[:0], *self.tests[1:]])

    def rows_of(self, method: str) -> np.ndarray:
        """Positions of a method's candidates, in their order of preference."""
        return np.flatnonzero(self.columns["method"] == method)

    def features(self, row: int) -> np.ndarray:
        """Features the candidate chose on the outer training set, best first."""
        found = self._values("features", row)
        assert found is not None
        return found

    def terms(self, row: int) -> list[Term]:
        """Interactions the candidate uses, at most 200."""
        return _terms_from(json.loads(self.columns["terms"][row] or "[]"))

    def beliefs(self, row: int, prior: np.ndarray | None = None) -> Beliefs:
        """Of the test rows, and the prior that they stand for."""
        return self._beliefs("", row, self.test, None, prior)

    def inner(
        self, row: int, costs: np.ndarray | None = None, prior: np.ndarray | None = None
    ) -> Beliefs:
        """Of the inner test rows, fold by fold, with costs and priors of these rows."""
        return self._beliefs("inner_", row, self.inner_rows, costs, prior)

    def _beliefs(
        self,
        prefix: str,
        row: int,
        samples: np.ndarray,
        costs: np.ndarray | None,
        prior: np.ndarray | None,
    ) -> Beliefs:
        proba, margin, novelty, value = (self._values(prefix + kind, row) for kind in BELIEF_KINDS)
        n = len(samples)
        assert proba is not None
        return Beliefs(
            proba.reshape(n, -1) if n else np.zeros((0, 1)),
            None if margin is None else margin.reshape(n, -1) if n else np.zeros((0, 1)),
            novelty,
            samples,
            costs,
            prior,
            value=value,
        )

    def _values(self, name: str, row: int) -> np.ndarray | None:
        """A list column's values; None where beliefs have none of the kind."""
        if name not in self.lists:
            return None
        values, offsets = self.lists[name]
        found = values[offsets[row] : offsets[row + 1]]
        return None if len(found) == 0 and name.endswith(BELIEF_KINDS[1:]) else found


def decode_cell(content: bytes) -> Cell:
    """Read the bytes of a cell.

    Raises
    ------
    ValueError
        They are not those that were written, or unpack to more than a cell of their size does.
    """
    if not is_intact(content):
        raise ValueError("the checksum is that of other bytes")
    try:
        return _decoded_cell(content)
    except ValueError:
        raise
    except (
        LookupError,
        TypeError,
        AttributeError,
        ArithmeticError,
        RuntimeError,
        OSError,
    ) as error:
        raise ValueError(f"another file than a cell ({type(error).__name__})") from error


def _decoded_cell(content: bytes) -> Cell:
    import pyarrow as pa

    from ..._core.arrow import numbers_of

    # with no footer, which may name other batches
    stream = pa.py_buffer(content).slice(STREAM_OFFSET)
    table = read_bounded_stream(stream, len(content))
    table.validate(full=True)  # no offsets beyond an array
    columns: dict[str, np.ndarray] = {}
    lists: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    for name in table.column_names:
        column = table.column(name).combine_chunks()
        if isinstance(column, pa.ChunkedArray):
            column = column.chunk(0)
        if pa.types.is_list(column.type):
            lists[name] = (numbers_of(column.values), numbers_of(column.offsets))
        elif pa.types.is_string(column.type):
            columns[name] = np.array(column.to_pylist(), dtype=object)
        else:
            columns[name] = numbers_of(column)
    metadata = table.schema.metadata
    if b"packed" in metadata:
        for name, halved in json.loads(metadata[b"packed"]).items():
            lists[name] = unpacked_beliefs(lists[name], halved)
        tests = unpacked_rows(lists.pop("tests")[0], json.loads(metadata[b"sizes"]))
    else:
        tests = [np.array(test, dtype=np.int64) for test in json.loads(metadata[b"tests"])]
    stored = json.loads(metadata.get(b"evidence", b"[]"))
    evidence = [
        Evidence(
            one["kind"],
            one["content"],
            _terms_from(one["terms"]),
            one["title"],
            {int(k): v for k, v in one["numbers"].items()},
        )
        for one in stored
    ]
    return Cell(columns, lists, tests, evidence)
