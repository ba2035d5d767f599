"""What the procedure costs beside the best constant prediction, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...data.class_heading import class_heading
from ...metrics.estimates import interval
from .schema import Costs, Found


def cost_digits(costs: Costs) -> int:
    """Decimals of mean costs: three digits of what the best constant prediction costs."""
    size = abs(costs["constant"]["loss"])
    return 2 if size == 0 else min(max(2 - math.floor(math.log10(size)), 0), 9)


def digits_of(c: Found, metric: str) -> int:
    """Decimals of a metric among the first numbers: 2, of costs as `cost_digits`."""
    costs = c.get("costs")
    return 2 if metric != "loss" or costs is None else cost_digits(costs)


def constant_words(c: Found, costs: Costs) -> str:
    """The best constant prediction."""
    name = costs["constant"]["predicted"]
    return f"calling every sample {class_heading(c['data']['target'], name)}"


def mean_cost(c: Found) -> str:
    """The mean cost of a prediction, and of the best constant one; nothing without costs."""
    costs = c.get("costs")
    if costs is None:
        return ""
    digits = cost_digits(costs)
    return (
        f"mean cost {interval(c['metrics']['loss'], digits)}; {constant_words(c, costs)} costs "
        f"{costs['constant']['loss']:.{digits}f}"
    )


def saving_cautions(c: Found) -> Iterator[tuple[str, str]]:
    """Where the procedure is not shown to cost less than the best constant prediction."""
    costs, found = c.get("costs"), c["metrics"]["loss"]
    if costs is None or found["mean"] is None:
        return
    digits, least = cost_digits(costs), costs["constant"]["loss"]
    constant = f"{constant_words(c, costs)} ({least:.{digits}f})"
    given = "" if c["headline"]["coverage"]["mean"] == 1 else " of those it gave a class"
    if found["mean"] >= least:
        yield (
            "no-saving", f"the procedure costs {found['mean']:.{digits}f} a sample{given}, no less "
            f"than {constant}: under these costs nothing is gained by it."
        )  # fmt: skip
    elif found["low"] is not None and found["high"] is not None and found["high"] >= least:
        yield (
            "no-saving", f"the interval of the mean cost ({found['low']:.{digits}f} to "
            f"{found['high']:.{digits}f}){given} reaches that of {constant}: these data do "
            "not show that the procedure saves anything."
        )  # fmt: skip
