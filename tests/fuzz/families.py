"""The kinds of input that are spoiled; a new kind is a file that spoils, one that asks, and a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fuzz import spoiled_genotypes, spoiled_h5ad, spoiled_tables


@dataclass(frozen=True)
class Family:
    """A kind of input.

    Attributes
    ----------
    spoiled : callable
        (seed, number, folder) -> (name of the valid input it was, path to ask about). The folder
        holds nothing else; the same seed and number write the same bytes.
    questions : str
        Module with `ask(path)`, which raises `TamisError` for what is wrong, and `warm()`.
    seconds : float
        That an input may take.
    """

    spoiled: Callable[[int, int, Path], tuple[str, Path]]
    questions: str
    seconds: float = 20.0


FAMILIES = {
    "genotypes": Family(spoiled_genotypes.spoiled, spoiled_genotypes.QUESTIONS, 5.0),
    "h5ad": Family(spoiled_h5ad.spoiled, spoiled_h5ad.QUESTIONS),
    "tables": Family(spoiled_tables.spoiled, spoiled_tables.QUESTIONS),
}
