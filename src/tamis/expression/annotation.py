"""Which genes the probe sets of a platform measure, and which one stands for a probe set."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypedDict

from .._core.errors import DataError, PlanError, counted_noun, value_text
from .._core.first_screen import FirstScreen

if TYPE_CHECKING:
    import pandas as pd

SEVERAL_CHOICES = ("first", "drop", "each")
UNMAPPED_TEXTS = {"", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "<NA>"}
# names until more is known of a locus, and of RNA that codes for no protein
PROVISIONAL_PATTERN = re.compile(
    r"(?:LOC|LINC|MIR|SNOR[AD]|SCARNA|RNU|FLJ|KIAA|MGC|DKFZ|HCG_?|RP\d+-|CTD-|CTC-|AC)\d.*"
    r"|MIRLET.*|DKFZP.*|C[\dXY]+ORF\d.*|.+-(?:AS|IT|OT)\d*|.+-DT|GM\d+|.+RIK",
    re.IGNORECASE,
)


class AnnotationContent(TypedDict):
    """Numbers of an `Annotation`."""

    name: str
    column: str
    n_probe_sets: int
    n_unmapped: int
    n_several: int
    n_genes: int


@dataclass(frozen=True, repr=False)
class Annotation(FirstScreen):
    """The genes of each probe set of a platform.

    Attributes
    ----------
    probes : tuple of str, length m
        Names of the probe sets.
    symbols : tuple of tuples of str, length m
        Symbols of the genes of each, as the table has them; () if it has none.
    name : str
        Of the platform or the file, for messages.
    column : str
        Heading of the column of symbols.

    Examples
    --------
    >>> found = Annotation.of({"1007_s_at": "MIR4640///DDR1", "1053_at": "RFC2", "x_at": "---"})
    >>> found.frame()["gene"].to_dict()
    {'1007_s_at': 'DDR1', '1053_at': 'RFC2', 'x_at': ''}
    >>> found.summary()
    'Annotation: 3 probe sets of 2 genes; 1 without a gene, 1 of several'
    """

    probes: tuple[str, ...]
    symbols: tuple[tuple[str, ...], ...]
    name: str = ""
    column: str = ""

    @classmethod
    def of(cls, symbols: Any, name: str = "", column: str = "") -> Self:
        """Of a mapping or pandas Series: probe set to a text with its symbols, or a list of them.

        Raises
        ------
        DataError
            It is neither, or names a probe set twice.
        """
        if not isinstance(symbols, Mapping) and getattr(symbols, "ndim", 0) != 1:
            raise DataError(
                f"the annotation is {value_text(symbols)}: give an Annotation, the path of a "
                "platform's table, or a mapping of probe sets to symbols"
            )
        probes, found = [], []
        items = symbols.items() if hasattr(symbols, "items") else ()
        for probe, said in items:
            probes.append(str(probe))
            one_by_one = isinstance(said, Sequence) and not isinstance(said, str)
            texts = said if one_by_one else [said]
            found.append(
                tuple(dict.fromkeys(s for text in texts for s in split_symbols(str(text))))
            )
        if len(set(probes)) < len(probes):
            raise DataError("the annotation names a probe set twice")
        return cls(tuple(probes), tuple(found), name, column)

    def __repr__(self) -> str:
        return f"Annotation({self.name!r}, {counted_noun(len(self.probes), 'probe set')})"

    def genes(self, several: str = "first") -> dict[str, tuple[str, ...]]:
        """The genes that each probe set counts for.

        Parameters
        ----------
        several : {"first", "drop", "each"}, default="first"
            What becomes of a probe set of several genes: it counts for one of them, for none, or
            for each. The first is so by the alphabet among names that are settled
            (`first_gene`), since tables list the same genes in different orders.

        Raises
        ------
        PlanError
            `several` is something else.
        """
        if several not in SEVERAL_CHOICES:
            raise PlanError(
                f"several={several!r}: choose from {', '.join(map(repr, SEVERAL_CHOICES))}"
            )
        if several == "each":
            return dict(zip(self.probes, self.symbols, strict=True))
        known: dict[tuple[str, ...], tuple[str, ...]] = {}
        for symbols in self.symbols:
            if symbols not in known:
                one = len(symbols) < 2 or several == "first"
                known[symbols] = (first_gene(symbols),) if symbols and one else ()
        return {p: known[s] for p, s in zip(self.probes, self.symbols, strict=True)}

    def frame(self) -> pd.DataFrame:
        """A row for each probe set: the gene that it counts for, and all symbols."""
        import pandas as pd

        genes = self.genes()
        return pd.DataFrame(
            {
                "gene": [(*genes[probe], "")[0] for probe in self.probes],
                "symbols": [" /// ".join(symbols) for symbols in self.symbols],
            },
            index=list(self.probes),
        )

    def to_dict(self) -> AnnotationContent:
        """Numbers of probe sets and genes."""
        return {
            "name": self.name,
            "column": self.column,
            "n_probe_sets": len(self.probes),
            "n_unmapped": sum(not symbols for symbols in self.symbols),
            "n_several": sum(len(symbols) > 1 for symbols in self.symbols),
            "n_genes": len({genes for genes in self.genes().values() if genes}),
        }

    def summary(self) -> str:
        """One line."""
        said = self.to_dict()
        return (
            f"{self.name or 'Annotation'}: {counted_noun(said['n_probe_sets'], 'probe set')} of "
            f"{counted_noun(said['n_genes'], 'gene')}; {said['n_unmapped']:,} without a gene, "
            f"{said['n_several']:,} of several"
        )


def split_symbols(text: str, assignment: bool = False) -> list[str]:
    """The symbols of a field.

    Parameters
    ----------
    text : str
        Separated by ``///`` or by semicolons. Commas, bars and single slashes are part of symbols
        (yeast's ADE5,7). Dashes alone, NA and null are no gene.
    assignment : bool, default=False
        As in the column `gene_assignment`: ``accession // symbol // title // ... /// ...``.

    Examples
    --------
    >>> split_symbols("DDR1 /// MIR4640"), split_symbols("TSPY4;FAM197Y2"), split_symbols("---")
    (['DDR1', 'MIR4640'], ['TSPY4', 'FAM197Y2'], [])
    >>> split_symbols("NM_014 // TP53 // tumor protein /// NM_015 // TP53 // same", True)
    ['TP53']
    """
    parts = text.split("///")
    if assignment:
        parts = [(part.split("//", 2) + [""])[1] for part in parts]
    elif ";" in text:
        parts = [one for part in parts for one in part.split(";")]
    found = dict.fromkeys(part.strip() for part in parts)
    return [one for one in found if one not in UNMAPPED_TEXTS and one.strip("-")]


def first_gene(symbols: Sequence[str]) -> str:
    """One gene of several, whatever their order.

    Names that join others of the list by a hyphen (read-through, antisense) are set aside, then
    provisional names (LOC, LINC, FLJ, KIAA, C1orf, ...) and small RNAs (MIR, SNORA, ...). Of what
    is left, or of all, the first by the alphabet.

    Examples
    --------
    >>> first_gene(["MIR4640", "DDR1"]), first_gene(["TMEM189-UBE2V1", "UBE2V1"])
    ('DDR1', 'UBE2V1')
    >>> first_gene(["LOC653972", "CBX3"]), first_gene(["CALM3", "CALM2", "CALM1"])
    ('CBX3', 'CALM1')
    """

    def joins_listed_genes(symbol: str) -> bool:
        return "-" in symbol and any(part in listed for part in symbol.split("-"))

    listed = set(symbols)
    return min(
        symbols,
        key=lambda s: (
            joins_listed_genes(s),
            PROVISIONAL_PATTERN.fullmatch(s) is not None,
            s.casefold(),
            s,
        ),
    )
