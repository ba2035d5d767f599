"""Symbols beside ids: read from any table of two columns, put into whole results in one place."""

from __future__ import annotations

import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import read_table
from tamis.data.labels import Symbols, labels_in, with_labels

IDS = ("1007_s_at", "1053_at", "117_at")


def read(tmp_path, text, name="genes.txt"):
    (tmp_path / name).write_text(text)
    return Symbols.read(tmp_path / name).symbols


@pytest.mark.parametrize(
    "text",
    [
        "1007_s_at\tDDR1\n1053_at\tRFC2\n",
        "1007_s_at DDR1\n1053_at  RFC2\n",
        "# of the maker\nProbe Set ID,Gene Symbol\n1007_s_at,DDR1\n1053_at,RFC2\n",
        '"gene_name";"chr";"gene_id"\n"DDR1";"6";"1007_s_at"\n"RFC2";"7";"1053_at"\n',
        "chrom\tensembl\tstart\tsymbol\n6\t1007_s_at\t1\tDDR1\n7\t1053_at\t2\tRFC2\n",
        "gene_id|gene\n1007_s_at|DDR1\n1053_at|RFC2\n",
        "gene|symbol\n1007_s_at|DDR1\n1053_at|RFC2\n",
        "id\tannotation\n1007_s_at\tDDR1\n1053_at\tRFC2\n",
    ],
)
def test_two_columns_of_any_table(tmp_path, text):
    assert read(tmp_path, text) == {"1007_s_at": "DDR1", "1053_at": "RFC2"}


def test_of_an_id_without_a_symbol_there_is_none_and_of_several_the_first(tmp_path):
    text = "id\tsymbol\n1007_s_at\t\n1053_at\t---\n117_at\tHSPA6\n117_at\tHSPA7\nTP53\tTP53\nx\n"
    assert read(tmp_path, text) == {"117_at": "HSPA6"}
    for bad in ("id\tsymbol\n", "TP53\nBRCA1\n"):
        with pytest.raises(DataError, match="has no symbols: it needs two columns"):
            read(tmp_path, bad)


def test_versions_of_ensembls_ids_do_not_matter():
    symbols = Symbols("g", {"ENSG00000141510": "TP53", "ENSMUSG00000000001.4": "Gnai3"})
    names = ("ENSG00000141510.18", "ENSMUSG00000000001", "TP53.1")
    assert symbols.of(names) == dict(zip(names[:2], ("TP53", "Gnai3"), strict=True))


@pytest.fixture
def table(tmp_path):
    frame = pd.DataFrame({"sample": [f"s{i}" for i in range(8)], "class": ["a", "b"] * 4})
    for k, name in enumerate(IDS):
        frame[name] = [(i * (k + 2)) % 7 for i in range(8)]
    frame.to_csv(tmp_path / "t.csv", index=False)
    (tmp_path / "genes.tsv").write_text("id\tsymbol\n1007_s_at\tDDR1\n1053_at\tRFC2\nx\tY\n")
    return tmp_path


def test_names_and_digest_stay(table):
    plain = read_table(table / "t.csv", target="class")
    data = read_table(table / "t.csv", target="class", annotate=table / "genes.tsv")
    assert data.feature_names == IDS
    assert data.labels == {"1007_s_at": "DDR1", "1053_at": "RFC2"}
    assert data.digest() == plain.digest()
    assert plain.labels == {}
    assert "symbols of 2 of 3 features by 'genes.tsv'" in data.notes
    assert data.with_positive("a").labels == data.labels


def test_of_none_of_the_features_is_an_error(table):
    (table / "genes.tsv").write_text("id\tsymbol\nENSG1\tDDR1\n")
    with pytest.raises(DataError, match=r"no id in 'genes.tsv', such as 'ENSG1', is the name of a"):
        read_table(table / "t.csv", target="class", annotate=table / "genes.tsv")


def test_of_several_blocks(table):
    blocks = {"rna": table / "t2.csv"}
    text = (table / "t.csv").read_text().replace("class", "z").replace(",a,", ",1,")
    (table / "t2.csv").write_text(text.replace(",b,", ",2,"))
    data = read_table(
        table / "t.csv", target="class", blocks=blocks, annotate=table / "genes.tsv", drop="117_at"
    )
    assert data.labels == {
        "1007_s_at": "DDR1",
        "1053_at": "RFC2",
        "rna:1007_s_at": "DDR1",
        "rna:1053_at": "RFC2",
    }


RESULT = {
    "data": {"name": "g1", "notes": ["g1"]},
    "plan": {"method": [{"name": "g2"}]},
    "features": [{"name": "g1", "group": [{"name": "g2", "r": 1.0}], "kind": "numeric"}],
    "final": {"features": ["g1", "g3"], "size": 2},
    "warnings": [{"code": "x", "text": "g1 is odd"}],
}


def test_a_result_has_the_symbols_of_what_it_names_and_is_shown_with_them():
    labels = labels_in(RESULT, {"g1": "TP53", "g2": "MYC", "g9": "EGFR"})
    assert labels == {"g1": "TP53", "g2": "MYC"}
    shown = with_labels({**RESULT, "labels": labels})
    assert shown == {
        **RESULT,
        "features": [
            {"name": "TP53 (g1)", "group": [{"name": "MYC (g2)", "r": 1.0}], "kind": "numeric"}
        ],
        "final": {"features": ["TP53 (g1)", "g3"], "size": 2},
        "labels": labels,
    }
    assert with_labels(RESULT) is RESULT
