"""Studies of packed genotypes: the same as of the matrix, fitted to training people alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from common.null_studies import methods_off_chance
from common.studies import run_in_memory
from genome.sets import random_codes, write_bed
from tamis._core.errors import PlanError
from tamis._core.registry import rows_of
from tamis._core.rows import PlanRow, RankerRow
from tamis.data.walks import SomeColumns
from tamis.genome import (
    RandomSignProjection,
    genotype_dataset,
    open_genotypes,
    principal_components,
    prune_variants,
    quality_control,
    simulate_cohort,
)
from tamis.genome.structure.left_out_components import left_out_components
from tamis.kernels.units import rows_by_size, steady_rows
from tamis.preparation.genotype_components import GenotypeComponents
from tamis.preparation.genotype_quality import GenotypeQuality
from tamis.preparation.linkage_pruning import LinkagePruning
from tamis.preparation.random_projection import RandomProjection
from tamis.study import Plan, run_study, tasks
from tamis.study.plan.ready import ready_plans
from tamis.study.prepare import check_methods, prepare_study
from tamis.study.protocol.nested_cv import Task, fold_of
from tamis.study.protocol.prepared import prepared_fold
from tamis.study.results import created
from tamis.study.tasks import estimate_seconds

SPLITS = {"outer": {"folds": 3}, "inner": {"folds": 2, "repeats": 1}, "permutations": 0}
WALKING = [
    row.name
    for row in rows_of(PlanRow)
    if isinstance(row, RankerRow) and row.target and getattr(row.build({}), "walks", False)
]
VARIANCE = {"name": "variance", "share": 0.5}
QC = {"name": "genotype_quality", "missing": 0.07}
PRUNE = {"name": "linkage_pruning", "window": 20, "r2": 0.3}
PROJECT = {"name": "random_projection", "n_components": 20, "coding": "indicators"}
COMPONENTS = {"name": "genotype_components", "n_components": 2}
STEPS = [
    [QC],
    [PRUNE],
    [QC, PRUNE],
    [PROJECT],
    [QC, PROJECT],
    [COMPONENTS],
    [QC, {"name": "variance", "share": 0.1}, "standardize"],
]


def method(select="mtd", **more):
    return {"select": select, "sizes": [2, 6], "classify": ["naive_bayes"], **more}


def plan_of(*methods):
    return {**SPLITS, "method": list(methods)}


def data_of(folder, missing=0.05, n=60, p=160, seed=1):
    codes = random_codes(seed, p, n, missing)
    ill = np.arange(n) % 2 == 1
    codes[7, ill] = np.where(np.arange(ill.sum()) % 3 > 0, 0, 2)  # something to find
    codes[8] = codes[7]
    return genotype_dataset(open_genotypes(write_bed(folder / "made", codes)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("genotypes")


@pytest.fixture(scope="module")
def data(folder):
    return data_of(folder)


@pytest.mark.parametrize("select", WALKING)
def test_a_packed_table_gives_what_its_matrix_gives(tmp_path, select):
    """Where nothing is missing, and values are taken as categories by those that can."""
    packed = data_of(tmp_path, missing=0.0)
    levels = dict.fromkeys(range(packed.shape[1]), ("0", "1", "2"))
    dense = replace(packed, X=packed.X.take(None, None))
    if select in ("mtd", "mutual_information"):
        dense = replace(dense, levels=levels)
    sizes = {} if select == "mtfc" else {"sizes": [2, 6]}
    plan = plan_of({"select": select, "classify": ["lda"], **sizes})
    if dense.levels:  # as numbers to the classifier
        select = {"mtd": "mtd_discrete"}.get(select, "mutual_information_discrete")
        dense = replace(dense, levels={})
    own = run_in_memory(packed, plan)[4]
    theirs = run_in_memory(dense, plan_of({**plan["method"][0], "select": select}))[4]
    for ours, other in zip(own.headline, theirs.headline, strict=True):
        np.testing.assert_array_equal(ours.features, other.features)
        np.testing.assert_allclose(ours.proba, other.proba, atol=1e-9)


def test_missing_calls_are_left_out_by_scores_from_counts(data):
    """As `mtd` of the training rows leaves them out, and not filled."""
    from tamis.selection import mtd

    plan, design, _ = prepare_study(data, plan_of(method()))
    fold = fold_of(design, plan, Task(0, 0, 1, ()))
    from tamis.selection import FilterSelector

    found = FilterSelector("mtd").rank_parts(fold.parts, [3], fold.streams("x"))
    for ranking, rows in zip(found, fold.parts.rows, strict=True):
        expected = mtd(data.X.take(rows, None), fold.y[rows], discrete_features=True)
        np.testing.assert_array_equal(ranking.scores, expected)


def folds(data, steps):
    plan, design, _ = prepare_study(data, plan_of(method(prepare=steps)))
    fold = fold_of(design, plan, Task(0, 0, 1, ()))
    return fold, prepared_fold(fold, plan.method[0].prepare)


@pytest.mark.parametrize(
    ("step", "kept"),
    [
        (QC, lambda g, y: quality_control(g, y, missing=0.07, sample_missing=None).kept),
        (PRUNE, lambda g, y: prune_variants(g, window=20, r2=0.3)),
    ],
)
def test_filters_keep_what_their_function_keeps_of_the_training_people(data, step, kept):
    fold, prepared = folds(data, [step])
    for k, rows in enumerate(fold.parts.rows):
        own = data.X.genotypes.subset(samples=rows)
        expected = np.flatnonzero(kept(own, fold.y[rows]))
        np.testing.assert_array_equal(prepared.views[k].design.owner, expected)
        assert 0 < len(expected) < data.shape[1]


@pytest.mark.quick
def test_what_a_filter_of_columns_keeps_is_taken_from_the_whole_table(data):
    """A tenth of the variants by their variance among the training people, in each part."""
    fold, prepared = folds(data, [{"name": "variance", "share": 0.1}, "standardize"])
    for view, rows, held_out in zip(prepared.views, fold.parts.rows, fold.tests, strict=True):
        kept, (first, *_) = view.design.owner, view.chain.links
        assert len(kept) == data.shape[1] // 10
        assert first.width == data.shape[1]
        assert kept.tolist() == first.entering[first.step.columns].tolist()
        given = view.chain.transform(data.X.take(held_out, None))
        assert given == pytest.approx(view.design.matrix[view.test], nan_ok=True)
        assert len(view.train) == len(rows)


def test_a_projection_is_that_of_the_training_peoples_modes(data):
    fold, prepared = folds(data, [PROJECT])
    for k, rows in enumerate(fold.parts.rows):
        genotypes = data.X.genotypes
        own = RandomSignProjection(20, coding="indicators", random_state=0)
        own.fit(genotypes.subset(samples=rows))
        view = prepared.views[k]
        np.testing.assert_array_equal(view.design.matrix, own.transform(genotypes))


def test_components_are_those_of_the_training_people(data):
    fold, prepared = folds(data, [COMPONENTS])
    for k, rows in enumerate(fold.parts.rows):
        view = prepared.views[k]
        kept = view.design.matrix.shape[1]
        found = principal_components(data.X.genotypes, kept, samples=rows)
        own = left_out_components(data.X.genotypes, 2, rows, rows)[1]
        np.testing.assert_array_equal(view.design.matrix[rows], own)
        others = found.project(data.X.genotypes, samples=fold.tests[k])
        if len(fold.tests[k]):
            expected = others.iloc[:, 2:].to_numpy()
            np.testing.assert_allclose(view.design.matrix[fold.tests[k]], expected, atol=1e-10)


@pytest.mark.parametrize(
    "made", [RandomProjection(20), RandomProjection(20, "indicators"), GenotypeComponents(2)]
)
def test_a_step_on_the_table_is_the_step_on_its_matrix(data, made):
    rows = np.arange(40)
    fitted = made.learn_table(data.X, rows, np.zeros(40, dtype=np.int64))
    X = data.X.take(None, None)
    np.testing.assert_allclose(fitted.transform_table(data.X), fitted.transform(X), atol=1e-9)
    again = made.from_arrays(fitted.to_arrays(), data.shape[1])
    np.testing.assert_array_equal(again.transform(X), fitted.transform(X))
    last = np.array([len(fitted.columns) - 1])  # of noise there may be one component
    some, inputs = fitted.only(last)
    np.testing.assert_array_equal(some.transform(X[:, inputs]), fitted.transform(X)[:, last])
    one_by_one = np.vstack([fitted.transform(row[None]) for row in X])
    np.testing.assert_allclose(one_by_one, fitted.transform(X), atol=1e-9)


@pytest.mark.parametrize("steps", STEPS, ids=lambda s: "+".join(str(one) for one in s)[:60])
def test_held_out_people_change_nothing_that_is_learnt(tmp_path, data, steps):
    """Other genotypes and other classes of theirs: what is chosen and fitted stays."""
    plan = plan_of(method(prepare=steps))
    resolved, design, _ = prepare_study(data, plan)
    held = fold_of(design, resolved, Task(0, 0, 1, ())).tests[0]
    codes = np.array([3, 2, 0, 1])[data.X.genotypes.calls().T]
    codes[:, held] = np.random.default_rng(9).choice(4, (len(codes), len(held)))
    path = write_bed(tmp_path / "made", codes)
    other = genotype_dataset(open_genotypes(path))
    rankings = []
    for one in (data, other):
        resolved, design, _ = prepare_study(one, plan)
        fold = fold_of(design, resolved, Task(0, 0, 1, ()))
        y = fold.y.copy()
        if one is other:
            y[held] = 1 - y[held]
        parts = type(fold.parts)(
            fold.parts.table, y, fold.parts.rows, fold.parts.incomplete, fold.parts.units, 2
        )
        prepared = prepared_fold(replace(fold, y=y, parts=parts), resolved.method[0].prepare)
        own = []
        for view in prepared.views:
            if isinstance(view.design.X, np.ndarray):  # what was known of the table is not of this
                assert view.design.steady_rows == steady_rows(rows_by_size(view.design.X))
            train = view.design.values(view.train, np.arange(min(view.design.X.shape[1], 30)))
            own.append((view.design.owner, train))
        rankings.append(own)
    for (owner, train), (same_owner, same) in zip(*rankings, strict=True):
        np.testing.assert_array_equal(owner, same_owner)
        np.testing.assert_array_equal(train, same)


def null_cohort(folder):
    def made(seed):
        codes = random_codes([seed, 4], 80, 60, 0.03)
        path = write_bed(folder / f"null{seed}", codes)
        return genotype_dataset(open_genotypes(path))

    return made


@pytest.mark.slow
def test_every_ready_plan_is_at_chance_where_there_is_nothing(tmp_path):
    """One of them holds the methods of all."""
    methods = []
    both = Plan.read("genome_approaches").method
    of_tables = {"default", "thorough"}
    of_genotypes = set(ready_plans()) - of_tables
    assert len(of_genotypes) == 3
    for name in of_genotypes:
        assert all(one in both for one in Plan.read(name).method)
    for one in both:
        raw = one.model_dump(exclude={"own"})
        if one.select != "all":
            raw["sizes"] = [2, 10]
        if "forest" in one.classify:
            raw["grid"] = {"n_estimators": [10]}
        for step in raw["prepare"]:
            if "n_components" in step["parameters"]:
                step["parameters"]["n_components"] = 30
        methods.append(raw)
    steps = {"name": "all steps", "prepare": [QC, PRUNE], **method("trend")}
    assert not methods_off_chance(null_cohort(tmp_path), [*methods, steps])


@pytest.mark.longer
def test_a_study_is_the_same_bytes_however_it_is_run(tmp_path, data):
    plan = {
        **plan_of(method(prepare=[QC]), method("all", sizes=[], prepare=[PROJECT])),
        "permutations": 1,
    }
    for jobs in (1, 2):
        run_study(data, plan, tmp_path / str(jobs), n_jobs=jobs)
    files = [
        {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*") if p.is_file()}
        for root in (tmp_path / "1", tmp_path / "2")
    ]
    for found in files:
        del found["journal.jsonl"]
    assert files[0] == files[1]


def test_covariates_stand_beside_in_every_model(tmp_path):
    codes = random_codes(1, 40, 60)
    path = write_bed(tmp_path / "made", codes)
    rows = [f"f{i}\ts{i}\t{'ab'[i % 2]}\t{i % 2 + 0.1 * (i % 7)}\n" for i in range(60)]
    table = tmp_path / "sheet.tsv"
    table.write_text("FID\tIID\tstate\tage\n" + "".join(rows))
    data = genotype_dataset(open_genotypes(path), "state", samples=table, covariates=("age",))
    plan = {**plan_of(method(classify=["lda"])), "allow": ["age"]}
    result = run_study(data, plan, tmp_path / "out").to_dict()
    names = {m["name"] for m in result["methods"]}
    assert "covariates" in names
    assert result["metrics"]["auc"]["mean"] > 0.9
    assert all("age" not in f["name"] for f in result["features"])


def test_files_of_other_formats_give_the_same_study(tmp_path, data):
    """A VCF of the same calls."""
    genotypes = data.X.genotypes
    calls = genotypes.calls().T
    text = np.array(["0/0", "0/1", "1/1", "./."])
    lines = [
        "##fileformat=VCFv4.2",
        "##contig=<ID=1>",
        '##FORMAT=<ID=GT,Number=1,Type=String,Description="g">',
        "\t".join(
            [
                "#CHROM",
                "POS",
                "ID",
                "REF",
                "ALT",
                "QUAL",
                "FILTER",
                "INFO",
                "FORMAT",
                *genotypes.samples.id,
            ]
        ),
    ]
    for j, row in enumerate(calls):
        own = "\t".join(text[row])
        lines.append(f"1\t{100 * j + 1}\tv{j}\tG\tA\t.\t.\t.\tGT\t{own}")
    path = tmp_path / "made.vcf"
    path.write_text("\n".join(lines) + "\n")
    table = genotype_dataset(open_genotypes(path), samples=_classes(tmp_path, data)).X
    again = replace(data, X=table)
    for one, other in zip(
        run_in_memory(data, plan_of(method()))[4].headline,
        run_in_memory(again, plan_of(method()))[4].headline,
        strict=True,
    ):
        np.testing.assert_array_equal(one.features, other.features)
        np.testing.assert_array_equal(one.proba, other.proba)


def _classes(folder, data):
    path = folder / "classes.tsv"
    lines = [f"{name}\t{label}\n" for name, label in zip(data.sample_names, data.y, strict=True)]
    path.write_text("IID\tclass\n" + "".join(lines))
    return path


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ({"select": "pam"}, "'pam' looks at all columns at once.*select by one of 'moderated_t'"),
        ({"select": "svm_rfe", "sizes": [2]}, "'svm_rfe' looks at all columns"),
        ({"select": "all"}, "'all' looks at all columns"),
        ({**method(), "prepare": ["pca"]}, "no column can be created"),
        ({**method(), "prepare": ["quantile"]}, "'quantile' needs the full table"),
        ({**method(), "prepare": [VARIANCE, PRUNE]}, "'linkage_pruning' goes on packed.*first"),
        ({**method(), "prepare": [QC, VARIANCE, PRUNE]}, "'linkage_pruning' goes on packed"),
        ({**method(), "prepare": ["log2", QC]}, "'genotype_quality' goes on packed tables"),
        ({**method(), "prepare": [PROJECT, QC]}, "'genotype_quality' goes on packed tables"),
        ({**method(), "prepare": [{**QC, "block": "left"}]}, "'genotype_quality'.*no block"),
    ],
)
def test_what_packed_genotypes_cannot_have_is_refused_by_name(tmp_path, data, plan, message):
    with pytest.raises(PlanError, match=message):
        run_study(with_blocks(data), plan_of(plan), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def with_blocks(data):
    return replace(data, blocks={"left": np.arange(60), "right": np.arange(60, data.shape[1])})


def test_what_a_filter_keeps_is_counted_of_a_methods_blocks(tmp_path, data):
    methods = [method(blocks=["left"]), method(blocks=["left"], name="filtered", prepare=[QC])]
    (told,) = run_study(with_blocks(data), plan_of(*methods), tmp_path / "out").to_dict()[
        "filtered"
    ]
    kept = quality_control(
        data.X.genotypes.subset(variants=np.arange(60)),
        data.codes,
        missing=0.07,
        sample_missing=None,
    ).kept
    assert (told["n_features"], told["n_kept"]) == (60, kept.sum())
    assert told["kept"]["most"] < 60


def test_a_projection_of_indicators_has_no_other_values(data):
    with pytest.raises(PlanError, match="'indicators' is for genotypes"):
        RandomProjection(5, "indicators").fit(np.array([[0.5, 1.0], [2.0, np.nan]]))
    X = np.where(np.eye(3, 4) > 0, np.nan, [2.0, 1.0, 0.0, 0.0])
    assert RandomProjection(5, "indicators").fit_transform(X).shape == (3, 5)


@pytest.mark.parametrize("step", ["random_projection", "genotype_quality"])
def test_steps_for_genotypes_are_refused_to_other_tables(tmp_path, data, step):
    made = {"prepare": [step], "select": "all" if step == "random_projection" else "mtd"}
    other = replace(data, X=SomeColumns(data.X, np.arange(data.shape[1])))
    plan, design, _ = prepare_study(other, plan_of({**method(), "sizes": [], **made}))
    with pytest.raises(PlanError, match=f"no matrix '{step}' can have genotypes alone"):
        check_methods(plan, design)


@pytest.mark.parametrize("step", [GenotypeQuality(), LinkagePruning(), GenotypeComponents()])
def test_steps_for_genotypes_are_refused_to_matrices(tmp_path, data, step):
    name = {GenotypeQuality: "genotype_quality", LinkagePruning: "linkage_pruning"}.get(
        type(step), "genotype_components"
    )
    dense = replace(data, X=data.X.take(None, None))
    with pytest.raises(PlanError, match=f"'{name}' goes on packed tables alone"):
        run_study(dense, plan_of(method(prepare=[name])), tmp_path / "out")


def test_a_filter_that_leaves_nothing_is_told(tmp_path, data):
    none = {"name": "genotype_quality", "frequency": 0.5}
    with pytest.raises(PlanError, match="leaves no column"):
        run_study(data, plan_of(method(prepare=[none])), tmp_path / "out")


def test_planted_variants_are_found_and_their_twins_told(tmp_path, data):
    found = run_study(data, plan_of(method(sizes=[1, 2])), tmp_path / "out").to_dict()
    first = found["features"][0]
    assert first["name"] in ("v7", "v8")
    assert {near["name"] for near in first["group"]} & {"v7", "v8"}
    assert set(first["scores"]) == {"chi2", "trend", "mtd_discrete", "mutual_information_discrete"}
    assert found["metrics"]["auc"]["mean"] > 0.8
    assert json.loads((tmp_path / "out" / "results.json").read_text()) == found


def test_no_study_makes_the_whole_table_a_matrix(tmp_path, monkeypatch):
    from tamis.genome import GenotypeTable

    stem = Path(tmp_path / "wide")
    simulate_cohort(stem, 40, 40, 6000, seed=1)
    data = genotype_dataset(open_genotypes(stem))
    taken = []
    take = GenotypeTable.take

    def watched(self, rows, columns):
        taken.append(self.shape[1] if columns is None else len(columns))
        return take(self, rows, columns)

    monkeypatch.setattr(GenotypeTable, "take", watched)
    plan = plan_of(method(prepare=[QC]), method("chi2", name="chi"), method("welch_t"))
    run_study(data, plan, tmp_path / "out")
    assert max(taken) <= 4096  # for rows that are alike
    assert sum(k > 600 for k in taken) == 1


def test_what_steps_create_is_described_once(data, monkeypatch):
    """Projecting a full-size cohort takes minutes."""
    plan, design, _ = prepare_study(
        data,
        plan_of(
            method(prepare=[QC]),
            method("all", sizes=[], prepare=[PROJECT]),
            method("all", name="again", sizes=[], prepare=[QC, PROJECT]),
        ),
    )
    fitted = []
    whole = created.all_rows_fold
    monkeypatch.setattr(created, "all_rows_fold", lambda *a: fitted.append(a[2]) or whole(*a))
    shown = created.with_created(data, design, plan)
    assert [m.name for m in fitted] == [plan.method[1].name]
    rows = np.arange(data.shape[0])
    own = RandomProjection(20, "indicators").learn_table(data.X, rows, data.codes)
    np.testing.assert_array_equal(
        shown.take(None, [data.shape[1]]), own.transform_table(data.X)[:, :1]
    )


def test_an_estimate_does_not_go_by_every_call(data, monkeypatch):
    """That was hours for a full-size cohort."""
    monkeypatch.setattr(tasks, "SECONDS_PER_VALUE", 1e9)
    plan, design, _ = prepare_study(data, plan_of(method()))
    assert estimate_seconds(plan, design, 1)[2] < 1e9


def test_people_who_are_there_twice_are_told(tmp_path):
    """In different folds one of them is learnt from to predict the other."""
    codes = random_codes(1, 1200, 40, 0.0)
    codes[:, [1, 3, 5, 7]] = codes[:, [0, 2, 4, 6]]
    made = open_genotypes(write_bed(tmp_path / "made", codes))
    assert len(set(genotype_dataset(made).groups)) == 36  # as families they are of one fold
    data = genotype_dataset(made, relatives="ignore")
    few = replace(data, X=data.X.only(np.arange(400)), feature_names=data.feature_names[:400])
    for one, told in ((data, True), (few, False)):
        found = run_study(one, plan_of(method()), tmp_path / str(told)).to_dict()
        assert ("repeated-rows" in {w["code"] for w in found["warnings"]}) == told
