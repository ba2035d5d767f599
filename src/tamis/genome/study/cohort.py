"""A cohort to study: genotypes, classes, and what else is known of its samples, as a `Dataset`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..._core.errors import DataError, counted_noun, listed_names
from ...data.checks import (
    MOST_LEVELS,
    notes_on_labels,
    refuse_double_roles,
    refuse_infinite,
    refuse_unknown_spelled,
    summarize_columns,
)
from ...data.counted import all_row_counts
from ...data.dataset import Dataset
from ...data.raw import parse_number
from ...data.reading import name_list
from ...data.walks import ExtendedTable
from ..readers.classes import classes_of, own_labels, spelled_labels
from ..readers.decoded_source import decoded_genotypes
from ..readers.genotypes import Genotypes
from ..readers.open import open_genotypes
from ..readers.phenotypes import column_names, read_phenotypes
from ..readers.samples import NO_FAMILY, Samples
from ..readers.variants import LEFT_OUT, Variants
from ..structure.families import checked_relatives, find_families, notes_on_split
from .table import GenotypeTable

READING_PARAMETERS = (
    "target",
    "samples",
    "positive",
    "covariates",
    "group",
    "split",
    "batch",
    "unify",
    "allow",
)
# what genotype files say of samples
FAMILY_COLUMN, SEX_COLUMN, PHENOTYPE_COLUMN = "FID", "sex", "phenotype"
ROLE_FIELDS = {"group": "groups", "split": "split", "batch": "batches"}  # of a data set, by role
SEX_NAMES = {1: "male", 2: "female"}


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
    unify: Sequence[str] = (),
    allow: Sequence[str] = (),
    relatives: str = "group",
    name: str | None = None,
    quiet: bool = True,
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
    unify, allow : sequence of str
        As of `tamis.data.read_table`: columns in which spellings of one name are written alike, or
        are different.
    relatives : {"group", "ignore"}, default="group"
        "group" looks for relatives by their genotypes, and families are the groups
        (`find_families`) where neither `group` nor `split` is named; else those split
        apart are reported.
    name : str or None
    quiet : bool, default=True
        No progress on stderr.

    Returns
    -------
    Dataset
        Its X is a `GenotypeTable`, with covariates beside it.

    Raises
    ------
    DataError
        A column is not there or has two roles, a covariate cannot be used, there are fewer than two
        classes, or no variant differs.

    Examples
    --------
    >>> import tempfile
    >>> from tamis.genome import open_genotypes, simulate_cohort
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate_cohort(f"{folder}/made", n_cases=20, n_controls=30, n_variants=100)
    ...     genotype_dataset(open_genotypes(f"{folder}/made.bed"))
    Dataset('made': 50 x 100; 1 30, 2 20)
    """
    genotypes, people = read_people(
        genotypes,
        target,
        samples=samples,
        covariates=covariates,
        group=group,
        split=split,
        batch=batch,
        unify=unify,
        allow=allow,
    )
    notes, covariates = list(people.notes), people.feature_names
    left_out = genotypes.variants.left_out
    for k, why in enumerate(LEFT_OUT):
        if k and (lost := int((left_out == k).sum())):
            notes.append(f"left out ({why}): {counted_noun(lost, 'variant')}")
    if left_out.any():
        genotypes = genotypes.subset(variants=left_out == 0)
    table = GenotypeTable(decoded_genotypes(genotypes))
    _refuse_alike(table)
    p = table.shape[1]
    groups, alike = people.groups, None
    if checked_relatives(relatives) == "ignore":
        pass
    elif groups is not None or people.split is not None:
        notes += notes_on_split(table.genotypes, groups, people.split, quiet)
    else:
        families = find_families(table.genotypes, quiet)
        notes += families.notes
        if families.of is not None:
            groups, alike = (
                np.array(people.sample_names)[families.of],
                families.intra_group_correlation,
            )
    names = variant_names(table.variants)
    sheet = Sheet(genotypes.samples, None if samples is None else Path(samples))
    sheet.refuse_unknown(allow=name_list(allow), others=names)
    if taken := set(covariates) & set(names):
        raise DataError(f"{min(taken)!r} is a covariate and a variant: rename the covariate")
    found = replace(
        people,
        X=ExtendedTable(table, people.matrix) if len(covariates) else table,
        feature_names=(*names, *covariates),
        levels={p + k: names for k, names in people.levels.items()},
        covariates=tuple(range(p, p + len(covariates))),
        groups=groups,
        intra_group_correlation=alike,
        name=name or genotypes.sources[0].path.name.split(".")[0],
        notes=tuple(notes),
    )
    return found if positive is None else found.with_positive(positive)


