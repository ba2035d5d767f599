"""The unit of work: one outer training part, all rankers that are still missing there."""

from __future__ import annotations

import io
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._core.errors import PlanError
from ..selection._parts import TrainingParts
from . import candidates, stability_selection, tuning
from .design import Design
from .plan import MethodPlan, Plan
from .protocol import splits_for
from .splits import Labels, check_members, permuted, test_sets, training_rows

FINAL = "final"  # the fold whose training part is every row


@dataclass(frozen=True)
class Task:
    """One outer fold of one repeat of one (possibly permuted) run.

    Attributes
    ----------
    permutation : int
        0 is the study itself; k > 0 the k-th run with permuted labels.
    repeat : int or "companion"
    fold : int or "final"
    rankers : tuple of str
        Keys of the rankings to compute.
    draw : int
        Which draw of permuted labels the run has; see `possible_draw`.
    """

    permutation: int
    repeat: int | str
    fold: int | str
    rankers: tuple[str, ...]
    draw: int = 0

    def path(self, ranker: str) -> str:
        """Where the cell of a ranker lives in the store."""
        return f"cells/{self.permutation}/{self.repeat}/{self.fold}/{ranker}.parquet"


def labels_of(design: Design, plan: Plan, permutation: int, draw: int = 0) -> Labels:
    """Labels of a run: the true ones for permutation 0, else a draw of permuted ones."""
    labels = design.labels
    if permutation == 0:
        return labels
    within = plan.outer.kind == "predefined"
    y = permuted(labels, plan.seed, "permute", permutation, draw, within=within)
    return Labels(y, labels.classes, labels.groups, labels.split)


def possible_draw(design: Design, plan: Plan, permutation: int) -> tuple[int, int]:
    """The first draw of permuted labels for which every split is possible, and its folds."""
    for draw in range(100):
        try:
            return draw, len(splits_of(design, plan, permutation, 0, draw))
        except PlanError:
            continue
    raise PlanError(
        "no permutation of the labels gives every training part every class: "
        "set permutations = 0 or use fewer folds"
    )


def outer_tests(
    design: Design, plan: Plan, permutation: int, repeat: int | str, draw: int = 0
) -> list[np.ndarray]:
    """Rows that each outer fold of a run holds out."""
    outer, _ = splits_for(plan, design.labels, permutation, repeat)
    labels = labels_of(design, plan, permutation, draw)
    return test_sets(labels, outer, "outer", plan.seed, permutation, repeat)


def splits_of(
    design: Design, plan: Plan, permutation: int, repeat: int | str, draw: int = 0
) -> list[tuple[np.ndarray, list[np.ndarray]]]:
    """(test rows, inner test rows) of every outer fold of a run; errors before anything runs."""
    folds = outer_tests(design, plan, permutation, repeat, draw)
    check_members(labels_of(design, plan, permutation, draw), folds, plan.members)
    return [
        (test, inner_tests(design, plan, test, (permutation, repeat, fold), draw))
        for fold, test in enumerate(folds)
    ]


def inner_tests(
    design: Design,
    plan: Plan,
    test: np.ndarray,
    key: tuple[int, int | str, int | str],
    draw: int = 0,
) -> list[np.ndarray]:
    """Rows that each inner fold of an outer training part holds out."""
    permutation, repeat, _ = key
    labels = labels_of(design, plan, permutation, draw)
    _, how = splits_for(plan, design.labels, permutation, repeat)
    train = training_rows(len(labels.y), test)
    inner = labels.take(train)
    folds = [
        held
        for again in range(how.repeats)
        for held in test_sets(inner, how, "inner", plan.seed, *key, again)
    ]
    check_members(inner, folds, plan.members)
    return [train[held] for held in folds]


def fold_of(design: Design, plan: Plan, task: Task) -> candidates.Fold:
    """The outer training part of a task, its inner parts, and what each predicts."""
    labels = labels_of(design, plan, task.permutation, task.draw)
    key = (task.permutation, task.repeat, task.fold)
    test = np.zeros(0, dtype=np.int64)
    if task.fold != FINAL:
        test = outer_tests(design, plan, task.permutation, task.repeat, task.draw)[int(task.fold)]
    train = training_rows(len(labels.y), test)
    tests = inner_tests(design, plan, test, key, task.draw)
    rows = [train, *(np.setdiff1d(train, held, assume_unique=True) for held in tests)]
    parts = TrainingParts(design.X, labels.y, rows, design.incomplete, design.order)
    n_classes = len(labels.classes)
    return candidates.Fold(design, labels.y, parts, [test, *tests], plan.seed, key, n_classes)


