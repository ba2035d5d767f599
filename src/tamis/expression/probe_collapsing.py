"""From probe sets to genes: the mean over the probe sets of each gene."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypedDict

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from .._core.errors import DataError, counted_noun, listed_names
from .._core.first_screen import FirstScreen
from ..data.dataset import check_unique
from .annotation import Annotation
from .intensities import checked_intensities
from .probe_sets import ProbeSets
from .reading.annotation import read_annotation

if TYPE_CHECKING:
    import pandas as pd

CONTROL_PREFIX = "AFFX"  # how the names of Affymetrix's control probe sets begin
MONTH_PATTERN = "jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec"
# 2-Sep, Sep-02
DATE_PATTERN = re.compile(
    rf"\d{{1,2}}-({MONTH_PATTERN})\Z|({MONTH_PATTERN})-\d{{2}}\Z", re.IGNORECASE
)
FLOAT_TYPES = (np.float64, np.float32)


class ProbeGenesContent(TypedDict):
    """Numbers of `ProbeGenes`."""

    n_probe_sets: int
    n_used: int
    n_controls: int
    n_unknown: int
    n_unmapped: int
    n_dropped: int
    n_several: int
    n_genes: int
    genes_by_probe_sets: dict[int, int]


class GeneValuesContent(ProbeGenesContent):
    """Numbers of `GeneValues`."""

    n_samples: int
    n_missing: int


@dataclass(frozen=True, repr=False)
class ProbeGenes(FirstScreen):
    """Which probe sets of a table are averaged to which gene.

    Attributes
    ----------
    probe_sets : tuple of str, length p
        In the order of the columns.
    sets : ProbeSets
        The genes by name, and the columns of each, by the names of their probe sets.
    n_controls, n_unknown, n_unmapped, n_dropped : int
        Probe sets left out: controls; not in the annotation; in it, without a gene; of several
        genes, under ``several="drop"``.
    n_several : int
        Probe sets of several genes that are used.
    """

    probe_sets: tuple[str, ...]
    sets: ProbeSets
    n_controls: int = 0
    n_unknown: int = 0
    n_unmapped: int = 0
    n_dropped: int = 0
    n_several: int = 0

    @classmethod
    def of(cls, names: Sequence[Any], annotation: Annotation, several: str, controls: bool) -> Self:
        """Of the names of the columns.

        Raises
        ------
        DataError
            A name comes twice, or none has a gene.
        """
        probe_sets = tuple(map(str, names))
        check_unique(probe_sets, "names of probe sets", "leave one of each out")
        genes = annotation.genes(several)
        symbols = dict(zip(annotation.probes, annotation.symbols, strict=True))
        pairs: list[tuple[str, str, int]] = []
        left = dict.fromkeys(("n_controls", "n_unknown", "n_unmapped", "n_dropped"), 0)
        n_several = 0
        for column, probe in enumerate(probe_sets):
            if not controls and probe.startswith(CONTROL_PREFIX):
                left["n_controls"] += 1
            elif probe not in genes:
                left["n_unknown"] += 1
            elif not genes[probe]:
                left["n_dropped" if symbols[probe] else "n_unmapped"] += 1
            else:
                n_several += len(symbols[probe]) > 1
                pairs += [(gene, probe, column) for gene in genes[probe]]
        if not pairs:
            raise DataError(
                f"none of {counted_noun(len(probe_sets), 'probe set')} "
                f"({listed_names(probe_sets, 2)}) has a gene in "
                f"{annotation.name or 'the annotation'} ({listed_names(annotation.probes, 2)}): "
                "give the table of their platform, with samples in rows and probe sets in columns"
            )
        pairs.sort()
        named = np.array([gene for gene, _, _ in pairs], dtype=object)
        first = np.flatnonzero(np.concatenate([[True], named[1:] != named[:-1]]))
        columns = np.array([column for _, _, column in pairs])
        sets = ProbeSets(named[first], columns, np.append(first, len(pairs)))
        return cls(probe_sets, sets, **left, n_several=n_several)

    def __repr__(self) -> str:
        return (
            f"ProbeGenes({counted_noun(len(self.probe_sets), 'probe set')}, "
            f"{counted_noun(len(self.sets.names), 'gene')})"
        )

    @property
    def counts(self) -> np.ndarray:
        """Probe sets of each gene (n_genes,)."""
        return np.diff(self.sets.starts)

    def means(self, X: np.ndarray) -> np.ndarray:
        """Means over the probe sets of each gene, of what is there (n, n_genes); row by row."""
        counts = self.counts
        found = np.empty((len(X), len(counts)))
        for row, to in zip(X, found, strict=True):
            values = row[self.sets.columns].astype(np.float64, copy=False)
            known = ~np.isnan(values)
            if known.all():
                np.divide(np.add.reduceat(values, self.sets.starts[:-1]), counts, out=to)
                continue
            n = np.add.reduceat(known, self.sets.starts[:-1], dtype=np.int64)
            sums = np.add.reduceat(np.where(known, values, 0.0), self.sets.starts[:-1])
            to[:] = np.nan
            np.divide(sums, n, out=to, where=n > 0)
        return found

    def frame(self) -> pd.DataFrame:
        """A row for each probe set that is used and its gene, sorted by gene."""
        import pandas as pd

        return pd.DataFrame(
            {
                "gene": np.repeat(self.sets.names, self.counts),
                "probe_set": [self.probe_sets[column] for column in self.sets.columns],
            }
        )

    def to_dict(self) -> ProbeGenesContent:
        """Numbers of probe sets used and left out, and of genes by number of probe sets."""
        sizes, genes = np.unique(self.counts, return_counts=True)
        return {
            "n_probe_sets": len(self.probe_sets),
            "n_used": len(np.unique(self.sets.columns)),
            "n_controls": self.n_controls,
            "n_unknown": self.n_unknown,
            "n_unmapped": self.n_unmapped,
            "n_dropped": self.n_dropped,
            "n_several": self.n_several,
            "n_genes": len(self.sets.names),
            "genes_by_probe_sets": dict(zip(sizes.tolist(), genes.tolist(), strict=True)),
        }

    def warnings(self) -> list[str]:
        """What makes the genes doubtful: another platform's table, or symbols that are dates."""
        found = []
        n_considered = len(self.probe_sets) - self.n_controls
        if self.n_unknown > n_considered / 2:
            found.append(
                f"{self.n_unknown:,} of {counted_noun(n_considered, 'probe set')} are not in the "
                "annotation: is it the table of another platform?"
            )
        if dates := [name for name in self.sets.names if DATE_PATTERN.match(name)]:
            found.append(
                f"Symbols look like dates ({listed_names(dates, 3)}), as a spreadsheet makes them "
                "of SEPT2 or MARCH1: use the original table."
            )
        return found

    def summary(self) -> str:
        """Few lines of text."""
        said = self.to_dict()
        left = {
            "without a gene": self.n_unmapped,
            "not in the annotation": self.n_unknown,
            "controls": self.n_controls,
            "of several genes": self.n_dropped,
        }
        left = {what: n for what, n in left.items() if n}
        lines = [
            f"{counted_noun(said['n_probe_sets'], 'probe set')}, of which {said['n_used']:,} give "
            f"{counted_noun(said['n_genes'], 'gene')}"
        ]
        if left:
            lines.append("Left out: " + ", ".join(f"{n:,} {what}" for what, n in left.items()))
        if self.n_several:
            lines.append(f"Of several genes and used: {self.n_several:,}")
        few = {n: genes for n, genes in said["genes_by_probe_sets"].items() if n <= 3}
        more = said["n_genes"] - sum(few.values())
        sizes = [f"{genes:,} of {n}" for n, genes in few.items()]
        sizes += [f"{more:,} of more"] * (more > 0)
        lines.append(f"Genes by their probe sets: {', '.join(sizes)}")
        return "\n".join(lines)


