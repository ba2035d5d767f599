"""What columns are beside their names, so that other tables can be searched for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class ColumnIds:
    """What a table says its columns are, beside their names; a saved model keeps it.

    Attributes
    ----------
    kind : str
        Of the columns, such as "variants".
    texts : mapping of name to tuple of str
        One text a column.
    numbers : mapping of name to ndarray of shape (k,), float64
        One finite number a column.
    """

    kind: str
    texts: Mapping[str, tuple[str, ...]]
    numbers: Mapping[str, np.ndarray]
