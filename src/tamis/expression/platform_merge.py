"""Samples of several platforms as one table of the genes that all of them measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from .._core.errors import DataError, counted_noun, listed_names
from .._core.first_screen import FirstScreen
from ..data.dataset import check_unique
from ..data.unlogged import looks_unlogged
from .intensities import checked_intensities
from .quantiles import quantile_normalize

if TYPE_CHECKING:
    import pandas as pd

    from .probe_collapsing import GeneValues


class MergedContent(TypedDict):
    """Numbers of `MergedPlatforms`."""

    n_samples: int
    n_genes: int
    samples_by_platform: dict[str, int]
    genes_by_platform: dict[str, int]
    quantiles: bool
    warnings: list[str]


@dataclass(frozen=True, repr=False)
class MergedPlatforms(FirstScreen):
    """One table of the genes that all platforms have.

    Attributes
    ----------
    values : ndarray of shape (n_samples, n_genes)
    genes : ndarray of shape (n_genes,)
        Sorted.
    samples : tuple of str, length n_samples
    platforms : tuple of str, length n_samples
        Of each sample.
    genes_by_platform : dict of str to int
        How many genes each platform has.
    quantiles : bool
        Whether all samples were given one distribution, together.
    warnings : tuple of str
        Platforms whose values do not look like logarithms.
    """

    values: np.ndarray
    genes: np.ndarray
    samples: tuple[str, ...]
    platforms: tuple[str, ...]
    genes_by_platform: dict[str, int]
    quantiles: bool
    warnings: tuple[str, ...]

    def __repr__(self) -> str:
        n, p = self.values.shape
        platforms = counted_noun(len(self.genes_by_platform), "platform")
        return (
            f"MergedPlatforms({counted_noun(n, 'sample')} of {platforms}, "
            f"{counted_noun(p, 'gene')})"
        )

    def frame(self, platform: str | None = None) -> pd.DataFrame:
        """Samples in rows and genes in columns; first the platform, in a column of this name.

        Raises
        ------
        DataError
            A gene has the name of that column.
        """
        import pandas as pd

        found = pd.DataFrame(
            self.values, index=pd.Index(self.samples, name="sample"), columns=self.genes
        )
        if platform is not None:
            if platform in found.columns:
                raise DataError(f"there is a gene {platform!r}: name the column otherwise")
            found.insert(0, platform, list(self.platforms))
        return found

    def to_dict(self) -> MergedContent:
        """What `summary` says."""
        return {
            "n_samples": len(self.samples),
            "n_genes": len(self.genes),
            "samples_by_platform": {p: self.platforms.count(p) for p in self.genes_by_platform},
            "genes_by_platform": dict(self.genes_by_platform),
            "quantiles": self.quantiles,
            "warnings": list(self.warnings),
        }

    def summary(self) -> str:
        """Few lines of text."""
        said = self.to_dict()
        lines = [
            f"{name}: {counted_noun(n, 'sample')}, "
            f"{counted_noun(self.genes_by_platform[name], 'gene')}"
            for name, n in said["samples_by_platform"].items()
        ]
        lines.append(
            f"Together: {counted_noun(len(self.samples), 'sample')}, "
            f"{counted_noun(len(self.genes), 'shared gene')}"
        )
        return "\n".join([*lines, *self.warnings])


def merge_platforms(
    tables: Mapping[str, GeneValues | pd.DataFrame], *, quantiles: bool = False
) -> MergedPlatforms:
    """Samples of several platforms in one table, with the genes that every platform has.

    Each platform has been summarised by itself (RMA) and collapsed to genes before.

    Parameters
    ----------
    tables : mapping of str to GeneValues or DataFrame of shape (n_samples, n_genes)
        By the name of the platform.
    quantiles : bool, default=False
        Give all samples one distribution, the mean over all of them. That is learned of all
        samples, held-out ones included: for describing them. Where something is predicted, leave
        it out and put ``prepare = ["quantile"]`` into the plan, which learns the distribution of
        the training samples and freezes it.

    Returns
    -------
    MergedPlatforms
        Samples in the order of the tables. Its `warnings` name platforms whose values look like
        raw intensities; nothing is logged.

    Raises
    ------
    DataError
        There is no table, a table is none of numbers by gene, a sample or gene comes twice, or no
        gene is in all tables.

    Examples
    --------
    >>> import pandas as pd
    >>> old = pd.DataFrame({"DDR1": [8.0], "RFC2": [7.0]}, index=["GSM1"])
    >>> new = pd.DataFrame({"RFC2": [6.5], "PAX8": [5.0], "DDR1": [9.0]}, index=["GSM2"])
    >>> found = merge_platforms({"GPL96": old, "GPL570": new})
    >>> found.frame("platform").loc["GSM2"].to_dict()
    {'platform': 'GPL570', 'DDR1': 9.0, 'RFC2': 6.5}
    """
    if not tables:
        raise DataError("there is no table: give one for each platform")
    frames = {str(name): _genes_frame(str(name), table) for name, table in tables.items()}
    first, *others = frames.values()
    shared = set(first.columns).intersection(*(other.columns for other in others))
    genes = np.array(sorted(shared), dtype=object)
    if not len(genes):
        raise DataError(
            f"no gene is in all of {listed_names(frames)} (they begin with "
            f"{listed_names(frame.columns[0] for frame in frames.values())}): collapse each to "
            "symbols of one species first"
        )
    samples = tuple(str(name) for frame in frames.values() for name in frame.index)
    check_unique(samples, "names of samples", "name them apart before they are merged")
    values = np.empty((len(samples), len(genes)))
    at = 0
    for frame in frames.values():
        values[at : at + len(frame)] = frame[list(genes)].to_numpy()
        at += len(frame)
    warnings = tuple(unlogged_warnings(frames))
    return MergedPlatforms(
        quantile_normalize(values) if quantiles else values,
        genes,
        samples,
        tuple(name for name, frame in frames.items() for _ in range(len(frame))),
        {name: frame.shape[1] for name, frame in frames.items()},
        quantiles,
        warnings,
    )


def unlogged_warnings(tables: Mapping[str, GeneValues | pd.DataFrame | np.ndarray]) -> list[str]:
    """Warnings about platforms whose values look like raw intensities; [] of none.

    Parameters
    ----------
    tables : mapping of str to GeneValues, DataFrame or array
        By the name of the platform; samples in rows.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> logs = rng.normal(8, 2, (40, 100))
    >>> [text[:43] for text in unlogged_warnings({"GPL96": 2**logs, "GPL570": logs})]
    ['Values of GPL96 look like raw intensities (']
    """
    found, logged = {}, []
    for name, table in tables.items():
        values = np.asarray(getattr(table, "values", table), dtype=np.float64)
        if values.size and looks_unlogged(values):
            found[name] = f"median {np.nanmedian(values):,.3g}, largest {np.nanmax(values):,.0f}"
        else:
            logged.append(name)
    others = f" Those of {', '.join(logged)} do not, so they cannot be compared." if logged else ""
    return [
        f"Values of {name} look like raw intensities ({figures}): take log2 of max(x, 1) before "
        f"probe sets are averaged.{others}"
        for name, figures in found.items()
    ]


def _genes_frame(name: str, table: Any) -> pd.DataFrame:
    """A table of genes as DataFrame, checked."""
    frame = table.frame() if hasattr(table, "frame") else table
    if not hasattr(frame, "columns"):
        raise DataError(f"the table of {name!r} must be a DataFrame or what collapse_probes gives")
    frame = frame.rename(columns=str)
    check_unique(list(frame.columns), f"names of genes of {name}", "collapse its probe sets first")
    values = checked_intensities(frame.to_numpy(), f"the table of {name}", missing=True)
    return frame if values.dtype == frame.to_numpy().dtype else frame.astype(np.float64)
