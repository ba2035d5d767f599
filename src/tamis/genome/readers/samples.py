"""Who the samples are: PLINK's .fam, and the lists that other formats bring."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..._core.errors import DataError, counted_noun, listed_names, value_text

if TYPE_CHECKING:
    import pandas as pd

FAM_FIELDS = ("family", "id", "father", "mother", "sex", "phenotype")
PARENT_FIELDS = ("IID", "PAT", "MAT", "SEX")  # between the family and the phenotype
MISSING_LABELS = ("", "NA", "N/A", "NaN", "nan", "null", "None", "-9", ".")  # of a label
UNKNOWN_PHENOTYPES = ("0", *MISSING_LABELS)  # of a phenotype in PLINK's .fam
NO_FAMILY = "0"  # as PLINK writes it
NAME_BYTES = 200  # of a sample's name and what goes with it, in memory


@dataclass(frozen=True)
class Samples:
    """One row a sample.

    Attributes
    ----------
    family, id : ndarray of shape (n,) of str
    father, mother : ndarray of shape (n,) of str
        "0" where unknown.
    sex : ndarray of shape (n,) of int8
        1 male, 2 female, 0 unknown.
    phenotype : ndarray of shape (n,) of str
        As it is written.
    no_families : bool
        The source has none; PLINK 1.9 then takes the id for the family, and plink2 takes 0.
    """

    family: np.ndarray
    id: np.ndarray
    father: np.ndarray
    mother: np.ndarray
    sex: np.ndarray
    phenotype: np.ndarray
    no_families: bool = False

    def __len__(self) -> int:
        return len(self.id)

    def take(self, rows: np.ndarray) -> Samples:
        """Some of them, in this order."""
        return replace(self, **{name: getattr(self, name)[rows] for name in FAM_FIELDS})

    def keep_lines(self) -> str:
        """Family and id, a line each, as both PLINKs take them with --keep: those of a source
        without families once with each family that a PLINK takes then."""
        of = [self.family, np.full(len(self), NO_FAMILY)] if self.no_families else [self.family]
        pairs = (pair for families in of for pair in zip(families, self.id, strict=True))
        return "".join(f"{family}\t{name}\n" for family, name in pairs)

    def frame(self) -> pd.DataFrame:
        """One row a sample."""
        import pandas as pd

        return pd.DataFrame({name: getattr(self, name) for name in FAM_FIELDS})

    @classmethod
    def of_ids(cls, ids: list[str]) -> Samples:
        """Of nothing but names; the family is the name, as plink2 has it."""
        n, names = len(ids), np.array(ids, dtype=object)
        none = np.full(n, "0", dtype=object)
        phenotype = np.full(n, "-9", dtype=object)
        return cls(names, names, none, none, np.zeros(n, np.int8), phenotype, no_families=True)

    def id_columns(self) -> dict[str, np.ndarray]:
        """Columns of ids of a table for PLINK: FID and IID, or #IID alone, by which plink2 finds
        samples of a source without families."""
        return {"#IID": self.id} if self.no_families else {"FID": self.family, "IID": self.id}

    def refuse_twins(self, name: str) -> None:
        """One line where two samples have one family and id."""
        if len(set(zip(self.family, self.id, strict=True))) < len(self):
            found = Counter(zip(self.family, self.id, strict=True))
            twins = [" ".join(map(str, key)) for key, n in found.items() if n > 1]
            raise DataError(f"{name!r} names samples twice (family and id): {listed_names(twins)}")


def sexes_of(values: np.ndarray) -> np.ndarray:
    """Codes (n,) int8 of 1 and 2, or of M and F, as plink2 reads them; 0 of all else."""
    male, female = np.isin(values, ("1", "M", "m")), np.isin(values, ("2", "F", "f"))
    return np.select([male, female], [1, 2], 0).astype(np.int8)


def read_fam(path: Path) -> Samples:
    """A .fam: six fields a line, between spaces or tabs; a line that names them (FID IID PAT MAT
    SEX PHENO) may come first.

    Raises
    ------
    DataError
        A line has another number of fields, the first names others, a sample comes twice, or there
        is none.
    """
    lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    rows = [fields for line in lines if (fields := line.split())]
    if any(len(fields) != len(FAM_FIELDS) for fields in rows):
        number, line = next(
            (k, line)
            for k, line in enumerate(lines, 1)
            if len(line.split()) not in (0, len(FAM_FIELDS))
        )
        raise DataError(
            f"{path.name!r}, line {number}: {counted_noun(len(line.split()), 'field')} "
            f"({value_text(line)}), where a .fam has six: family, id, father, mother, sex and "
            "phenotype"
        )
    if rows and (rows[0][0].startswith("#") or rows[0][1].upper() == "IID"):
        named = [field.upper() for field in rows.pop(0)]
        if named[0] not in ("FID", "#FID") or tuple(named[1:5]) != PARENT_FIELDS:
            raise DataError(
                f"{path.name!r}: its first line names {value_text(' '.join(named))}, where a .fam "
                "has FID, IID, PAT, MAT, SEX and a phenotype"
            )
    if not rows:
        raise DataError(f"{path.name!r} has no samples")
    table = np.array(rows, dtype=object).T
    sex = sexes_of(table[4])
    found = Samples(table[0], table[1], table[2], table[3], sex, table[5])
    found.refuse_twins(path.name)
    return found