@dataclass(frozen=True, repr=False)
class GeneValues(FirstScreen):
    """Values of genes.

    Attributes
    ----------
    values : ndarray of shape (n_samples, n_genes)
        NaN where none of a gene's probe sets has a value.
    genes : ndarray of shape (n_genes,)
        Their symbols, sorted.
    samples : tuple, length n_samples, or None
        Names, where the table has some.
    probe_genes : ProbeGenes
        Which probe sets are behind each gene, and which were left out.
    """

    values: np.ndarray
    genes: np.ndarray
    samples: tuple[Any, ...] | None
    probe_genes: ProbeGenes

    def __repr__(self) -> str:
        n, p = self.values.shape
        return f"GeneValues({counted_noun(n, 'sample')}, {counted_noun(p, 'gene')})"

    def frame(self, samples: Any = None) -> pd.DataFrame:
        """The values as a pandas DataFrame, samples in rows."""
        import pandas as pd

        names = self.samples if samples is None else samples
        index = None if names is None else pd.Index(names, name="sample")
        return pd.DataFrame(self.values, index=index, columns=self.genes)

    def to_dict(self) -> GeneValuesContent:
        """What `summary` says, as numbers."""
        return {
            "n_samples": len(self.values),
            **self.probe_genes.to_dict(),
            "n_missing": int(np.isnan(self.values).sum()),
        }

    def summary(self) -> str:
        """Few lines of text."""
        return f"{counted_noun(len(self.values), 'sample')}\n{self.probe_genes.summary()}"


