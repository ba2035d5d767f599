"""Principal components that were found, and what they are of other samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from ..._core.errors import DataError, counted_noun, listed_names
from ..._core.first_screen import FirstScreen
from ..._core.threads import one_thread
from ..blocks.standard import Standardized
from ..readers.genotypes import Genotypes
from ..readers.samples import Samples
from ..readers.variants import TEXT_FIELDS, Variants, plain_chromosome
from .component_points import class_sizes, component_points
from .components_schema import ComponentsNumbers

if TYPE_CHECKING:
    from ...plotting.picture import Picture


@dataclass(frozen=True, repr=False)
class Components(FirstScreen):
    """k components of n samples and m variants.

    Attributes
    ----------
    scores : ndarray of shape (n, k)
        ``Z loadings / sqrt(m)`` of the standardised genotypes Z: orthogonal, the sum of the squares
        of each its eigenvalue.
    eigenvalues : ndarray of shape (k,)
        Of ``Z Z' / m``, falling.
    share : ndarray of shape (k,)
        Of the sum of all eigenvalues.
    loadings : ndarray of shape (m, k)
        Orthonormal; the largest of each is positive.
    frequencies : ndarray of shape (m,)
        Of allele 1 among the n samples.
    columns : ndarray of shape (m,) of int64
        The variants used, among those of the genotypes.
    residuals : ndarray of shape (k,)
        ``|K u - value u| / value`` of the matrix K and the eigenvectors u; 0 where exact.
    exact : bool
        From all pairs of samples, not from random vectors.
    samples : Samples
    variants : Variants
        Those used.
    """

    scores: np.ndarray
    eigenvalues: np.ndarray
    share: np.ndarray
    loadings: np.ndarray
    frequencies: np.ndarray
    columns: np.ndarray
    residuals: np.ndarray
    exact: bool
    samples: Samples
    variants: Variants

    def frame(self) -> pd.DataFrame:
        """One row a sample: FID, IID, PC1 and so on, which PLINK takes as covariates."""
        return _scores_frame(self.samples, self.scores)

    def project(
        self, genotypes: Genotypes, *, samples: Any = None, n_jobs: int = 1, quiet: bool = True
    ) -> pd.DataFrame:
        """The components of samples that they were not fitted to.

        Frequencies and loadings are those found; of the samples given each is looked at by itself,
        so that they neither change the components nor one another's. Missing calls are 0.

        Parameters
        ----------
        genotypes : Genotypes
            The cohort fitted to or another that has its variants, found by chromosome, position and
            alleles; these may be the other way round.
        samples : mask, or indices, or list of ids, or None
            None: all.
        n_jobs : int, default=1
        quiet : bool, default=True

        Returns
        -------
        DataFrame
            As `frame`.

        Raises
        ------
        DataError
            A variant is not there, or several times.

        Examples
        --------
        >>> import tempfile
        >>> import numpy as np
        >>> from tamis.genome import open_genotypes, principal_components, simulate_cohort
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     simulate_cohort(f"{folder}/two", [30, 10], [10, 30], 500)
        ...     genotypes = open_genotypes(f"{folder}/two")
        ...     found = principal_components(genotypes, k=2, samples=np.arange(60))
        ...     found.project(genotypes, samples=np.arange(60, 80)).shape
        (20, 4)
        """
        taken = genotypes if samples is None else genotypes.subset(samples=samples)
        columns, turned = self._find(taken.variants)
        scores = project_scores(
            taken, columns, self.frequencies, self.loadings, turned, n_jobs, quiet
        )
        return _scores_frame(taken.samples, scores)

    def _find(self, there: Variants) -> tuple[np.ndarray, np.ndarray]:
        """Where the variants are, and whether their alleles are the other way round."""
        wanted, none = self.variants, np.zeros(len(self.columns), dtype=bool)
        if len(there) > self.columns[-1]:
            same = there.take(self.columns)
            if np.array_equal(same.position, wanted.position) and all(
                pc.all(pc.equal(getattr(same, name), getattr(wanted, name))).as_py()
                for name in TEXT_FIELDS
            ):
                return self.columns, none
        near = np.isin(there.position, wanted.position) & ~there.broken
        places: dict[tuple[Any, ...], list[int]] = {}
        at = np.flatnonzero(near)
        for place, key in zip(at.tolist(), _variant_keys(there.take(at)), strict=True):
            places.setdefault(key, []).append(place)
        found: list[int] = []
        turned: list[bool] = []
        lost: list[str] = []
        several: list[str] = []
        ids = wanted.id.to_pylist()
        for name, (chromosome, position, one, other) in zip(
            ids, _variant_keys(wanted), strict=True
        ):
            forth = places.get((chromosome, position, one, other), [])
            back = places.get((chromosome, position, other, one), [])
            if len(forth) + len(back) != 1:
                (several if forth or back else lost).append(name)
                continue
            found.append((forth or back)[0])
            turned.append(bool(back))
        if lost:
            raise DataError(
                f"{counted_noun(len(lost), 'variant')} of the components not there, by chromosome, "
                f"position and alleles: {listed_names(lost)}; fit them to variants that both have"
            )
        if several or len(set(found)) < len(found):
            raise DataError(
                "variants of the components are there several times: "
                f"{listed_names(several or ids)}; leave out all but one of each"
            )
        return np.array(found, dtype=np.int64), np.array(turned, dtype=bool)

    def plot(self, labels: Sequence[object] | None = None) -> Picture:
        """Samples on the first components and the share of each, as on the page.

        Parameters
        ----------
        labels : sequence of length n, optional
            Of the samples, for the colours; None: no class.

        Raises
        ------
        DataError
            There are not as many labels as samples.
        """
        from ...plotting.components import component_views, eigenvalue_bars
        from ...plotting.picture import Picture

        n = len(self.scores)
        given = [None] * n if labels is None else list(labels)
        if len(given) != n:
            raise DataError(
                f"{counted_noun(len(given), 'label')}, where there are {counted_noun(n, 'sample')}"
            )
        drawn = component_points(self.scores, self.samples.id, given, list(class_sizes(given)))
        share = self.share.tolist()
        bars = eigenvalue_bars(self.eigenvalues.tolist(), share)
        return Picture("components", (*component_views(drawn, share), bars))

    def to_dict(self) -> ComponentsNumbers:
        """Numbers, fit for JSON."""
        n, k = self.scores.shape
        return {
            "samples": n,
            "variants": len(self.columns),
            "components": k,
            "method": "exact" if self.exact else "randomized",
            "eigenvalues": self.eigenvalues.tolist(),
            "share": self.share.tolist(),
            "residuals": self.residuals.tolist(),
        }

    def summary(self) -> str:
        """A few sentences."""
        n, k = self.scores.shape
        values = ", ".join(f"{value:.4g}" for value in self.eigenvalues)
        how = (
            "from all pairs of samples"
            if self.exact
            else (
                "from random vectors, residuals of "
                f"{self.residuals.max():.1g} of the eigenvalue at most"
            )
        )
        return (
            f"{counted_noun(k, 'principal component')} of {counted_noun(n, 'sample')} and "
            f"{counted_noun(len(self.columns), 'variant')}, {how}.\n"
            f"Eigenvalues {values}: {100 * self.share.sum():.3g} % of all variance, of which the "
            f"first has {100 * self.share[0]:.3g} %."
        )


def project_scores(
    genotypes: Genotypes,
    columns: np.ndarray,
    frequencies: np.ndarray,
    loadings: np.ndarray,
    turned: np.ndarray | None = None,
    n_jobs: int = 1,
    quiet: bool = True,
) -> np.ndarray:
    """Scores (n, k) of samples on components of other ones.

    Parameters
    ----------
    genotypes : Genotypes
    columns : ndarray of shape (m,)
        Where the variants are that the components are of, in any order.
    frequencies : ndarray of shape (m,)
        Of allele 1 among those other samples.
    loadings : ndarray of shape (m, k)
    turned : ndarray of shape (m,) of bool, optional
        Whether the alleles are the other way round here.
    n_jobs : int, default=1
    quiet : bool, default=True
    """
    from ...kernels.genotypes.standardized import values_of

    values = values_of(frequencies)
    if turned is not None:
        values[turned] = values[turned][:, [3, 1, 2, 0]]
    order = np.argsort(columns)
    table = Standardized(genotypes, columns[order], values[order])
    with one_thread():
        scores = table.times(loadings[order], "Projection", n_jobs, quiet)
    return scores / np.sqrt(len(columns))


def _scores_frame(samples: Samples, scores: np.ndarray) -> pd.DataFrame:
    names = [f"PC{k + 1}" for k in range(scores.shape[1])]
    table = pd.DataFrame(scores, columns=names)
    table.insert(0, "FID", samples.family)
    table.insert(1, "IID", samples.id)
    return table


def _variant_keys(variants: Variants) -> list[tuple[Any, ...]]:
    """Chromosome, position and alleles of each."""
    plain = {name: plain_chromosome(name) for name in pc.unique(variants.chromosome).to_pylist()}
    return list(
        zip(
            [plain[name] for name in variants.chromosome.to_pylist()],
            variants.position.tolist(),
            variants.allele1.to_pylist(),
            variants.allele2.to_pylist(),
            strict=True,
        )
    )
