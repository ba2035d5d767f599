"""Names that have changed: what users have written works on, with a `DeprecationWarning`."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

PUBLIC_NAMES: dict[str, dict[str, str]] = {"tamis.metrics": {"Sampling": "VarianceInflation"}}
ROW_FIELDS = {
    "rough": "poorly_calibrated",
    "crowded": "max_features_per_sample",
    "weighs": "sets_sample_weight",
    "weights": "accepts_sample_weight",
    "wraps": "is_meta_estimator",
    "shown": "show_in_report",
    "whole": "needs_all_columns",
}


def current_name(old: str, known: Mapping[str, str], where: str, level: int = 3) -> str:
    """What a name is now; one that has not changed is itself.

    Examples
    --------
    >>> current_name("name", ROW_FIELDS, "FilterRow")
    'name'
    """
    new = known.get(old)
    if new is None:
        return old
    warnings.warn(f"{old!r} of {where} is now {new!r}", DeprecationWarning, stacklevel=level)
    return new


class RenamedFields(type):
    """A class whose fields may be given by their old names."""

    def __call__(cls, *args: Any, **given: Any) -> Any:
        """An instance."""
        named = {current_name(key, ROW_FIELDS, cls.__name__): value for key, value in given.items()}
        return super().__call__(*args, **named)
