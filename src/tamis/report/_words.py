"""What the numbers of a report are called, and what they mean."""

from __future__ import annotations

from ..metrics import registry
from ..metrics.number_metrics import NUMBER_METRICS, NumberMetric

_ROWS: list[registry.Metric | NumberMetric] = [
    *registry.METRICS.values(),
    *NUMBER_METRICS.values(),
]
METRIC_WORDS = {one.name: (one.heading, one.meaning) for one in _ROWS}

STABILITY_WORDS: dict[str, tuple[str, str]] = {
    "nogueira": (
        "Stability",
        "Nogueira's measure of the agreement of all selections: 1 if every training set gave the "
        "same features, 0 if they agree no more than random draws of the same sizes. Training sets "
        "share samples, so that even in noise it is above 0: compare it with the permuted runs.",
    ),
    "asm": (
        "Adjusted stability (ASM)",
        "Lustgarten's measure averaged over pairs of selections. Random draws give 0; identical "
        "sets of k out of n features give 1 − k/n, which is close to 1 in a wide table.",
    ),
    "jaccard": (
        "Jaccard index",
        "Features that both of two selections chose, as a share of those that either chose.",
    ),
    "common": (
        "Chosen in at least half",
        "Features chosen in at least half of the training sets.",
    ),
    "mean_size": ("Mean number chosen", "Features chosen in a training set, on average."),
    "n_sets": ("Selections compared", "One a training set (outer fold)."),
}


def metric_name(short: str) -> str:
    """The readable name of a metric's short name."""
    return METRIC_WORDS.get(short, (short, ""))[0]


def inline_name(name: str) -> str:
    """A readable name inside a sentence.

    Examples
    --------
    >>> inline_name("Balanced accuracy"), inline_name("AUC")
    ('balanced accuracy', 'AUC')
    """
    proper = {one.heading for one in _ROWS if one.label[:1].isupper()}
    return name if name[1:2].isupper() or name in proper else name[:1].lower() + name[1:]


def metric_short(short: str) -> str:
    """A name narrow enough for a table's head."""
    return registry.metric_row(short).head or short.upper()
