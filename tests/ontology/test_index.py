"""What is prepared comes back as it was, or is refused."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.examples import settings
from ontology.made_up import EXPECTED, content_of
from tamis._core.errors import DataError, StoreError
from tamis.ontology import Individual, Ontology, Property, Restriction, read_ontology
from tamis.ontology.index import INDEX_MAGIC, INDEX_VERSION, _body_checksum

TEXT = st.text(st.characters(codec="utf-8"), max_size=6)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)


@st.composite
def ontologies(draw):
    """Any that may be: names are any text, superclasses run to earlier classes."""
    n = draw(st.integers(0, 5))

    def column(kind):
        return tuple(draw(st.lists(kind, min_size=n, max_size=n)))

    def positions(most):
        return st.sets(st.integers(0, most - 1)).map(sorted).map(tuple) if most else st.just(())

    kinds = st.sampled_from(["object", "data", "annotation"])
    property_ = st.builds(Property, TEXT, TEXT, kinds, positions(n), positions(n), TEXTS)
    properties = tuple(draw(st.lists(property_, max_size=3)))
    restriction = st.builds(
        Restriction,
        st.integers(0, n - 1),
        st.integers(0, len(properties) - 1),
        st.integers(-1, n - 1),
    )
    restrictions = st.lists(restriction, max_size=3) if n and properties else st.just([])
    individual = st.builds(Individual, TEXT, TEXT, positions(n))
    parents = tuple(draw(positions(k)) for k in range(n))
    reasoner = draw(st.sampled_from(["", "hermit"]))
    return Ontology(
        name=draw(TEXT),
        iri=draw(TEXT),
        iris=column(TEXT),
        labels=column(TEXT),
        local_names=column(TEXT),
        definitions=column(TEXT),
        synonyms=column(TEXTS),
        related=column(TEXTS),
        parents=parents,
        reasoner=reasoner,
        inferred=tuple(ups[draw(st.integers(0, 9)) :] for ups in parents) if reasoner else (),
        labelled=np.array(column(st.booleans()), dtype=bool),
        obsolete=np.array(column(st.booleans()), dtype=bool),
        properties=properties,
        individuals=tuple(draw(st.lists(individual, max_size=3))),
        restrictions=tuple(draw(restrictions)),
        remarks=draw(TEXTS),
    )


@settings(deadline=None, max_examples=30)
@given(ontologies())
def test_what_is_written_is_read(ontology):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.index")
        ontology.write(path)
        found = read_ontology(path)
        assert content_of(found) == content_of(ontology)
        assert found.name == ontology.name
        assert all(type(k) is int for ups in found.parents for k in ups)
        first = path.read_bytes()
        found.write(path)
        assert path.read_bytes() == first


@pytest.fixture
def index(tmp_path):
    path = tmp_path / "x.index"
    EXPECTED.write(path)
    return path


def test_any_byte_that_changes_is_noticed(index):
    good = index.read_bytes()
    for at in range(len(INDEX_MAGIC), len(good), 137):
        index.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        with pytest.raises(DataError, match="index"):
            read_ontology(index)
    for end in (len(INDEX_MAGIC), len(INDEX_MAGIC) + 1, 100, len(good) - 1):
        index.write_bytes(good[:end])
        with pytest.raises(DataError, match="index"):
            read_ontology(index)


@pytest.mark.parametrize(
    "change",
    [
        {"parents": ((), (9,), (1,), (), ())},
        {"labels": ("body",)},
        {"restrictions": (Restriction(0, 7, 0),)},
        {"properties": (Property("p", "p", "wild"),)},
        {"obsolete": np.zeros(2, dtype=bool)},
        {"reasoner": "hermit"},
        {"inferred": ((),) * 5},
        {"reasoner": "hermit", "inferred": ((), (), (), (0,), ())},
    ],
)
def test_what_does_not_fit_together_is_refused(tmp_path, change):
    attributes = {**EXPECTED.__dict__, **change}
    attributes = {name: attributes[name] for name in EXPECTED.__dataclass_fields__}
    path = tmp_path / "x.index"
    Ontology(**attributes).write(path)
    with pytest.raises(DataError, match="fits together"):
        read_ontology(path)


def test_another_content_with_a_right_checksum_is_refused(index):
    for body in (b"", b"words", b"\xff" * 400):
        index.write_bytes(INDEX_MAGIC + INDEX_VERSION + b"\n" + _body_checksum(body) + b"\n" + body)
        with pytest.raises(DataError, match="fits together"):
            read_ontology(index)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("labels", pa.array(["a", None, "b", "c", "d"], pa.large_string())),
        ("labels", pa.array([1, 2, 3, 4, 5])),
        ("parents", pa.array([0.0, 1.0])),
        ("synonyms_ends", pa.array([0, 1, 1, 1, 1])),
        ("head", pa.array(["x"], pa.large_string())),
        ("no rows", pa.array([], pa.large_string())),
    ],
)
def test_columns_of_gaps_or_of_other_kinds_are_refused(index, name, values):
    start, _, body = index.read_bytes().split(b"\n", 2)
    batch = pa.ipc.open_stream(body).read_next_batch()
    columns = {one: batch.column(one)[0].values for one in batch.schema.names} | {name: values}
    arrays = [pa.LargeListArray.from_arrays([0, len(one)], one) for one in columns.values()]
    batch = pa.record_batch(arrays, names=list(columns)).slice(0, name != "no rows")
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    body = sink.getvalue().to_pybytes()
    index.write_bytes(start + b"\n" + _body_checksum(body) + b"\n" + body)
    with pytest.raises(DataError, match="fits together"):
        read_ontology(index)


def test_it_is_not_written_where_it_may_not_be(tmp_path):
    with pytest.raises(StoreError):
        EXPECTED.write(tmp_path)


@pytest.mark.longer
def test_a_hundred_thousand_classes_open_at_once(tmp_path):
    n = 100_000
    numbers = range(n)
    names = tuple(f"name of class {k}" for k in numbers)
    big = Ontology(
        name="big",
        iri="big",
        iris=tuple(f"http://a.org/onto#C{k:07d}" for k in numbers),
        labels=names,
        local_names=tuple(f"C{k:07d}" for k in numbers),
        definitions=tuple(name * 5 for name in names),
        synonyms=tuple((f"{name} a", f"{name} b", f"{name} c") for name in names),
        related=tuple((f"{name} d",) for name in names),
        parents=tuple((k // 7,) if k else () for k in numbers),
        labelled=np.ones(n, dtype=bool),
        obsolete=np.zeros(n, dtype=bool),
    )
    path = tmp_path / "big.index"
    big.write(path)
    seconds = []
    for _ in range(3):
        start = time.process_time()
        found = read_ontology(path)
        seconds.append(time.process_time() - start)
    assert found.synonyms == big.synonyms
    assert min(seconds) < 1