def read_people(
    genotypes: Genotypes,
    target: str | None = None,
    *,
    samples: str | Path | None = None,
    covariates: Sequence[str] = (),
    group: str | None = None,
    split: str | None = None,
    batch: str | None = None,
    unify: Sequence[str] = (),
    allow: Sequence[str] = (),
    classless: bool = False,
) -> tuple[Genotypes, Dataset]:
    """Genotypes of the samples that have a class, and what is known of these samples.

    Parameters
    ----------
    genotypes : Genotypes
    target, samples, covariates, group, split, batch, unify, allow
        As of `genotype_dataset`.
    classless : bool, default=False
        Take all samples where no column is named and the files say no two classes.

    Returns
    -------
    genotypes : Genotypes
    people : Dataset
        Of the covariates alone, with classes, groups, folds and batches.

    Raises
    ------
    DataError
        A column is not there or has two roles, a covariate cannot be used, or there are fewer than
        two classes.
    """
    path = None if samples is None else Path(samples)
    sheet = Sheet(genotypes.samples, path, unify, allow)
    labels = sheet.classes(target)
    covariates = tuple(dict.fromkeys(covariates))
    role_columns = {"group": group, "split": split, "batch": batch}
    named = [
        ("class", sheet.target),
        *role_columns.items(),
        *(("covariates", c) for c in covariates),
    ]
    refuse_double_roles([(role, column) for role, column in named if column is not None])
    unsaid = (
        _unsaid_classes(labels, sheet.what)
        if classless and path is None and target is None
        else None
    )
    if unsaid is not None:
        y, there = None, np.ones(len(labels), dtype=bool)
        sheet.notes.append(unsaid)
    else:
        there = sheet.with_class(labels)
        y = labels[there].astype(str)
        classes_of(labels[there], sheet.what, spelled=True)
    roles = roles_of(sheet, there, **role_columns)
    if not there.all():
        genotypes = genotypes.subset(samples=there)
    values, levels = covariates_of(sheet, covariates, there)
    notes = list(sheet.notes)
    names = sample_names(genotypes.samples)
    _refuse_covariates(values, levels, covariates, names)
    return genotypes, Dataset(
        values,
        y,
        covariates,
        names,
        levels=levels,
        covariates=tuple(range(len(covariates))),
        target=sheet.target,
        notes=tuple(notes),
        **roles,
    )


def _unsaid_classes(labels: np.ndarray, what: str) -> str | None:
    """Why labels are no two classes or more; None where they are."""
    there = np.array([label is not None for label in labels])
    if not there.any():
        return f"{what} says no class of any sample: looked at without classes"
    try:
        classes_of(labels[there], what, spelled=True)
    except DataError as error:
        return f"{error}; looked at without classes"
    return None


def _refuse_alike(table: GenotypeTable) -> None:
    """One line where no variant differs; the first block with one that does ends the search."""
    for _, counts in all_row_counts(table):
        if ((counts[:, :-1] > 0).sum(axis=1) > 1).any():
            return
    raise DataError(
        f"none of {counted_noun(table.shape[1], 'variant')} differs between samples that have a "
        "class: there is nothing to learn from"
    )


