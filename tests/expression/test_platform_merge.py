"""Samples of several platforms in one table of shared genes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.expression import (
    collapse_probes,
    merge_platforms,
    quantile_normalize,
    unlogged_warnings,
)

OLD = pd.DataFrame(
    {"RFC2": [7.0, 6.0], "DDR1": [8.0, np.nan], "HSPA6": [5.0, 4.0]}, index=["GSM1", "GSM2"]
)
NEW = pd.DataFrame({"DDR1": [9.0], "PAX8": [3.0], "RFC2": [6.5]}, index=["GSM3"])


def test_shared_genes_alone_and_the_platform_of_each_sample():
    found = merge_platforms({"GPL96": OLD, "GPL570": NEW})
    assert found.genes.tolist() == ["DDR1", "RFC2"]
    expected = pd.concat([table[["DDR1", "RFC2"]] for table in (OLD, NEW)])
    pd.testing.assert_frame_equal(found.frame(), expected, check_names=False)
    table = found.frame("batch")
    assert table["batch"].tolist() == list(found.platforms) == ["GPL96", "GPL96", "GPL570"]
    assert found.summary().splitlines() == [
        "GPL96: 2 samples, 3 genes",
        "GPL570: 1 sample, 3 genes",
        "Together: 3 samples, 2 shared genes",
    ]
    assert found.to_dict()["samples_by_platform"] == {"GPL96": 2, "GPL570": 1}


def test_a_sample_does_not_move_those_of_others_but_by_quantiles():
    both = merge_platforms({"GPL96": OLD, "GPL570": NEW})
    alone = merge_platforms({"GPL96": OLD.iloc[:1], "GPL570": NEW})
    np.testing.assert_array_equal(alone.values, both.values[[0, 2]])
    normal = merge_platforms({"GPL96": OLD, "GPL570": NEW}, quantiles=True)
    np.testing.assert_array_equal(normal.values, quantile_normalize(both.values))
    assert normal.quantiles


def test_of_what_collapse_probes_gives():
    table = pd.DataFrame([[1.0, 3.0]], columns=["a_at", "b_at"], index=["GSM9"])
    genes = collapse_probes(table, {"a_at": "DDR1", "b_at": "DDR1"})
    found = merge_platforms({"GPL97": genes, "GPL96": OLD})
    assert found.frame()["DDR1"].iloc[:2].tolist() == [2.0, 8.0]


def test_results_have_short_reprs():
    table = pd.DataFrame(np.ones((3, 500)), columns=[f"{j}_at" for j in range(500)])
    genes = collapse_probes(table, {name: name[:-3] for name in table.columns})
    assert repr(genes) == "GeneValues(3 samples, 500 genes)"
    assert repr(genes.probe_genes) == "ProbeGenes(500 probe sets, 500 genes)"
    merged = merge_platforms({"GPL96": genes})
    assert repr(merged) == "MergedPlatforms(3 samples of 1 platform, 500 genes)"


def test_one_platform_is_merged_with_none():
    pd.testing.assert_frame_equal(
        merge_platforms({"GPL96": OLD}).frame(), OLD[["DDR1", "HSPA6", "RFC2"]], check_names=False
    )


def test_raw_intensities_are_told_and_left():
    rng = np.random.default_rng(0)
    genes = [f"G{j}" for j in range(100)]
    logs = pd.DataFrame(rng.normal(8, 2, (20, 100)), columns=genes)
    raw = (2**logs).set_axis([f"r{k}" for k in range(20)])
    found = merge_platforms({"GPL96": raw, "GPL570": logs})
    (text,) = found.warnings
    assert text.startswith("Values of GPL96 look like raw intensities (median ")
    assert "Those of GPL570 do not" in text
    assert text in found.summary()
    np.testing.assert_array_equal(found.frame().loc["r0"].to_numpy(), raw[found.genes].iloc[0])
    assert unlogged_warnings({"GPL570": logs}) == []
    assert [t for t in unlogged_warnings({"GPL96": raw}) if "do not" in t] == []


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ({}, "there is no table: give one for each platform"),
        ({"a": OLD, "b": OLD}, "duplicate names of samples: 'GSM1', 'GSM2'; name them apart"),
        (
            {"a": OLD, "b": NEW[["PAX8"]]},
            "no gene is in all of 'a', 'b' .they begin with 'RFC2', 'P",
        ),
        ({"a": NEW[["PAX8", "PAX8"]]}, "duplicate names of genes of a: 'PAX8'; collapse its probe"),
        ({"a": NEW.astype(str) + "x"}, "the table of a must be a table of numbers"),
        ({"a": NEW.to_numpy()}, "the table of 'a' must be a DataFrame"),
        ({"a": NEW * np.inf}, "the table of a has inf in row 0"),
    ],
)
def test_what_is_wrong_is_told(tables, words):
    with pytest.raises(DataError, match=words) as error:
        merge_platforms(tables)
    assert "\n" not in str(error.value)


def test_a_gene_with_the_name_of_the_column():
    with pytest.raises(DataError, match="there is a gene 'DDR1': name the column otherwise"):
        merge_platforms({"GPL96": OLD}).frame("DDR1")
