"""What is said of the estimates beside the headline: the bootstrap's, and the learning curve."""

from __future__ import annotations

from ...metrics.registry import metric_row
from .cost_saving import digits_of
from .schema import StudyContent

VERDICT_SENTENCES = {
    "better": "more samples may well help further",
    "worse": "more samples did not help",
    "no evidence": "no evidence that more samples would help",
}


def bootstrap_words(c: StudyContent) -> str:
    """The estimates, and what they are made of; nothing where the plan does not ask for them."""
    given = c.get("bootstrap")
    if given is None:
        return ""
    one = given["metrics"]["bcr"]
    estimates = ", ".join(
        f"{metric_row(name).brief} {_two_decimals(found['estimate'])}"
        for name, found in given["metrics"].items()
    )
    return (
        f".632+ estimate for training on all {c['data']['n_samples']:,} samples: {estimates}; no "
        f"interval. {metric_row('bcr').brief} was {_two_decimals(one['left_out'])} on samples left "
        f"out by {given['n_samples']} bootstrap samples, {_two_decimals(one['apparent'])} on the "
        "training samples themselves"
    )


def _two_decimals(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.2f}"


def learning_curve_words(c: StudyContent) -> str:
    """What the last samples added; nothing where the plan does not ask."""
    given = c.get("learning_curve")
    if given is None:
        return ""
    below, full = given["points"][-2:]
    last, digits = given["last"], digits_of(c, given["metric"])
    text = (
        f"from {below['share']:.0%} to 100 % of the training samples ({below['n_train']:.0f} to "
        f"{full['n_train']:.0f}) {metric_row(given['metric']).brief} "
    ).replace("%", " %", 1)
    if last["mean"] is None:
        return f"{text}has no difference: it is undefined in the outer folds"
    text += f"changed by {last['mean']:+.{digits}f}"
    if last["verdict"] is None or last["low"] is None or last["high"] is None:
        return f"{text}; no interval: it takes several outer folds of several samples that differ"
    ends = f"{last['low']:+.{digits}f} to {last['high']:+.{digits}f}"
    return f"{text} ({ends}): {VERDICT_SENTENCES[last['verdict']]}"