def read_cohort(path: Path, quiet: bool = True, **reading: Any) -> Dataset:
    """A file of genotypes, with those arguments of `tamis.data.read_table` that it can have.

    Raises
    ------
    DataError
        An argument says something of text tables.
    """
    refuse_foreign(path, reading)
    known = {name: value for name, value in reading.items() if name in READING_PARAMETERS}
    return genotype_dataset(open_genotypes(path, quiet=quiet), **known, quiet=quiet)


def refuse_foreign(path: Path, reading: Mapping[str, object]) -> None:
    """One line where an argument of `tamis.data.read_table` says something of text tables."""
    foreign = [k for k, v in reading.items() if v and k not in (*READING_PARAMETERS, "incomplete")]
    if foreign:
        given = f"{foreign[0]}={'True' if reading[foreign[0]] is True else ''}"
        raise DataError(
            f"{path.name!r} holds genotypes, of which {given} says nothing: leave it out"
        )


def roles_of(sheet: Sheet, there: np.ndarray, **columns: str | None) -> dict[str, Any]:
    """Fields of a data set by columns of text that groups, folds or batches stand in; all samples
    there have to have one."""
    found = {role: sheet.role(name, role) for role, name in columns.items() if name is not None}
    for role, values in found.items():
        lost = there & np.array([value is None for value in values])
        if lost.any():
            ids = sheet.samples.id[lost]
            raise DataError(
                f"{counted_noun(len(ids), 'sample')} without a {role}: {listed_names(ids)}"
            )
    return {ROLE_FIELDS[role]: values[there].astype(str) for role, values in found.items()}


class Sheet:
    """What is known of samples: a table of them, if there is one, and the files themselves."""

    def __init__(
        self,
        samples: Samples,
        path: Path | None,
        unify: Sequence[str] = (),
        allow: Sequence[str] = (),
    ):
        self.samples, self.path = samples, path
        self.unify, self.allow = name_list(unify), name_list(allow)
        self.refuse_unknown(unify=self.unify)
        self.target, self.what = PHENOTYPE_COLUMN, ""
        self.notes: list[str] = []

    def refuse_unknown(
        self, unify: Sequence[str] = (), allow: Sequence[str] = (), others: Sequence[str] = ()
    ) -> None:
        """One line where there are no such columns, nor others."""
        where = Path("the genotypes") if self.path is None else self.path
        own = [] if self.path is None or not (unify or allow) else column_names(self.path)
        named = (FAMILY_COLUMN, SEX_COLUMN, PHENOTYPE_COLUMN, *own, *others)
        refuse_unknown_spelled(unify, allow, False, where, named)

    def classes(self, target: str | None) -> np.ndarray:
        """Labels (n,), None where there is none."""
        if self.path is None:
            if target not in (None, PHENOTYPE_COLUMN):
                raise DataError(
                    f"target={target!r} is a column of a table of samples: give that with "
                    f"samples= or name {PHENOTYPE_COLUMN!r}, that of the files"
                )
            labels, self.what = own_labels(self.samples)
            return self._spelled(labels, PHENOTYPE_COLUMN, "class")
        found = read_phenotypes(self.path, self.samples, target)
        self.target, self.what = found.column, f"{self.path.name}, {found.column}"
        self._note(found.joined)
        if found.unknown:
            rows = counted_noun(found.unknown, "row")
            self.notes.append(f"{self.path.name}: {rows} of people who have no genotypes")
        if found.zeros:
            self.notes.append(f"{self.what}: 0 is taken as unknown, of {found.zeros:,} samples")
        return self._spelled(found.labels, self.target, "class")

    def with_class(self, labels: np.ndarray) -> np.ndarray:
        """Which samples have one (n,) bool; some have to."""
        there = np.array([label is not None for label in labels])
        if not there.any():
            raise DataError(
                f"{self.what} says no class of any sample: "
                + (
                    "give a table with samples="
                    if self.path is None
                    else "name another column, target="
                )
            )
        if not there.all():
            none = counted_noun(int((~there).sum()), "sample")
            self.notes.append(f"{self.what}: {none} without a class, left out")
        return there

    def role(self, name: str, what: str) -> np.ndarray:
        """The column (n,) of groups, folds or batches, with one spelling of each."""
        return self._spelled(self.column(name), name, what)

    def united(self, labels: np.ndarray, name: str) -> np.ndarray:
        """A covariate with one spelling of each level, where that is requested."""
        return self._spelled(labels, name, "level") if name in self.unify else labels

    def _spelled(self, labels: np.ndarray, name: str, what: str) -> np.ndarray:
        labels, notes = spelled_labels(labels, name, what, self.unify, self.allow)
        self.notes += notes
        return labels

    def column(self, name: str) -> np.ndarray:
        """Another column (n,) of text, None where there is nothing."""
        own = {FAMILY_COLUMN: self.samples.family, SEX_COLUMN: self._sexes()}
        if name in own and (self.path is None or name not in column_names(self.path)):
            found = own[name]
        elif self.path is None:
            raise DataError(f"{name!r} is a column of a table of samples: give that, samples=")
        else:
            read = read_phenotypes(self.path, self.samples, name, coded=False)
            self._note(read.joined)
            found = read.labels
        return self._families(found) if name == FAMILY_COLUMN else found

    def _note(self, joined: str) -> None:
        """Tell once how the table was joined."""
        if joined and joined not in self.notes:
            self.notes.append(joined)

    def _families(self, found: np.ndarray) -> np.ndarray:
        """Who is of no family, which PLINK writes as 0, stands alone."""
        alone = found == NO_FAMILY
        if not alone.any():
            return found
        none = counted_noun(int(alone.sum()), "sample")
        self.notes.append(f"FID 0 is no family: {none} stand alone, as if unrelated to all others")
        return np.where(alone, "0 " + self.samples.id.astype(str), found)

    def _sexes(self) -> np.ndarray:
        return np.array([SEX_NAMES.get(int(sex)) for sex in self.samples.sex], dtype=object)


