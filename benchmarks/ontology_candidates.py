"""Candidates of two vocabularies: recall, seconds and memory; and peers that compute the same.

    python benchmarks/ontology_candidates.py [--parts sizes peers] [--jobs 2]

Each size runs in a process of its own, so that its peak memory is its own. sparse_dot_topn and
rapidfuzz are met if they are installed.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from importlib.util import find_spec

import numpy as np

from _harness import markdown, timed, versions

SIZES = [  # classes of the source and the target, shared, noise
    (2700, 3300, 1500, 0.5),
    (2700, 3300, 1500, 1.0),
    (20_000, 20_000, 16_000, 0.5),
    (20_000, 20_000, 16_000, 1.0),
    (100_000, 100_000, 80_000, 0.5),
    (100_000, 100_000, 80_000, 1.0),
]
BLOCKS = ["any", "exact", "key", "words", "trigrams", "neighbours"]


def measure(numbers, jobs: int) -> dict:
    """One size: made, compiled, then measured."""
    from tamis.ontology.candidates import candidate_pairs
    from tamis.ontology.made_up import make_vocabularies

    n, m, shared, noise = numbers
    small = make_vocabularies(30, 30, 20)
    candidate_pairs(small.source, small.target, 0)
    made = make_vocabularies(int(n), int(m), int(shared), noise)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    best = timed(lambda: candidate_pairs(made.source, made.target, 0, n_jobs=jobs))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "wall": best.wall,
        "cpu": best.cpu,
        "pairs": len(best.value),
        "recall": best.value.recall(made.reference),
        "before": before,
        "peak": after,
    }


def sizes_part(options) -> None:
    """Recall by block, seconds, peak memory."""
    print(f"## Sizes, {options.jobs} threads\n")
    rows = []
    for numbers in SIZES:
        command = [sys.executable, __file__, "--one", json.dumps(numbers)]
        done = subprocess.run(
            [*command, "--jobs", str(options.jobs)], check=True, capture_output=True, text=True
        )
        one = json.loads(done.stdout)
        n, m, shared, noise = numbers
        rows.append(
            [f"{n:,} x {m:,}", f"{shared:,}", noise, f"{one['pairs']:,}"]
            + [f"{one['recall'][block]:.3f}" for block in BLOCKS]
            + [f"{one['cpu']:.1f}", f"{one['wall']:.1f}", f"{one['peak'] / 1e6:.2f}"]
        )
        print("|", " | ".join(map(str, rows[-1])), "|", file=sys.stderr)
    header = ["classes", "shared", "noise", "pairs", *BLOCKS, "CPU s", "wall s", "peak GB"]
    print(markdown(header, rows), "\n")


def peers_part(options) -> None:
    """The ten nearest target labels of each source label by trigrams, nothing left out."""
    from tamis.kernels.nearest_rows import Groups, Rows, nearest_groups, tiled_lists
    from tamis.ontology.made_up import make_vocabularies
    from tamis.ontology.name_vectors import gram_vectors
    from tamis.ontology.names import normalise_all

    n = options.names
    made = make_vocabularies(n, n, int(0.8 * n), 1.0)
    sides = [sorted(set(normalise_all(one.labels))) for one in (made.source, made.target)]
    names = sides[0] + sides[1]
    own = timed(lambda: gram_vectors(names))
    first, second = own.value[: len(sides[0])], own.value[len(sides[0]) :]

    def tamis():
        lists = tiled_lists(second.indptr, second.indices, second.data, second.shape[1])
        queries = Rows(first.indptr.astype(np.int64), first.indices.astype(np.uint32), first.data)
        groups = [
            Groups(np.arange(len(side) + 1), np.arange(len(side), dtype=np.int32)) for side in sides
        ]
        return nearest_groups(queries, groups[0], lists, groups[1], 10, 0.25, 0, len(sides[0]))

    tamis()
    found = timed(tamis, 2)
    rows = [["Tamis, from both sides", f"{own.cpu:.2f}", f"{found.cpu:.2f}", "-"]]
    scores = found.value[0].scores
    vectors = timed(lambda: sklearn_vectors(names))
    left, right = vectors.value[: len(sides[0])], vectors.value[len(sides[0]) :]
    plain = timed(lambda: blockwise_top(left, right.T.tocsr()))
    rows.append(
        [
            "scikit-learn vectors, SciPy product in blocks, one side",
            f"{vectors.cpu:.2f}",
            f"{plain.cpu:.2f}",
            f"{np.abs(plain.value - scores).max():.0e}",
        ]
    )
    if find_spec("sparse_dot_topn"):
        from scipy.sparse import csr_matrix
        from sparse_dot_topn import sp_matmul_topn

        args = {"top_n": 10, "threshold": 0.25, "sort": True, "n_threads": 1}
        A, B = csr_matrix(first), csr_matrix(second).T.tocsr()
        theirs = timed(lambda: sp_matmul_topn(A, B, **args), 2)
        filled = filled_scores(theirs.value)
        rows.append(
            [
                "sparse_dot_topn on our vectors, one side",
                f"{own.cpu:.2f}",
                f"{theirs.cpu:.2f}",
                f"{np.abs(filled - scores).max():.0e}",
            ]
        )
    if find_spec("rapidfuzz"):
        from rapidfuzz.distance import JaroWinkler
        from rapidfuzz.process import cdist

        some = [side[:2000] for side in sides]
        fuzzy = timed(lambda: cdist(*some, scorer=JaroWinkler.similarity, dtype=np.float32))
        scaled = fuzzy.cpu * len(sides[0]) * len(sides[1]) / 4e6
        rows.append(
            ["rapidfuzz, all pairs by Jaro-Winkler (from 2,000 x 2,000)", "-", f"{scaled:.0f}", "-"]
        )
    print(f"## Peers: {len(sides[0]):,} x {len(sides[1]):,} labels, one thread\n")
    header = ["what", "vectors, CPU s", "top 10, CPU s", "largest difference of a score"]
    print(markdown(header, rows), "\n")


def sklearn_vectors(names):
    """The same vectors by scikit-learn: its weights have 1 added, which is taken off."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(
        analyzer="char_wb", ngram_range=(3, 3), smooth_idf=False, dtype=np.float32
    ).fit(names)
    vectorizer.idf_ = vectorizer.idf_ - 1
    return vectorizer.transform(names)


