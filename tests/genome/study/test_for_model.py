"""A saved model of a genotype study on other files: PLINK's rewritings, tables, one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from genome.plink import run_plink
from tamis._core.column_ids import ColumnIds
from tamis._core.errors import DataError, ModelError
from tamis.data import read_table
from tamis.data.dataset import Dataset
from tamis.genome import (
    genotype_dataset,
    genotypes_for_model,
    open_genotypes,
    simulate_cohort,
)
from tamis.model.cohort import training_rows, value_misfits
from tamis.model.evaluate import evaluate
from tamis.model.file import load_model, save_model
from tamis.study import run_study

pytestmark = pytest.mark.longer

QUALITY = {"name": "genotype_quality", "frequency": 0.02}
METHODS = {
    "few": {"select": "moderated_t", "sizes": [40], "classify": ["naive_bayes"]},
    "trees": {"select": "mtd", "sizes": [50], "classify": ["forest"], "prepare": [QUALITY]},
    "sums": {
        "select": "all",
        "classify": ["knn"],
        "prepare": [QUALITY, {"name": "random_projection", "n_components": 8}],
    },
    "scores": {
        "select": "all",
        "classify": ["lda"],
        "prepare": [QUALITY, {"name": "genotype_components", "n_components": 3}],
    },
}
PAIRS = ["A G", "C T", "G T", "A C", "A T", "C G", "T TA"]  # two of them as on the other strand


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A cohort whose alleles are of all kinds, all of them rare enough to tell strands."""
    folder = tmp_path_factory.mktemp("cohort")
    simulate_cohort(
        folder / "made",
        50,
        60,
        220,
        singles=[(17, 4.0), (30, 4.0)],
        frequencies=(0.1, 0.2),
        missing=0.02,
    )
    bim = folder / "made.bim"
    rows = [line.split() for line in bim.read_text().splitlines()]
    for j, row in enumerate(rows):
        row[4:] = PAIRS[j % len(PAIRS)].split()
    bim.write_text("".join("\t".join(row) + "\n" for row in rows))
    return folder


@pytest.fixture(scope="module")
def genotypes(folder):
    return open_genotypes(folder / "made")


@pytest.fixture(scope="module")
def models(folder, genotypes):
    data, found = genotype_dataset(genotypes, covariates=["sex"]), {}
    for name, method in METHODS.items():
        plan = {
            "permutations": 0,
            "outer": {"folds": 2},
            "inner": {"folds": 2, "repeats": 1},
            "method": [method],
        }
        run_study(data, plan, folder / name)
        found[name] = load_model(folder / name / "model.npz")
    return found


@pytest.fixture(scope="module")
def expected(models, genotypes):
    """Probabilities of each model for each sample of the cohort itself."""
    data = genotype_dataset(genotypes, covariates=["sex"])
    found = {}
    for name, model in models.items():
        proba = model.predict_proba(data)
        found[name] = dict(zip(data.sample_names, proba.tolist(), strict=True))
    return found


def same(models, expected, other, least=2):
    """Whether all models predict for the samples of another file what they did."""
    for name, model in models.items():
        data = genotypes_for_model(model, other)
        proba = model.predict_proba(data)
        wanted = np.array([expected[name][sample] for sample in data.sample_names])
        assert len(data.sample_names) >= least
        if name == "scores":  # sums of products, in another order
            np.testing.assert_allclose(proba, wanted, rtol=0, atol=1e-9)
        else:
            np.testing.assert_array_equal(proba, wanted)


def notes_of(models, other):
    return {name: genotypes_for_model(m, other).notes[-1] for name, m in models.items()}


def test_the_cohort_itself_is_predicted_as_in_the_study(models, expected, genotypes):
    same(models, expected, genotypes)
    for name, note in notes_of(models, genotypes).items():
        k = len(models[name].inputs)
        assert note.startswith(f"{k} variants of the model found: {k} as written")
        assert "few others" not in note


def test_a_sample_alone_is_predicted_as_among_others(models, expected, genotypes):
    for i in (0, 57, 109):
        same(models, expected, genotypes.subset(samples=[i]), least=1)