def covariates_of(
    sheet: Sheet, names: Sequence[str], there: np.ndarray
) -> tuple[np.ndarray, dict[int, tuple[str, ...]]]:
    """Columns of numbers or codes (n, q), and the levels of the latter."""
    n = int(there.sum())
    values, levels = np.full((n, len(names)), np.nan), {}
    for k, name in enumerate(names):
        texts = sheet.column(name)[there]
        numbers = [np.nan if text is None else parse_number(text) for text in texts]
        if None not in numbers:
            values[:, k] = numbers
            continue
        texts = sheet.united(texts, name)
        levels[k] = tuple(sorted({text for text in texts if text is not None}))
        sheet.notes += notes_on_labels(name, levels[k])
        place = {level: float(code) for code, level in enumerate(levels[k])}
        values[:, k] = [place.get(text, np.nan) for text in texts]
    return values, levels


def _refuse_covariates(
    values: np.ndarray,
    levels: Mapping[int, tuple[str, ...]],
    names: Sequence[str],
    samples: Sequence[str],
) -> None:
    """One line of those that a study cannot learn from."""
    n = len(samples)
    for k, name in enumerate(names):
        if np.isnan(values[:, k]).all():
            raise DataError(f"covariate {name!r} has no value of any sample: leave it out")
        texts = levels.get(k, ())
        if len(texts) > min(MOST_LEVELS, n / 2):
            raise DataError(
                f"covariate {name!r} has {len(texts):,} different texts ({listed_names(texts)}) "
                f"among {counted_noun(n, 'sample')}: give numbers, or fewer categories"
            )
    refuse_infinite(values, summarize_columns(values), names, samples)


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
    ids: list[str] = variants.id.to_pylist()
    unique = {name for name, times in Counter(ids).items() if times == 1} - {"", "."}
    taken = set(unique)
    for j, name in enumerate(ids):
        if name in unique:
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
