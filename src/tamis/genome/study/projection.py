"""Random projection by signs, of genotypes as they are packed and of tables of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Self

import numpy as np
import pyarrow.compute as pc
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.random_projection import johnson_lindenstrauss_min_dim
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from ..._core.errors import DataError, PlanError, counted_noun, shorten_text, value_text
from ..._core.progress import Progress
from ..._core.settings import checked_count, checked_share
from ..._core.streams import stream
from ..._core.workers import joblib_parallel
from ..blocks.calls import count_calls
from ..readers.genotypes import Genotypes
from ..readers.variants import TEXT_FIELDS, Variants

MAX_INT32_VARIANTS = 1 << 30  # variants whose sums are sure to be whole numbers of 32 bits


class RandomSignProjection(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Sums of all columns with random signs: few numbers a sample, which keep Euclidean distances.

    ``T(x) = x R / sqrt(m')`` with R (p, m') of +1 and -1, equally likely (Achlioptas 2003). R is
    never stored: a sign follows from `random_state`, its column and its output alone. Of packed
    genotypes the sums are whole numbers, exact, and the same bytes for any number of threads.

    Parameters
    ----------
    n_components : int or "auto", default="auto"
        m'. "auto": as many as the lemma of Johnson and Lindenstrauss asks for so that distances of
        as many samples as `fit` saw are kept within `eps`, see
        `sklearn.random_projection.johnson_lindenstrauss_min_dim`. The first outputs are those of
        any smaller number, but for the scale.
    eps : float, default=0.1
        Squared distances then are between 1 - eps and 1 + eps times the true ones, with high
        probability; for "auto" alone.
    coding : {"copies", "indicators"}, default="copies"
        Of genotypes: a column of 0, 1 or 2 copies of allele 1 a variant, or three columns of 0 and
        1 that say two copies, one and none (columns 3j, 3j + 1 and 3j + 2 of variant j). Tables
        are taken as they are.
    scale : bool, default=True
        Divide by sqrt(m'); else the sums themselves, int32 of genotypes.
    random_state : int, RandomState or None, default=0
        Of the signs; None: others in each `fit`.
    n_jobs : int or None, default=None
        Threads.
    quiet : bool, default=True
        No progress on stderr; of genotypes there is some otherwise.

    Attributes
    ----------
    n_components_ : int
    seed_ : int
        Which the signs follow from.
    fill_ : ndarray of shape (n_variants,) of int8, or None
        Copies that stand for a missing call: the most frequent among the samples of `fit`, the
        fewest of equals; 0 where none was called. None of tables.
    variants_ : Variants or None
        Those `fit` saw; None of tables.
    n_features_in_ : int
        Columns of the table, or variants.

    Notes
    -----
    With equal columns, genotypes and tables have equal results. Sums of a table's whole numbers are
    exact below 2^53; those of other numbers do not depend on threads, but on the BLAS library, and
    may differ in the last digits if rows are given in other portions.

    Examples
    --------
    >>> import tempfile
    >>> from tamis.genome import RandomSignProjection, open_genotypes, simulate_cohort
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     simulate_cohort(f"{folder}/made", n_cases=30, n_controls=30, n_variants=5000)
    ...     genotypes = open_genotypes(f"{folder}/made.bed")
    ...     projection = RandomSignProjection(n_components=500).fit(genotypes)
    ...     few = projection.transform(genotypes)
    >>> few.shape, few.dtype.name
    ((60, 500), 'float64')

    Of a table:

    >>> import numpy as np
    >>> X = np.eye(3, 1000)
    >>> RandomSignProjection(n_components=4, scale=False).fit_transform(X).tolist()
    [[1.0, 1.0, 1.0, 1.0], [-1.0, -1.0, -1.0, 1.0], [1.0, 1.0, -1.0, 1.0]]
    """

    def __init__(
        self,
        n_components="auto",
        *,
        eps=0.1,
        coding="copies",
        scale=True,
        random_state=0,
        n_jobs=None,
        quiet=True,
    ):
        self.n_components = n_components
        self.eps = eps
        self.coding = coding
        self.scale = scale
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.quiet = quiet

    def fit(self, X, y=None) -> Self:
        """Choose the number of outputs, and what stands for missing calls.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or Genotypes
        y : ignored

        Raises
        ------
        DataError
            "auto" asks for more outputs than there are columns, or there are too many variants.
        PlanError
            A parameter is not one of those allowed.
        ValueError
            A table has missing or infinite values.
        """
        if self.coding not in ("copies", "indicators"):
            raise PlanError(f"coding = {value_text(self.coding)}: give 'copies' or 'indicators'")
        if isinstance(X, Genotypes):
            n, p = X.shape
            if p >= MAX_INT32_VARIANTS:
                raise DataError(
                    f"{counted_noun(p, 'variant')}: take fewer than {MAX_INT32_VARIANTS:,} at a "
                    "time"
                )
            fill, variants = call_modes(X, self.quiet), X.variants
            n_columns = 3 * p if self.coding == "indicators" else p
            self.__dict__.pop("feature_names_in_", None)
        else:
            n, p = validate_data(self, X, dtype=np.float64).shape
            fill, variants, n_columns = None, None, p
        self.n_components_ = self._number_for(n, n_columns)
        state = check_random_state(self.random_state)
        given = isinstance(self.random_state, int | np.integer)
        self.seed_ = int(self.random_state) if given else int(state.randint(2**31 - 1))
        self.fill_, self.variants_, self.n_features_in_ = fill, variants, p
        return self

    def transform(self, X) -> np.ndarray:
        """Project.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or Genotypes
            With the columns, or the variants and alleles, that `fit` saw.

        Returns
        -------
        ndarray of shape (n_samples, n_components_)
            float64; int32 of genotypes that are not scaled.

        Raises
        ------
        DataError
            Genotypes have other variants than those of `fit`, or `fit` saw a table.
        ValueError
            A table has other columns, or missing or infinite values.
        """
        check_is_fitted(self)
        key = stream(self.seed_, "random signs").generate_state(1, np.uint64)[0]
        divisor = float(np.sqrt(self.n_components_)) if self.scale else None
        if isinstance(X, Genotypes):
            if self.variants_ is None or self.fill_ is None:
                raise DataError("the projection was fitted to a table: fit it to genotypes")
            _refuse_others(self.variants_, X.variants)
            return project_genotypes(
                X,
                self.fill_,
                self.n_components_,
                key,
                self.coding,
                divisor,
                self.n_jobs,
                quiet=self.quiet,
            )
        if self.variants_ is not None:
            raise DataError("the projection was fitted to genotypes: give it Genotypes")
        X = validate_data(self, X, dtype=np.float64, reset=False)

        from ...kernels.genotypes.table_projection import project_table

        with joblib_parallel(n_jobs=self.n_jobs, backend="threading") as parallel:
            found = project_table(X, self.n_components_, key, _sharing_tasks(parallel))
        if divisor is not None:
            found /= divisor
        return found

    def _number_for(self, n: int, n_columns: int) -> int:
        if not isinstance(self.n_components, str):
            return checked_count(self.n_components, "n_components", 1)
        if self.n_components != "auto":
            raise PlanError(f"n_components = {value_text(self.n_components)}: a number, or 'auto'")
        eps = checked_share(self.eps, "eps")
        if not 0 < eps < 1:
            raise PlanError(f"eps={self.eps!r}: give a number between 0 and 1")
        needed = max(int(johnson_lindenstrauss_min_dim(n, eps=eps)), 1)
        if needed > n_columns:
            raise DataError(
                f"eps={eps:g} takes {needed:,} outputs for {counted_noun(n, 'sample')}, more than "
                f"the {counted_noun(n_columns, 'column')} there are: give a larger one or "
                "n_components=NUMBER"
            )
        return needed

    @property
    def _n_features_out(self) -> int:
        return self.n_components_


