"""A mixed-model score test of every variant, for cohorts of relatives or of several populations.

The null model has covariates, and a random effect whose covariance is the genomic relationship
matrix G of all other chromosomes. With labels y of 0 and 1 and mu what covariates predict, r = (y -
mu) / w, w^2 = mu (1 - mu), follows a linear mixed model with the variance sigma^2 ((1 - h) I + h
K), K = w G w / mean(w^2). This is the first step of penalised quasi-likelihood (Breslow and Clayton
1993), on which GMMAT (Chen et al. 2016) and SAIGE (Zhou et al. 2018) rest; without covariates it is
the linear mixed model of GEMMA (Zhou and Stephens 2012). For a number w is 1 and mu the linear
regression on the covariates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..._core.errors import DataError
from ..._core.settings import checked_count, checked_share
from ..._core.streams import generator
from ..._core.threads import one_thread
from ..blocks.calls import autosomes_in_order, copies_of, count_calls, thinned_columns
from ..blocks.sharing import in_threads
from ..blocks.standard import Standardized
from ..quality.prune import frequent_pruned
from ..readers.genotypes import Genotypes, requested_indices
from ..structure.relationships import relationship_sums
from .mixed_model import NullModel, Rotated
from .mixed_result import (
    DETERMINED_CODE,
    EXCLUDED_CODE,
    KEPT_CODE,
    NOT_AUTOSOMAL_CODE,
    RARE_CODE,
    MixedScan,
    number_range,
)
from .mixed_traits import Trait, fixed_effects
from .prepared import Arrays, digest_of

MAX_SAMPLES = 10_000  # samples, of whose matrices several are in memory
MAX_MATRIX_BYTES = 1 << 33  # of the matrices of all chromosomes that are looked at side by side
# variants that relationships are estimated from, of those that are pruned
N_RELATIONSHIP_VARIANTS = 100_000
N_MATRICES = 7  # of a chromosome, with a column for each sample and each draw
DETERMINED_BELOW = 1e-9  # of a variant's variance, what covariates leave of it
# of a draw and of a variant, against the n-th part of n eigenvectors, as measured
DRAW_COST, VARIANT_COST = 2.5, 0.5


def mixed_scan(
    genotypes: Genotypes,
    y: Any = None,
    *,
    covariates: Any = None,
    regression: bool = False,
    samples: Any = None,
    scanned: Any = None,
    frequency: float = 0.01,
    draws: int = 0,
    seed: int = 0,
    n_jobs: int = 1,
    quiet: bool = True,
) -> MixedScan:
    """Test every autosomal variant for an additive effect on the odds of a class, or on a number,
    in a cohort that may hold relatives or several populations.

    A score test in a mixed model: relationships of the samples by frequent, pruned variants of all
    *other* chromosomes are the covariance of a random effect, whose share of the variance is fitted
    once for each chromosome (REML). For classes p-values beyond two standard deviations are by a
    saddle point, which holds where classes are unequal and alleles rare; for a number they are
    those of t.

    Parameters
    ----------
    genotypes : Genotypes
        n samples, p variants of two chromosomes or more.
    y : array-like of shape (n,), or None
        Two classes, of which the one that sorts last is that whose odds are reported. Samples with
        None, NaN or "" are left out. None: the phenotype of the .fam (0, -9 and NA are unknown).
        With `regression` numbers, of which 0 is one.
    covariates : array-like of shape (n, c), or None
        Numbers, such as age or principal components; the intercept is added. Samples with NaN are
        left out. A data frame's columns are named in errors.
    regression : bool, default=False
        The phenotype is a number.
    samples : mask of shape (n,), or indices, or list of ids, or None
        Those that are looked at; None: all.
    scanned : mask of shape (p,), or indices, or list of ids, or None
        Variants that are tested; relationships are by all. None: all.
    frequency : float, default=0.01
        Variants whose rarer allele is rarer are not tested.
    draws : int, default=0
        Of labels from the fitted null model, for p-values among all variants (max-T): a score is
        compared with the largest of each draw. Labels are liabilities cut so that the class has as
        many samples; a liability is what covariates predict, a random effect of the relationships,
        with the share fitted, and noise. Numbers are such sums themselves, of normal effects and
        noise. The share is fitted again in each draw.
    seed : int, default=0
        Of the draws.
    n_jobs : int, default=1
        Threads, one a chromosome; results do not depend on them.
    quiet : bool, default=True
        No progress on stderr.

    Returns
    -------
    MixedScan

    Raises
    ------
    DataError
        There are not two classes, or numbers that vary; there are more than 10,000 samples, no
        variant on a second chromosome to estimate relationships from, or covariates that are
        constant or determine one another.
    PlanError
        A parameter is not one of those allowed.

    Examples
    --------
    >>> import tempfile
    >>> from tamis.genome import mixed_scan, open_genotypes, simulate_cohort
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate_cohort(f"{folder}/two", [200, 50], [50, 200], 2000, divergence=0.1,
    ...                     frequencies=(0.3, 0.5), singles=[(17, 3.0)])
    ...     scan = mixed_scan(open_genotypes(f"{folder}/two"), draws=99)
    >>> scan.top(1).tolist(), bool(scan.p_adjusted[17] <= 0.05), bool(scan.inflation < 1.1)
    ([17], True, True)
    """
    return PreparedMixed.of(
        genotypes,
        y,
        covariates=covariates,
        regression=regression,
        samples=samples,
        scanned=scanned,
        frequency=frequency,
        draws=draws,
        seed=seed,
        n_jobs=n_jobs,
        quiet=quiet,
    ).run()


@dataclass(frozen=True)
class PreparedMixed:
    """A scan whose arguments are in order; a unit is the variants of a chromosome, or none: the
    share of the variance that relationships by all chromosomes explain.

    Attributes
    ----------
    genotypes : Genotypes
        Of the n samples looked at, all variants.
    classes : ndarray of shape (2,), or (0,) of a number
    model : NullModel
    counts : ndarray of shape (p, 4)
    reasons : ndarray of shape (p,)
        Why a variant is not tested, before it is.
    """

    noun: ClassVar[str] = "null model"
    genotypes: Genotypes
    classes: np.ndarray
    label: np.ndarray
    fixed: np.ndarray
    model: NullModel
    counts: np.ndarray
    reasons: np.ndarray
    n_draws: int
    seed: int
    n_jobs: int
    quiet: bool

    @classmethod
    def of(
        cls,
        genotypes: Genotypes,
        y: Any,
        *,
        covariates: Any,
        regression: bool = False,
        samples: Any,
        scanned: Any,
        frequency: float,
        draws: int,
        seed: int,
        n_jobs: int,
        quiet: bool,
    ) -> PreparedMixed:
        """As `mixed_scan` has it."""
        frequency = checked_share(frequency, "frequency", 0.0, 0.5)
        n_draws = checked_count(draws, "draws", 0)
        checked_count(seed, "seed", 0)
        trait = Trait.of(genotypes, y, samples, regression)
        fixed, known = fixed_effects(covariates, np.isfinite(trait.values))
        n = len(fixed)
        if n > MAX_SAMPLES:
            raise DataError(
                f"{n:,} samples: a mixed scan takes {MAX_SAMPLES:,} at most, as it holds matrices "
                "of all pairs; use REGENIE or SAIGE"
            )
        model = trait.fitted(fixed, known, covariates)
        taken, label = genotypes.subset(samples=known), trait.values[known]
        counts = count_calls(taken, n_jobs, quiet)
        reasons = exclusion_reasons(taken, counts, scanned, frequency)
        return cls(
            taken, trait.classes, label, fixed, model, counts, reasons, n_draws, seed, n_jobs, quiet
        )

    def units(self) -> list[np.ndarray]:
        """No variants, and those of each chromosome of which some are tested."""
        chromosomes = autosomes_in_order(self.genotypes.variants)
        none = np.zeros(0, dtype=np.int64)
        return [none, *(own for own in chromosomes if len(self._tested(own)))]

    def costs(self) -> list[float]:
        """In what a row of n eigenvectors costs."""
        n, found = self.genotypes.shape[0], list[float]()
        for columns in self.units():
            draws = self.n_draws if len(columns) else 0
            each = VARIANT_COST * (n + draws) / n
            found.append(n + DRAW_COST * draws + each * len(self._tested(columns)))
        return found

    def digest(self) -> str:
        """Of genotypes, classes, covariates and variants tested."""
        return digest_of(self.genotypes, self.label, self.fixed, self.reasons)

    def _tested(self, columns: np.ndarray) -> np.ndarray:
        return columns[self.reasons[columns] == KEPT_CODE]

    def compute(self, units: Sequence[np.ndarray]) -> Iterator[Arrays]:
        """Scores, variances and tails of the variants tested on each chromosome, the share of the
        variance and the largest score of each draw."""
        if not units:
            return
        model, n_draws = self.model, self.n_draws
        relations = _Relations.of(self.genotypes, self.counts, self.n_jobs, self.quiet)
        with one_thread():
            draws_of = _Draws.of(relations, n_draws, self.seed)

            def scan_chromosome(columns: np.ndarray) -> Arrays:
                rotated = Rotated.of(relations.without(columns), model)
                own = rotated.fit_shares(model.residual[:, None])
                if not len(columns):
                    return {"share": own, "relationships": np.array([len(relations.columns)])}
                drawn = draws_of.outcomes(columns, model, float(own[0]))
                outcomes = np.column_stack([model.residual, drawn])
                shares = np.concatenate([own, rotated.fit_shares(outcomes[:, 1:])])
                tested = self._tested(columns)
                return _score_variants(
                    self.genotypes, tested, self.counts[tested], rotated, model, outcomes, shares
                )

            parts = [(len(columns), columns) for columns in units]
            total = sum(size for size, _ in parts)
            threads = _chromosome_threads(len(self.label), n_draws, self.n_jobs)
            yield from in_threads(
                scan_chromosome, parts, total, "Mixed scan, variants", threads, self.quiet
            )

    def run(self) -> MixedScan:
        """All at once."""
        units = self.units()
        return self.result(zip(units, self.compute(units), strict=True))

    def result(self, found: Iterable[tuple[np.ndarray, Arrays]]) -> MixedScan:
        """The scan of all chromosomes."""
        scores, shares = np.full((3, len(self.reasons)), np.nan), dict[str, float]()
        largest, names = np.zeros(self.n_draws), self.genotypes.variants.chromosome
        share, n_relationship_variants = np.nan, 0
        for columns, here in found:
            if not len(columns):
                share = float(here["share"][0])
                n_relationship_variants = int(here["relationships"][0])
                continue
            scores[:, self._tested(columns)] = here["scores"]
            shares[names[int(columns[0])].as_py()] = float(here["share"][0])
            np.maximum(largest, here["largest"], out=largest)
        reasons = self.reasons.copy()
        reasons[(reasons == KEPT_CODE) & np.isnan(scores[0] / scores[1])] = DETERMINED_CODE
        copies, n = copies_of(self.counts), len(self.label)
        cases = int(self.label.sum()) if len(self.classes) else n
        return MixedScan(
            self.genotypes,
            self.classes,
            np.array([n - cases, cases]) if len(self.classes) else np.array([n]),
            None if len(self.classes) else number_range(self.label),
            self.fixed.shape[1] - 1,
            copies[:, 0] / np.maximum(copies.sum(axis=1), 1),
            scores[0],
            scores[1],
            scores[2],
            reasons,
            share,
            shares,
            n_relationship_variants,
            largest if self.n_draws else None,
        )


def exclusion_reasons(
    genotypes: Genotypes, counts: np.ndarray, scanned: Any, frequency: float
) -> np.ndarray:
    """Why variants (p,) are not tested, or that they are."""
    p = genotypes.shape[1]
    autosomal, requested = np.zeros(p, dtype=bool), np.ones(p, dtype=bool)
    for columns in autosomes_in_order(genotypes.variants):
        autosomal[columns] = True
    if scanned is not None:
        names = np.asarray(genotypes.variants.id.to_numpy(zero_copy_only=False))
        requested[:] = False
        requested[requested_indices(scanned, names, "variant", p)] = True
    copies = copies_of(counts)
    rarer = copies.min(axis=1)
    varies = (counts[:, :3] > 0).sum(axis=1) > 1
    rare = ~varies | (rarer < frequency * copies.sum(axis=1))
    left_out = genotypes.variants.left_out
    found = np.select(
        [~requested, left_out > 0, ~autosomal, rare],
        [EXCLUDED_CODE, left_out, NOT_AUTOSOMAL_CODE, RARE_CODE],
        KEPT_CODE,
    )
    if not (found == KEPT_CODE).any():
        raise DataError(
            "no variant is left to test: they are rare, do not vary or are on no autosome"
        )
    return found


@dataclass(frozen=True)
class _Relations:
    """Sums of products of standardised genotypes over the variants `columns`."""

    genotypes: Genotypes
    columns: np.ndarray
    values: np.ndarray
    sums: np.ndarray

    @classmethod
    def of(cls, genotypes: Genotypes, counts: np.ndarray, n_jobs: int, quiet: bool) -> _Relations:
        from ...kernels.genotypes.standardized import standard_values

        columns = thinned_columns(
            frequent_pruned(genotypes, counts, n_jobs, quiet), N_RELATIONSHIP_VARIANTS
        )
        chromosomes = list(autosomes_in_order(genotypes.variants))
        if sum(np.isin(columns, own, assume_unique=True).any() for own in chromosomes) < 2:
            raise DataError(
                "all frequent variants lie on one chromosome, and a variant is tested with the "
                "relationships by all others: give the files of all chromosomes"
            )
        values = standard_values(counts[columns])[1]
        with one_thread():
            sums = relationship_sums(Standardized(genotypes, columns, values), n_jobs, quiet)
        return cls(genotypes, columns, values, sums)

    def on(self, chromosome: np.ndarray) -> Standardized:
        """Those variants that are on a chromosome."""
        own = np.isin(self.columns, chromosome, assume_unique=True)
        return Standardized(self.genotypes, self.columns[own], self.values[own])

    def without(self, chromosome: np.ndarray) -> np.ndarray:
        """Relationships (n, n) by the variants of all other chromosomes."""
        if not len(chromosome):
            return np.asarray(self.sums / len(self.columns))
        table = self.on(chromosome)
        rest = self.sums - relationship_sums(table, 1, True)
        rest /= len(self.columns) - table.shape[1]
        return rest


@dataclass(frozen=True)
class _Draws:
    """Genetic values and noise (n, B) of liabilities, by random effects of all variants that
    relationships are estimated from. Where a chromosome is tested its own variants have none: that
    they have no effect is what is tested."""

    relations: _Relations
    seed: int
    genetic: np.ndarray
    noise: np.ndarray

    @classmethod
    def of(cls, relations: _Relations, n: int, seed: int) -> _Draws:
        size = relations.genotypes.shape[0]
        rng = generator(seed, "genome", "noise of liabilities")
        noise = rng.standard_normal((n, size)).T
        found = cls(relations, seed, np.zeros((size, n)), noise)
        for columns in autosomes_in_order(relations.genotypes.variants):
            found.genetic[:] += found._values(columns)
        return found

    def _values(self, chromosome: np.ndarray) -> np.ndarray:
        """Sums over the variants of a chromosome (n, B), the same at each call."""
        table, draws = self.relations.on(chromosome), self.noise.shape[1]
        if not draws or not table.shape[1]:
            return np.zeros_like(self.noise)
        rng = generator(self.seed, "genome", "effects of variants", int(table.columns[0]))
        return table.times(rng.standard_normal((table.shape[1], draws)), "Draws", 1, True)

    def outcomes(self, chromosome: np.ndarray, model: NullModel, share: float) -> np.ndarray:
        """Of the null hypothesis of a chromosome (n, B), less what covariates predict."""
        rest = self.genetic - self._values(chromosome)
        rest /= np.sqrt((rest**2).mean()) if rest.size else 1.0
        return model.drawn(share, rest, self.noise)


def _chromosome_threads(n: int, draws: int, n_jobs: int) -> int:
    """Chromosomes side by side, whose matrices memory holds."""
    from joblib import effective_n_jobs

    return max(
        1, min(effective_n_jobs(n_jobs), MAX_MATRIX_BYTES // (8 * N_MATRICES * n * (n + draws)))
    )


def _score_variants(
    genotypes: Genotypes,
    columns: np.ndarray,
    counts: np.ndarray,
    rotated: Rotated,
    model: NullModel,
    outcomes: np.ndarray,
    shares: np.ndarray,
) -> Arrays:
    """Scores g'P r / sigma^2, their variances g'P g / sigma^2, tails, and the largest of draws."""
    from ...kernels.saddle_point import saddle_tails

    projected, sigma = rotated.project(outcomes, shares)
    width, share = model.width, shares[:1]
    weights = rotated.weights(share)
    cross = np.linalg.inv(np.linalg.cholesky((rotated.fixed * weights).T @ rotated.fixed))
    basis = (rotated.fixed * weights) @ cross.T  # whose products with itself P lacks
    mean = rotated.mean_variances(shares)
    scale = np.sqrt(sigma[1:] * mean[1:] / mean[0])
    scores, largest = np.empty((3, len(columns))), np.zeros(len(scale))
    score, variance, p = scores
    frequency = (2.0 * counts[:, 0] + counts[:, 1]) / (2.0 * counts[:, :3].sum(axis=1))
    copies = np.array([2.0, 0.0, 1.0, 0.0]) - 2.0 * frequency[:, None]
    copies[:, 1] = 0.0  # missing: the mean
    table = Standardized(genotypes, columns, copies)
    for span in table.spans():
        at = slice(*span)
        block = table.block(span) * width
        turned = block @ rotated.vectors
        inside = turned @ basis
        before = (turned**2) @ weights[:, 0]
        own = before - (inside**2).sum(axis=1)
        own[own <= DETERMINED_BELOW * before] = np.nan
        product = block @ projected
        z = product[:, 0] / np.sqrt(sigma[0] * own)
        ratio = model.information_ratio(z)
        score[at], variance[at] = ratio * product[:, 0] / sigma[0], ratio * own / sigma[0]
        p[at] = model.p_values(z * np.sqrt(ratio))
        if len(far := np.flatnonzero(np.abs(z) > model.saddle_point_from)):
            left = (turned[far] * weights[:, 0] - inside[far] @ basis.T) @ rotated.vectors.T / width
            spread = np.sqrt((left**2) @ width**2)
            tails = saddle_tails(left, model.mean, z[far] * spread)
            p[span[0] + far] = np.where(np.isnan(tails), p[span[0] + far], tails)
        if len(largest):
            reached = np.abs(product[:, 1:]) / (np.sqrt(own)[:, None] * scale)
            np.fmax(largest, np.fmax.reduce(reached), out=largest)
    largest *= np.sqrt(model.information_ratio(largest))
    return {"scores": scores, "share": share, "largest": largest}
