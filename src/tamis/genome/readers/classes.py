"""Which class, stratum and fold the samples of a scan are in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np

from ..._core.errors import DataError, counted_noun, listed_names
from ...data.raw import Text
from ...data.spellings import (
    alike_names,
    note_on_unified,
    refuse_spellings,
    spelled_names,
    unified,
)
from .genotypes import Genotypes, requested_indices
from .samples import UNKNOWN_PHENOTYPES, Samples

MOST_CLASSES = 20  # or a fifth of the samples, if that is more


class ClassSize(TypedDict):
    """A class, and how many samples it has."""

    name: str
    size: int


@dataclass(frozen=True)
class Groups:
    """Of the samples taken.

    Attributes
    ----------
    classes : ndarray of shape (C,)
        Sorted; the latter of two is the positive one.
    codes : ndarray of shape (n,) of int64
        -1 of samples without a class.
    strata : ndarray of shape (n,) of int64
        0 for all, where there are none.
    stratum_names : list of str
    """

    classes: np.ndarray
    codes: np.ndarray
    strata: np.ndarray
    stratum_names: list[str]

    @property
    def sizes(self) -> np.ndarray:
        """Samples (H, C)."""
        H, C = len(self.stratum_names), len(self.classes)
        known = self.codes >= 0
        return np.bincount(self.strata[known] * C + self.codes[known], minlength=H * C).reshape(
            H, C
        )


def groups_of(genotypes: Genotypes, y: Any, samples: Any = None, strata: Any = None) -> Groups:
    """Classes and strata of the samples taken.

    Parameters
    ----------
    genotypes : Genotypes
    y : array-like of shape (n,), or None
        Labels; None, NaN and "" are samples without a class. None: the phenotype of the .fam, of
        which 0, -9 and NA are unknown.
    samples : mask of shape (n,), or indices, or None
        Those that are looked at; the others are as if they had no class.
    strata : array-like of shape (n,), or None

    Raises
    ------
    DataError
        There are fewer than two classes, or as many labels as no one has samples.
    """
    n = genotypes.shape[0]
    given, who = own_labels(genotypes.samples) if y is None else (y, "y")
    labels, known = labels_known(given, n)
    if samples is not None:
        chosen = np.zeros(n, dtype=bool)
        chosen[requested_indices(samples, genotypes.samples.id, "sample")] = True
        known &= chosen
    if not known.any():
        raise DataError(f"{who} says no class of any sample: give y, or a phenotype")
    classes, own = classes_of(labels[known], who)
    codes = np.full(n, -1, dtype=np.int64)
    codes[known] = own
    if strata is None:
        return Groups(classes, codes, np.zeros(n, dtype=np.int64), ["all"])
    given = np.asarray(strata, dtype=object)
    if given.shape != (n,) or are_missing(given).any():
        raise DataError(f"strata: one is needed for each of {counted_noun(n, 'sample')}")
    stratum_names, place = np.unique(given.astype(str), return_inverse=True)
    refuse_alike(stratum_names, "strata", "stratum")
    if len(stratum_names) == 1:
        raise DataError(f"strata: all samples are of {str(stratum_names[0])!r} and none other")
    found = Groups(classes, codes, place.astype(np.int64), stratum_names.tolist())
    if not ((found.sizes > 0).sum(axis=1) > 1).any():
        raise DataError("none of the strata holds two classes, so that nothing can be compared")
    return found


def labels_known(y: Any, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels (n,), and which of them are classes: None, NaN and "" are none."""
    labels = np.asarray(y, dtype=object)
    if labels.shape != (n,):
        raise DataError(f"y has {labels.shape} labels, where there are {counted_noun(n, 'sample')}")
    known = ~are_missing(labels)
    known[known] = labels[known] != ""
    return labels, known


def are_missing(values: np.ndarray) -> np.ndarray:
    """Which objects (n,) are None, or missing by what pandas says; texts are not passed to it."""
    texts = np.array([type(value) is str for value in values], dtype=bool)
    missing = np.array([value is None for value in values], dtype=bool)
    if not (texts | missing).all():
        import pandas as pd

        missing = pd.isna(values)
    return missing


def own_labels(samples: Samples) -> tuple[np.ndarray, str]:
    """Phenotypes of the files (n,), None where they are unknown, and what they are called."""
    labels = samples.phenotype.copy()
    zeros = bool((labels == "0").any())
    labels[np.isin(labels.astype(str), UNKNOWN_PHENOTYPES)] = None
    return labels, "the phenotype of the files" + (" (0 is unknown)" if zeros else "")


def refuse_alike(names: Iterable[Any], who: str, what: str) -> None:
    """One line where names differ in spelling alone; there is no argument that says what is
    meant."""
    groups = alike_names(sorted({str(name) for name in names}))
    if groups:
        more = f", and {len(groups) - 1:,} more such" if len(groups) > 1 else ""
        raise DataError(
            f"{who} has spellings of one {what}: {spelled_names(groups[0])}{more}; write them "
            "alike, or give them other names if they differ"
        )


def spelled_labels(
    labels: np.ndarray, column: str, what: str, unify: Iterable[str], allow: Iterable[str]
) -> tuple[np.ndarray, list[str]]:
    """A column (n,) of a role with one spelling for each value, None where there is none, and the
    messages: as of a table (`tamis.data.spellings`).

    Raises
    ------
    Fault
        Values are spellings of one, and nobody says what that means.
    """
    found = Text.of_labels(labels)
    if column in unify:
        found, changed = unified(found)
        notes = [note_on_unified(column, changed)] * bool(changed)
        return np.array(found.labels, dtype=object), notes
    if column not in allow:
        refuse_spellings(found, column, what)
    return labels, []


def classes_of(
    labels: np.ndarray, who: str, spelled: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """The classes (C,), sorted, and codes (n,) of labels of which none is missing. `spelled`: that
    some are spellings of others is settled.

    Raises
    ------
    DataError
        There is one class, or so many that the labels are measurements; or they are spellings of
        one.
    """
    names = labels.tolist()
    different = sorted(set(names), key=str)
    if not spelled:
        refuse_alike(different, who, "class")
    if len(different) > max(MOST_CLASSES, len(names) // 5):
        raise DataError(
            f"{who} has {len(different):,} different values among {len(names):,} samples "
            f"({listed_names(different)}): it is no class; give classes, such as 1 and 2, "
            "or take it as a number (`tamis genome linear`, `tamis genome mixed --regression`)"
        )
    if len(different) < 2:
        raise DataError(
            f"{who} has one class only, {listed_names(different)}: two classes are needed"
        )
    classes, codes = np.unique(np.asarray(names), return_inverse=True)
    return classes, codes.astype(np.int64)
