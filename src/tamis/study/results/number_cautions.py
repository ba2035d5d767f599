"""What a careful reader should know of a study whose outcome is a number."""

from __future__ import annotations

from ...data.cautions import SIGNIFICANCE_LEVEL, Cautions, batch_cautions
from ...data.dataset import Dataset
from ...metrics.registry import metric_row
from ..plan import Plan
from ..protocol.error_costs import Costs
from .cautions import (
    BELOW_CHANCE_REASONS,
    final_cautions,
    instability_text,
    method_cautions,
    run_cautions,
    selection_cautions,
)
from .collect import Collected
from .data_faults import data_faults
from .first_screen import batches_count, kept_all_or_none
from .schema import MethodEntry, StudyFindings, Warned

MIN_SLOPE, MAX_SLOPE = 0.5, 2.0  # of observed on predicted values, outside of which it is told
NOT_SHOWN = "these data do not show that the number can be predicted"


def study_cautions(
    plan: Plan,
    data: Dataset,
    collected: Collected,
    content: StudyFindings,
    costs: Costs | None = None,
) -> list[Warned]:
    """The `warnings` entry of docs/json.md, the gravest first."""
    found = [
        *data_faults(data, collected),
        *_chance_cautions(plan, content),
        *selection_cautions(content),
        *final_cautions(collected, content),
        *tail_cautions(content),
        *slope_cautions(content),
        *run_cautions(content),
        *batch_cautions(data),
        *method_cautions(plan, data, collected, content),
    ]
    return [{"code": code, "text": text} for code, text in found]


def method_codes(entry: MethodEntry, data: Dataset, by_batch: bool) -> list[str]:
    """Codes of the cautions that hold for a single method."""
    codes, low = [], entry["metrics"]["q2"]["low"]
    if low is not None and low <= 0:
        codes.append("reaches-chance")
    without = sum(kept_all_or_none((size, entry["n_possible"]) for size in entry["sizes"]))
    if 2 * without < len(entry["sizes"]) and instability_text(entry["repeatability"]):
        codes.append("unstable")
    return codes


def _chance_cautions(plan: Plan, content: StudyFindings) -> Cautions:
    """Whether predictions are shown to be better than the training mean, or than permuted runs."""
    metric, found = metric_row(plan.metric), content["metrics"]
    permutation, low, high = content["permutation"], found["q2"]["low"], found["q2"]["high"]
    p, n = permutation["p_value"], permutation["n"]
    by_batch = batches_count(content["data"], permutation)
    beyond = " beyond what the batch explains" if by_batch else ""
    if high is not None and low is not None and high < 0 and (p is None or p > SIGNIFICANCE_LEVEL):
        order = found["concordance"]["high"]
        if order is not None and order < 0.5:
            yield (
                "below-chance",
                f"the interval of the concordance lies below 0.5 (up to {order:.2f}): "
                f"{BELOW_CHANCE_REASONS}.",
            )
            return
    reaches = ""
    if low is not None and high is not None and low <= 0:
        reaches = f"the interval of Q2 ({low:.2f} to {high:.2f}) reaches 0, the training mean's"
    elif low is None and (found["q2"]["mean"] or 0) <= 0:
        reaches = "Q2 is no better than 0, the training mean's"
    if p is not None and p > SIGNIFICANCE_LEVEL:
        as_good = round(p * (n + 1)) - 1
        why = f"{as_good} of {n} permuted runs did as well in {metric.brief} (p = {p:.2g})"
        why = "; ".join(filter(None, (why, reaches)))
        yield "not-above-chance", f"{NOT_SHOWN}{beyond}: {why}."
    elif reaches and p is None:
        yield "not-above-chance", f"{NOT_SHOWN}{beyond}: {reaches}."
    elif reaches:
        yield (
            "wide-interval",
            f"{reaches}, while p = {p:.2g} in the permutation test: how well the number can be "
            "predicted remains uncertain.",
        )


def tail_cautions(content: StudyFindings) -> Cautions:
    """Errors of long tails."""
    note = content["metrics"]["rmse"].get("note", "")
    if "long tails" in note:
        yield (
            "long-tails",
            "errors have long tails: Q2 and RMSE rest on a few samples and have no interval; quote "
            "the median absolute error or the concordance, or predict the logarithm "
            "(--log-target).",
        )


def slope_cautions(content: StudyFindings) -> Cautions:
    """Predictions that are far too extreme, or too moderate."""
    fit, low = content["headline"].get("fit"), content["metrics"]["q2"]["low"]
    slope = None if fit is None else fit["slope"]
    if slope is None or low is None or low <= 0 or MIN_SLOPE <= slope <= MAX_SLOPE:
        return
    how = "too extreme" if slope < 1 else "too moderate"
    yield (
        "miscalibrated",
        f"predictions are {how}: observed values change by {slope:.2f} where predictions change by "
        "1 (calibration slope).",
    )
