"""What a careful reader should know of a study because of its data alone: lines with codes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from .._core.errors import listed_parts
from .class_heading import class_heading
from .dataset import Dataset
from .event_names import SURVIVAL_MESSAGE

SMALL_CLASS_SIZE = 10  # samples of a class, or groups that hold it
MIN_CLASS_SIZE = 3  # that can be split twice, by outer and inner folds
SIGNIFICANCE_LEVEL = 0.05
N_DRAWS = 999

Cautions = Iterator[tuple[str, str]]


def doubt_cautions(data: Dataset) -> Cautions:
    """What the reader doubts."""
    for doubt in data.doubts:
        yield (
            "time-to-event" if doubt.startswith(SURVIVAL_MESSAGE) else "repeated-measures",
            f"{doubt}.",
        )


def class_cautions(data: Dataset) -> Cautions:
    """Classes of few samples, or in few groups."""
    counts = np.bincount(data.codes, minlength=len(data.classes)).tolist()
    if small := _few_listed(data, counts):
        then = "intervals are wide"
        if min(counts) < MIN_CLASS_SIZE:
            then = f"a study in folds refuses a class of fewer than {MIN_CLASS_SIZE}"
        yield "small-class", f"fewer than ten samples of {small}: {then}."
    if data.groups is not None:
        held = [len(np.unique(data.groups[data.codes == k])) for k in range(len(data.classes))]
        if few := _few_listed(data, held):
            yield "few-groups", f"fewer than ten groups with {few}: each group counts as one."


def _few_listed(data: Dataset, counts: list[int]) -> str:
    """The classes that have too few of something, with their numbers."""
    names = [class_heading(data.target, c) for c in data.classes]
    few = (f"{c} ({n})" for c, n in zip(names, counts, strict=True) if n < SMALL_CLASS_SIZE)
    return listed_parts(few)


def batch_cautions(
    data: Dataset, alone: Callable[[np.ndarray], float] | None = None, more: str = ""
) -> Cautions:
    """Whether the batch predicts the outcome.

    Parameters
    ----------
    data : Dataset
    alone : callable, optional
        What the codes of the batches (n,) predict of the class, as a balanced accuracy.
    more : str
        What is to be said besides where they go together.
    """
    if data.batches is None:
        return
    names, codes = np.unique(data.batches, return_inverse=True)
    if len(names) == 1:
        yield "batch-confounded", "all samples are of one batch: there is nothing to tell apart."
    elif outcome_by_batch(data, codes) > SIGNIFICANCE_LEVEL:
        return
    elif data.numbers is not None:
        yield (
            "batch-confounded",
            "values of the number differ between batches. What predicts it may be the batch, "
            "adjusting for it removes real differences too, and in new batches the procedure may "
            f"do worse.{more}",
        )
    else:
        rate = ""
        if alone is not None:
            rate = (
                ": the batch alone predicts the class of held-out samples with a balanced accuracy "
                f"of {alone(codes):.2f}"
            )
        yield (
            "batch-confounded",
            f"class and batch go together{rate}. What separates the classes "
            "may be the batch, adjusting for it removes class differences too, and in new "
            f"batches the procedure may do worse.{more}",
        )


def outcome_by_batch(data: Dataset, codes: np.ndarray) -> float:
    """p-value of independence of outcome and batch, outcomes exchanged 999 times: chi-square of
    classes, Kruskal and Wallis's statistic of numbers.

    `codes` (n,) are those of the batches. Groups are the units, each a mean of its rows.
    """
    from scipy.stats import rankdata

    units = np.arange(len(codes)) if data.groups is None else data.groups
    names, place = np.unique(units, return_inverse=True)
    held = np.bincount(place).astype(float)
    batches = np.zeros((len(names), int(codes.max()) + 1))
    np.add.at(batches, (place, codes), 1 / held[place])
    if data.numbers is None:
        outcome = np.zeros((len(names), int(data.codes.max()) + 1))
        np.add.at(outcome, (place, data.codes), 1 / held[place])
        expected = outcome.sum(axis=0)[:, None] * batches.sum(axis=0) / len(names)
        variance = expected
    else:
        outcome = rankdata(np.bincount(place, data.numbers) / held)[:, None]
        variance = batches.sum(axis=0)
        expected = outcome.mean(axis=0)[:, None] * variance

    def statistic(order: np.ndarray) -> float:
        return float((((outcome[order].T @ batches - expected) ** 2) / variance).sum())

    rng = np.random.default_rng(0)
    observed = statistic(np.arange(len(names))) * (1 - 1e-12)
    reached = sum(statistic(rng.permutation(len(names))) >= observed for _ in range(N_DRAWS))
    return (1 + reached) / (1 + N_DRAWS)


def paired_cautions(data: Dataset) -> Cautions:
    """Groups that hold several classes, other than families: relatives are few of all pairs."""
    if data.groups is None or data.intra_group_correlation is not None:
        return
    held = set(zip(data.groups.tolist(), data.codes.tolist(), strict=True))
    if len(held) > len(set(data.groups.tolist())):
        yield (
            "paired-auc",
            "groups hold several classes: the AUC counts pairs inside a group too, "
            "which are easier to order than those of unrelated samples.",
        )
