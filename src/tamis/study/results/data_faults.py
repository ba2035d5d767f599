"""What is doubtful about the table of a study, whatever the outcome is."""

from __future__ import annotations

from ..._core.errors import counted_noun
from ...data.cautions import Cautions, doubt_cautions
from ...data.dataset import Dataset
from ...data.walks import row_keys
from .collect import Collected


def data_faults(data: Dataset, collected: Collected) -> Cautions:
    """What is doubtful about the table itself."""
    yield from doubt_cautions(data)
    pairs = repeated_rows(data, collected)
    if pairs:
        a, b = pairs[0]
        yield (
            "repeated-rows",
            f"{counted_noun(len(pairs), 'sample')} with the measurements of another "
            f"({a} and {b}) across a split: of one patient? Then use --group; "
            "otherwise results look too good.",
        )


def repeated_rows(data: Dataset, collected: Collected) -> list[tuple[str, str]]:
    """Pairs of samples with the same measurements in different outer folds."""
    place: dict[int, set[tuple[int | str, int | str]]] = {}
    for choice in collected.headline:
        for row in choice.test:
            place.setdefault(int(row), set()).add((choice.repeat, choice.fold))
    seen: dict[bytes, int] = {}
    pairs = []
    for i, key in enumerate(row_keys(data.X)):
        other = seen.setdefault(key, i)
        if other != i and place.get(i) != place.get(other):
            pairs.append((data.sample_names[other], data.sample_names[i]))
    return pairs
