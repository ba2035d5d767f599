"""Probe sets to genes: a plain reference, what must hold, and what is told."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from expression.made_up import intensities, ragged_sets
from tamis._core.errors import DataError, PlanError
from tamis.expression import RMA, Annotation, ProbeCollapser, collapse_probes, rma
from tamis.expression.annotation import first_gene, split_symbols

GENES = ["DDR1", "MIR4640", "RFC2", "PAX8", "LOC100133684", "DDR1-AS1"]
GOLDEN = Path(__file__).parents[1] / "goldens" / "collapse.json"
values = st.one_of(st.floats(-50, 50), st.just(math.nan))


@st.composite
def tables(draw):
    """A table of samples and probe sets, and genes of some of them."""
    p = draw(st.integers(1, 12))
    names = [*(f"{j}_at" for j in range(p - 1)), "AFFX-STAT1_at"]
    X = draw(st.lists(st.lists(values, min_size=p, max_size=p), min_size=1, max_size=4))
    genes = st.lists(st.sampled_from(GENES), max_size=3, unique=True)
    annotation = {name: draw(genes) for name in names if draw(st.booleans())}
    annotation["0_at" if p > 1 else names[0]] = ["DDR1"]
    return pd.DataFrame(X, columns=names), annotation


def plain(table, annotation, several, controls):
    """Gene by gene and value by value."""
    lists = {}
    for probe in sorted(table.columns):
        genes = annotation.get(probe, [])
        if probe.startswith("AFFX") and not controls:
            continue
        if len(genes) > 1 and several != "each":
            genes = [] if several == "drop" else [first_gene(genes)]
        for gene in genes:
            lists.setdefault(gene, []).append(probe)
    found = {}
    for gene in sorted(lists):
        column = []
        for row in range(len(table)):
            there = [table[probe].iloc[row] for probe in lists[gene]]
            there = [value for value in there if not math.isnan(value)]
            column.append(sum(there) / len(there) if there else math.nan)
        found[gene] = column
    return pd.DataFrame(found), {gene: lists[gene] for gene in found}


@given(tables(), st.sampled_from(["first", "drop", "each"]), st.booleans())
def test_means_gene_by_gene(made, several, controls):
    table, annotation = made
    expected, lists = plain(table, annotation, several, controls)
    if not lists:
        with pytest.raises(DataError, match="has a gene in the annotation"):
            collapse_probes(table, annotation, several=several, controls=controls)
        return
    found = collapse_probes(table, annotation, several=several, controls=controls)
    assert found.genes.tolist() == list(lists)
    np.testing.assert_allclose(found.values, expected.to_numpy(), rtol=1e-12, atol=1e-12)
    said = found.to_dict()
    assert said["n_used"] == len({probe for probes in lists.values() for probe in probes})
    left = ("n_used", "n_controls", "n_unknown", "n_unmapped", "n_dropped")
    assert sum(said[key] for key in left) == said["n_probe_sets"] == table.shape[1]
    sizes = [len(probes) for probes in lists.values()]
    assert said["genes_by_probe_sets"] == {n: sizes.count(n) for n in sorted(set(sizes))}
    behind = found.probe_genes.frame()
    assert behind.groupby("gene")["probe_set"].apply(list).to_dict() == lists


@given(tables(), st.randoms())
def test_alone_in_a_batch_and_in_another_order_to_the_last_digit(made, random):
    table, annotation = made
    if not plain(table, annotation, "first", False)[1]:
        return
    whole = collapse_probes(table, annotation).values
    rows = [collapse_probes(table.iloc[[k]], annotation).values for k in range(len(table))]
    np.testing.assert_array_equal(np.vstack(rows), whole)
    names = list(table.columns)
    random.shuffle(names)
    np.testing.assert_array_equal(collapse_probes(table[names], annotation).values, whole)
    model = ProbeCollapser(annotation).fit(table.iloc[[0]])
    np.testing.assert_array_equal(model.transform(table), whole)


def with_gaps():
    """A table with missing values, one gene without any value, and the gene of each probe set."""
    rng = np.random.default_rng(0)
    names = [f"{j}_at" for j in range(40)]
    table = pd.DataFrame(rng.normal(7, 2, (5, 40)), columns=names)
    table = table.mask(rng.random(table.shape) < 0.2)
    genes = {name: f"G{rng.integers(15)}" for name in names}
    table.loc[2, [name for name in names if genes[name] == "G3"]] = np.nan
    return table, genes


def write_table(path):
    """For make_collapse.R."""
    table, genes = with_gaps()
    lines = [
        "\t".join([genes[n], *(f"{v:.17g}" if v == v else "NA" for v in table[n])])
        for n in table.columns
    ]
    path.write_text("\n".join(lines) + "\n")


def test_means_are_those_of_limma():
    expected = pd.DataFrame(json.loads(GOLDEN.read_text())["genes"]).astype(float)
    found = collapse_probes(*with_gaps()).frame()
    pd.testing.assert_frame_equal(
        found, expected[found.columns], check_names=False, rtol=1e-13, atol=0
    )
    assert found.isna().to_numpy().any()
    assert set(expected) == set(found)


@pytest.mark.parametrize(
    ("symbols", "gene"),
    [
        ("DDR1 /// MIR4640", "DDR1"),  # GPL570.txt
        ("MIR4640///DDR1", "DDR1"),  # GPL570.annot
        ("GAS6 /// LOC100133684", "GAS6"),
        ("LOC653972///CBX3", "CBX3"),
        ("FLJ34651///ADORA2A", "ADORA2A"),
        ("hCG_1757335 /// RAP1B", "RAP1B"),
        ("C20orf191 /// LOC100133918 /// NCOR1", "NCOR1"),
        ("RP11-257K9.7///KHDC1", "KHDC1"),
        ("TMEM189-UBE2V1 /// UBE2V1", "UBE2V1"),
        ("AARSD1-AS1 /// ZZZ3", "ZZZ3"),
        ("Gm5512 /// Rnf2", "Rnf2"),
        ("1700001C02Rik /// Zfp1", "Zfp1"),
        ("CALM3 /// CALM1 /// CALM2", "CALM1"),
        ("HLA-B /// HLA-A", "HLA-A"),
        ("LOC2 /// LOC1", "LOC1"),
        ("C1orf2", "C1orf2"),
    ],
)
def test_which_gene_stands_for_several(symbols, gene):
    found = split_symbols(symbols)
    assert first_gene(found) == first_gene(found[::-1]) == gene
    assert Annotation.of({"1007_s_at": symbols}).genes() == {"1007_s_at": (gene,)}


@given(st.permutations(GENES))
def test_the_order_of_symbols_does_not_matter(symbols):
    assert first_gene(symbols) == "DDR1"


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("", []),
        ("---", []),
        (" NA ", []),
        ("-", []),
        ("TP53", ["TP53"]),
        ("a///b", ["a", "b"]),
        (" a /// --- /// a ", ["a"]),
        ("a;b; ;a", ["a", "b"]),
        ("ADE5,7", ["ADE5,7"]),
        ("HLA-A", ["HLA-A"]),
        ("a|b", ["a|b"]),
        ("a // b", ["a // b"]),
    ],
)
def test_symbols_of_a_field(text, symbols):
    assert split_symbols(text) == symbols


def test_of_what_rma_gives_and_of_an_array():
    rng = np.random.default_rng(0)
    sets = ragged_sets(12, rng)
    found = rma(intensities(3, sets, rng), sets)
    annotation = {name: "DDR1" if j % 2 else "RFC2" for j, name in enumerate(found.probe_sets)}
    of_values = collapse_probes(found, annotation)
    assert of_values.samples is None
    expected = found.values[:, ::2].mean(axis=1)
    np.testing.assert_allclose(of_values.values[:, 1], expected, rtol=1e-14)
    of_frame = collapse_probes(found.frame(["a", "b", "c"]), annotation)
    assert of_frame.frame().index.tolist() == ["a", "b", "c"]
    for same in (of_frame, collapse_probes(found.values, annotation, probe_sets=found.probe_sets)):
        np.testing.assert_array_equal(same.values, of_values.values)
    single = collapse_probes(
        found.values.astype(np.float32), annotation, probe_sets=found.probe_sets
    )
    assert single.values.dtype == np.float64
    np.testing.assert_allclose(single.values, of_values.values, rtol=1e-6)


def test_numbers_as_names_of_probe_sets():
    table = pd.DataFrame([[1.0, 2.0]], columns=[7892501, 7892502])
    assert collapse_probes(table, {7892501: "A", "7892502": "B"}).genes.tolist() == ["A", "B"]


def test_what_is_said():
    names = ["1007_s_at", "207169_x_at", "1053_at", "117_at", "x_at", "AFFX-1_at"]
    table = pd.DataFrame(np.ones((2, 6)), columns=names)
    genes = dict(zip(names, ["DDR1 /// MIR4640", "DDR1", "RFC2", "---"], strict=False))
    found = collapse_probes(table, genes | {"AFFX-1_at": "STAT1"})
    assert found.summary().splitlines() == [
        "2 samples",
        "6 probe sets, of which 3 give 2 genes",
        "Left out: 1 without a gene, 1 not in the annotation, 1 controls",
        "Of several genes and used: 1",
        "Genes by their probe sets: 1 of 1, 1 of 2",
    ]
    assert found.to_dict()["n_missing"] == 0
    dropped = collapse_probes(table, genes, several="drop")
    assert dropped.to_dict()["n_dropped"] == 1
    assert "1 of several genes" in dropped.summary()


def made(n=6, seed=0):
    rng = np.random.default_rng(seed)
    sets = ragged_sets(30, rng)
    names = sorted(set(sets))
    annotation = {name: f"G{j // 3}" for j, name in enumerate(names[:-2])}
    return intensities(n, sets, rng), sets, annotation


def test_in_a_pipeline_after_rma():
    X, sets, annotation = made()
    steps = make_pipeline(RMA(sets), ProbeCollapser(annotation)).set_output(transform="pandas")
    found = steps.fit(X[:5]).transform(X)
    expected = collapse_probes(steps[0].transform(X), annotation)
    np.testing.assert_array_equal(found.to_numpy(), expected.values)
    assert found.columns.tolist() == expected.genes.tolist()
    again = pickle.loads(pickle.dumps(steps)).transform(X[5:])
    np.testing.assert_array_equal(again.to_numpy(), found.to_numpy()[5:])
    assert list(steps.get_feature_names_out()) == expected.genes.tolist()


def test_the_transformer_takes_names_and_keeps_its_parameters():
    table = pd.DataFrame([[1.0, math.nan, 4.0]], columns=["a", "b", "c"])
    annotation = Annotation.of({"a": "A", "b": "A", "c": "B /// A"})
    model = ProbeCollapser(annotation, several="each").fit(table)
    assert model.transform(table).tolist() == [[2.5, 4.0]]
    assert clone(model).annotation == annotation
    assert "a" not in repr(annotation).replace("Annotation", "")
    with pytest.raises(ValueError, match="feature names should match"):
        model.transform(table[["a", "c", "b"]])
    with pytest.raises(DataError, match="X has no names of probe sets: give a DataFrame"):
        clone(model).fit(table.to_numpy())
    again = model.set_params(annotation=None).fit(table)
    assert again.get_feature_names_out().tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(again.transform(table), table)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_scikit_learns_checks():
    results = check_estimator(ProbeCollapser(), on_fail=None)
    assert [(r["check_name"], r["exception"]) for r in results if r["status"] == "failed"] == []
    assert sum(r["status"] == "passed" for r in results) > 25


TABLE = pd.DataFrame([[1.0, 2.0]], columns=["1007_s_at", "1053_at"], index=["GSM1"])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: collapse_probes(TABLE.T, {"1007_s_at": "DDR1"}),
            "none of 1 probe set .'GSM1'. has a gene in the annotation .'1007_s_at'.: give the "
            "table of their platform, with samples in rows",
        ),
        (
            lambda: collapse_probes(TABLE[["1053_at", "1053_at"]], {"1053_at": "RFC2"}),
            "duplicate names of probe sets: '1053_at'; leave one of each out",
        ),
        (lambda: collapse_probes([[1.0, 2.0]], {}), "probe_sets has 0 names for 2 columns"),
        (lambda: collapse_probes([[1.0, 2.0]], {}, probe_sets=["a"]), "has 1 name for 2 columns"),
        (lambda: collapse_probes([[np.inf]], {"a": "A"}, probe_sets=["a"]), "infinite intensities"),
        (lambda: collapse_probes(TABLE, 7), "the annotation is 7: give an Annotation, the path"),
        (lambda: collapse_probes(TABLE, TABLE), "give an Annotation, the path"),
        (lambda: Annotation.of({7: "a", "7": "b"}), "names a probe set twice"),
    ],
)
def test_what_is_wrong_is_told(call, words):
    with pytest.raises(DataError, match=words) as error:
        call()
    assert "\n" not in str(error.value)


def test_an_unknown_way_with_several_genes():
    with pytest.raises(PlanError, match="several='all': choose from 'first', 'drop', 'each'"):
        collapse_probes(TABLE, {"1053_at": "RFC2"}, several="all")
