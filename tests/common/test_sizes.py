"""What a size gives depends on no other size, and on no other method of the plan."""

from __future__ import annotations

import numpy as np
import pytest

from common.folds import KINDS, PLAN, fold, made_up_table, same_beliefs
from common.made_up import ROWS, SETS
from common.null_methods import QUICK_PARAMETERS
from common.studies import make_data, run_in_memory
from tamis._core.registry import row_names, selecting_row, with_rows
from tamis._core.rows import PathRow, RankerRow, SelectingRow
from tamis.study.plan import MethodPlan
from tamis.study.protocol.candidates import ranker_key
from tamis.study.protocol.cellfile import decode_cell
from tamis.study.protocol.methods import method_of
from tamis.study.protocol.nested_cv import Task, fold_of, run_nested_fold
from tamis.study.run import prepare_study

RANKERS = [n for n in row_names(SelectingRow) if selecting_row(n).sized]
OWN = ["hhsvm", "rfs", "mcfs", "welch_t"]  # a filter has one if it is cut off
FEW = {"mtd": {"n_permutations": 20}, "mutual_information": {"n_permutations": 20}}
kinds = pytest.mark.parametrize("kind", KINDS)


def plan_of(select, sizes, **more):
    parameters = {**QUICK_PARAMETERS, **FEW}.get(select, {})
    if select == "welch_t" and "own" in sizes:
        parameters = {"max_fdr": 0.3}
    values = {"select": select, "sizes": sizes, "parameters": parameters}
    if isinstance(selecting_row(select), RankerRow):
        values["classify"] = "naive_bayes"
    return MethodPlan.model_validate({**values, **more})


def of_size(one, plan, size, beside=()):
    """Outcomes on every part of a size (its place among the candidates), given other plans."""
    engine = method_of(plan)
    candidates, outcomes = engine.outcomes(one, engine.shared(one, [plan, *beside]))
    if size == "own":
        at = [i for i, c in enumerate(candidates) if c.own]
    elif isinstance(engine.row, PathRow):
        at = [i for i, c in enumerate(candidates) if c.parameters["features"] == size]
    else:
        at = [i for i, c in enumerate(candidates) if not c.own and c.size == size]
    return [[part[i] for i in at] for part in outcomes]


def same(a, b, name):
    for one, two in zip(a, b, strict=True):
        assert len(one) == len(two) == 1
        assert one[0].features.tolist() == two[0].features.tolist(), name
        same_beliefs(one[0].beliefs, two[0].beliefs, 1e-12, name)


@kinds
@pytest.mark.parametrize("select", OWN)
def test_a_size_of_its_own_is_as_independent(kind, select):
    one = fold(kind)
    alone = of_size(one, plan_of(select, ["own"]), "own")
    plan = plan_of(select, ["own"])
    for sizes in ([2, "own"], [1, 2, 3, 5, "own"]):
        found = of_size(one, plan_of(select, sizes), "own")
        for part, twin in zip(alone, found, strict=True):
            if part and twin:  # where it is 0 it is not offered beside numbers
                same([part], [twin], select)
            assert twin or len(part[0].features) == 0
    beside = [plan_of(select, [1, 4], name="more", parameters=dict(plan.parameters))]
    for part, twin in zip(alone, of_size(one, plan, "own", beside), strict=True):
        same([part], [twin], select)


@pytest.mark.parametrize("select", ["moderated_t", "mtd"])
def test_the_one_factor_of_lda_gives_each_size_its_own(select):
    one = fold("mixed")
    alone = of_size(one, plan_of(select, [2], classify="lda"), 2)
    found = of_size(one, plan_of(select, [1, 2, 3, 5], classify="lda"), 2)
    for part, twin in zip(alone, found, strict=True):
        same_beliefs(part[0].beliefs, twin[0].beliefs, 1e-8, select)


