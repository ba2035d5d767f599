"""Models of more columns than may be a matrix: fitted, saved, applied and judged in parts."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from tamis._core.errors import ModelError
from tamis.data import walks
from tamis.genome import (
    GenotypeTable,
    genotype_dataset,
    genotypes_for_model,
    open_genotypes,
    simulate_cohort,
)
from tamis.model import cohort, training
from tamis.model.evaluate import evaluate
from tamis.model.file import load_model, save_model
from tamis.model.training import Training, leading_columns, row_digests
from tamis.preparation.chain import Chain
from tamis.preparation.on_table import carried_over
from tamis.study import run_study

N, P, LEADING = 90, 400, 25  # samples, variants, and how many of these training is looked at in
MOST = N * LEADING + 500  # values of a matrix, far from all


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """A model of sums over all variants, made and used while no more than that is a matrix."""
    folder = tmp_path_factory.mktemp("wide")
    simulate_cohort(folder / "made", 40, 50, P, missing=0.02)
    genotypes = open_genotypes(folder / "made")
    method = {
        "select": "all",
        "classify": ["knn"],
        "prepare": [
            {"name": "genotype_quality", "frequency": 0.02},
            {"name": "random_projection", "n_components": 5},
        ],
    }
    plan = {
        "permutations": 0,
        "outer": {"folds": 2},
        "inner": {"folds": 2, "repeats": 1},
        "method": [method],
    }
    take = GenotypeTable.take

    def little(self, rows, columns):
        found = take(self, rows, columns)
        assert found.size <= MOST, "genotypes were made a matrix"
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GenotypeTable, "take", little)
        patch.setattr(walks, "MAX_BLOCK_COLUMNS", LEADING)
        for module in (training, cohort):
            patch.setattr(module, "MAX_VALUES", N * LEADING)
        run_study(genotype_dataset(genotypes), plan, folder / "s", n_jobs=1)
        yield load_model(folder / "s" / "model.npz"), genotypes


def places_of(model, genotypes):
    place = {name: j for j, name in enumerate(genotypes.variants.id.to_pylist())}
    return [place[name] for name in model.inputs]


def test_it_keeps_its_training_rows_in_the_leading_columns(wide):
    model, genotypes = wide
    assert len(model.inputs) > 10 * LEADING
    assert model.training.low.shape == (LEADING,)
    assert model.training.spreads.shape == (2, LEADING)
    X = genotype_dataset(genotypes).take(None, places_of(model, genotypes)[:LEADING])
    np.testing.assert_array_equal(model.training.rows, np.sort(row_digests(X)))


def test_its_predictions_are_those_of_the_matrix(wide):
    model, genotypes = wide
    data = genotypes_for_model(model, genotypes)
    calls = genotypes.calls(places_of(model, genotypes))
    dense = np.where(calls < 0, np.nan, calls)
    np.testing.assert_array_equal(model.matrix(data), model.steps.transform(dense))


def test_columns_in_another_order_are_found_by_name(wide):
    """No steps go on such a table, so its rows are made numbers a few at a time."""
    from tamis.preparation import on_table

    model, genotypes = wide
    data = genotypes_for_model(model, genotypes)
    order = np.arange(data.shape[1])[::-1]
    column_ids = replace(
        model.column_ids,
        texts={k: tuple(v[::-1]) for k, v in model.column_ids.texts.items()},
        numbers={k: v[::-1] for k, v in model.column_ids.numbers.items()},
    )
    turned = genotypes_for_model(
        replace(model, inputs=tuple(model.inputs[j] for j in order), column_ids=column_ids),
        genotypes,
    )
    assert turned.feature_names == data.feature_names[::-1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(on_table, "ROWS_OF", MOST)
        np.testing.assert_array_equal(model.matrix(turned), model.matrix(data))


def test_remarks_are_of_what_was_looked_at(wide):
    model, genotypes = wide
    found = evaluate(model, genotypes_for_model(model, genotypes, "phenotype"))
    told = {w["code"]: w["text"] for w in found["warnings"]}
    assert (
        f"in the first {LEADING} of {len(model.inputs)} columns the model uses" in told["imputed"]
    )
    assert told["training-rows"].startswith(f"{N} of {N} rows are rows")


def test_rows_are_compared_a_few_at_a_time(wide):
    model, genotypes = wide
    data = genotypes_for_model(model, genotypes)
    whole = cohort._row_digests(model, data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cohort, "MAX_VALUES", 7 * LEADING)
        for one, other in zip(cohort._row_digests(model, data), whole, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("k", [LEADING - 1, LEADING + 1])
def test_what_is_kept_of_training_rows_has_the_columns_it_must(wide, tmp_path, k):
    model = wide[0]
    fewer = Training(
        model.training.rows, np.zeros(k), np.zeros(k), np.zeros((2, k)), np.full(k, 0.5)
    )
    save_model(replace(model, training=fewer), tmp_path / "m")
    with pytest.raises(ModelError, match="do not fit together"):
        load_model(tmp_path / "m")


def test_its_file_is_small_and_has_no_array_for_a_name(wide, tmp_path):
    """A hundred times the names make no more members."""
    model = wide[0]
    save_model(model, tmp_path / "m")
    with np.load(tmp_path / "m", allow_pickle=False) as file:
        assert len(file.files) < 40
        assert json.loads(file["model.json"])["inputs"] == list(model.inputs)
    assert (tmp_path / "m").stat().st_size < 60_000


def test_a_chain_on_a_matrix_or_a_table_gives_the_same(wide):
    model, genotypes = wide
    data = genotypes_for_model(model, genotypes)
    X = np.hstack([data.take(None, [j]) for j in range(data.shape[1])])
    np.testing.assert_array_equal(carried_over(model.steps, data.X), model.steps.transform(X))
    np.testing.assert_array_equal(carried_over(Chain(()), X), X)


def test_leading_columns_are_at_least_one():
    assert leading_columns(1 << 30, 5) == 1
    assert leading_columns(10, 5) == 5
