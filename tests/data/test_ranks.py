"""Features that hold one another, and what a search for proteins lists beside proteins."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import as_dataset, read_table
from tamis.data.ranks import stacked_names

TAXA = [
    "k__Bacteria",
    *(f"k__Bacteria|p__P{j}" for j in range(3)),
    *(f"k__Bacteria|p__P{j // 3}|c__C{j}" for j in range(9)),
]
PATHWAYS = ["UNMAPPED", "UNINTEGRATED", *(f"PWY-{j}: a way" for j in range(6))]
STRATA = [f"PWY-{j // 2}: a way|g__G{j}.s__S" for j in range(10)] + ["PWY-5: a way|unclassified"]


def dataset(names, **how):
    values = np.random.default_rng(0).normal(size=(12, len(names)))
    frame = pd.DataFrame(values, columns=names).assign(**{"class": list("xy") * 6})
    return as_dataset(frame, "class", **how)


def test_ranks_of_a_taxonomy():
    data = dataset(TAXA)
    (note,) = [one for one in data.notes if "hold others" in one]
    assert note == (
        "4 features hold others, such as 'k__Bacteria': one signal stands at several ranks; "
        "drop=['<ranks>'] leaves the deepest, c__"
    )
    kept = dataset(TAXA, drop="<ranks>")
    assert kept.feature_names == tuple(TAXA[4:])
    assert not any("ranks" in one for one in kept.notes)


def test_totals_and_their_parts():
    data = dataset([*PATHWAYS, *STRATA])
    notes = "\n".join(data.notes)
    assert "11 features are parts of others, such as 'PWY-0: a way|g__G0.s__S'" in notes
    assert "'UNMAPPED', 'UNINTEGRATED' are what was put nowhere" in notes
    kept = dataset([*PATHWAYS, *STRATA], drop=["<ranks>", "UNMAPPED", "UNINTEGRATED"])
    assert kept.feature_names == tuple(PATHWAYS[2:])


def test_decoys_and_contaminants():
    names = ["P1", "P2", "REV__P1", "CON__P9", "CON__P8"]
    notes = "\n".join(dataset(names).notes)
    assert "1 feature named REV__... are decoys" in notes
    assert "2 features named CON__... are contaminants" in notes
    assert dataset(names, drop=["REV__*", "CON__*"]).feature_names == ("P1", "P2")


@pytest.mark.parametrize(
    "names",
    [
        ["TP53", "EGFR"],
        ["TP53|7157", "EGFR|1956"],  # symbols and ids of TCGA
        ["k__A", "k__B", "k__C"],
        ["c__C1", "c__C2", "s__S"],
        ["A|B", "B|A"],
        ["sp|P04637|P53_HUMAN", "sp|P00533|EGFR_HUMAN"],
    ],
)
def test_names_that_hold_no_others(names):
    assert stacked_names(names) == ([], "")
    assert not any("others" in one for one in dataset(names).notes)
    with pytest.raises(DataError, match="no feature of 'table' holds others"):
        dataset(names, drop="<ranks>")


def test_shared_sets_have_none(shared_data):
    for path in sorted((shared_data / "expression").glob("*.parquet"))[:10]:
        notes = read_table(path, target="class").notes
        assert not any("ranks" in note or "parts of others" in note for note in notes), path.name