@pytest.mark.parametrize("ending", ["tsv", "parquet"])
def test_copies_in_a_table_are_predicted_the_same(models, expected, genotypes, tmp_path, ending):
    import pandas as pd

    data = genotype_dataset(genotypes, covariates=["sex"])
    frame = pd.DataFrame(genotypes.calls().astype(float), columns=data.feature_names[:-1])
    frame[frame < 0] = np.nan
    frame["sex"] = np.where(genotypes.samples.sex == 1, "male", "female")
    frame.insert(0, "IID", genotypes.samples.id)
    path = tmp_path / f"copies.{ending}"
    if ending == "tsv":
        frame.to_csv(path, sep="\t", index=False)
    else:
        frame.to_parquet(path)
    for name, model in models.items():
        table = read_table(
            path, id="IID", target_optional=True, only=model.columns, categorical=("sex",)
        )
        proba, wanted = model.predict_proba(table), list(expected[name].values())
        np.testing.assert_allclose(proba, wanted, rtol=0, atol=1e-9 if name == "scores" else 0)


def plinked(folder, tmp_path, *arguments, program="plink1.9"):
    run_plink(program, tmp_path, "--bfile", folder / "made", *arguments)
    return open_genotypes(tmp_path / "out.bed")


def test_after_plink_has_put_the_rarer_allele_first(folder, models, expected, tmp_path):
    other = plinked(folder, tmp_path, "--make-bed")
    same(models, expected, other)
    table = "".join(f"v{j + 1}\t{PAIRS[j % len(PAIRS)].split()[1]}\n" for j in range(220))
    (tmp_path / "swap").write_text(table)
    other = plinked(folder, tmp_path, "--a1-allele", "swap", 2, 1, "--make-bed")
    same(models, expected, other)
    assert "220 with the other allele" in notes_of(models, other)["scores"].replace(
        "as written", ""
    )


def test_after_plink2_has_chosen_reference_alleles(folder, models, expected, tmp_path):
    table = "".join(f"v{j + 1}\t{PAIRS[j % len(PAIRS)].split()[j % 2]}\n" for j in range(220))
    (tmp_path / "reference").write_text(table)
    arguments = ["--ref-allele", "force", "reference", 2, 1, "--make-bed"]
    other = plinked(folder, tmp_path, *arguments, program="plink2")
    same(models, expected, other)
    assert "with the other allele counted" in notes_of(models, other)["sums"]


def test_after_plink_has_flipped_strands_and_taken_some(folder, models, expected, tmp_path):
    """Those A/T and C/G too; frequencies tell which of these."""
    single = [j for j in range(220) if j % 7 != 6 and j % 3]
    (tmp_path / "flip").write_text("".join(f"v{j + 1}\n" for j in single))
    keep = open_genotypes(folder / "made").samples.family
    (tmp_path / "keep").write_text("".join(f"{f} {f}\n" for f in keep[5:100:2]))
    arguments = ["--flip", "flip", "--keep", "keep", "--make-bed"]
    other = plinked(folder, tmp_path, *arguments)
    assert other.shape[0] == 48
    same(models, expected, other)
    for note in notes_of(models, other).values():
        assert "written on the other strand" in note


def test_with_positions_of_another_build_variants_are_found_by_name(
    folder, models, expected, tmp_path
):
    (tmp_path / "map").write_text("".join(f"v{j + 1} {7 * j + 3}\n" for j in range(220)))
    other = plinked(folder, tmp_path, "--update-map", "map", "--make-bed")
    same(models, expected, other)
    assert all("by name" in note for note in notes_of(models, other).values())


def without_sex(data):
    """The same without what is known of the samples' sexes, which a VCF does not hold."""
    values = np.full((data.shape[0], 1), np.nan)
    return replace(data, X=replace(data.X, values=values), levels={})


@pytest.mark.parametrize("kind", [["vcf", "bgz"], ["bgen-1.2"]])
def test_in_other_formats(folder, models, genotypes, tmp_path, kind):
    run_plink("plink2", tmp_path, "--bfile", folder / "made", "--export", *kind)
    other = open_genotypes(tmp_path / ("out.vcf.gz" if kind[0] == "vcf" else "out.bgen"))
    assert [name.split("_")[-1] for name in other.samples.id] == genotypes.samples.id.tolist()
    for model in models.values():
        own = model.predict_proba(without_sex(genotypes_for_model(model, genotypes)))
        proba = model.predict_proba(without_sex(genotypes_for_model(model, other)))
        np.testing.assert_allclose(proba, own, rtol=0, atol=1e-9)


