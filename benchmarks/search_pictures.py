"""The pictures of docs/methods/sequential.md and genetic.md.

python benchmarks/search_pictures.py
"""

from __future__ import annotations

from pathlib import Path

from tamis.data import load_golub
from tamis.plotting import search_trace
from tamis.selection import GeneticSelector, SequentialSelector

FOLDER = Path(__file__).parents[1] / "docs" / "methods"


def main() -> None:
    golub = load_golub()
    every_tenth = golub.X[:, 5::10]  # of all genes two are enough to part the classes
    for name, one in (
        ("sequential", SequentialSelector("lda", max_size=15, random_state=0)),
        ("genetic", GeneticSelector(random_state=0)),
    ):
        found = one.fit(every_tenth, golub.y)
        text = search_trace(found.result_.to_dict())
        (FOLDER / f"{name}.svg").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
