"""The kinds of input that are spoiled; each is a file that spoils, one that asks, and a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fuzz import (
    spoiled_arrays,
    spoiled_cells,
    spoiled_genotypes,
    spoiled_h5ad,
    spoiled_mappings,
    spoiled_models,
    spoiled_ontologies,
    spoiled_plans,
    spoiled_results,
    spoiled_tables,
)


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
    "arrays": Family(spoiled_arrays.spoiled, spoiled_arrays.QUESTIONS, 5.0),
    "cells": Family(spoiled_cells.spoiled, spoiled_cells.QUESTIONS),
    "genotypes": Family(spoiled_genotypes.spoiled, spoiled_genotypes.QUESTIONS, 5.0),
    "h5ad": Family(spoiled_h5ad.spoiled, spoiled_h5ad.QUESTIONS),
    "mappings": Family(spoiled_mappings.spoiled, spoiled_mappings.QUESTIONS),
    "models": Family(spoiled_models.spoiled, spoiled_models.QUESTIONS),
    "ontologies": Family(spoiled_ontologies.spoiled, spoiled_ontologies.QUESTIONS, 5.0),
    "plans": Family(spoiled_plans.spoiled, spoiled_plans.QUESTIONS, 5.0),
    "results": Family(spoiled_results.spoiled, spoiled_results.QUESTIONS),
    "tables": Family(spoiled_tables.spoiled, spoiled_tables.QUESTIONS),
}
