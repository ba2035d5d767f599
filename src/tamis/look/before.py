"""What a study of a table would warn of before it runs, and which columns may be a leak."""

from __future__ import annotations

from collections.abc import Iterator

from .._core.errors import counted_noun
from ..data.cautions import (
    Cautions,
    batch_cautions,
    class_cautions,
    doubt_cautions,
    paired_cautions,
)
from ..data.dataset import Dataset
from ..data.unlogged import Scale, scale_cautions
from .schema import Remark, SuspectSeen


def cautions_before(
    data: Dataset, missing: float, equal: list[tuple[int, ...]], scales: list[Scale]
) -> list[Remark]:
    """What the data alone make doubtful; `missing` is the share of missing values, `equal` the sets
    of samples with the same ones."""
    found = _data_cautions(data, missing, equal, scales)
    return [{"code": code, "text": text} for code, text in found]


def sample_cautions(data: Dataset) -> list[Remark]:
    """What classes, groups and batches make doubtful, whatever was measured."""
    return [{"code": code, "text": text} for code, text in _of_samples(data)]


def _of_samples(data: Dataset) -> Cautions:
    if data.y is not None:
        yield from class_cautions(data)
        yield from paired_cautions(data)
    if data.has_target:
        yield from batch_cautions(data)


def _data_cautions(
    data: Dataset, missing: float, equal: list[tuple[int, ...]], scales: list[Scale]
) -> Cautions:
    yield from doubt_cautions(data)
    yield from _repeated_rows_caution(data, equal)
    yield from _of_samples(data)
    yield from scale_cautions(data, scales=scales)
    if missing:
        yield (
            "imputed",
            f"{missing:.2%} of the values are missing: a study fills them with the "
            "median of the training set, except for methods that accept them as they are.",
        )


def _repeated_rows_caution(data: Dataset, sets: list[tuple[int, ...]]) -> Iterator[tuple[str, str]]:
    """Rows with the same values that a split may part."""
    if data.groups is not None:
        sets = [own for own in sets if len({data.groups[i] for i in own}) > 1]
    if sets:
        a, b = (data.sample_names[i] for i in sets[0][:2])
        repeats = sum(len(own) - 1 for own in sets)
        yield (
            "repeated-rows",
            f"{counted_noun(repeats, 'sample')} with the measurements of another "
            f"({a} and {b}): of one patient? Then use --group; otherwise a split "
            "parts them and results look too good.",
        )


def suspects_in(data: Dataset) -> list[SuspectSeen]:
    """Columns that may be the outcome, or come after it."""
    if not data.has_target or not data.shape[1]:
        return []
    from ..data.leak_detection import find_suspects

    return [
        {
            "kind": one.kind,
            "columns": list(one.columns),
            "text": one.text,
            "advice": one.advice,
            "grave": one.grave,
        }
        for one in find_suspects(data)
    ]
