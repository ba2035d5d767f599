"""Class names as headings."""

from __future__ import annotations

import re

from .._core.errors import shorten_text, unbroken_text

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
TARGET = 40  # characters of the target's name


def class_heading(target: str, name: str) -> str:
    """A class named so that it can stand alone: bare numbers and letters with their column.

    Examples
    --------
    >>> class_heading("relapse", "1"), class_heading("relapse", "early")
    ('relapse = 1', 'early')
    """
    bare = len(name) == 1 or NUMBER.fullmatch(name)
    return unbroken_text(f"{shorten_text(target, TARGET)} = {name}" if bare and target else name)
