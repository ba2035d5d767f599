"""Numbers as text, and results made safe to write down."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..plotting._svg import clean_text
from ..plotting.intervals import Interval

UNDEFINED_MARK = "—"  # undefined
NO_BREAK_SPACE = "\u00a0"


def plain_json(value: Any) -> Any:
    """A result made of what JSON has: no NaN, no NumPy scalars, no forbidden characters."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, Mapping):
        return {clean_text(key): plain_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_json(item) for item in value]
    if value is None or isinstance(value, bool | int):
        return value
    if hasattr(value, "tolist"):  # a NumPy scalar or array
        return plain_json(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return clean_text(value)


def decimal_text(value: float | None, digits: int = 3) -> str:
    """A number with a fixed number of decimals and a true minus.

    Examples
    --------
    >>> decimal_text(-0.12345), decimal_text(None)
    ('−0.123', '—')
    """
    if value is None:
        return UNDEFINED_MARK
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", "−")


def magnitude_text(value: float | None) -> str:
    """A number of any unit: two decimals, or four digits where these would say nothing.

    Examples
    --------
    >>> magnitude_text(7.125), magnitude_text(0.0), magnitude_text(2.123e-12)
    ('7.12', '0.00', '2.123e−12')
    """
    if not value or 0.01 <= abs(value) < 1e7:
        return decimal_text(value, 2)
    return f"{value:.4g}".replace("-", "−")


def count_text(value: float | None) -> str:
    """A count, thousands set apart.

    Examples
    --------
    >>> count_text(60000), count_text(12.25)
    ('60,000', '12.2')
    """
    if value is None:
        return UNDEFINED_MARK
    return f"{int(value):,}" if float(value).is_integer() else f"{value:,.1f}"


def percent_text(value: float | None, digits: int = 0) -> str:
    """A share as a percentage."""
    return (
        UNDEFINED_MARK if value is None else f"{decimal_text(100 * value, digits)}{NO_BREAK_SPACE}%"
    )


def interval_text(estimate: Interval | None, digits: int = 3) -> str:
    """``low to high``, or nothing if it is undefined.

    Examples
    --------
    >>> interval_text({"mean": 0.8, "low": 0.7, "high": 0.9}, digits=2)
    '0.70 to 0.90'
    """
    low, high = (estimate.get("low"), estimate.get("high")) if estimate else (None, None)
    if low is None or high is None:
        return ""
    return f"{decimal_text(low, digits)} to {decimal_text(high, digits)}"


def p_text(value: float | None) -> str:
    """A p-value with two significant digits.

    Examples
    --------
    >>> p_text(1), p_text(1 / 1001), p_text(1e-9)
    ('1.00', '0.0010', '< 0.0001')
    """
    if value is None:
        return UNDEFINED_MARK
    if value < 1e-4:
        return "< 0.0001"
    value = float(f"{value:.2g}")
    digits = max(2, 1 - math.floor(math.log10(value)))
    return f"{value:.{digits}f}"


def small_p_text(p: float | None) -> str:
    """A p-value that may be very small: here it orders features and is no verdict."""
    if p is None or p >= 1e-4:
        return p_text(p)
    return f"{p:.1e}".replace("-", "−") if p > 0 else "< 1e−300"


def mean_of(estimate: Interval | None) -> float | None:
    """The mean of an estimate, None if there is none."""
    return estimate.get("mean") if estimate else None


def plural_text(count: int, one: str, many: str | None = None) -> str:
    """``1 sample``, ``2 samples``."""
    return f"{count_text(count)} {one if count == 1 else many or one + 's'}"


def params_text(given: Mapping[str, object] | None) -> str:
    """Grid parameters on one line, numbers to four digits.

    Examples
    --------
    >>> params_text({"alpha": 0.5, "lambda": 0.0717723091, "kernel": "linear"})
    'alpha = 0.5, lambda = 0.07177, kernel = linear'
    """
    return ", ".join(f"{name} = {value_text(value)}" for name, value in (given or {}).items())


def value_text(value: Any) -> str:
    """A plain value, numbers to four digits."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
