"""What a plan says errors cost, for the classes and samples of a table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from ..._core.errors import DataError, PlanError, nearest_hint
from ...data.dataset import Dataset
from ...data.number_column import number_column
from ...metrics import METRICS, CostMatrix, Metric, loss_metric
from ...metrics.cost_matrix import CLASS_SIZES, check_costs, cost_cells
from ...metrics.sample_costs import Cells, cost_columns, sample_costs

Origin = Literal["plan", "class_sizes"]


@dataclass(frozen=True)
class Costs:
    """Costs of a study; an array of two axes for all samples, or of three for each its own.

    Attributes
    ----------
    matrix : ndarray of shape (C, C)
        Rows predicted, columns true; the mean over the samples where each has its own.
    samples : ndarray of shape (n, C, C), or None
        Those of every row of the table.
    cells : tuple of tuple
        A number, or the column of the table that it stands in.
    origin : {"plan", "class_sizes"}
    """

    matrix: np.ndarray
    samples: np.ndarray | None
    cells: Cells
    origin: Origin = "plan"

    @property
    def columns(self) -> list[str]:
        """Columns of the table that costs stand in."""
        return cost_columns(self.cells)

    def learnt_of(self, rows: np.ndarray) -> np.ndarray:
        """What a classifier is given that is fitted to some rows (C, C): of samples with costs of
        their own the mean over those."""
        return self.matrix if self.samples is None else self.samples[rows].mean(axis=0)

    def of(self, rows: np.ndarray) -> np.ndarray | None:
        """Costs of some rows of the table (m, C, C); None where all have the same."""
        return None if self.samples is None else self.samples[rows]

    def paid(self, rows: np.ndarray, y: np.ndarray) -> np.ndarray | None:
        """What each prediction of some rows costs, their codes being y: (m, C); None where all
        have the same."""
        if self.samples is None:
            return None
        return np.take_along_axis(self.samples[rows], y[:, None, None], axis=2)[:, :, 0]

    def taken(self, rows: np.ndarray) -> Costs:
        """The costs of a table of some of the rows, which may have copies."""
        return self if self.samples is None else replace(self, samples=self.samples[rows])

    @cached_property
    def metrics(self) -> dict[str, Metric]:
        """Every metric, the loss under these costs."""
        return {**METRICS, "loss": loss_metric(self.matrix, self.samples is not None)}


def metrics_of(costs: Costs | None) -> Mapping[str, Metric]:
    """Every metric of a study with these costs, or none."""
    return METRICS if costs is None else costs.metrics


def costs_of(said: Any, data: Dataset) -> tuple[Costs | None, Dataset]:
    """A plan's costs for a table, and the table without the columns that hold them.

    Raises
    ------
    PlanError
        A class or column is unknown, a cost is missing, negative beside being right, or no number.
    """
    if said is None:
        return None, data
    if said == CLASS_SIZES:
        codes = data.codes
        sizes = {name: int((codes == k).sum()) for k, name in enumerate(data.classes)}
        matrix = CostMatrix.of_class_sizes(sizes).values
        cells = tuple(tuple(row) for row in matrix.tolist())
        return Costs(matrix, None, cells, "class_sizes"), data
    places, C = cost_cells(said, data.classes), len(data.classes)
    cells = tuple(tuple(places[i, j] for j in range(C)) for i in range(C))
    columns = cost_columns(cells)
    if not columns:
        return Costs(CostMatrix(cells, data.classes).values, None, cells), data
    samples = sample_costs(
        cells, {name: _cost_column(name, data) for name in columns}, data.shape[0]
    )
    check_costs(samples, data.classes, data.sample_names)
    mean = CostMatrix(samples.mean(axis=0), data.classes)
    return Costs(mean.values, samples, cells), without_columns(data, columns)


def _cost_column(name: str, data: Dataset) -> np.ndarray:
    """The values of a column that holds costs."""
    if name not in data.feature_names:
        number = re.fullmatch(r"[-+]?[\d.]+(e[-+]?\d+)?", name)
        what = "write a number without quotes" if number else nearest_hint(name, data.feature_names)
        raise PlanError(f"costs name column {name!r}, which {data.name!r} does not have: {what}")
    try:
        return number_column(data, name)
    except DataError as error:
        raise PlanError(f"costs: {error}") from error


def without_columns(data: Dataset, names: list[str]) -> Dataset:
    """The table without some of its columns, which are no features then."""
    if not names:
        return data
    gone = sorted(data.feature_names.index(name) for name in names)
    kept = np.delete(np.arange(data.shape[1]), gone)
    place = {int(j): k for k, j in enumerate(kept)}
    if not isinstance(data.X, np.ndarray):
        raise PlanError(
            f"costs name columns, and {data.name!r} is no matrix: give numbers by class instead"
        )
    return replace(
        data,
        X=np.ascontiguousarray(data.X[:, kept]),
        feature_names=tuple(data.feature_names[j] for j in kept),
        levels={place[j]: v for j, v in data.levels.items()},
        covariates=tuple(place[j] for j in data.covariates),
        blocks={
            block: np.array([place[int(j)] for j in own if int(j) in place], dtype=np.int64)
            for block, own in data.blocks.items()
        },
    )