def test_in_files_of_chromosomes_in_any_order(folder, models, expected, tmp_path):
    parts = []
    for name, chromosomes in (("late", "12-22"), ("early", "1-11")):
        (tmp_path / name).mkdir()
        arguments = ["--bfile", folder / "made", "--chr", chromosomes, "--make-bed"]
        run_plink("plink1.9", tmp_path / name, *arguments)
        parts.append(tmp_path / name / "out.bed")
    same(models, expected, open_genotypes(parts))


def test_a_variant_that_is_gone_or_another_is_refused_by_name(models, genotypes, folder, tmp_path):
    model = models["few"]
    first = model.inputs[0]
    gone = [name for name in genotypes.variants.id.to_pylist() if name != first]
    with pytest.raises(DataError, match=f"lacks 1, .*'{first} "):
        genotypes_for_model(model, genotypes.subset(variants=gone))
    for allele in ("AAAA", "1", "", "<DEL>", "\x1b[31m", "é", "N"):
        for ending in ("bed", "fam"):
            (tmp_path / f"bad.{ending}").write_bytes((folder / f"made.{ending}").read_bytes())
        rows = [line.split("\t") for line in (folder / "made.bim").read_text().splitlines()]
        for row in rows:
            if row[1] == first:
                row[4:] = [allele, allele * 2]
        (tmp_path / "bad.bim").write_text("".join("\t".join(row) + "\n" for row in rows))
        if not allele:  # no letters, no calls
            note = genotypes_for_model(model, open_genotypes(tmp_path / "bad.bed")).notes[-1]
            assert "1 with no allele named, and so no calls" in note
            continue
        with pytest.raises(DataError, match="of 1 its alleles are others") as error:
            genotypes_for_model(model, open_genotypes(tmp_path / "bad.bed"))
        assert "\n" not in str(error.value)


def test_an_allele_that_nobody_has_is_no_obstacle(folder, models, tmp_path):
    """Samples without the counted allele of a variant: PLINK then knows one letter alone."""
    genotypes, model = open_genotypes(folder / "made"), models["few"]
    j = genotypes.variants.id.to_pylist().index(model.inputs[0])
    without = genotypes.calls([j])[:, 0] <= 0
    for ending in ("bed", "fam"):
        (tmp_path / f"one.{ending}").write_bytes((folder / f"made.{ending}").read_bytes())
    rows = [line.split("\t") for line in (folder / "made.bim").read_text().splitlines()]
    rows[j][4] = "0"
    (tmp_path / "one.bim").write_text("".join("\t".join(row) + "\n" for row in rows))
    other = open_genotypes(tmp_path / "one").subset(samples=without)
    plain = genotypes_for_model(model, genotypes.subset(samples=without))
    data = genotypes_for_model(model, other)
    np.testing.assert_array_equal(model.predict_proba(data), model.predict_proba(plain))


def test_evaluation_tells_how_variants_were_found_and_whose_rows_they_are(models, genotypes):
    for model in models.values():
        data = genotypes_for_model(model, genotypes, "phenotype", group="FID")
        found = evaluate(model, data)
        assert found["notes"] == list(data.notes)
        assert {w["code"] for w in found["warnings"]} >= {"training-rows", "imputed"}
        assert found["n_groups"] == 110


