"""Other studies of the same table, as far as folders show: the best of several flatters."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

from ..._core.errors import StoreError, counted_noun, listed_names
from ..._core.inside import Inside
from ..._core.result_folder import read_object
from .result import StudyResult
from .schema import StudyContent, Warned

MOST_BESIDE = 2_000  # names in the folder around that are looked at


def with_earlier_studies(result: StudyResult) -> StudyResult:
    """The result, with a warning where finished studies of the same values lie beside it.

    One of the same plan, such as from the same parts, has the same results, among which nothing is
    chosen. The warning is for the screen and the page: `results.json` does not depend on what lies
    around.
    """
    names = list(_beside(result.folder, result.content["data"]["values"]))
    if not names:
        return result
    text = (
        f"{counted_noun(len(names), 'other study', 'other studies')} of the same values and labels "
        f"beside this one ({listed_names(names)}): the best of several studies of one table is too "
        "good; say how many there were, or judge the one chosen on samples that none has seen."
    )
    warnings = [*result.content["warnings"], Warned(code="studied-before", text=text)]
    return replace(result, content=cast(StudyContent, {**result.content, "warnings": warnings}))


def _beside(folder: Path, values: str) -> Iterator[str]:
    """Names of other folders around, with a finished study of these values; no link is followed."""
    own = folder.resolve()
    try:
        plan = read_object(Inside(own, "plan.json"), "a study")
        names = sorted(os.listdir(own.parent))[:MOST_BESIDE]
    except (StoreError, OSError):
        return
    for name in names:
        other = own.parent / name
        if name == own.name or other.is_symlink():
            continue
        try:
            finished = Inside(other, "results.json").exists()
            record = read_object(Inside(other, "data.json"), "a study") if finished else None
            if record is None or record.get("values") != values:
                continue
            if read_object(Inside(other, "plan.json"), "a study") != plan:
                yield name
        except (StoreError, OSError):
            continue  # what cannot be read is no study
