"""A look at genotypes before any study."""

from __future__ import annotations

from collections import Counter

import numpy as np

from .._core.errors import DataError
from ..data.dataset import Dataset
from ..genome.blocks.calls import autosomal_variants, thinned_columns
from ..genome.quality.quality import quality_control
from ..genome.quality.quality_files import picture_of
from ..genome.quality.quality_result import QualityControl
from ..genome.readers.genotypes import Genotypes
from ..genome.readers.variants import plain_chromosome
from ..genome.structure.components import principal_components
from ..genome.structure.components_result import Components
from ..genome.structure.relatives import look_for_relatives
from ..genome.structure.relatives_words import remarks_on_relatives
from .before import sample_cautions
from .cohort_result import COHORT, CohortLook
from .components import N_COMPONENTS, labelled_components
from .samples import people_seen
from .schema import CohortContent, ComponentsSeen, Named

MOST_VARIANTS = 40_000  # of the components, before rare ones go and near ones are pruned
RELATED_ADVICE = (
    "a study keeps families together (`tamis genome kin` lists them)",
    "descent then predicts a class that goes with them; look at the components",
    "leave one out",
)


def look_at_cohort(
    genotypes: Genotypes,
    people: Dataset | None = None,
    *,
    name: str | None = None,
    n_jobs: int = 1,
    quiet: bool = True,
) -> CohortLook:
    """Look at genotypes before they are studied: what there is, and what is odd about it.

    Samples, variants and chromosomes; missing calls, allele frequencies and what quality control
    with its default limits would drop; relatives and several populations; the first two principal
    components of up to 40,000 variants, pruned; and what a study would warn of. Nothing of it
    estimates how well a class can be predicted, and who chooses variants by it leaks.

    Parameters
    ----------
    genotypes : Genotypes
        n samples, p variants.
    people : Dataset or None, default=None
        What is known of the samples (`tamis.genome.study.cohort.read_people`): classes, groups,
        batches; covariates as its columns.
    name : str or None
        Of the cohort; None: of its first file.
    n_jobs : int, default=1
        Threads; what is found does not depend on them.
    quiet : bool, default=True
        No progress on stderr.

    Returns
    -------
    CohortLook
        With `summary`, `frame` (a row a variant), `samples_frame` and `to_dict`.

    Raises
    ------
    DataError
        `people` are not as many as the samples, no variant can be read, or no sample has calls.

    Examples
    --------
    >>> import tempfile
    >>> from tamis.genome import open_genotypes, simulate_cohort
    >>> from tamis.genome.study.cohort import read_people
    >>> from tamis.look import look_at_cohort
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate_cohort(f"{folder}/made", [30, 10], [10, 30], 2000, divergence=0.1)
    ...     found = look_at_cohort(*read_people(open_genotypes(f"{folder}/made")))
    >>> found.to_dict()["classes"]
    [{'name': '1', 'n': 40}, {'name': '2', 'n': 40}]
    >>> len(found.frame()), found.to_dict()["relatives"]["relatives"]
    (2000, 0)
    """
    n, p = genotypes.shape
    name = name or genotypes.sources[0].path.name.split(".")[0]
    if people is None:
        people = Dataset(np.empty((n, 0)), None, ())
    if len(people.sample_names) != n:
        raise DataError(
            f"people are {len(people.sample_names):,}, where there are {n:,} samples: give those "
            "that read_people gives with the genotypes"
        )
    y = None if people.y is None else people.y.astype(object)
    quality, remarks = _quality_of(genotypes, y, n_jobs, quiet)
    relatives = look_for_relatives(genotypes, n_jobs, quiet)
    components = _look_components(genotypes, n_jobs, quiet)
    related = None if relatives is None else relatives.to_dict(1)
    content: CohortContent = {
        **people_seen(people, COHORT),
        "name": name,
        "variants": p,
        "chromosomes": _chromosome_counts(genotypes),
        "called": _call_rate(quality),
        "quality": quality.to_dict(),
        "relatives": related,
        "remarks": remarks
        + ([] if related is None else remarks_on_relatives(related, *RELATED_ADVICE)),
        "components": None if components is None else _components_seen(people, components),
        "cautions": sample_cautions(people),
        "picture": picture_of(quality),
    }
    return CohortLook(content, people, quality, relatives, components)


def _quality_of(
    genotypes: Genotypes, y: np.ndarray | None, n_jobs: int, quiet: bool
) -> tuple[QualityControl, list[str]]:
    """With the default limits; where these leave nobody, without the one of samples, and a remark
    says so."""
    try:
        return quality_control(genotypes, y, n_jobs=n_jobs, quiet=quiet), []
    except DataError as error:
        found = quality_control(genotypes, y, sample_missing=None, n_jobs=n_jobs, quiet=quiet)
        return found, [f"quality control with its default limits stops: {error}"]


def _chromosome_counts(genotypes: Genotypes) -> list[Named]:
    """Variants of each, in the order of the files."""
    counts: Counter[str] = Counter()
    for one in genotypes.variants.chromosome.value_counts().tolist():
        counts[plain_chromosome(one["values"])] += one["counts"]
    return [{"name": name, "n": n} for name, n in counts.items()]


def _call_rate(quality: QualityControl) -> float:
    """Share of the calls that are there, of samples and variants that can be looked at."""
    missing, looked = quality.sample_counts.sum(axis=0)
    return float(1 - missing / max(looked, 1))


def _look_components(genotypes: Genotypes, n_jobs: int, quiet: bool) -> Components | None:
    """By some variants of the autosomes; None where they have no two components."""
    some = genotypes.only(thinned_columns(autosomal_variants(genotypes.variants), MOST_VARIANTS))
    try:
        return principal_components(some, N_COMPONENTS, n_jobs=n_jobs, quiet=quiet)
    except DataError:
        return None


def _components_seen(people: Dataset, found: Components) -> ComponentsSeen:
    """As the page draws them."""
    return labelled_components(
        list(people.sample_names),
        found.scores,
        found.share,
        len(found.columns),
        people.y,
        people.classes,
        people.batches,
    )
