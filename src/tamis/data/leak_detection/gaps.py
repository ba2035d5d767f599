"""Missing values that go with the class over many columns: a panel that one class did not get, or
samples measured less well."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..._core.errors import listed_names
from .interface import Suspect
from .separation import by_ranks, rank_p_values
from .watched import BLOCK_COLUMNS, Watched, class_rank_sums

MAX_CHANCE_P = 0.01  # by chance, in any panel
LOOKED_AT = 2000  # columns with gaps, spread evenly
MIN_PANEL_COLUMNS = 5  # columns
MIN_SHARED_GAPS = 0.5  # of the samples in which one of two columns has a gap, in which both have
MIN_GAP_SAMPLES = 3  # samples with a gap, and without
MAX_UNEVEN_P = 1e-3  # a p-value, of samples by their number of gaps
MIN_SEPARATION = 0.3  # and a separation: with two classes an AUC of .65


def find_gaps(table: Watched) -> list[Suspect]:
    """Columns that lack values in the same samples, which are too often of one class; else samples
    of some class that lack more values."""
    total, lost, missing = _gap_counts(table.X)
    return list(_panels(total, table)) or list(_uneven(total, lost, missing, table))


def _gap_counts(X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Missing values of columns that some samples lack and some have, (k,), 0 of others; how many
    of these each sample has (n,), and how many of all columns (n,)."""
    lost, every, counts = np.zeros(len(X)), np.zeros(len(X)), []
    for start in range(0, X.shape[1], BLOCK_COLUMNS):
        missing = np.isnan(X[:, start : start + BLOCK_COLUMNS])
        count = missing.sum(axis=0)
        every += missing.sum(axis=1)
        count[(count < MIN_GAP_SAMPLES) | (count > len(X) - MIN_GAP_SAMPLES)] = 0
        lost += missing[:, count > 0].sum(axis=1)
        counts.append(count)
    return np.concatenate(counts), lost, every


def _panels(total: np.ndarray, table: Watched) -> Iterator[Suspect]:
    """Columns that lack values in the same samples, if these go with the class: Fisher's exact
    probability, one class against the others. Columns are put together without the class, so that
    there are as many tests as panels."""
    C, n = len(table.classes), len(table.y)
    some = np.flatnonzero(total)
    if len(some) < MIN_PANEL_COLUMNS:
        return
    from scipy.stats import hypergeom

    spread = np.linspace(0, len(some) - 1, min(LOOKED_AT, len(some))).round().astype(int)
    panels = _panels_of(some[spread], table.X)
    for columns, rows in panels:
        lost = np.bincount(table.y[rows], minlength=C)
        law = hypergeom(n, table.sizes, rows.sum())
        p = float(np.minimum(law.sf(lost - 1), law.cdf(lost)).min())
        if 2 * C * len(panels) * p >= MAX_CHANCE_P:
            continue
        most, least = (int(f(lost / table.sizes)) for f in (np.argmax, np.argmin))
        same = "the same" if (total[columns] == rows.sum()).all() else "nearly the same"
        number = f"at least {len(columns)}" if len(some) > LOOKED_AT else f"{len(columns)}"
        yield Suspect(
            "gaps",
            tuple(table.names[j] for j in columns.tolist()),
            f"{number} columns, such as {listed_names([table.names[columns[0]]])}, lack values in "
            f"{same} {rows.sum()} samples: {_share(lost, most, table)}, "
            f"{_share(lost, least, table)}",
        )


def _panels_of(columns: np.ndarray, X: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Columns that lack values in mostly the same samples, `MIN_PANEL_COLUMNS` or more, and the
    samples that most of them lack (n,); the column with the most such neighbours first."""
    missing = np.isnan(X[:, columns])
    both = missing.T.astype(np.float32) @ missing.astype(np.float32)
    own = both.diagonal()
    alike = both >= MIN_SHARED_GAPS * (own[:, None] + own - both)
    left, found = np.ones(len(columns), dtype=bool), []
    neighbours = alike.sum(axis=1)
    while left.any():
        panel = alike[int((neighbours * left).argmax())] & left
        if panel.sum() < MIN_PANEL_COLUMNS:
            break
        found.append((columns[panel], missing[:, panel].mean(axis=1) > 0.5))
        left &= ~panel
        neighbours = neighbours - alike[:, panel].sum(axis=1)
    return found


def _share(lost: np.ndarray, c: int, table: Watched) -> str:
    return f"{lost[c]} of {table.sizes[c]:.0f} of {table.heading(c)}"


def _uneven(
    total: np.ndarray, lost: np.ndarray, missing: np.ndarray, table: Watched
) -> Iterator[Suspect]:
    """Samples of one class lack more values than those of another (Kruskal and Wallis)."""
    if np.count_nonzero(total) < MIN_PANEL_COLUMNS:
        return
    ranked = class_rank_sums(lost[:, None], table.y, len(table.classes))
    if (
        rank_p_values(*ranked)[0] >= MAX_UNEVEN_P
        or by_ranks(*ranked, table.sizes)[0] < MIN_SEPARATION
    ):
        return
    shares = np.bincount(table.y, missing) / table.sizes / table.X.shape[1]
    most, least = int(shares.argmax()), int(shares.argmin())
    yield Suspect(
        "class-gaps",
        (),
        f"samples of {table.heading(most)} lack {shares[most]:.1%} of their values, those of "
        f"{table.heading(least)} {shares[least]:.1%}",
    )
