"""The models of a study's own outer folds, for prediction intervals by CV+."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np

from ..._core.errors import counted_noun
from ..._core.progress import Progress
from ..._core.terminal import say_to_user
from ...data.dataset import Dataset
from ...model.file import stored_bytes
from ...model.model import Model
from ...model.prediction_intervals import PredictionIntervals
from ..plan import Plan
from ..protocol.design import Design
from ..store import Store
from .collect import Choice
from .final import refit_winner


def with_intervals(
    fitted: Model,
    design: Design,
    data: Dataset,
    plan: Plan,
    headline: Sequence[Choice],
    store: Store,
    quiet: bool,
) -> Model:
    """The final model with prediction intervals; what these cost is said."""
    begun = perf_counter()
    own = prediction_intervals(design, data, plan, headline, quiet)
    found = replace(fitted, cv_plus=own)
    seconds = perf_counter() - begun
    size = (stored_bytes(found) - stored_bytes(fitted)) / 1e6
    store.log(event="intervals", models=len(own.models), seconds=round(seconds, 3))
    say_to_user(
        f"prediction intervals: {counted_noun(len(own.models), 'model')} fitted in {seconds:.1f} "
        f"s, {size:.2f} MB of the model file",
        quiet,
    )
    return found


def prediction_intervals(
    design: Design, data: Dataset, plan: Plan, headline: Sequence[Choice], quiet: bool = True
) -> PredictionIntervals:
    """What each outer fold of the first repeat chose, fitted to its training rows, with the
    residuals of the rows that it held out.

    What is chosen (method, features, settings) is chosen in the training rows alone, so the models
    treat all samples alike, as the guarantee of CV+ supposes. Settings chosen on all samples would
    have seen those held out.
    """
    choices = [one for one in headline if one.repeat == 0]
    methods = {method.name: method for method in plan.method}
    numbers = data.numbers
    assert numbers is not None
    n = len(numbers)
    fold, residuals = np.full(n, -1), np.empty(n)
    models = []
    with Progress(len(choices), "prediction intervals", quiet) as progress:
        for k, choice in enumerate(choices):
            rest = np.setdiff1d(np.arange(n), choice.test)
            models.append(refit_winner(design, data, plan, methods[choice.method], choice, rest))
            fold[choice.test] = k
            assert choice.value is not None
            residuals[choice.test] = np.abs(numbers[choice.test] - choice.value)
            progress.advance()
    labels = design.labels
    return PredictionIntervals(
        tuple(models), fold, residuals, labels.group_codes, labels.groups is not None
    )
