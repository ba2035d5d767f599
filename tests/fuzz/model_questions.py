"""What is asked of model files that may be wrong: an answer is probabilities, or one line."""

from __future__ import annotations

import tempfile
from contextlib import nullcontext, suppress
from pathlib import Path

import numpy as np

from fuzz.model_files import MODELS, fixed_table
from tamis._core.errors import DataError
from tamis._core.registry import rows_of
from tamis._core.rows import StepRow
from tamis._core.tsv import tsv_text
from tamis.model.cohort import value_misfits
from tamis.model.evaluate import evaluate
from tamis.model.file import load_model, save_model

NOT_FOR_IT = {  # steps that refuse the table: it holds neither counts nor intensities
    f"step {row.name}" for row in rows_of(StepRow) if row.enter in ("counts", "intensities")
}


def warm() -> None:
    """Valid models of each kind, so that kernels are compiled."""
    with tempfile.TemporaryDirectory() as folder:
        for name, made in MODELS.items():
            path = Path(folder, "model.npz")
            save_model(made(), path)
            with suppress(DataError) if name in NOT_FOR_IT else nullcontext():
                ask(path)


def ask(path: Path) -> None:
    """Load, predict, evaluate; what is accepted is saved again, and the same.

    Raises
    ------
    ModelError
        The file is wrong, or not for this table.
    """
    model, data = load_model(path), fixed_table()
    value_misfits(model, data)
    decided = model.decide(data)
    n, C = data.shape[0], len(model.classes)
    proba = decided.beliefs.proba
    assert proba.shape == (n, C)
    assert np.isfinite(proba).all()
    assert (proba >= 0).all()
    if model.known == "proba":
        assert np.allclose(proba.sum(axis=1), 1)
    assert decided.certainty is None or not np.isnan(decided.certainty).any()
    labels = model.labels(decided)
    assert set(labels) <= {*model.classes, None}
    tsv_text(["sample", *model.classes], [[i, *map(float, row)] for i, row in enumerate(proba)])
    for arrays in (model.predictor.to_arrays(), model.decision.to_arrays()):
        assert all(np.isfinite(a).all() for a in arrays.values())
    if set(data.classes) == set(model.classes):
        evaluate(model, data)
    again = path.with_name("again.npz")
    save_model(model, again)
    assert np.array_equal(load_model(again).decide(data).beliefs.proba, proba)
