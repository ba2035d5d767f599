"""Genotypes in which two or more loci together tell cases from controls, and no fewer do."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import combinations

import numpy as np

from .._core.errors import PlanError
from .._core.settings import checked_count, checked_share
from .dataset import Dataset
from .made_up import made_up_generator, other_columns

NAME = "epistasis"
HIGHEST_ORDER = 4
N_DRAWS = 10_000  # tables among which one of the requested heritability is looked for
OTHER_MAF = 0.05, 0.5  # of loci without effect


@dataclass(frozen=True, eq=False)
class EpistasisModel:
    """How likely each combination of genotypes is to be a case.

    Attributes
    ----------
    penetrance : ndarray of shape (3,) * order
        Probability of a case given the genotypes (copies of the minor allele), a locus an axis.
    maf : float
        Frequency of the minor allele, at every locus.
    prevalence : float
        Share of cases in the population.

    References
    ----------
    Urbanowicz et al. (2012), GAMETES: a fast, direct algorithm for generating pure, strict,
    epistatic models with random architectures, BioData Mining 5:16.

    Examples
    --------
    Cases are those with one heterozygous locus out of two:

    >>> import numpy as np
    >>> from tamis.data import EpistasisModel
    >>> model = EpistasisModel(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0.0]]), 0.5, 0.5)
    >>> model
    EpistasisModel(order 2, maf 0.5, heritability 1, prevalence 0.5)
    >>> model.marginals()[0,]
    array([0.5, 0.5, 0.5])
    """

    penetrance: np.ndarray
    maf: float
    prevalence: float

    def __repr__(self) -> str:
        return (
            f"EpistasisModel(order {self.penetrance.ndim}, maf {self.maf:g}, heritability "
            f"{self.heritability:g}, prevalence {self.prevalence:.3g})"
        )

    @property
    def population(self) -> np.ndarray:
        """Frequency of each combination of genotypes, of the shape of `penetrance`."""
        return _combined_frequencies(self.maf, self.penetrance.ndim)

    @property
    def heritability(self) -> float:
        """Variance of the penetrance, of that of being a case."""
        k = self.prevalence
        return float((self.population * (self.penetrance - k) ** 2).sum() / (k * (1 - k)))

    def given(self, case: bool) -> np.ndarray:
        """Frequency of each combination among cases, or among controls."""
        joint = self.population * (self.penetrance if case else 1 - self.penetrance)
        return joint / joint.sum()

    def marginals(self) -> dict[tuple[int, ...], np.ndarray]:
        """Penetrance given the genotypes at some of the loci only, none to all but one.

        The keys are axes of `penetrance`. In a pure and strict model all values are `prevalence`.
        """
        every, found = range(self.penetrance.ndim), {}
        for size in every:
            for kept in combinations(every, size):
                table = self.penetrance
                for axis in reversed(every):
                    if axis not in kept:
                        table = np.tensordot(table, _genotype_frequencies(self.maf), (axis, 0))
                found[kept] = table
        return found


def epistasis_model(
    order: int = 2,
    maf: float = 0.2,
    heritability: float = 0.1,
    random_state: int | None = 0,
    *,
    prevalence: float | None = None,
    model: int = 0,
) -> EpistasisModel:
    """A random penetrance table that is pure and strict: only all loci together have an effect.

    A table of normal numbers loses its mean along every axis, weighted by the frequencies of the
    genotypes, and is scaled to the heritability. Of 10,000 such tables the first is taken that
    fits between 0 and 1 around the prevalence.

    Parameters
    ----------
    order : int, default=2
        Loci, from 2 to 4.
    maf : float, default=0.2
        Frequency of the minor allele at each, from 0.01 to 0.5.
    heritability : float, default=0.1
        From 0, without any effect, to what the other settings allow.
    random_state : int or None, default=0
    prevalence : float, optional
        Share of cases in the population, from 0.001 to 0.999; by default the possible one that is
        nearest to 1/2.
    model : int, default=0
        1 is a further one; `make_epistasis` has model 0 at the loci M0P1, M0P2, ...

    Returns
    -------
    EpistasisModel

    Raises
    ------
    PlanError
        A setting is out of range, or no table has the heritability; the greatest found is named.

    Examples
    --------
    >>> from tamis.data import epistasis_model
    >>> model = epistasis_model(maf=0.3, heritability=0.2)
    >>> model
    EpistasisModel(order 2, maf 0.3, heritability 0.2, prevalence 0.506)
    >>> {loci: table.round(3).tolist() for loci, table in model.marginals().items()}
    {(): 0.506, (0,): [0.506, 0.506, 0.506], (1,): [0.506, 0.506, 0.506]}
    """
    order = checked_count(order, "order", 2)
    if order > HIGHEST_ORDER:
        raise PlanError(f"order={order}: give 2 to {HIGHEST_ORDER}")
    maf = checked_share(maf, "maf", 0.01, 0.5)
    heritability = checked_share(heritability, "heritability")
    if prevalence is not None:
        prevalence = checked_share(prevalence, "prevalence", 0.001, 0.999)
    rng = made_up_generator(random_state, NAME, "model", checked_count(model, "model", 0))
    tables = _pure_tables(rng.normal(size=(N_DRAWS, *[3] * order)), maf)
    down, up = -tables.reshape(N_DRAWS, -1).min(axis=1), tables.reshape(N_DRAWS, -1).max(axis=1)
    # Penetrance is k + table * sqrt(heritability * k * (1 - k)); from 0 to 1 it lies if the odds
    # of k are at least heritability * down^2 and at most 1 / (heritability * up^2).
    if prevalence is None:
        possible = 1 / (down * up)
    else:
        odds = prevalence / (1 - prevalence)
        possible = np.minimum(odds / down**2, 1 / (odds * up**2))
    fits = np.flatnonzero(possible >= heritability)
    if not len(fits):
        at = "" if prevalence is None else f" and prevalence={prevalence:g}"
        raise PlanError(
            f"heritability={heritability:g}: the greatest found for order={order} with "
            f"maf={maf:g}{at} is {possible.max():.3g}; ask for less"
        )
    table, down, up = (found[fits[0]] for found in (tables, down, up))
    if prevalence is None:
        least, most = 1 - 1 / (1 + heritability * down**2), 1 / (1 + heritability * up**2)
        prevalence = float(np.clip(0.5, least, most))
    spread = np.sqrt(heritability * prevalence * (1 - prevalence))
    return EpistasisModel(np.clip(prevalence + spread * table, 0, 1), maf, prevalence)


def make_epistasis(
    n_samples: int = 1000,
    n_features: int = 100,
    order: int = 2,
    heritability: float = 0.1,
    maf: float = 0.2,
    prevalence: float | None = None,
    n_models: int = 1,
    random_state: int | None = 0,
) -> Dataset:
    """Cases and controls that differ in combinations of genotypes at a few loci.

    Half of the samples are cases, whatever the prevalence: their genotypes are drawn from those
    of cases in the population, and those of controls likewise. The table of penetrances is that
    of `epistasis_model` with the same settings.

    Parameters
    ----------
    n_samples : int, default=1000
        Controls, which come first, and cases; one control more if the number is odd.
    n_features : int, default=100
        All loci. N1, N2, ... have no effect, and minor alleles whose frequencies are uniform
        between 0.05 and 0.5; they come first. M0P1, M0P2, ... are the loci of the model.
    order, heritability, maf, prevalence
        As for `epistasis_model`.
    n_models : int, default=1
        Models, each with its own loci (M1P1, ...) and this heritability. Given the class they are
        independent of each other.
    random_state : int or None, default=0

    Returns
    -------
    Dataset
        `X` (n_samples, n_features), copies of the minor allele (0, 1 or 2) in Hardy-Weinberg
        proportions, all columns numeric; "case" is the positive class.

    Raises
    ------
    PlanError
        As of `epistasis_model`; or there are fewer features than the models have loci.

    References
    ----------
    Urbanowicz et al. (2012), GAMETES: a fast, direct algorithm for generating pure, strict,
    epistatic models with random architectures, BioData Mining 5:16.

    Examples
    --------
    >>> from tamis.data import make_epistasis
    >>> data = make_epistasis()
    >>> data
    Dataset('epistasis': 1000 x 100; control 500, case 500)
    >>> data.feature_names[-3:]
    ('N98', 'M0P1', 'M0P2')
    """
    n = checked_count(n_samples, "n_samples", 2)
    p = checked_count(n_features, "n_features", 1)
    n_models = checked_count(n_models, "n_models", 1)
    models = [
        epistasis_model(order, maf, heritability, random_state, prevalence=prevalence, model=m)
        for m in range(n_models)
    ]
    others = other_columns(p, n_models, order, "n_models")
    rng = made_up_generator(random_state, NAME)
    n_of = {"control": n - n // 2, "case": n // 2}
    X = np.empty((n, p))
    for m, model in enumerate(models):
        cells = [
            rng.choice(3**order, size, p=model.given(label == "case").ravel())
            for label, size in n_of.items()
        ]
        loci = np.unravel_index(np.concatenate(cells), model.penetrance.shape)
        X[:, others + m * order : others + (m + 1) * order] = np.transpose(loci)
    X[:, :others] = rng.binomial(2, rng.uniform(*OTHER_MAF, size=others), size=(n, others))
    names = [f"N{j + 1}" for j in range(others)]
    names += [f"M{m}P{k + 1}" for m in range(n_models) for k in range(order)]
    return Dataset(
        X=X,
        y=np.repeat(list(n_of), list(n_of.values())),
        feature_names=tuple(names),
        classes=tuple(n_of),
        name=NAME,
    )


def _genotype_frequencies(maf: float) -> np.ndarray:
    """Hardy-Weinberg frequencies of 0, 1 and 2 copies of the minor allele."""
    return np.array([(1 - maf) ** 2, 2 * maf * (1 - maf), maf**2])


def _combined_frequencies(maf: float, order: int) -> np.ndarray:
    """Frequencies of all combinations of genotypes, (3,) * order."""
    return reduce(np.multiply.outer, [_genotype_frequencies(maf)] * order)


def _pure_tables(tables: np.ndarray, maf: float) -> np.ndarray:
    """Tables (n, 3, 3, ...) without any weighted mean along an axis, and of weighted variance 1.

    A mean taken off along one axis leaves those along the others at zero.
    """
    axes = tuple(range(1, tables.ndim))
    for axis in axes:
        means = np.tensordot(tables, _genotype_frequencies(maf), (axis, 0))
        tables = tables - np.expand_dims(means, axis)
    variance = (_combined_frequencies(maf, len(axes)) * tables**2).sum(axis=axes, keepdims=True)
    return tables / np.sqrt(variance)