@kinds
@pytest.mark.parametrize("select", [row.name for row in ROWS])
@pytest.mark.parametrize("first", [2, 3])
def test_sets_that_are_not_nested_stay_what_they_are(kind, select, first):
    """On the mixed table columns 2 to 4 are one category, and with codes column 2 is."""
    with with_rows(ROWS):
        one = fold(kind)
        codes = select.endswith("codes") and one.design.raw is not None
        owner = one.design.features if codes else one.design.owner
        for sizes in ([2], [1, 2], [1, 2, 3, 5], [2, "own"]):
            plan = plan_of(select, sizes, parameters={"first": first})
            for size in (k for k in sizes if k in SETS):
                expected = list(dict.fromkeys(owner[SETS[size]].tolist()))
                found = of_size(one, plan, size)
                for part in found:
                    assert part[0].features.tolist() == expected, (sizes, size)
                alone = plan_of(select, [size], parameters={"first": first})
                same(found, of_size(one, alone, size), select)
            if "own" in sizes:
                for part in of_size(one, plan, "own"):
                    assert part[0].features.tolist() == owner[SETS[2]].tolist()


def test_sizes_of_a_set_that_are_not_nested_run_a_whole_study():
    with with_rows(ROWS):
        method = {"select": "unnested", "sizes": [1, 2, 3], "parameters": {"first": 2}}
        *_, found = run_in_memory(made_up_table("plain"), {**PLAN, "method": [method]})
    for choice in found.methods["unnested"]:
        assert choice.features.tolist() == SETS[choice.size]


@kinds
def test_other_methods_change_nothing(kind):
    """Cells of few methods against those of many, which share rankings at other sizes."""
    few = [
        {"name": "few", "select": "moderated_t", "sizes": [2, 3], "classify": ["lda", "tree"]},
        {"name": "path", "select": "pam", "parameters": {"n_thresholds": 4}},
        {"name": "draws", "select": "mcfs", "parameters": QUICK_PARAMETERS["mcfs"], "sizes": [2]},
    ]
    more = [
        {**few[2], "name": "draws of its own", "sizes": ["own"]},
        {"select": "wilcoxon", "sizes": [1]},
        {
            "name": "wider",
            "select": "moderated_t",
            "sizes": [1, 4, 8],
            "classify": "forest",
            "grid": {"n_estimators": [3]},
            "recalibrate": "platt",
        },
        {**few[1], "name": "path at sizes", "sizes": [2]},
        *few[::-1],
    ]
    cells = []
    for methods in (few, more):
        plan, design, _ = prepare_study(made_up_table(kind), {**PLAN, "method": methods})
        keys = tuple(dict.fromkeys(map(ranker_key, plan.method)))
        found = run_nested_fold(design, plan, Task(0, 0, 1, keys))
        cells.append({m.name: (decode_cell(found[ranker_key(m)]), m.name) for m in plan.method})
    for name in ("few", "path", "draws"):
        (ours, _), (theirs, _) = (found[name] for found in cells)
        rows, others = ours.rows_of(name), theirs.rows_of(name)
        assert len(rows) == len(others) > 0
        for i, j in zip(rows, others, strict=True):
            for column in ("candidate", "classify", "settings", "size", "step", "label"):
                assert ours.columns[column][i] == theirs.columns[column][j], (name, column)
            assert ours.features(i).tolist() == theirs.features(j).tolist()
            same_beliefs(ours.beliefs(i), theirs.beliefs(j), 1e-12, name)
            same_beliefs(ours.inner(i), theirs.inner(j), 1e-12, name)


@pytest.mark.parametrize("recalibrate", ["none", "slope", "platt", "temperature"])
def test_a_part_that_leaves_no_feature_has_class_shares_beside_margins(recalibrate):
    """A cut-off that some inner parts of noise pass and others do not, with a margin classifier."""
    mixed = False
    for seed in range(4):
        data = make_data(seed=seed, n=36, p=12, informative=0)
        method = {
            "select": "welch_t",
            "parameters": {"max_p": 0.03},
            "sizes": [2],
            "classify": "svm_linear",
            "recalibrate": recalibrate,
        }
        plan, tasks, design, _, found = run_in_memory(data, {**PLAN, "method": [method]})
        for task, choice in zip(tasks, found.headline, strict=True):
            assert np.isfinite(choice.proba).all()
            assert np.isfinite(choice.inner)
            _, outcomes = method_of(plan.method[0]).outcomes(
                (one := fold_of(design, plan, task)),
                method_of(plan.method[0]).shared(one, plan.method),
            )
            mixed |= len({part[0].beliefs.margin is None for part in outcomes[1:]}) == 2
    assert mixed
