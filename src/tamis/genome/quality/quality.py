"""Quality control of genotypes: which samples and variants can be looked at, why not the rest."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._core.errors import DataError, counted_noun, listed_names, value_text
from ..._core.settings import checked_share
from ..readers.classes import classes_of, labels_known
from ..readers.genotypes import Genotypes
from ..readers.variants import LEFT_OUT
from .quality_counts import (
    FEMALE,
    MT,
    People,
    X,
    Y,
    count_variants,
    founders_of,
    kinds_of,
    missing_by_sample,
)
from .quality_result import Limits, QualityControl, VariantQuality, shares_of_total
from .quality_words import share_text


def quality_control(
    genotypes: Genotypes,
    y: Any = None,
    *,
    missing: float | None = 0.1,
    hardy: float | None = 1e-6,
    frequency: float | None = 0.01,
    sample_missing: float | None = 0.1,
    differential: float | None = None,
    controls: Any = None,
    n_jobs: int = 1,
    quiet: bool = True,
) -> QualityControl:
    """Look at every sample and variant, and say which to keep.

    Samples come first, by all variants that have a call; variants then go by the samples kept, as
    in PLINK 1.9. Variants that cannot be used at all (a broken line or more than two alleles, a
    negative position, no call, one allele alone) are dropped and reported whatever the limits, and
    never fatal.

    Parameters
    ----------
    genotypes : Genotypes
        n samples, p variants.
    y : array-like of shape (n,), or None, default=None
        Classes; needed for the comparison of missing calls, and to know the controls. Samples with
        None, NaN or "" are left out, as a scan leaves them out.
    missing : float or None, default=0.1
        Variants with this share of missing calls or more are dropped; None: not for that.
    hardy : float or None, default=1e-6
        Those with a smaller p of the exact Hardy-Weinberg test among controls.
    frequency : float or None, default=0.01
        Those whose rarer allele is rarer among founders.
    sample_missing : float or None, default=0.1
        Samples with this share of missing calls or more.
    differential : float or None, default=None
        Variants with a smaller p of equally many missing calls in all classes. None, the default,
        tests and reports them, and drops none.
    controls : label or None, default=None
        Class among which Hardy-Weinberg equilibrium is looked for. None: of two classes the one
        that sorts first (code 0); else all samples.
    n_jobs : int, default=1
        Threads; what is found does not depend on them.
    quiet : bool, default=True
        No progress on stderr.

    Returns
    -------
    QualityControl

    Raises
    ------
    DataError
        `y` does not fit the samples or has one class; no sample, or none of a class, is kept.
    PlanError
        A limit is no number from 0 to 1.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from tamis.genome import open_genotypes, quality_control
    >>> from tamis.kernels.genotypes.words import pack_calls
    >>> rng = np.random.default_rng(0)
    >>> codes = np.array([0, 2, 3])[rng.binomial(2, 0.4, (50, 200))]
    >>> codes[7, :40] = 1  # missing
    >>> codes[8] = 2  # all have both alleles
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = Path(folder) / "made.bed"
    ...     _ = made.write_bytes(b"\\x6c\\x1b\\x01" + pack_calls(codes).tobytes())
    ...     bim = "".join(f"1 rs{j} 0 {j + 1} A C\\n" for j in range(50))
    ...     fam = "".join(f"f i{k} 0 0 0 {k % 2 + 1}\\n" for k in range(200))
    ...     _ = made.with_suffix(".bim").write_text(bim), made.with_suffix(".fam").write_text(fam)
    ...     found = quality_control(open_genotypes(made), np.arange(200) % 2)
    ...     found.apply().shape
    (200, 48)
    >>> found.frame().query("reason != ''")[["id", "missing_share", "reason"]]
        id  missing_share          reason
    7  rs7            0.2   missing calls
    8  rs8            0.0  Hardy-Weinberg
    """
    given = {
        "missing": missing,
        "hardy": hardy,
        "frequency": frequency,
        "sample_missing": sample_missing,
        "differential": differential,
    }
    limits = Limits(**{k: None if v is None else checked_share(v, k) for k, v in given.items()})
    if y is None:
        classes, label = np.empty(0, dtype=object), np.zeros(genotypes.shape[0], dtype=np.int64)
    else:
        labels, known = labels_known(y, genotypes.shape[0])
        if not known.all():
            genotypes = genotypes.subset(samples=known)
        classes, label = classes_of(labels[known], "y")
    control, whom = _control_mask(classes, label, controls)
    left_out, kinds = genotypes.variants.left_out, kinds_of(genotypes)
    unread = left_out > 0
    if unread.all():
        raise DataError(
            "no variant is left to look at: lines cannot be read, or positions are negative"
        )
    samples = genotypes.samples
    lost, looked = missing_by_sample(genotypes, kinds, unread, n_jobs, quiet)
    kept_samples = ~_at_least(shares_of_total(lost, looked), limits.sample_missing)
    _refuse_empty(kept_samples, label, classes, limits.sample_missing)
    people = People(label, founders_of(samples, kept_samples), control, samples.sex, kept_samples)
    counted = count_variants(genotypes, kinds, people, n_jobs, quiet)

    share = shares_of_total(counted.counts[:, 3], counted.counts.sum(axis=1))
    rarer = shares_of_total(counted.copies.min(axis=1), counted.copies.sum(axis=1), np.nan)
    uncalled = counted.counts[:, :3].sum(axis=1) == 0
    for p_value in (counted.hardy, counted.differential):
        p_value[unread | uncalled] = np.nan
    usable = ~unread & ~uncalled
    failed = np.stack(
        [
            np.zeros(len(unread), dtype=bool),
            *(left_out == k for k in range(1, len(LEFT_OUT))),
            uncalled & ~unread,
            usable & (counted.copies.min(axis=1) == 0),
            usable & _at_least(share, limits.missing),
            _below_limit(counted.hardy, limits.hardy),
            usable & _below_limit(rarer, limits.frequency),
            _below_limit(counted.differential, limits.differential),
        ],
        axis=1,
    )
    found = VariantQuality(
        counted.counts, share, rarer, counted.hardy, counted.differential, failed
    )
    whom = _tested_words(whom, people, kinds)
    return QualityControl(
        genotypes,
        limits,
        np.asarray(found.reason == 0),
        kept_samples,
        found,
        np.stack([lost, looked], axis=1),
        tuple(map(str, classes)),
        whom,
    )


def _control_mask(classes: np.ndarray, label: np.ndarray, controls: Any) -> tuple[np.ndarray, str]:
    """Who is a control (n,) bool, and that in words."""
    everyone = np.ones(len(label), dtype=bool)
    if controls is None:
        if len(classes) != 2:
            return everyone, "all samples"
        return label == 0, f"class {str(classes[0])!r}"
    place = [k for k, name in enumerate(classes) if name == controls]
    if not place:
        there = (
            f"the classes are {listed_names(classes)}" if len(classes) else "there are no classes"
        )
        raise DataError(f"controls={value_text(controls)} is no class: {there}")
    return label == place[0], f"class {str(classes[place[0]])!r}"


def _refuse_empty(
    kept: np.ndarray, label: np.ndarray, classes: np.ndarray, limit: float | None
) -> None:
    """One line where nobody is left, or nobody of a class."""
    there = np.bincount(label[kept], minlength=max(len(classes), 1))
    if there.all():
        return
    whom = "sample"
    if kept.any():
        whom += f" of class {str(classes[there.argmin()])!r}"
    raise DataError(
        f"no {whom} is left: all have no call at {share_text(limit)} of the variants or more; "
        "leave out such variants first, or raise sample_missing"
    )


def _tested_words(whom: str, people: People, kinds: np.ndarray) -> str:
    """Among whom Hardy-Weinberg equilibrium was looked for, with numbers."""
    tested = people.founder & people.control & people.kept
    words = [f"{counted_noun(int(tested.sum()), 'founder')} of {whom}"]
    if (kinds == X).any():
        women = int((tested & (people.sex == FEMALE)).sum())
        words.append(f"on X the {women:,} females of them" if women else "not on X (no females)")
    if (kinds == Y).any() or (kinds == MT).any():
        words.append("not on Y and MT")
    return ", ".join(words)


def _at_least(share: np.ndarray, limit: float | None) -> np.ndarray:
    """A limit of 0 is any."""
    if limit is None:
        return np.zeros(len(share), dtype=bool)
    return (share >= limit) & (share > 0)


def _below_limit(value: np.ndarray, limit: float | None) -> np.ndarray:
    return np.zeros(len(value), dtype=bool) if limit is None else value < limit
