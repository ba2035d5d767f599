"""A cohort to study: genotypes, classes, and what else is known of its samples, as a `Dataset`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .._core.errors import DataError, listing, plural, value_text
from ..data.checks import LARGEST, MOST_LEVELS
from ..data.dataset import Dataset
from ..data.walks import Beside
from .classes import classes_of, own_labels
from .genotypes import Genotypes
from .held import held
from .open import open_genotypes
from .phenotypes import columns_of, read_phenotypes
from .samples import Samples
from .table import GenotypeTable
from .variants import Variants

READING = ("target", "samples", "positive", "covariates", "group", "split", "batch")
FAMILY, SEX, PHENOTYPE = "FID", "sex", "phenotype"  # what genotypes tell of samples themselves
SEXES = {1: "male", 2: "female"}
NO_FAMILY = "0"
LOOK = 64  # variants looked at together until one differs


def genotype_dataset(
    genotypes: Genotypes,
    target: str | None = None,
    *,
    samples: str | Path | None = None,
    positive: str | None = None,
    covariates: Sequence[str] = (),
    group: str | None = None,
    split: str | None = None,
    batch: str | None = None,
    name: str | None = None,
) -> Dataset:
    """Packed genotypes as the data set of a study: variants are its features.

    Parameters
    ----------
    genotypes : Genotypes
    target : str or None
        Column of `samples` with the classes. None: its only one, or without `samples` the phenotype
        of the .fam. Samples without a class are left out.
    samples : path or None
        PLINK's phenotype file, or any table with a column IID.
    positive : str or None
        The positive class; None: the last in order.
    covariates : sequence of str
        Columns of `samples` that are in every model, never ranked; numbers, or categories. "sex" is
        that of the .fam where `samples` has no such column.
    group, split, batch : str or None
        As of `tamis.data.read_table`; "FID" is the family of the files where `samples` has no such
        column.
    name : str or None

    Returns
    -------
    Dataset
        Its X is a `GenotypeTable`, with covariates beside it.

    Raises
    ------
    DataError
        A column is not there or cannot be what it is to be, there are fewer than two classes, or no
        variant differs.

    Examples
    --------
    >>> import tempfile
    >>> from tamis.genome import open_genotypes, simulate_cohort
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate_cohort(f"{folder}/made", n_cases=20, n_controls=30, n_variants=100)
    ...     genotype_dataset(open_genotypes(f"{folder}/made.bed"))
    Dataset('made': 50 x 100; 1 30, 2 20)
    """
    path = None if samples is None else Path(samples)
    sheet = _Sheet(genotypes.samples, path)
    labels = sheet.classes(target)
    there = np.array([label is not None for label in labels])
    roles = {"groups": group, "split": split, "batches": batch}
    if sheet.target in (*roles.values(), *covariates):
        raise DataError(
            f"column {sheet.target!r} is the classes, and can be neither covariate nor group, "
            "split or batch"
        )
    columns = {role: sheet.column(c) for role, c in roles.items() if c is not None}
    for role, values in columns.items():
        lost = there & np.array([value is None for value in values])
        if lost.any():
            ids = genotypes.samples.id[lost]
            raise DataError(
                f"column {roles[role]!r} says nothing of {plural(len(ids), 'sample')} with a "
                f"class: {listing(ids)}"
            )
    notes = list(sheet.notes)
    if not there.any():
        raise DataError(f"{sheet.what} says no class of any sample: give a table of samples")
    classes_of(labels[there], sheet.what)
    if not there.all():
        none = plural(int((~there).sum()), "sample")
        notes.append(f"{sheet.what}: {none} without a class, left out")
        genotypes = genotypes.subset(samples=there)
    covariates = tuple(dict.fromkeys(covariates))
    values, levels = _covariates(sheet, covariates, there)
    broken = genotypes.variants.broken
    unwanted = ~broken & (genotypes.variants.position < 0)
    if broken.any():
        notes.append(
            f"left out, as their calls cannot be read: {plural(int(broken.sum()), 'variant')}"
        )
    if unwanted.any():
        notes.append(f"left out, of a negative position: {plural(int(unwanted.sum()), 'variant')}")
    if (broken | unwanted).any():
        genotypes = genotypes.subset(variants=~(broken | unwanted))
    table = GenotypeTable(held(genotypes))
    _refuse_alike(table)
    p = table.shape[1]
    found = Dataset(
        Beside(table, values) if len(covariates) else table,
        labels[there].astype(str),
        (*variant_names(table.variants), *covariates),
        sample_names(genotypes.samples),
        levels={p + k: names for k, names in levels.items()},
        covariates=tuple(range(p, p + len(covariates))),
        target=sheet.target,
        name=name or genotypes.sources[0].path.name.split(".")[0],
        notes=tuple(notes),
        **{role: values[there].astype(str) for role, values in columns.items()},
    )
    return found if positive is None else found.with_positive(positive)


def _refuse_alike(table: GenotypeTable) -> None:
    """One line where no variant differs; the first that does ends the search."""
    for _, block in table.walk(LOOK):
        if (np.fmin.reduce(block, axis=0) < np.fmax.reduce(block, axis=0)).any():
            return
    raise DataError(
        f"none of {plural(table.shape[1], 'variant')} differs between samples that have a class: "
        "there is nothing to learn from"
    )


def read_cohort(path: Path, quiet: bool = True, **reading: Any) -> Dataset:
    """A file of genotypes, with those arguments of `tamis.data.read_table` that it can have.

    Raises
    ------
    DataError
        An argument says something of text tables.
    """
    foreign = [k for k, v in reading.items() if v and k not in (*READING, "incomplete")]
    if foreign:
        raise DataError(
            f"{path.name!r} holds genotypes, of which {foreign[0]!r} says nothing: leave it out"
        )
    known = {name: value for name, value in reading.items() if name in READING}
    return genotype_dataset(open_genotypes(path, quiet=quiet), **known)


class _Sheet:
    """What is known of samples: a table of them, if there is one, and the files themselves."""

    def __init__(self, samples: Samples, path: Path | None):
        self.samples, self.path = samples, path
        self.target, self.what = PHENOTYPE, ""
        self.notes: list[str] = []

    def classes(self, target: str | None) -> np.ndarray:
        """Labels (n,), None where there is none."""
        if self.path is None:
            if target not in (None, PHENOTYPE):
                raise DataError(
                    f"{target!r} is a column of a table of samples: give that too, or "
                    f"{PHENOTYPE!r} for that of the files"
                )
            labels, self.what = own_labels(self.samples)
            return labels
        found = read_phenotypes(self.path, self.samples, target)
        self.target, self.what = found.column, f"{self.path.name}, {found.column}"
        if found.unknown:
            rows = plural(found.unknown, "row")
            self.notes.append(f"{self.path.name}: {rows} of people who have no genotypes")
        if found.zeros:
            self.notes.append(f"{self.what}: 0 is taken as unknown, of {found.zeros:,} samples")
        return found.labels

    def column(self, name: str) -> np.ndarray:
        """Another column (n,) of text, None where there is nothing."""
        own = {FAMILY: self.samples.family, SEX: self._sexes()}
        if self.path is not None and not (name in own and name not in columns_of(self.path)):
            found = read_phenotypes(self.path, self.samples, name, coded=False).labels
        elif name in own:
            found = own[name]
        else:
            raise DataError(f"{name!r} is a column of a table of samples: give that too")
        return self._families(found) if name == FAMILY else found

    def _families(self, found: np.ndarray) -> np.ndarray:
        """Who is of no family, which PLINK writes as 0, stands alone."""
        alone = found == NO_FAMILY
        if not alone.any():
            return found
        none = plural(int(alone.sum()), "sample")
        self.notes.append(f"FID 0 is no family: {none} stand alone, as if unrelated to all others")
        return np.where(alone, "0 " + self.samples.id.astype(str), found)

    def _sexes(self) -> np.ndarray:
        return np.array([SEXES.get(int(sex)) for sex in self.samples.sex], dtype=object)


def _covariates(
    sheet: _Sheet, names: Sequence[str], there: np.ndarray
) -> tuple[np.ndarray, dict[int, tuple[str, ...]]]:
    """Columns of numbers or codes (n, q), and the levels of the latter."""
    values, levels = np.full((int(there.sum()), len(names)), np.nan), {}
    for k, name in enumerate(names):
        texts = sheet.column(name)[there]
        known = [text for text in texts if text is not None]
        if not known:
            raise DataError(f"covariate {name!r} has no value of any sample with a class")
        try:
            values[:, k] = [np.nan if text is None else float(text) for text in texts]
        except ValueError:  # categories then
            pass
        else:
            wrong = np.flatnonzero(np.abs(values[:, k]) > LARGEST)
            if len(wrong):
                raise DataError(
                    f"covariate {name!r} of {sheet.samples.id[there][wrong[0]]!r} is "
                    f"{value_text(texts[wrong[0]])}: give a number that can be squared, or none"
                )
            continue
        levels[k] = tuple(sorted(set(known)))
        if len(levels[k]) > min(MOST_LEVELS, len(known) // 2):
            raise DataError(
                f"covariate {name!r} has {len(levels[k]):,} different texts among "
                f"{plural(len(known), 'sample')} ({listing(levels[k], 2)}): it is neither a number "
                "nor a category"
            )
        place = {level: float(code) for code, level in enumerate(levels[k])}
        values[:, k] = [place.get(text, np.nan) for text in texts]
    return values, levels


def sample_names(samples: Samples) -> tuple[str, ...]:
    """Ids, with the family before those that are not unique."""
    ids = [str(name) for name in samples.id]
    if len(set(ids)) == len(ids):
        return tuple(ids)
    return tuple(f"{family}:{name}" for family, name in zip(samples.family, ids, strict=True))


def variant_names(variants: Variants) -> tuple[str, ...]:
    """Ids where they are unique; else chromosome, position and alleles, numbered if need be.

    Examples
    --------
    >>> import pyarrow as pa
    >>> texts = [pa.array(["1"] * 3), pa.array(["rs1", ".", "."]), pa.array(list("ACC")),
    ...          pa.array(list("GTT"))]
    >>> variant_names(Variants(*texts, np.array([5, 9, 9]), np.zeros(3, dtype=bool)))
    ('rs1', '1:9:C:T', '1:9:C:T#2')
    """
    ids: list[Any] = variants.id.to_pylist()
    seen: set[str] = set()
    twice = {name for name in ids if name in seen or seen.add(name)}  # type: ignore[func-returns-value]
    taken = seen - twice - {"", "."}
    if len(taken) == len(ids):
        return tuple(ids)
    for j, name in enumerate(ids):
        if name in taken and name not in twice:
            continue
        place = f"{variants.chromosome[j]}:{variants.position[j]}"
        own = place = f"{place}:{variants.allele1[j]}:{variants.allele2[j]}"
        k = 1
        while own in taken:
            k += 1
            own = f"{place}#{k}"
        taken.add(own)
        ids[j] = own
    return tuple(ids)
