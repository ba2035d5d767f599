"""What the numbers of a report are called, and what they mean."""

from __future__ import annotations

METRICS: dict[str, tuple[str, str]] = {
    "bcr": ("Balanced classification rate", "share predicted right, averaged over the classes"),
    "accuracy": ("Accuracy", "share of all samples predicted right"),
    "f": ("F measure", "harmonic mean of precision and recall"),
    "auc": ("AUC", "chance that a sample of a class is ranked above one of another"),
    "auprc": ("AUPRC", "average precision, averaged over the classes"),
    "mcc": ("Matthews correlation", "correlation of predicted and true class, −1 to 1"),
    "bcm": ("Belief confusion", "mean probability given to the true class, by class"),
    "ccem": ("Correct class enrichment", "confidence when right, less confidence when wrong"),
    "loss": ("Expected loss", "mean cost of a prediction; lower is better"),
}

STABILITY: dict[str, tuple[str, str]] = {
    "nogueira": (
        "Nogueira's measure",
        "Agreement of all the selections: 1 if every training part gave the same features, 0 if "
        "they agree no more than random draws of the same sizes. Training parts share samples, so "
        "that even in noise it is above 0: compare it with the permuted runs.",
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
        "Features chosen in at least half of the training parts.",
    ),
    "mean_size": ("Mean number chosen", "Features chosen in a training part, on average."),
    "n_sets": ("Selections compared", "One a training part (outer fold)."),
}


def metric_name(short: str) -> str:
    """The readable name of a metric's short name."""
    return METRICS.get(short, (short, ""))[0]


def inline_name(name: str) -> str:
    """A readable name inside a sentence.

    Examples
    --------
    >>> inline_name("Balanced classification rate"), inline_name("AUC")
    ('balanced classification rate', 'AUC')
    """
    return (
        name if name[1:2].isupper() or name.startswith("Matthews") else name[:1].lower() + name[1:]
    )


def metric_short(short: str) -> str:
    """A name narrow enough for a table's head."""
    return {"accuracy": "Accuracy", "loss": "Loss", "f": "F"}.get(short, short.upper())