def compute(design: Design, plan: Plan, task: Task) -> dict[str, bytes]:
    """The cells of a task, as Parquet files in memory.

    One thread throughout: the sums of a multi-threaded BLAS depend on the number of
    threads, and the cells themselves run in parallel.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        fold = fold_of(design, plan, task)
        groups: dict[str, list[MethodPlan]] = {}
        for method in plan.method:
            groups.setdefault(candidates.ranker_key(method), []).append(method)
        return {key: _cell(fold, plan, groups[key], task.fold == FINAL) for key in task.rankers}


def _cell(fold: candidates.Fold, plan: Plan, methods: Sequence[MethodPlan], final: bool) -> bytes:
    """One cell: every candidate of every method on one ranking."""
    from . import registry

    shared = methods[0]
    if len(methods) > 1:  # rank once for the sizes of all of them
        sizes = sorted({k for m in methods for k in m.sizes})
        shared = shared.model_copy(update={"sizes": sizes})
    embedded = registry.row(shared.select, role="select").embedded
    rankings = None if embedded else candidates.rank(fold, shared)
    truth = [fold.y[test] for test in fold.tests[1:]]
    rows, instead = [], set()
    for method in methods:
        offered, outcomes = candidates.route(fold, method, rankings)
        inner = outcomes[1:]
        scores, decided = tuning.defined_scores(plan.metric, truth, inner, fold.n_classes)
        tune = scores
        criterion = method.tune or plan.tune or plan.metric
        if criterion != plan.metric:
            tune, own = tuning.defined_scores(criterion, truth, inner, fold.n_classes)
            decided = decided and own
        if not decided:
            instead.add(method.name)
        for index, (candidate, outcome) in enumerate(zip(offered, outcomes[0], strict=True)):
            rows.append(
                {
                    "method": method.name,
                    "candidate": index,
                    "classify": candidate.classify,
                    "settings": candidate.settings,
                    "size": candidate.size,
                    "tune": float(tune[index]),
                    "inner": float(scores[index]),
                    "features": outcome.features,
                    "predicted": outcome.predicted,
                    "proba": outcome.proba.ravel(),
                }
            )
    if not final:
        return encode(rows, fold.tests[0], instead)
    whole = None if rankings is None else rankings[0]
    return encode(rows, (), instead, stability_selection.kept(whole, fold.design.owner))


def encode(
    rows: list[dict[str, Any]],
    test: Sequence[int] | np.ndarray,
    instead: Collection[str] = (),
    stability: dict[str, Any] | None = None,
) -> bytes:
    """A cell as the bytes of a Parquet file; the same rows give the same bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    metadata = {"test": json.dumps([int(row) for row in test])}
    if instead:
        metadata["instead"] = json.dumps(sorted(instead))
    if stability is not None:
        metadata["stability"] = json.dumps(stability)
    schema = pa.schema(
        [
            ("method", pa.string()),
            ("candidate", pa.int32()),
            ("classify", pa.string()),
            ("settings", pa.string()),
            ("size", pa.int32()),
            ("tune", pa.float64()),
            ("inner", pa.float64()),
            ("features", pa.list_(pa.int32())),
            ("predicted", pa.list_(pa.int16())),
            ("proba", pa.list_(pa.float64())),
        ],
        metadata=metadata,
    )
    columns = [
        pa.array([row[f.name] for row in rows], type=f.type)
        if not pa.types.is_list(f.type)
        else _lists([row[f.name] for row in rows], f.type.value_type)
        for f in schema
    ]
    sink = io.BytesIO()
    pq.write_table(pa.table(columns, schema=schema), sink, compression="zstd", use_dictionary=False)
    return sink.getvalue()


def _lists(arrays: list[np.ndarray], kind: Any) -> Any:
    import pyarrow as pa

    offsets = np.concatenate([[0], np.cumsum([len(a) for a in arrays])]).astype(np.int32)
    values = pa.array(np.concatenate(arrays) if arrays else [], type=kind)
    return pa.ListArray.from_arrays(pa.array(offsets), values)


@dataclass(frozen=True)
class Cell:
    """A cell read back: its candidates in columns.

    Attributes
    ----------
    columns : dict of lists and arrays
        As written by `encode`.
    test : ndarray
        Test rows of the fold.
    stability : dict or None
        Of the ranking of all rows, where it is one by selection probability
        (`stability_selection.kept`).
    instead : tuple of str
        Methods whose criterion no candidate had, so that the balanced rate decided.
    """

    columns: dict[str, Any]
    test: np.ndarray
    stability: dict[str, Any] | None = None
    instead: tuple[str, ...] = ()

    def rows_of(self, method: str) -> np.ndarray:
        """Positions of a method's candidates, in their order of preference."""
        return np.flatnonzero(self.columns["method"] == method)

    def features(self, row: int) -> np.ndarray:
        """Features the candidate chose on the outer training part, best first."""
        return self._slice("features", row)

    def predicted(self, row: int) -> np.ndarray:
        """Predicted codes of the test rows."""
        return self._slice("predicted", row).astype(np.int64)

    def proba(self, row: int) -> np.ndarray:
        """Class probabilities of the test rows, (m, C)."""
        return self._slice("proba", row).reshape(len(self.test), -1)

    def _slice(self, name: str, row: int) -> np.ndarray:
        values, offsets = self.columns[name]
        return values[offsets[row] : offsets[row + 1]]


def decode(content: bytes) -> Cell:
    """Read the bytes of a cell."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(io.BytesIO(content), use_threads=False)
    columns: dict[str, Any] = {}
    for name in table.column_names:
        column = table.column(name).combine_chunks()
        if isinstance(column, pa.ChunkedArray):
            column = column.chunk(0)
        if pa.types.is_list(column.type):
            columns[name] = (column.values.to_numpy(), column.offsets.to_numpy())
        elif pa.types.is_string(column.type):
            columns[name] = np.array(column.to_pylist(), dtype=object)
        else:
            columns[name] = column.to_numpy()
    metadata = table.schema.metadata
    test = np.array(json.loads(metadata[b"test"]), dtype=np.int64)
    return Cell(
        columns, test, json.loads(metadata.get(b"stability", b"null")),
        tuple(json.loads(metadata.get(b"instead", b"[]"))),
    )  # fmt: skip
