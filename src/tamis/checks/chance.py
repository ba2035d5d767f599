"""Where there is nothing to find, nothing is found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._core.response import ResponseKind
from . import roles
from .in_memory import pooled_rates
from .on_tables import BASE_PLANS
from .procedure import Procedure
from .tables import noise_table, suited_table
from .verdict import Check, Fault, Inapplicable

N_STUDIES = 10
MAX_STANDARD_ERRORS = 3.0  # standard errors
MEASURES = {"class": "balanced accuracy", "number": "concordance within folds"}


def at_chance(values: Sequence[float] | np.ndarray, chance: float = 0.5) -> bool:
    """Whether a mean lies within three standard errors of chance."""
    values = np.asarray(values)
    error = values.std(ddof=1) / np.sqrt(len(values))
    return bool(abs(values.mean() - chance) <= MAX_STANDARD_ERRORS * error)


def check_chance(method: Procedure) -> None:
    """Studies of noise, and as many again if their mean is not at chance, which happens to a sound
    method once in 65 times (Student's t with 9 degrees of freedom beyond 3)."""
    for first in (0, N_STUDIES):
        values = _rates_on_noise(method, range(first, first + N_STUDIES))
        values = values[np.isfinite(values)]
        if len(values) < N_STUDIES / 2:
            raise Inapplicable("in noise it declines all samples, which is right")
        if at_chance(values):
            return
    measure = MEASURES[getattr(method, "outcome", "class")]
    raise Fault(
        f"in {len(values)} studies of noise its mean {measure} is {values.mean():.3f} and "
        "should be 0.500: look for what it knows of the held-out rows"
    )


def _rates_on_noise(method: Procedure, seeds: range) -> np.ndarray:
    kind: ResponseKind = getattr(method, "outcome", "class")
    plans = roles.plans_of(method.row, method.settings, None, kind)
    plan = {**BASE_PLANS[kind], "outer": {"folds": 4}, "method": plans[:1]}
    rates = [  # folds of one seed would hold the same ranks of each class in every table
        pooled_rates(suited_table(noise_table(seed), method.row, kind), {**plan, "seed": seed})
        for seed in seeds
    ]
    return np.array([rate["headline"] for rate in rates])


CHECK = Check(
    "chance",
    "In noise its balanced accuracy is that of chance.",
    check_chance,
    after=(
        "memory",
        "global-random",
        "leak",
        "one-at-a-time",
        "refit",
        "sizes",
        "same-bytes",
        "missing-made",
        "left-alone",
        "gaps",
        "categories",
        "unseen-levels",
    ),
)