def test_samples_without_a_class_are_predicted_and_not_judged(models, genotypes, tmp_path):
    names = genotypes.samples.id
    rows = [f"{name}\t{'2' if i % 2 else '1'}\tmale" for i, name in enumerate(names[:40])]
    (tmp_path / "sheet.tsv").write_text("\n".join(["IID\tstate\tsex", *rows]) + "\n")
    model = models["few"]
    sheet = {"samples": tmp_path / "sheet.tsv"}
    assert genotypes_for_model(model, genotypes, **sheet).shape[0] == 110
    judged = genotypes_for_model(model, genotypes, "state", **sheet)
    assert judged.shape[0] == 40
    assert "70 samples without a class, left out" in judged.notes[0]
    assert evaluate(model, judged)["n_samples"] == 40
    (tmp_path / "sheet.tsv").write_text("\n".join(["IID\tstate", rows[1][:-5], rows[3][:-5]]))
    with pytest.raises(DataError, match="no column 'age'"):
        genotypes_for_model(replace(model, covariates=("age",)), genotypes, **sheet)
    one_class = genotypes_for_model(replace(model, covariates=()), genotypes, "state", **sheet)
    assert one_class.classes == ("2",)


def test_a_model_of_a_table_says_that_it_knows_no_variants(models, genotypes):
    with pytest.raises(ModelError, match="give a table of these columns"):
        genotypes_for_model(replace(models["few"], column_ids=None), genotypes)


def test_a_model_without_variants_needs_none(models, genotypes):
    column_ids = ColumnIds(
        "variants",
        dict.fromkeys(("chromosome", "allele1", "allele2"), ()),
        dict.fromkeys(("position", "calls", "copies"), np.zeros(0)),
    )
    alone = replace(models["few"], features=(), inputs=(), column_ids=column_ids)
    data = genotypes_for_model(alone, genotypes)
    assert data.shape == (110, 1)
    assert alone.raw(data).shape == (110, 1)
    assert data.notes == ()


def test_marks_are_saved_and_checked(models, tmp_path):
    model = models["few"]
    save_model(model, tmp_path / "m")
    again = load_model(tmp_path / "m").column_ids
    assert again.texts == model.column_ids.texts
    for name, values in model.column_ids.numbers.items():
        np.testing.assert_array_equal(again.numbers[name], values)
    whole = model.column_ids
    short = {k: v[1:] for k, v in whole.texts.items()}
    wild = {**whole.numbers, "position": np.full(len(model.inputs), np.nan)}
    for column_ids in (
        replace(whole, texts=short),
        replace(whole, texts={**whole.texts, "allele1": (1,) * len(model.inputs)}),
        replace(whole, numbers=wild),
        replace(whole, numbers={**whole.numbers, "calls": np.zeros(3)}),
        replace(whole, kind=3),
    ):
        save_model(replace(model, column_ids=column_ids), tmp_path / "bad")
        with pytest.raises(ModelError) as error:
            load_model(tmp_path / "bad")
        assert "\n" not in str(error.value)


def test_remarks_are_of_calls(models, genotypes):
    """Nothing is said of the scale of honest genotypes, and missing calls are counted."""
    model = models["few"]
    data = genotypes_for_model(model, genotypes)
    assert {code for code, _ in value_misfits(model, data)} == {"imputed"}
    assert [code for code, _ in training_rows(model, data)] == ["training-rows"]


class Wide:
    """A table that gives a few values at once and no more."""

    def __init__(self, table, most):
        self.table, self.most, self.shape = table, most, table.shape

    def take(self, rows, columns):
        n = self.shape[0] if rows is None else len(rows)
        k = self.shape[1] if columns is None else len(columns)
        assert n * k <= self.most, "the table was made a matrix"
        return self.table.take(rows, columns)

    def walk(self, width):
        return self.table.walk(width)

    def digest(self):
        return self.table.digest()


@pytest.mark.parametrize("name", ["sums", "scores"])
def test_a_table_of_another_kind_goes_through_the_steps_a_few_rows_at_a_time(
    models, expected, genotypes, monkeypatch, name
):
    from tamis.preparation import on_table

    model = models[name]
    data = genotype_dataset(genotypes, covariates=["sex"])
    p = len(model.inputs)
    monkeypatch.setattr(on_table, "ROWS_OF", 10 * p)
    table = Wide(data.X, 10 * p)
    proba = model.predict_proba(replace(data, X=table))
    np.testing.assert_allclose(proba, list(expected[name].values()), rtol=0, atol=1e-9)
    dense = Dataset(data.take(None), None, data.feature_names, levels=data.levels)
    np.testing.assert_allclose(model.predict_proba(dense), proba, rtol=0, atol=1e-9)
