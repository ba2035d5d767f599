"""New genotypes as a saved model needs them: its variants, its alleles, its covariates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from ..._core.column_ids import ColumnIds
from ...data.dataset import Dataset
from ...data.walks import ExtendedTable
from ..readers.genotypes import Genotypes
from ..readers.variant_lines import Wanted
from .cohort import Sheet, covariates_of, roles_of, sample_names
from .matched import Matched
from .matching import match_variants
from .table import GenotypeTable


class Needing(Protocol):
    """What is needed of a `tamis.model.model.Model`."""

    @property
    def covariates(self) -> Sequence[str]:
        """Columns that are no variants."""
        ...

    @property
    def inputs(self) -> tuple[str, ...]:
        """Variants, by the names they had in the study."""
        ...

    @property
    def column_ids(self) -> ColumnIds | None:
        """What they are."""
        ...


def genotypes_for_model(
    model: Needing,
    genotypes: Genotypes,
    target: str | None = None,
    *,
    samples: str | Path | None = None,
    group: str | None = None,
    batch: str | None = None,
    unify: Sequence[str] = (),
    allow: Sequence[str] = (),
    name: str | None = None,
) -> Dataset:
    """Other genotypes as data for a model that was studied on genotypes.

    Variants are found by chromosome, position and alleles, else by name and alleles, whatever their
    order and whichever allele is counted; those that are not certain are refused
    (docs/evaluate.md). How they were found stands in the notes of what is given.

    Parameters
    ----------
    model : Model
        Saved by a study of genotypes, see `tamis.model.file.load_model`.
    genotypes : Genotypes
    target : str or None
        The classes, as of `genotype_dataset`: samples without one are left out. None: there are
        none, and all samples are taken.
    samples : path or None
        A table with a column IID, which has the model's covariates.
    group, batch, unify, allow
        As of `genotype_dataset`.
    name : str or None

    Returns
    -------
    Dataset
        For `Model.predict` and `tamis.model.evaluate.evaluate`. Its X is a `GenotypeTable` of the
        model's variants, covariates beside it.

    Raises
    ------
    ModelError
        The model knows no variants.
    DataError
        A variant is not there, has other alleles, several lines, or a strand that is not certain; a
        column is not there.

    Examples
    --------
    >>> import tempfile
    >>> from types import SimpleNamespace
    >>> from tamis.genome import open_genotypes, simulate_cohort
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate_cohort(f"{folder}/made", n_cases=20, n_controls=30, n_variants=100)
    ...     genotypes = open_genotypes(f"{folder}/made.bed")
    ...     column_ids = GenotypeTable(genotypes).column_ids(np.array([7, 70]))
    ...     model = SimpleNamespace(covariates=(), inputs=("v8", "v71"), column_ids=column_ids)
    ...     genotypes_for_model(model, genotypes).shape
    (50, 2)
    """
    wanted = Wanted.of(model.inputs, model.column_ids)
    path = None if samples is None else Path(samples)
    sheet = Sheet(genotypes.samples, path, unify, allow)
    sheet.refuse_unknown(allow=sheet.allow)
    there, labels = np.ones(len(genotypes.samples), dtype=bool), None
    if target is not None:
        labels = sheet.classes(target)
        there = sheet.with_class(labels)
    roles = roles_of(sheet, there, group=group, batch=batch)
    values, levels = covariates_of(sheet, model.covariates, there)
    matching = match_variants(wanted, genotypes)
    if not there.all():
        genotypes = genotypes.subset(samples=there)
    table = GenotypeTable(Genotypes((Matched(genotypes, wanted, matching),), genotypes.rows))
    p = len(wanted)
    return Dataset(
        ExtendedTable(table, values) if model.covariates else table,
        None if labels is None else labels[there].astype(str),
        (*model.inputs, *model.covariates),
        sample_names(genotypes.samples),
        levels={p + k: names for k, names in levels.items()},
        covariates=tuple(range(p, p + len(model.covariates))),
        target=sheet.target,
        name=name or genotypes.sources[0].path.name.split(".")[0],
        notes=(*sheet.notes, *([matching.summary()] if p else [])),
        **roles,
    )
