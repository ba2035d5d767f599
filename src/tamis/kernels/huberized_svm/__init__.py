"""The huberised SVM with an elastic net: exact solutions along a path, each with a certificate."""

from .columns import (
    ColumnTable,
    dense_table,
    largest_product,
    standardise_columns,
    standardise_sparse,
    transposed_copy,
)
from .halves import half_path
from .path import Path, first_pulls, huberized_loss, solve_path

__all__ = [
    "ColumnTable",
    "Path",
    "dense_table",
    "first_pulls",
    "half_path",
    "huberized_loss",
    "largest_product",
    "solve_path",
    "standardise_columns",
    "standardise_sparse",
    "transposed_copy",
]
