"""What `tamis.report` draws of a result. It stands above all that makes results, and is found when
the page of one of them or a picture is requested."""

from __future__ import annotations

from typing import Any

from .rows import load_attribute


def report_function(name: str) -> Any:
    """A function of `tamis.report`.

    Examples
    --------
    >>> report_function("write_report").__name__
    'write_report'
    """
    return load_attribute(f"tamis.report:{name}")
