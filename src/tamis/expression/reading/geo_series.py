"""A series of GEO: its platforms, and its samples with their values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._core.errors import DataError, counted_noun, listed_names, nearest_hint, shorten_text
from .annotation import platform_annotation
from .geo_entities import Attributes, Platform, Sample

if TYPE_CHECKING:
    import pandas as pd

    from ..annotation import Annotation
    from ..platform_merge import MergedPlatforms
    from ..probe_collapsing import GeneValues


_OWN_COLUMNS = ("platform", "title", "source_name")  # of the sample sheet


@dataclass(frozen=True, repr=False)
class GeoSeries:
    """A series of GEO, as a family file or series matrix files hold it.

    Attributes
    ----------
    series : str
        As ``GSE1000``.
    attributes : dict of str to list of str
        Of the series, without ``!Series_``.
    platforms : dict of str to Platform
    samples : dict of str to Sample
        In the order of the file.
    """

    series: str
    attributes: Attributes
    platforms: dict[str, Platform]
    samples: dict[str, Sample]

    def __repr__(self) -> str:
        platforms = counted_noun(len(self.platforms), "platform")
        return (
            f"GeoSeries({self.series!r}, {counted_noun(len(self.samples), 'sample')}, {platforms})"
        )

    def values(self, platform: str | None = None) -> pd.DataFrame:
        """VALUE of the samples of a platform.

        Parameters
        ----------
        platform : str or None
            None: the only one that samples with values have.

        Returns
        -------
        DataFrame of float64, shape (n_samples, n_probes)
            As the submitters gave them, logged or not (``data_processing`` of a sample may say it).
            Samples without a table are left out; a probe that a sample lacks is NaN.

        Raises
        ------
        DataError
            There is no such platform, or several and none is named.
        """
        import pandas as pd

        platform = self._measured(platform)
        samples = self.samples.values()
        chosen = [s for s in samples if s.platform == platform and s.values is not None]
        orders = {id(s.probes): s.probes for s in chosen if s.probes is not None}
        first = next(iter(orders.values()))
        names = dict.fromkeys(probe for probes in orders.values() for probe in probes)
        column = {probe: j for j, probe in enumerate(names)}
        found = np.full((len(chosen), len(column)), np.nan)
        known: list[str] = first
        places: slice | np.ndarray = slice(len(first))
        for row, sample in zip(found, chosen, strict=True):
            probes = first if sample.probes is None else sample.probes
            if probes is not known:
                known = probes
                places = np.array([column[probe] for probe in probes])
            row[places] = sample.values
        return pd.DataFrame(
            found,
            columns=pd.Index(list(column), name="ID_REF"),
            index=pd.Index([sample.name for sample in chosen], name="sample"),
        )

    def sample_sheet(self) -> pd.DataFrame:
        """A row for each sample: platform, title, source, and what its characteristics say.

        A characteristic ``tissue: lung`` is in the column ``tissue``; one without a colon is in
        ``characteristics``. Where each sample that has a name has it k times, there are k columns,
        ``tissue``, ``tissue.2`` and so on, in the order of the file; where the number differs, all
        values stand in one cell, with semicolons. A characteristic named as a column of the series'
        own (platform, title, source_name) is in ``title.2`` and the like.
        """
        import pandas as pd

        found = [_characteristics(sample) for sample in self.samples.values()]
        columns = _characteristic_columns(found)
        rows = []
        for sample, texts_of in zip(self.samples.values(), found, strict=True):
            row = {
                "platform": sample.platform,
                "title": "; ".join(sample.attributes.get("title", [])),
            }
            keys = [key for key in sample.attributes if key.startswith("source_name_ch")]
            if keys:  # often the only place that gives the class
                row["source_name"] = "; ".join(t for k in keys for t in sample.attributes[k])
            for name, texts in texts_of.items():
                values = texts if len(columns[name]) > 1 else ["; ".join(texts)]
                row.update(zip(columns[name], values, strict=True))
            rows.append(row)
        return pd.DataFrame(rows, index=pd.Index(list(self.samples), name="sample"))

    def repeated_characteristics(self) -> dict[str, list[str]]:
        """Columns of `sample_sheet` by the characteristic that they are values of, where it has
        several columns or another name there."""
        columns = _characteristic_columns([_characteristics(s) for s in self.samples.values()])
        return {name: own for name, own in columns.items() if own != [name]}

    def tables(self) -> dict[str, pd.DataFrame]:
        """`values` of each platform that samples with values have, by its name."""
        return {name: self.values(name) for name in self.measured()}

    def measured(self) -> list[str]:
        """Platforms that samples with values have."""
        samples = self.samples.values()
        return list(dict.fromkeys(s.platform for s in samples if s.values is not None))

    def annotation(self, platform: str | None = None, symbols: str | None = None) -> Annotation:
        """The genes of a platform's probe sets, of its table in the file.

        Parameters
        ----------
        platform : str or None
            None: the only one that samples with values have.
        symbols : str or None
            Heading of the column of symbols; None: a usual one.

        Raises
        ------
        DataError
            The file has no table of the platform (series matrix files have none), or no such
            column; there are several platforms and none is named.
        """
        platform = self._measured(platform)
        return platform_annotation(self.platforms.get(platform, Platform(platform)), symbols)

    def genes(
        self,
        platform: str | None = None,
        annotation: Any = None,
        **collapse: Any,
    ) -> GeneValues:
        """Values of genes of the samples of a platform, as `collapse_probes` gives them.

        Parameters
        ----------
        platform : str or None
            None: the only one that samples with values have.
        annotation : Annotation, str, Path, mapping or None
            None: the table of the platform in the file.
        **collapse
            Parameters of `collapse_probes`.
        """
        from ..probe_collapsing import collapse_probes

        platform = self._measured(platform)
        if annotation is None:
            annotation = self.annotation(platform)
        return collapse_probes(self.values(platform), annotation, **collapse)

    def merged(
        self,
        annotations: Mapping[str, object] | None = None,
        *,
        quantiles: bool = False,
        **collapse: Any,
    ) -> MergedPlatforms:
        """All samples with the genes that every platform has, as `merge_platforms` gives them.

        Parameters
        ----------
        annotations : mapping or None
            Of names of platforms to an annotation each, for those that the file has no table of.
        quantiles : bool
            As in `merge_platforms`.
        **collapse
            Parameters of `collapse_probes`.
        """
        from ..platform_merge import merge_platforms

        names, given = self.measured(), dict(annotations or {})
        wrong = [name for name in given if name not in names]
        if wrong or not names:
            self._measured(wrong[0] if wrong else None)
        tables = {name: self.genes(name, given.get(name), **collapse) for name in names}
        return merge_platforms(tables, quantiles=quantiles)

    def warnings(self) -> list[str]:
        """Warnings about platforms whose values are not logarithms; [] of none."""
        from ..platform_merge import unlogged_warnings

        return unlogged_warnings(self.tables())

    def _measured(self, platform: str | None) -> str:
        """A platform that samples with values have, the only one by default."""
        names = self.measured()
        if not names:
            raise DataError(f"{self.series} has no sample with a table of values")
        if platform is None and len(names) > 1:
            raise DataError(
                f"{self.series} has {counted_noun(len(names), 'platform')}: name one of "
                f"{listed_names(names)}"
            )
        platform = names[0] if platform is None else platform
        if platform not in names:
            raise DataError(
                f"{self.series} has no sample with values of platform {shorten_text(platform)!r}: "
                f"{nearest_hint(platform, names)}"
            )
        return platform


def _characteristics(sample: Sample) -> dict[str, list[str]]:
    """What a sample's characteristics say, by name, in the order of the file."""
    found: dict[str, list[str]] = {}
    for key, texts in sample.attributes.items():
        for text in texts if key.startswith("characteristics_ch") else ():
            head, colon, tail = text.partition(":")
            name = head.strip() if colon and head.strip() else "characteristics"
            found.setdefault(name, []).append((tail if colon else text).strip())
    return found


def _characteristic_columns(samples: list[dict[str, list[str]]]) -> dict[str, list[str]]:
    """Columns of the sample sheet for each characteristic: one for each of its values, if all
    samples that have it have as many."""
    numbers: dict[str, set[int]] = {}
    for sample in samples:
        for name, texts in sample.items():
            numbers.setdefault(name, set()).add(len(texts))
    taken = {*_OWN_COLUMNS, *numbers}
    columns = {}
    for name, counts in numbers.items():
        own = [] if name in _OWN_COLUMNS else [name]
        number = 2
        while len(own) < (max(counts) if len(counts) == 1 else 1):
            if (free := f"{name}.{number}") not in taken:
                own.append(free)
                taken.add(free)
            number += 1
        columns[name] = own
    return columns
