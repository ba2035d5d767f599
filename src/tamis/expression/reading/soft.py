"""Family files of GEO (SOFT): a series, its platforms and its samples with their tables."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..._core.errors import DataError, listing, nearest, plural, shorten

if TYPE_CHECKING:
    import pandas as pd

Attributes = dict[str, list[str]]


@dataclass(frozen=True)
class Platform:
    """A type of array.

    Attributes
    ----------
    name : str
        As ``GPL96``.
    attributes : dict of str to list of str
        As ``title``, ``organism``: without ``!Platform_``. A key may have several values.
    columns : dict of str to list of str
        Its table: a text for each probe, by the name of the column (``ID``, ``Gene Symbol``, ...).
    """

    name: str
    attributes: Attributes = field(default_factory=dict)
    columns: dict[str, list[str]] = field(default_factory=dict)

    def frame(self) -> pd.DataFrame:
        """The table of the platform, all of it text."""
        import pandas as pd

        return pd.DataFrame(self.columns, dtype=str)


@dataclass(frozen=True)
class Sample:
    """An array that was measured.

    Attributes
    ----------
    name : str
        As ``GSM1000``.
    attributes : dict of str to list of str
        As ``title``, ``platform_id``, ``characteristics_ch1``: without ``!Sample_``.
    probes : list of str, or None
        ID_REF of its values; None if they are those of the platform's first sample with a table.
    values : ndarray of float64, or None
        The column VALUE, NaN where it is empty. None if the sample has no table.
    """

    name: str
    attributes: Attributes = field(default_factory=dict)
    probes: list[str] | None = None
    values: np.ndarray | None = None

    @property
    def platform(self) -> str:
        """Name of its platform; empty if the file does not say it."""
        return self.attributes.get("platform_id", [""])[0]


@dataclass(frozen=True)
class SoftFamily:
    """What a family file holds.

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

        measured = [sample for sample in self.samples.values() if sample.values is not None]
        names = list(dict.fromkeys(sample.platform for sample in measured))
        if not names:
            raise DataError(f"{self.series} has no sample with a table of values")
        if platform is None and len(names) > 1:
            raise DataError(
                f"{self.series} has {plural(len(names), 'platform')}: name one of {listing(names)}"
            )
        platform = names[0] if platform is None else platform
        if platform not in names:
            raise DataError(
                f"{self.series} has no sample with values of platform {shorten(platform)!r}: "
                f"{nearest(platform, names)}"
            )
        chosen = [sample for sample in measured if sample.platform == platform]
        first = next(sample.probes for sample in chosen if sample.probes is not None)
        column = {probe: j for j, probe in enumerate(first)}
        for sample in chosen:
            for probe in sample.probes or ():
                column.setdefault(probe, len(column))
        found = np.full((len(chosen), len(column)), np.nan)
        for row, sample in zip(found, chosen, strict=True):
            if sample.probes is None:
                row[: len(first)] = sample.values
            else:
                row[[column[probe] for probe in sample.probes]] = sample.values
        return pd.DataFrame(
            found, columns=pd.Index(list(column), name="ID_REF"),
            index=pd.Index([sample.name for sample in chosen], name="sample"),
        )  # fmt: skip

    def sample_sheet(self) -> pd.DataFrame:
        """A row for each sample: platform, title, and what its characteristics say.

        A characteristic ``tissue: lung`` is in the column ``tissue``; one without a colon is in
        ``characteristics``. Of several of one name in a sample all are given, with semicolons.
        """
        import pandas as pd

        rows = []
        for sample in self.samples.values():
            said: dict[str, list[str]] = {}
            for key, texts in sample.attributes.items():
                for text in texts if key.startswith("characteristics_ch") else ():
                    head, colon, tail = text.partition(":")
                    name = head.strip() if colon and head.strip() else "characteristics"
                    said.setdefault(name, []).append((tail if colon else text).strip())
            own = {
                "platform": sample.platform,
                "title": "; ".join(sample.attributes.get("title", [])),
            }
            rows.append(own | {k: "; ".join(v) for k, v in said.items() if k not in own})
        return pd.DataFrame(rows, index=pd.Index(list(self.samples), name="sample"))


def read_soft(path: str | Path) -> SoftFamily:
    """Read a family file of a series of GEO, as ``GSE1000_family.soft.gz``, unpacked or by gzip.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    SoftFamily

    Raises
    ------
    DataError
        The file is none, is damaged or cut short, a table has a line that does not fit its heading,
        a VALUE is no number, or the series lists samples that are not in the file. The message is
        one line and names the file, and the line where there is one.

    Notes
    -----
    The file is read line by line. Memory: 8 bytes for each value, the texts of the platforms'
    tables, and the names of the probes once for each order in which samples have them.

    References
    ----------
    NCBI GEO, "SOFT format".

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from tamis.expression.reading import read_soft
    >>> text = '''^SERIES = GSE1
    ... !Series_sample_id = GSM1
    ... ^PLATFORM = GPL96
    ... !platform_table_begin
    ... ID\\tGene Symbol
    ... 1007_s_at\\tDDR1
    ... !platform_table_end
    ... ^SAMPLE = GSM1
    ... !Sample_platform_id = GPL96
    ... !Sample_characteristics_ch1 = tissue: lung
    ... !sample_table_begin
    ... ID_REF\\tVALUE
    ... 1007_s_at\\t8.25
    ... !sample_table_end
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "GSE1_family.soft")
    ...     _ = path.write_text(text)
    ...     family = read_soft(path)
    >>> float(family.values().loc["GSM1", "1007_s_at"])
    8.25
    >>> family.sample_sheet()["tissue"].to_dict()
    {'GSM1': 'lung'}
    """
    from .soft_lines import read_entities

    path = Path(path)
    series, attributes = "", Attributes()
    platforms: dict[str, Platform] = {}
    samples: dict[str, Sample] = {}
    for entity in read_entities(path):
        if not isinstance(entity, Platform | Sample):
            if series:
                raise DataError(f"{path.name!r} holds two series, {listing([series, entity[0]])}")
            series, attributes = entity
            continue
        if entity.name in platforms or entity.name in samples:
            raise DataError(f"{path.name!r} is damaged: it holds {shorten(entity.name)!r} twice")
        if isinstance(entity, Platform):
            platforms[entity.name] = entity
        else:
            samples[entity.name] = entity
    if not series or not samples:
        raise DataError(
            f"{path.name!r} is no family file of GEO: it has {'a' if series else 'no'} series "
            f"and {plural(len(samples), 'sample')}"
        )
    missing = [name for name in attributes.get("sample_id", []) if name not in samples]
    if missing:
        raise DataError(
            f"{path.name!r} is cut short: of the samples of {series} it lacks {listing(missing)}; "
            "download it again"
        )
    return SoftFamily(series, attributes, platforms, samples)
