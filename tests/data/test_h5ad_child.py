"""What is sent of an .h5ad or .h5mu, message by message, without the other process."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import h5ad, h5ad_child
from tamis.data.h5ad_child import Unfit
from tamis.data.names import SYMBOL_HEADER_PATTERN
from tamis.data.raw import Modalities, Wanted

SYMBOL = SYMBOL_HEADER_PATTERN.pattern
X = np.array([[0.0, 3.0, 1.0], [2.0, 0.0, 0.0]])


@pytest.fixture
def file():
    """An HDF5 file in memory."""
    h5py = pytest.importorskip("h5py")
    with h5py.File("made.h5ad", "w", driver="core", backing_store=False) as made:
        yield made


def frame(rows, **columns):
    return pd.DataFrame(columns, index=list(rows))


def put_table(group, matrix=X, obs=None, var=None, layers=None, raw=None):
    """A table, and what stands for its `obs` and `var`, by their places."""
    frames = {
        "obs": frame("ab", score=[1.5, np.nan]) if obs is None else obs,
        "var": frame(("g1", "g2", "g3")) if var is None else var,
    }
    if matrix is not None:
        group["X"] = matrix
    for name, layer in (layers or {}).items():
        group[f"layers/{name}"] = layer
    if raw is not None:
        group["raw/X"] = raw
        frames["raw/var"] = frame(f"r{k}" for k in range(raw.shape[1]))
    for name in frames:
        group.require_group(name)
    return {f"{group.name.rstrip('/')}/{name}": one for name, one in frames.items()}


def put_sparse(group, kind, entries, shape, name="X", attribute="encoding-type"):
    data, indices, indptr = entries
    X = group.create_group(name)
    X["data"], X["indices"], X["indptr"] = map(np.array, (data, indices, indptr))
    X.attrs[attribute] = kind
    X.attrs["shape" if attribute == "encoding-type" else "h5sparse_shape"] = shape
    return X


def messages(group, frames, layer="", symbol=SYMBOL):
    found = []
    h5ad_child._tell_table(
        group, layer, symbol, lambda *one: found.append(one), lambda item: frames[item.name]
    )
    return found


def test_a_table_is_sent_as_names_columns_and_blocks(file, monkeypatch):
    monkeypatch.setattr(h5ad_child, "BLOCK_VALUES", 3)  # a row at once
    kinds = pd.Categorical(["no", "yes"], ["yes", "no", "other"])
    obs = frame("ab", score=[1.5, np.nan], kind=kinds, note=["x", None])
    var = frame(("g1", "g2", "g3"), gene_symbol=["TP53", None, "EGFR"])
    frames = put_table(file, obs=obs, var=var, layers={"counts": X, "logs": X})
    (names,), *columns = messages(file, frames)[:4]
    assert names == {
        "what": "names",
        "by": "rows",
        "rows": ["a", "b"],
        "columns": ["g1", "g2", "g3"],
        "layers": ["counts", "logs"],
        "symbols": ["TP53", None, "EGFR"],
    }
    assert [(one["name"], one["text"], one["values"]) for one, _ in columns] == [
        ("score", False, ["1.5"]),
        ("kind", True, ["yes", "no", "other"]),
        ("note", True, ["x"]),
    ]
    assert [codes.tolist() for _, codes in columns] == [[0, -1], [1, 0], [0, -1]]
    assert {one["dtype"] for one, _ in columns} == {"<i4"}
    blocks = messages(file, frames, symbol="none")[4:]
    assert [(one["what"], one["start"], one["shape"]) for one, _ in blocks] == [
        ("block", 0, (1, 3)),
        ("block", 1, (1, 3)),
    ]
    assert np.vstack([block for _, block in blocks]).tolist() == X.tolist()
    assert messages(file, frames, symbol="none")[0][0]["symbols"] is None


CSR = ([3.0, 1.0, 2.0, 4.0], [1, 2, 0, 0], [0, 2, 4])  # of the last two one place: 2 + 4
CSC = ([2.0, 3.0, 1.0], [1, 0, 0], [0, 1, 2, 3])
FULL = [[0.0, 3.0, 1.0], [6.0, 0.0, 0.0]]


@pytest.mark.every
@pytest.mark.parametrize(
    ("kind", "entries", "by", "dense", "attribute"),
    [
        ("csr_matrix", CSR, "rows", FULL, "encoding-type"),
        (b"csr", CSR, "rows", FULL, "h5sparse_format"),
        ("csc_matrix", CSC, "columns", X.T.tolist(), "encoding-type"),
    ],
)
@pytest.mark.parametrize("values", [1, 6, 100])
def test_entries_are_made_dense_line_by_line(
    file, monkeypatch, kind, entries, by, dense, attribute, values
):
    monkeypatch.setattr(h5ad_child, "BLOCK_VALUES", values)
    made = h5ad_child._matrix_of(put_sparse(file, kind, entries, (2, 3), attribute=attribute), "X")
    assert (made.by, made.shape) == (by, (2, 3))
    blocks = list(made.blocks())
    assert np.vstack([block for _, block in blocks]).tolist() == dense
    step = max(1, values // len(dense[0]))
    assert [start for start, _ in blocks] == list(range(0, len(dense), step))


@pytest.mark.every
@pytest.mark.parametrize(
    ("entries", "says"),
    [
        (([1.0], [0], [0, 1]), "whose parts are not of one length"),
        (([1.0, 1.0], [0], [0, 1, 2]), "whose parts are not of one length"),
        (([1.0, 1.0], [0, 1], [0, 1, 1]), "whose rows do not follow each other"),
        (([1.0, 1.0], [0, 1], [1, 1, 2]), "whose rows do not follow each other"),
        (([1.0, 1.0], [0, 1], [0, 3, 2]), "whose rows do not follow each other"),
        (([1.0, 1.0], [0, 3], [0, 1, 2]), "with entries that lie outside of it"),
        (([1.0, 1.0], [0, -1], [0, 1, 2]), "with entries that lie outside of it"),
        (([b"a", b"b"], [0, 1], [0, 1, 2]), "holds values of type |S1 as X, which are no numbers"),
    ],
)
def test_entries_that_are_no_matrix_are_refused(file, entries, says):
    with pytest.raises(Unfit) as error:
        list(h5ad_child._matrix_of(put_sparse(file, "csr_matrix", entries, (2, 3)), "X").blocks())
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("kind", "shape"), [("coo", (2, 3)), ("csr", (2,)), ("csr", (0, 3)), ("", (2, 3))]
)
def test_matrices_of_other_kinds_are_refused(file, kind, shape):
    with pytest.raises(Unfit, match="no matrix as X that is known here; store it dense, or as csr"):
        h5ad_child._matrix_of(put_sparse(file, kind, CSR, shape), "X")


@pytest.mark.parametrize(
    ("values", "says"),
    [
        (np.float64(3), "holds no matrix as X but a number"),
        (np.zeros(4), "holds no matrix as X but 4$"),
        (np.zeros((2, 0)), "holds no matrix as X but 2 x 0$"),
        (np.array([[b"a"]]), r"holds values of type \|S1 as X"),
    ],
)
def test_arrays_that_are_no_matrix_are_refused(file, values, says):
    file["X"] = values
    with pytest.raises(Unfit, match=says):
        h5ad_child._matrix_of(file["X"], "X")


def test_a_layer_or_raw_is_sent_instead_of_x(file):
    frames = put_table(file, layers={"counts": 2 * X}, raw=np.ones((2, 4)))
    assert h5ad_child._layer_names(file) == ["counts", "raw"]
    (names,), *_, (_, block) = messages(file, frames, "counts")
    assert (names["layers"], names["columns"]) == ([], ["g1", "g2", "g3"])
    assert block.tolist() == (2 * X).tolist()
    (names,), *_, (_, block) = messages(file, frames, "raw")
    assert names["columns"] == ["r0", "r1", "r2", "r3"]
    assert block.tolist() == np.ones((2, 4)).tolist()
    with pytest.raises(Unfit, match=r"^has no layer 'logs'; it has 'counts', 'raw'$"):
        messages(file, frames, "logs")
    file["layers/raw"] = 3 * X  # of this name it is the layer
    assert h5ad_child._layer_names(file) == ["counts", "raw"]
    (names,), *_, (_, block) = messages(file, frames, "raw")
    assert (names["columns"], block.tolist()) == (["g1", "g2", "g3"], (3 * X).tolist())


def test_a_table_without_its_parts_is_refused(file):
    frames = put_table(file, matrix=None)
    with pytest.raises(Unfit, match=r"^holds no matrix X; store one$"):
        messages(file, frames)
    with pytest.raises(Unfit, match=r"^has no layer 'counts'; it has X alone$"):
        messages(file, frames, "counts")
    file["layers/counts"] = X
    with pytest.raises(Unfit, match=r"X, but layers \('counts'\): layer='counts' reads one$"):
        messages(file, frames)
    file["X"] = X[:, :2]
    with pytest.raises(Unfit, match=r"^has X of 2 x 2, obs of 2 and var of 3$"):
        messages(file, frames)
    for part in ("var", "obs"):
        del file[part]
        with pytest.raises(Unfit, match=rf"^has no '{part}': it is not an .h5ad file$"):
            messages(file, frames)


@pytest.mark.every
@pytest.mark.parametrize(
    ("parts", "says"),
    [
        (["matrix", "row_attrs/"], r"is a loom file: .* then \.write_h5ad"),
        (["observation/", "sample/"], r"is a BIOM file: `biom convert -i 'a b.h5' -o table"),
        (["GRCh38/barcodes", "GRCh38/indptr"], "is a matrix of 10x Genomics: scanpy.read_10x_h5"),
        (["matrix"], ""),
        (["observation/"], ""),
        (["GRCh38/barcodes"], ""),
        (["obs/", "matrix", "row_attrs/"], ""),
    ],
)
def test_files_of_other_layouts_are_named(file, parts, says):
    for part in parts:
        if part.endswith("/"):
            file.create_group(part)
        else:
            file[part] = np.zeros(2)
    if not says:
        h5ad_child._refuse_relatives(file, "a b.h5")
        return
    with pytest.raises(Unfit, match=says):
        h5ad_child._refuse_relatives(file, "a b.h5")


def test_modalities_stand_in_the_order_of_the_file(file):
    assert h5ad_child._modality_names(file) == []
    for name in ("atac", "prot", "rna", "adt"):
        file.create_group(f"mod/{name}")
    file["mod"].attrs["mod-order"] = np.array([b"rna", b"atac"])
    assert h5ad_child._modality_names(file) == ["rna", "atac", "adt", "prot"]
    file.attrs["axis"] = 1
    with pytest.raises(Unfit, match=r"modalities share features, not samples \(axis 1\)"):
        h5ad_child._modality_names(file)
    for k in range(97):
        file.create_group(f"mod/m{k}")
    with pytest.raises(Unfit, match=r"^has 101 modalities, and at most 100 are read$"):
        h5ad_child._modality_names(file)


def test_columns_of_all_modalities_are_sent_in_the_order_of_the_file(file):
    frames = {"/obs": frame("abc", sex=["f", "m", "f"])} | {
        "/obs": frame("abc", **{"rna:n": [1, 2, 3]})
    }
    frames |= put_table(file.create_group("mod/rna"), obs=frame("cb", n=[5, 6], batch=["x", "y"]))
    frames |= put_table(file.create_group("mod/adt"), obs=frame("a", n=[7]))
    file.create_group("obs")
    found = []
    h5ad_child._tell_sheet(
        file, ["rna", "adt"], lambda *one: found.append(one), lambda item: frames[item.name]
    )
    assert found[0] == ({"what": "modalities", "names": ["rna", "adt"], "rows": ["a", "b", "c"]},)
    assert [(one["name"], one["values"], codes.tolist()) for one, codes in found[1:]] == [
        ("rna:n", ["1", "2", "3"], [0, 1, 2]),
        ("rna:batch", ["x", "y"], [-1, 1, 0]),  # rna:n is there already
        ("adt:n", ["7"], [0, -1, -1]),
    ]


class Sent:
    """Messages as they come from the other process."""

    def __init__(self, found):
        self.found, self.path = list(found), Path("made.h5ad")

    def next(self):
        return self.found.pop(0)

    def array(self, message):
        return message["array"]


def received(found, **wanted):
    sent = Sent([*found, {"what": "done"}])
    sent.path = SimpleNamespace(name="made.h5ad", stat=lambda: SimpleNamespace(st_size=10**6))
    return h5ad._received_h5ad(sent, Wanted(**wanted))


NAMES = {
    "what": "names",
    "by": "rows",
    "rows": ["a", "b"],
    "columns": ["g1", "g2", "g1"],
    "layers": [],
    "symbols": None,
}
ROWS = [{"what": "block", "start": k, "array": X[k : k + 1]} for k in range(2)]
COLUMNS = [{"what": "block", "start": k, "array": X.T[k : k + 2]} for k in (0, 2)]
OBS = [
    {"what": "obs", "name": "kind", "values": ["y", " n"], "text": True, "array": np.array([1, 0])},
    {"what": "obs", "name": "age", "values": ["5"], "text": False, "array": np.array([0, -1])},
]


@pytest.mark.parametrize("by", ["rows", "columns"])
def test_blocks_of_rows_or_columns_are_put_in_place(by):
    blocks = ROWS if by == "rows" else COLUMNS
    raw = received([{**NAMES, "by": by}, *OBS, *blocks])
    assert raw.X.tolist() == X.tolist()
    assert raw.columns == raw.header == ["g1", "g2", "g1.2"]
    assert raw.repeated == {"g1.2": "g1"}
    assert (raw.typed, raw.notes) == ({"kind"}, [])
    assert raw.text[raw.index].values == ["a", "b"]
    assert list(raw.sheet) == ["kind", "age"]
    assert raw.sheet["kind"].codes.tolist() == [1, 0]
    assert raw.sheet["kind"].values == ["y", "n"]
    assert raw.sheet["age"].codes.tolist() == [0, -1]
    some = received([{**NAMES, "by": by}, *blocks], drop=("g1",), reserve=("g2", "dose"))
    assert some.columns == ["g2", "dose"]
    assert some.header == ["g1", "g2", "g1.2"]
    np.testing.assert_array_equal(some.X, [[3.0, np.nan], [0.0, np.nan]])


def test_memory_is_asked_for_before_the_matrix(monkeypatch):
    needed = []
    monkeypatch.setattr(
        h5ad.memory, "check_memory", lambda size, path, what: needed.append((size, what))
    )
    received([NAMES, *ROWS], drop=("g2",), reserve=("dose", "age"))
    assert needed == [(8.0 * 2 * 4, "2 rows x 4 columns made dense")]


def test_layers_and_symbols_are_remarked_on():
    names = {**NAMES, "columns": ["g1", "g2", "g3"]}
    one = received([{**names, "layers": ["counts"]}, *ROWS])
    assert one.notes == ["X is read; the file has the layer 'counts' too: layer='counts' reads it"]
    two = received([{**names, "layers": ["counts", "raw"]}, *ROWS])
    assert two.notes == [
        "X is read; the file has the layers 'counts', 'raw' too: layer='counts' reads it"
    ]
    symbols = ["TP53", "g2", "NA"]
    assert received([{**names, "symbols": symbols}, *ROWS]).labels == {"g1": "TP53"}
    left = received([{**names, "symbols": ["A", "B", None]}, *ROWS], drop=("g1",))
    assert left.labels == {"g2": "B"}


def test_modalities_come_with_the_sheet_of_all():
    first = {"what": "modalities", "names": ["rna", "adt"], "rows": ["a", "b"]}
    with pytest.raises(Modalities, match=r"has several tables of the same samples \('rna', 'adt'"):
        received([first, *OBS])
    with pytest.raises(Modalities) as error:
        received([first, *OBS])
    assert error.value.sheet.X.shape == (2, 0)
    assert list(error.value.sheet.sheet) == ["kind", "age"]


@pytest.mark.parametrize(
    ("variable", "says"),
    [("TAMIS_MOST_ROWS", "has 2 rows"), ("TAMIS_MOST_COLUMNS", "has 3 columns")],
)
def test_tables_beyond_a_limit_are_refused_by_their_names(monkeypatch, variable, says):
    monkeypatch.setenv(variable, "1")
    with pytest.raises(DataError, match=says):
        received([NAMES])
