"""Matching two vocabularies, from their files to a mapping in a file: what each step costs.

    python benchmarks/ontology_matching_speed.py [--sizes 2700 3300] [--shared 1500] [--labels 0]
        [--threads 1]

Vocabularies are made up (`tamis.ontology.made_up`) and written as OBO. `--labels` known matches
teach; without any, seeds do. Candidates and similarities are timed by themselves, too, and what
`fit` takes beyond them is learning. CPU seconds; run it twice, for the first run compiles kernels.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import tempfile
import time
from pathlib import Path

from _harness import markdown, timed, versions


def write_obo(ontology, path: Path) -> None:
    """Names and hierarchy, class by class."""
    ids = [name.replace("_", ":") for name in ontology.local_names]
    with path.open("w") as file:
        file.write(f"format-version: 1.2\nontology: {ontology.name}\n")
        for k, name in enumerate(ids):
            file.write(f"\n[Term]\nid: {name}\nname: {ontology.labels[k]}\n")
            file.writelines(f'synonym: "{s}" EXACT []\n' for s in ontology.synonyms[k])
            file.writelines(f"is_a: {ids[p]}\n" for p in ontology.parents[k])


def similarities_of(source, target) -> float:
    """CPU seconds of all that learn nothing, each once."""
    from tamis._core.registry import find_row
    from tamis._core.rows import SimilarityRow
    from tamis.ontology.examples import Known, candidates_of
    from tamis.ontology.similarities.rows import DEFAULT_SIMILARITIES

    pairs = candidates_of(Known(source, target, {}))
    rows = [find_row(name, SimilarityRow) for name in DEFAULT_SIMILARITIES]
    start = time.process_time()
    for row in rows:
        if not row.learns:
            pairs.once(row.load())
    return time.process_time() - start


def run(made, folder: Path, labels: int) -> tuple[list[list[str]], str]:
    """A row a step, and a line about the mapping."""
    from tamis.ontology import OntologyMatcher, candidate_pairs, read_ontology

    paths = folder / "source.obo", folder / "target.obo"
    for ontology, path in zip((made.source, made.target), paths, strict=True):
        write_obo(ontology, path)
    whole = time.perf_counter()
    reading = timed(lambda: [read_ontology(path) for path in paths])
    source, target = reading.value
    local = made.source.local_names, made.target.local_names
    truth = [(local[0][a], local[1][b]) for a, b in made.pairs.tolist()]
    known = [tuple(name.replace("_", ":") for name in pair) for pair in truth[:labels]]
    matcher = OntologyMatcher()
    fitting = timed(lambda: matcher.fit(source, target, known))
    matching = timed(lambda: matcher.match(source, target))
    mapping = matching.value
    writing = timed(lambda: mapping.write(folder / "mapping.sssom.tsv"))
    wall = time.perf_counter() - whole
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    candidates = timed(lambda: candidate_pairs(source, target))
    compared = similarities_of(source, target)
    steps = {
        "reading both files": reading.cpu,
        "candidates": candidates.cpu,
        "similarities": compared,
        "learning": fitting.cpu - candidates.cpu - compared,
        "matching": matching.cpu,
        "writing SSSOM": writing.cpu,
    }
    total = reading.cpu + fitting.cpu + matching.cpu + writing.cpu
    rows = [[name, f"{cpu:.1f}", f"{100 * cpu / total:.0f} %"] for name, cpu in steps.items()]
    rows.append(["end to end", f"{total:.1f}", ""])
    found = {tuple(iri.rsplit("/", 1)[-1] for iri in pair) for pair in mapping.pairs}
    right = len(found & set(truth))
    digest = hashlib.sha256(json.dumps(mapping.to_dict()).encode()).hexdigest()[:12]
    told = (
        f"{len(source):,} x {len(target):,} classes, {len(candidates.value):,} candidate pairs, "
        f"{len(found):,} mapped: precision {right / len(found):.3f}, recall "
        f"{right / len(truth):.3f}; {wall:.0f} s by the clock; {peak:.2f} GB at most; digest of "
        f"the mapping {digest}."
    )
    return rows, told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs=2, default=(2700, 3300))
    parser.add_argument("--shared", type=int, default=1500)
    parser.add_argument("--labels", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    asked = parser.parse_args()
    import joblib

    from tamis.ontology.made_up import make_vocabularies

    made = make_vocabularies(*asked.sizes, asked.shared)
    with (
        tempfile.TemporaryDirectory() as folder,
        joblib.parallel_config("threading", n_jobs=asked.threads),
    ):
        rows, told = run(made, Path(folder), asked.labels)
    print(markdown(["step", "CPU s", "share"], rows))
    print(f"\n{told}")
    print(f"\n{versions('rapidfuzz', 'scipy', 'numba')}, {asked.threads} for candidates.")


if __name__ == "__main__":
    main()
