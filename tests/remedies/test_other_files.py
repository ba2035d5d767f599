"""What messages print of files that the grid of writers has not: each remedy is taken, and gives
the table with exact values."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import pytest

from common import corpus
from remedies.follow import remedies_of
from remedies.steps import Step, printed_steps, with_step
from tamis._core.errors import DataError, PlanError
from tamis.data import as_dataset, read_table
from tamis.data.cleaned import check_held, losses_by_writing
from tamis.data.unlogged import scale_cautions

N = 12
IDS = [f"S{k + 1:02d}" for k in range(N)]
LABELS = ["ill" if k % 3 else "well" for k in range(N)]
G1, G2 = np.arange(N) * 1.5, np.sin(np.arange(N)).round(3)
TABLE = pd.DataFrame({"id": IDS, "class": LABELS, "g1": G1, "g2": G2})


def steps_of(read, **how):
    """The options of the error that a reading ends in."""
    with pytest.raises(DataError) as error:
        read(**how)
    return [step for _, step in remedies_of(error.value)]


def values(data):
    return dict(zip(data.feature_names, data.X.T.tolist(), strict=True))


def reader(path):
    return lambda **how: read_table(path, **how)


def test_frames():
    others = {
        "day": pd.date_range("2021-01-01", periods=N),
        "tags": [["a"]] * N,
        "n": np.array([2**53, 2**53 + 1] * (N // 2)),
        "what": [object() for _ in range(N)],
    }
    for column, own in others.items():
        read = partial(as_dataset, TABLE.assign(**{column: own}), "class")

        assert steps_of(read) == [Step("drop", (column,))]
        assert values(read(drop=column)) == {"g1": G1.tolist(), "g2": G2.tolist()}
    twice = TABLE.drop(columns="id").set_axis(["P1", "P1", *IDS[2:]])
    assert steps_of(lambda **how: as_dataset(twice, **how), target="class") == [
        Step("group", "patient"),
    ]
    data = as_dataset(twice.rename_axis("patient"), "class", group="patient")
    assert data.groups.tolist() == ["P1", "P1", *IDS[2:]]
    assert values(data) == values(as_dataset(twice.reset_index(drop=True), "class"))
    levels = TABLE.set_index(["id", "class"])
    assert steps_of(lambda **how: as_dataset(levels, **how), target="class") == [Step("id", None)]
    data = as_dataset(levels.reset_index(), "class", id="id")
    assert (data.sample_names, values(data)["g1"]) == (tuple(IDS), G1.tolist())


def test_numbers_that_are_text(tmp_path):
    text = TABLE.assign(g1=[f"{v}" for v in G1])
    text.to_parquet(tmp_path / "t.parquet")
    for read in (reader(tmp_path / "t.parquet"), lambda **how: as_dataset(text, **how)):
        (step,) = steps_of(read, target="class")
        assert step == Step("categorical", ("g1",))
        data = read(target="class", categorical="g1")
        assert [float(data.levels[0][int(code)]) for code in data.X[:, 0]] == G1.tolist()
    data = as_dataset(text.assign(g1=pd.to_numeric(text["g1"])), "class")
    assert values(data)["g1"] == values(as_dataset(text.astype({"g1": float}), "class"))["g1"]
    assert values(data)["g1"] == G1.tolist()


def test_types_of_parquet(tmp_path):
    TABLE.assign(day=pd.date_range("2021-01-01", periods=N)).to_parquet(tmp_path / "t.parquet")
    (step,) = steps_of(reader(tmp_path / "t.parquet"), target="class")
    data = read_table(tmp_path / "t.parquet", target="class", drop=step.value)
    assert values(data) == {"g1": G1.tolist(), "g2": G2.tolist()}


def test_sheets_of_a_workbook(tmp_path):
    about = pd.DataFrame({"sample": IDS[::-1], "class": LABELS[::-1]})
    other = TABLE[["id", "g2"]]
    book = corpus.sheets("openpyxl", {"D": TABLE[["id", "g1"]], "E": other, "S": about})()
    (tmp_path / "t.xlsx").write_bytes(book)
    read = reader(tmp_path / "t.xlsx")
    (note,) = [n for n in read().notes if "sheet= names one" in n]
    assert printed_steps(note) == [Step("sheet", None)]
    assert values(read(sheet="E")) == {"g2": G2.tolist()}
    how = {"target": "class", "samples": tmp_path / "t.xlsx"}
    assert steps_of(read, **how) == [Step("samples_sheet", None)]
    data = read(samples_sheet="S", **how)
    assert (data.y.tolist(), values(data)) == (LABELS, {"g1": G1.tolist()})


def test_a_series_without_values_is_a_sheet(tmp_path):
    (tmp_path / "s.txt").write_text(corpus.series_matrix().split("!series_matrix_table_begin")[0]
                                    + '!series_matrix_table_begin\n"ID_REF"\t'
                                    + "\t".join(f'"GSM{k}"' for k in range(N))
                                    + "\n!series_matrix_table_end\n")  # fmt: skip
    assert steps_of(reader(tmp_path / "s.txt"), target="class") == [Step("samples", None)]
    counts = corpus.VALUES.set_axis([f"GSM{k}" for k in range(N)], axis=0)
    counts.rename_axis("id").to_csv(tmp_path / "t.csv")
    data = read_table(tmp_path / "t.csv", target="class", samples=tmp_path / "s.txt")
    assert data.y.tolist() == corpus.LABELS
    np.testing.assert_array_equal(data.X, corpus.VALUES)


def blocks(tmp_path, other):
    TABLE.to_csv(tmp_path / "t.csv", index=False)
    other.to_csv(tmp_path / "b.csv", index=False)
    return lambda **how: read_table(
        tmp_path / "t.csv", target="class", blocks={"b": tmp_path / "b.csv"}, **how
    )


@pytest.mark.parametrize("case", ["a role twice", "a sample less", "spellings", "a word"])
def test_blocks(tmp_path, case):
    other = pd.DataFrame({"id": IDS, "m": G2 * 2, "k": G1 * 2})
    kept, columns = slice(None), {"b:m": G2 * 2, "b:k": G1 * 2}
    if case == "a role twice":
        other["class"] = LABELS
        step = Step("drop", ("b:class",))
    elif case == "a sample less":
        other, kept, step = other[1:], slice(1, None), Step("incomplete", "drop")
    elif case == "spellings":
        other["id"], step = [name.lower() for name in IDS], Step("unify", ("b",))
    else:
        other["k"] = ["n/a", *G1[1:] * 2]
        columns["b:k"], step = np.array([np.nan, *G1[1:] * 2]), Step("missing", ("n/a",))
    read = blocks(tmp_path, other)
    assert step in steps_of(read)
    data = read(**{step.key: step.value})
    assert data.sample_names == tuple(IDS[kept])
    assert data.y.tolist() == LABELS[kept]
    columns |= {"g1": G1, "g2": G2}
    assert set(data.feature_names) == {*columns}
    for name, found in values(data).items():
        np.testing.assert_array_equal(found, columns[name][kept])


@pytest.mark.parametrize("encoding", ["mac_roman", "cp1250", "koi8_r"])
def test_encodings(tmp_path, encoding):
    word = {"mac_roman": "gêné œ", "cp1250": "łzą źdźbło", "koi8_r": "болен да"}[encoding]
    table = TABLE.assign(**{"class": [word if v == "ill" else v for v in LABELS]})
    path = tmp_path / "t.csv"
    path.write_bytes(table.to_csv(index=False).encode(encoding))
    assert steps_of(reader(path), target="class") == [Step("encoding", None)]
    data = read_table(path, target="class", encoding=encoding)
    assert data.y.tolist() == table["class"].tolist()
    assert steps_of(reader(path), target="class", encoding="utf-8") == [Step("encoding", None)]


def h5ad(tmp_path, **given):
    anndata = pytest.importorskip("anndata")
    X = np.column_stack([G1, G2])
    obs = pd.DataFrame({"class": LABELS} if given.pop("obs", True) else {}, index=IDS)
    made = anndata.AnnData(given.pop("X", X), obs, pd.DataFrame(index=["g1", "g2"]), **given)
    made.write_h5ad(tmp_path / "t.h5ad")
    return made, reader(tmp_path / "t.h5ad")


def test_layers(tmp_path):
    counts = np.arange(2.0 * N).reshape(N, 2)
    made, read = h5ad(tmp_path, layers={"counts": counts})
    (note,) = [n for n in read(target="class").notes if "layer=" in n]
    assert printed_steps(note) == [Step("layer", "counts")]
    assert read(target="class", layer="counts").X.tolist() == counts.tolist()
    made, read = h5ad(tmp_path, X=None, layers={"counts": counts}, shape=(N, 2))
    for again in (read, lambda **how: as_dataset(made, **how)):
        assert steps_of(again, target="class") == [Step("layer", "counts")]
        assert again(target="class", layer="counts").X.tolist() == counts.tolist()


def test_samples_of_an_h5ad(tmp_path):
    _, read = h5ad(tmp_path, obs=False)
    assert steps_of(read, target="class") == [Step("samples", None)]
    TABLE[["id", "class"]][::-1].to_csv(tmp_path / "s.csv", index=False)
    data = read(target="class", samples=tmp_path / "s.csv")
    assert (data.y.tolist(), values(data)) == (LABELS, {"g1": G1.tolist(), "g2": G2.tolist()})


def test_what_a_written_table_cannot_hold(tmp_path):
    table = TABLE.assign(kind=["red", "blue"] * (N // 2), code=list("123") * (N // 3))
    data = as_dataset(table, "class")
    with pytest.raises(PlanError) as error:
        check_held(data, tmp_path / "t.h5ad")
    assert printed_steps(str(error.value)) == [Step("drop", None)]
    left = as_dataset(table, "class", drop=["kind", "code"])
    check_held(left, tmp_path / "t.h5ad")
    (tmp_path / "t.csv").write_text(table.rename(columns={"id": "sample"}).to_csv(index=False))
    how = {"target": "class"}
    (loss,) = losses_by_writing(data, how, tmp_path / "t.csv")
    for step in printed_steps(loss):
        how = with_step(how, step)
    again = read_table(tmp_path / "t.csv", **how)
    assert again.digest() == data.digest()


def test_a_class_that_was_not_named(tmp_path):
    TABLE.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(DataError) as error:
        _ = read_table(tmp_path / "t.csv").codes
    assert printed_steps(str(error.value)) == [Step("target", None)]
    assert read_table(tmp_path / "t.csv", target="class").codes.sum() == LABELS.count("well")


def test_modalities(tmp_path):
    anndata = pytest.importorskip("anndata")
    from common.h5mu_files import write_h5mu

    obs = pd.DataFrame({"class": LABELS}, index=IDS)
    rna = anndata.AnnData(np.column_stack([G1, G2]), obs[[]], pd.DataFrame(index=["g1", "g2"]))
    adt = anndata.AnnData(np.column_stack([G2 * 3]), obs[[]], pd.DataFrame(index=["CD4"]))
    write_h5mu(tmp_path / "t.h5mu", {"rna": rna, "adt": adt}, obs)
    read = reader(tmp_path / "t.h5mu")
    (step,) = steps_of(read, target="class", drop=["g1"])
    assert step == Step("drop", ("rna:g1",))
    data = read(target="class", drop=step.value)
    assert values(data) == {"rna:g2": G2.tolist(), "adt:CD4": (G2 * 3).tolist()}


def test_zeros_that_were_not_measured(tmp_path):
    """Intensities, of which one in four is 0."""
    rng = np.random.default_rng(0)
    X = (2 ** rng.normal(18, 2, (40, 60))).round()
    X[rng.random(X.shape) < 0.25] = 0
    frame = pd.DataFrame(X, columns=[f"P{j}" for j in range(60)])
    frame.insert(0, "class", ["a", "b"] * 20)
    frame.to_csv(tmp_path / "t.csv", index_label="id")
    warned = dict(scale_cautions(read_table(tmp_path / "t.csv", target="class")))
    assert printed_steps(warned["zeros"]) == [Step("missing", ("0",))]
    data = read_table(tmp_path / "t.csv", target="class", missing=["0"])
    np.testing.assert_array_equal(data.X, np.where(X == 0, np.nan, X))


def test_rows_that_are_nearly_the_same(tmp_path):
    """Of one patient twice, whose column is then named."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 60))
    X = np.vstack([X, X[:5] + 0.01 * rng.normal(size=(5, 60))])
    frame = pd.DataFrame(X.round(6), columns=[f"g{j}" for j in range(60)])
    who = [f"P{k}" for k in [*range(40), *range(5)]]
    frame.insert(0, "class", [*["a", "b"] * 20, *"ababa"])
    frame.to_csv(tmp_path / "t.csv", index_label="id")
    near = "study them with the column of patients as group=..."
    assert any(near in note for note in read_table(tmp_path / "t.csv", target="class").notes)
    frame.assign(who=who).to_csv(tmp_path / "t.csv", index_label="id")
    data = read_table(tmp_path / "t.csv", target="class", group="who")
    assert data.groups.tolist() == who
    np.testing.assert_array_equal(data.X, frame.iloc[:, 1:])
    assert not any("nearly the same" in note for note in data.notes)


def test_whole_numbers_as_classes(tmp_path):
    n = 240
    frame = pd.DataFrame({"centre": np.arange(n) % 24, "g": np.sin(np.arange(n)).round(6)})
    frame.to_csv(tmp_path / "t.csv", index_label="id")
    read = reader(tmp_path / "t.csv")
    assert steps_of(read, target="centre") == [Step("categorical", ("centre",))]
    data = read(target="centre", categorical=["centre"])
    assert data.y.tolist() == [str(k % 24) for k in range(n)]
    np.testing.assert_array_equal(data.X[:, 0], frame["g"])