def project_genotypes(
    genotypes: Genotypes,
    fill: np.ndarray,
    n_outputs: int,
    key: np.uint64,
    coding: str = "copies",
    divisor: float | None = None,
    n_jobs: int | None = None,
    width: int | None = None,
    quiet: bool = True,
) -> np.ndarray:
    """Sums of signs over all variants (n, n_outputs), block by block.

    Parameters
    ----------
    genotypes : Genotypes
    fill : ndarray of shape (p,) of int8
        Copies that stand for a missing call.
    n_outputs : int
    key : uint64
        Of the signs.
    coding : {"copies", "indicators"}
    divisor : float or None
        None: int32.
    n_jobs : int or None
    width : int or None
        Variants of a block; results do not depend on it.
    quiet : bool
        No progress on stderr.
    """
    from ...kernels.genotypes.projection import BLOCK_VARIANTS, PackedProjection

    place = genotypes.groups_of_file(np.arange(genotypes.shape[0]))
    projection = PackedProjection(place, n_outputs, key, coding == "indicators")
    with (
        joblib_parallel(n_jobs=n_jobs, backend="threading") as parallel,
        Progress(genotypes.shape[1], "variants", quiet) as progress,
    ):
        for piece in genotypes.pieces(width or BLOCK_VARIANTS):
            at = piece.place
            projection.add(piece.packed(), at.start, fill[at], _sharing_tasks(parallel))
            progress.advance(len(piece))
    return projection.sums(divisor)


def _sharing_tasks(parallel: Parallel) -> Callable[[Iterable[Callable[[], Any]]], Any]:
    return lambda tasks: parallel(delayed(task)() for task in tasks)


def call_modes(genotypes: Genotypes, quiet: bool) -> np.ndarray:
    """The most frequent number of copies of each variant (p,) int8, the fewest of equals."""
    from ...kernels.genotypes.counts import NO_COPY, ONE_COPY, TWO_COPIES

    counts = count_calls(genotypes, 1, quiet)
    return counts[:, [NO_COPY, ONE_COPY, TWO_COPIES]].argmax(axis=1).astype(np.int8)


def _refuse_others(fitted: Variants, given: Variants) -> None:
    """One line where variants, their order or their alleles are not those of `fit`."""
    if given is fitted:
        return
    if len(given) != len(fitted):
        raise DataError(
            f"{counted_noun(len(given), 'variant')}, where the projection was fitted to "
            f"{len(fitted):,}: take the same variants in the same order"
        )
    other = given.position != fitted.position
    for name in TEXT_FIELDS:
        same = pc.equal(getattr(given, name), getattr(fitted, name))
        other |= ~same.to_numpy(zero_copy_only=False)
    if other.any():
        j = int(np.argmax(other))
        raise DataError(
            f"{counted_noun(int(other.sum()), 'variant')} of {len(other):,} are not those the "
            f"projection was fitted to: the first is {_words_of(given, j)}, where "
            f"{_words_of(fitted, j)} was"
        )


def _words_of(variants: Variants, j: int) -> str:
    chromosome, id, one, two = (
        shorten_text(getattr(variants, name)[j].as_py(), 30) for name in TEXT_FIELDS
    )
    return f"{id!r} ({chromosome}:{variants.position[j]} {one}/{two})"
