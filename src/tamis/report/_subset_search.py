"""A search for a subset of features: its course, and the subset it found on all samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from ..study.results.evidence_schema import SubsetSearch
from ..study.results.schema import MethodEntry, StudyContent
from ._blocks import Block
from ._numbers import plural_text

KIND = "subset_search"


def search_block(
    method: MethodEntry, content: Mapping[str, object], number: int, result: StudyContent
) -> Block:
    """What was searched, what was found, and what its score is not."""
    given = cast(SubsetSearch, content)
    n, names = given["n_features"], given["features"]
    more = f" and {n - len(names)} more" if n > len(names) else ""
    sentence = given["told"]
    return {
        "name": method["name"],
        "label": method["label"],
        "chart": content,
        "said": [
            f"{sentence[:1].upper()}{sentence[1:]}.",
            f"The best subset on all samples has {plural_text(n, 'feature')}: "
            f"{', '.join(names)}{more}.",
            "Its score is the best of all evaluated. It is optimistic, and it is no estimate of "
            "how well the features classify new samples: those estimates stand at the top of the "
            "report and repeat the search in every training set.",
        ],
        "verdict": "",
        "caption": "The search on all samples; higher is better.",
        "tables": [],
        "rest": "",
    }
