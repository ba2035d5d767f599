"""The huberised SVM with an elastic net: exact solutions along a path, each with a certificate."""

from .columns import (
    Table,
    dense_table,
    largest_product,
    standardise,
    standardise_sparse,
    transposed,
)
from .halves import half_path
from .path import Path, first_pulls, loss, solve_path

__all__ = [
    "Path",
    "Table",
    "dense_table",
    "first_pulls",
    "half_path",
    "largest_product",
    "loss",
    "solve_path",
    "standardise",
    "standardise_sparse",
    "transposed",
]