def collapse_probes(
    values: Any,
    annotation: Any,
    *,
    probe_sets: Sequence[str] | None = None,
    several: str = "first",
    controls: bool = False,
) -> GeneValues:
    """The mean over the probe sets of each gene; probe sets without a gene are left out.

    Nothing is learned: a sample has the same values alone as in any batch.

    Parameters
    ----------
    values : DataFrame, ProbeSetValues, or array-like, of shape (n_samples, n_probe_sets)
        Logarithms, best, since means of raw intensities go with the largest. NaN is missing.
    annotation : Annotation, str, Path, or mapping
        The genes of the probe sets; a path goes to `read_annotation`, a mapping of probe set to
        symbols to `Annotation.of`.
    probe_sets : sequence of str, optional
        Names of the columns of an array.
    several : {"first", "drop", "each"}, default="first"
        What becomes of a probe set of several genes: it counts for one of them (the first by the
        alphabet among settled names: DDR1 of DDR1 and MIR4640), for none, or for each, which then
        are columns alike.
    controls : bool, default=False
        Use Affymetrix's control probe sets (AFFX-...), too, where they have a gene.

    Returns
    -------
    GeneValues

    Raises
    ------
    DataError
        Values are no table of numbers, names are missing or come twice, or none has a gene.
    PlanError
        `several` is something else.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"1007_s_at": [8.0], "207169_x_at": [7.0], "1053_at": [6.5]})
    >>> genes = {"1007_s_at": "DDR1 /// MIR4640", "207169_x_at": "DDR1", "1053_at": "---"}
    >>> found = collapse_probes(table, genes)
    >>> found.genes.tolist(), found.values.tolist()
    (['DDR1'], [[7.5]])
    >>> print(found.summary())
    1 sample
    3 probe sets, of which 2 give 1 gene
    Left out: 1 without a gene
    Of several genes and used: 1
    Genes by their probe sets: 1 of 2
    """
    samples = None
    if hasattr(values, "columns"):
        names, samples, values = values.columns, tuple(values.index), values.to_numpy()
    elif hasattr(values, "probe_sets"):
        names, values = values.probe_sets, values.values
    else:
        names = probe_sets
    X = checked_intensities(values, "values", missing=True)
    if names is None or len(names) != X.shape[1]:
        raise DataError(
            f"probe_sets has {counted_noun(0 if names is None else len(names), 'name')} for "
            f"{counted_noun(X.shape[1], 'column')}: give a DataFrame, or a name for each column"
        )
    found = ProbeGenes.of(names, as_annotation(annotation), several, controls)
    return GeneValues(found.means(X), found.sets.names, samples, found)


def as_annotation(annotation: Any) -> Annotation:
    """What a user gives as annotation: one, a path, or a mapping."""
    if isinstance(annotation, Annotation):
        return annotation
    if isinstance(annotation, str | Path):
        return read_annotation(annotation)
    return Annotation.of(annotation)


class ProbeCollapser(TransformerMixin, BaseEstimator):
    """`collapse_probes` as a transformer: probe sets in, genes out.

    It learns the names of the columns alone, so that it can stand in any pipeline, before or after
    the split.

    Parameters
    ----------
    annotation : Annotation, str, Path, mapping or None, default=None
        The genes of the probe sets. None: each column is a gene by itself.
    several : {"first", "drop", "each"}, default="first"
        What becomes of a probe set of several genes, as in `collapse_probes`.
    controls : bool, default=False
        Use Affymetrix's control probe sets (AFFX-...), too.

    Attributes
    ----------
    probe_genes_ : ProbeGenes
        Which probe sets are behind each gene; None without an annotation.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features,)
        Where X has names, which an annotation needs.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"1007_s_at": [8.0], "207169_x_at": [7.0], "1053_at": [6.5]})
    >>> model = ProbeCollapser({"1007_s_at": "DDR1", "207169_x_at": "DDR1"}).fit(X)
    >>> model.transform(X), model.get_feature_names_out()
    (array([[7.5]]), array(['DDR1'], dtype=object))
    """

    def __init__(self, annotation: Any = None, *, several: str = "first", controls: bool = False):
        self.annotation = annotation
        self.several = several
        self.controls = controls

    def fit(self, X, y=None) -> Self:
        """Learn the names of the columns.

        Parameters
        ----------
        X : DataFrame of shape (n_samples, n_probe_sets)
        y : ignored

        Raises
        ------
        DataError
            There is an annotation and X has no names, a name comes twice, or none has a gene.
        PlanError
            `several` is something else.
        """
        validate_data(self, X, dtype=FLOAT_TYPES, ensure_all_finite="allow-nan")
        self.probe_genes_ = None
        if self.annotation is not None:
            if not hasattr(self, "feature_names_in_"):
                raise DataError(
                    "X has no names of probe sets: give a DataFrame (of a step before, by "
                    "set_output(transform='pandas'))"
                )
            annotation = as_annotation(self.annotation)
            self.probe_genes_ = ProbeGenes.of(
                self.feature_names_in_, annotation, self.several, self.controls
            )
        return self

    def transform(self, X) -> np.ndarray:
        """Values of genes, each sample by itself (n_samples, n_genes)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=FLOAT_TYPES, ensure_all_finite="allow-nan", reset=False)
        if self.probe_genes_ is None:
            return X.astype(np.float64)
        return self.probe_genes_.means(X)

    def get_feature_names_out(self, input_features=None) -> np.ndarray:
        """Symbols of the genes, sorted."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        return names if self.probe_genes_ is None else self.probe_genes_.sets.names

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags
