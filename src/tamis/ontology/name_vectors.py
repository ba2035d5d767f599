"""Names as sparse unit vectors: words or character trigrams, weighted by TF-IDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .name_table import NameTable

if TYPE_CHECKING:
    from scipy.sparse import csr_array

GRAM_LETTERS = 200  # of a name: longer ones are distinguished by their beginnings and their words
MAX_DIRECT_TRIGRAMS = 1 << 24  # trigrams that are numbered without sorting


def word_vectors(table: NameTable) -> csr_array:
    """Stems of each name, (names, stems); see `weighted_vectors`."""
    from .pairs import incidence_matrix

    words = sorted({word for stems in table.stems for word in stems})
    at = {word: k for k, word in enumerate(words)}
    return weighted_vectors(
        incidence_matrix([[at[word] for word in one] for one in table.stems], len(at))
    )


def gram_vectors(names: list[str]) -> csr_array:
    """Character trigrams of each name, (names, trigrams); see `weighted_vectors`.

    A blank stands before and after each word, so a word has as many trigrams as letters, and the
    order of words does not matter.
    """
    from scipy.sparse import csr_array

    text = "\n".join(["", *(name[:GRAM_LETTERS] for name in names), ""])
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    ends = np.flatnonzero(points == ord("\n"))
    alphabet, codes = _numbered_values(np.where(points == ord("\n"), ord(" "), points))
    letters = np.flatnonzero(points > ord(" "))
    size = len(alphabet)
    grams = codes[letters - 1].astype(np.int64)
    for shift in (0, 1):
        grams *= size
        grams += codes[letters + shift]
    kinds, grams = _numbered_values(grams)
    starts = np.searchsorted(letters, ends)
    counts = np.ones(len(grams), dtype=np.float32)
    table = csr_array((counts, grams, starts), shape=(len(names), len(kinds)))
    table.sum_duplicates()
    return weighted_vectors(table)


def weighted_vectors(counts: csr_array) -> csr_array:
    """Counts times inverse document frequency, each row of length 1; the rarest columns first.

    A column weighs ``log(n / df)`` if df of the n rows have it. One that all rows have says
    nothing and is left out. Of equally rare columns the order is kept.

    Parameters
    ----------
    counts : csr_array of float32
        Sorted columns, each once in a row.

    Returns
    -------
    csr_array of float32
        Sorted columns. A row of nothing but columns that all rows have is empty.
    """
    from scipy.sparse import csr_array

    n = counts.shape[0]
    df = np.bincount(counts.indices, minlength=counts.shape[1])
    used = (df > 0) & (df < n)
    order = np.flatnonzero(used)[np.argsort(df[used], kind="stable")]
    place = np.full(counts.shape[1], -1, dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    weight = np.log(n / np.maximum(df, 1))
    kept = used[counts.indices]
    columns = counts.indices[kept]
    values = counts.data[kept] * weight[columns]
    before = np.concatenate([[0], np.cumsum(kept)])
    starts = before[counts.indptr]
    table = csr_array((values, place[columns], starts), shape=(n, len(order)))
    table.sort_indices()
    rows = np.repeat(np.arange(n), np.diff(starts))
    lengths = np.sqrt(np.bincount(rows, weights=table.data**2, minlength=n))
    table.data = (table.data / lengths[rows]).astype(np.float32)
    return table


def _numbered_values(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values that occur, in order, and of each value its place among them."""
    if len(values) and values.max() < MAX_DIRECT_TRIGRAMS:
        there = np.zeros(int(values.max()) + 1, dtype=bool)
        there[values] = True
        kinds = np.flatnonzero(there)
        place = np.zeros(len(there), dtype=np.int32)
        place[kinds] = np.arange(len(kinds), dtype=np.int32)
        return kinds, place[values]
    kinds, places = np.unique(values, return_inverse=True)
    return kinds, places.astype(np.int32)
