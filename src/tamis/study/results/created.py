"""Features that steps create, as columns beside those of the table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...data.dataset import Dataset
from ...data.walks import ExtendedTable
from ...preparation.chain import created_by
from ..plan import Plan
from ..protocol.design import Design
from ..protocol.nested_cv import all_rows_fold


def with_created(data: Dataset, design: Design, plan: Plan) -> Dataset:
    """The table with the features that steps create of all rows, for describing them.

    Of methods that create features of one name the first describes them.
    """
    if not design.created:
        return data
    p = data.shape[1]
    values = np.full((data.shape[0], len(design.created)), np.nan)
    described: set[str] = set()
    for method in plan.method:
        names = {name for step in method.prepare for name in created_by(step.named)}
        if names <= described:
            continue
        described |= names
        view = all_rows_fold(design, plan, method).views[0].design
        made = np.flatnonzero(view.owner >= p)
        new = made[np.isnan(values[:, view.owner[made] - p]).all(axis=0)]
        values[:, view.owner[new] - p] = view.matrix[:, new]
    blocks = {name: design.features_of(name) for name in design.blocks}
    X = (
        np.hstack([data.X, values])
        if isinstance(data.X, np.ndarray)
        else ExtendedTable(data.X, values)
    )
    return replace(data, X=X, feature_names=tuple(design.names), blocks=blocks)