def blockwise_top(left, right, block: int = 500, top: int = 10, least: float = 0.25):
    """The best scores of each row of a product that is computed in blocks of rows."""
    best = np.zeros((left.shape[0], top), dtype=np.float32)
    for begin in range(0, left.shape[0], block):
        dense = (left[begin : begin + block] @ right).toarray()
        part = -np.sort(-np.partition(dense, -top, axis=1)[:, -top:], axis=1)
        best[begin : begin + block] = np.where(part > least, part, 0)
    return best


def filled_scores(matrix, top: int = 10):
    """Scores of each row of a sparse matrix, the best first, 0 where there is none."""
    best = np.zeros((matrix.shape[0], top), dtype=np.float32)
    for row in range(matrix.shape[0]):
        values = np.sort(matrix.data[matrix.indptr[row] : matrix.indptr[row + 1]])[::-1]
        best[row, : len(values)] = values
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", nargs="+", default=["sizes", "peers"])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--names", type=int, default=20_000, help="classes of the peers' part")
    parser.add_argument("--one", help="a size, measured alone; for this program itself")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(json.loads(options.one), options.jobs)))
        return
    begun = time.strftime("%Y-%m")
    libraries = [name for name in ("sparse_dot_topn", "rapidfuzz") if find_spec(name)]
    print(
        versions("numpy", "scipy", "numba", "scikit-learn", *libraries).replace(
            "one thread each", f"{begun}\n"
        )
    )
    for part in options.parts:
        {"sizes": sizes_part, "peers": peers_part}[part](options)


if __name__ == "__main__":
    main()
