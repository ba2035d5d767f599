"""What few known matches add to names on a pair of ontologies of one's own.

    python benchmarks/ontology_few_labels.py A.owl B.owl REFERENCE [--partial] [--draws 3]

Precision, recall and F1 without the known pairs, the mean over draws of these: of the mapping
without labels, and with so many known matches, with seeds and without.
`--partial`: the reference has a part of the classes (`tamis ontology evaluate --partial`).
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import numpy as np

from _harness import markdown, versions
from tamis.ontology import (
    Correspondence,
    Mapping,
    OntologyMatcher,
    evaluate_mapping,
    read_mapping,
    read_ontology,
)

NUMBERS = (10, 20, 40)


def run(files: tuple[Path, Path, Path], partial: bool, draws: int) -> None:
    """Print the table."""
    a, b = map(read_ontology, files[:2])
    reference = read_mapping(files[2], a, b, absent="keep")
    pairs = sorted(p for p in reference.pairs if p[0] in a and p[1] in b)
    table = []
    for n in NUMBERS:
        known = [random.Random(draw).sample(pairs, n) for draw in range(draws)]
        for title, seeds in (("without", None), ("seeds", "always"), ("labels alone", "never")):
            found = []
            for some in known:
                matcher = OntologyMatcher(seeds=seeds or "always")
                mapping = matcher.fit(a, b, some if seeds else None).match(a, b)
                told = evaluate_mapping(
                    mapping,
                    reference,
                    a,
                    b,
                    partial=partial,
                    known=Mapping(tuple(Correspondence(*pair) for pair in some)),
                ).left_to_model
                found.append([told.precision.value, told.recall.value, told.f1.value])
            means = " / ".join(f"{value:.3f}" for value in np.mean(found, axis=0))
            table.append([str(n), title, means])
    print(markdown(["known", "what teaches", "precision / recall / F1"], table))
    print(versions("rapidfuzz", "scipy"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", type=Path, nargs=3, metavar="FILE")
    parser.add_argument("--partial", action="store_true")
    parser.add_argument("--draws", type=int, default=3)
    asked = parser.parse_args()
    run(tuple(asked.files), asked.partial, asked.draws)
