"""Two columns that decide the class together, where neither does alone and no other two come near:
a difference that is the class, or one of two codes exchanged by it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..._core.errors import listed_names
from .alone import MAX_CHANCE_P, MIN_GAP
from .interface import Suspect
from .separation import (
    Separations,
    by_chance,
    by_ranks,
    on_open_scale,
    separation_words,
    value_codes,
)
from .watched import Watched, class_rank_sums

MIN_PAIR_SEPARATION = 0.98  # a separation: with two classes an area of .99
# a separation (AUC .9): two columns of which one has it may well decide together
MIN_SINGLE_SEPARATION = 0.8
MOST_COLUMNS = 1500  # numbers: those that go with the class most
MOST_VALUES = 1500  # different values of coded columns, together
MIN_REFUSED_SAMPLES = 60  # samples, from which they are refused
N_CANDIDATE_PAIRS = 60  # pairs that are looked at closely
MIN_COPY_CORRELATION = 0.9999  # a correlation, from which two columns are one


@dataclass(frozen=True)
class Pair:
    """Two columns; how well they tell classes apart together, the better of them does alone, and
    the best of all columns does."""

    columns: tuple[int, int]
    together: float
    alone: float
    rival: float
    sizes: np.ndarray
    valued: bool

    def words(self, separation: float) -> str:
        """One of these, as statisticians know it."""
        return separation_words(separation, len(self.sizes), self.valued)


def find_pairs(table: Watched, each: Separations) -> list[Suspect]:
    """Pairs of weak columns that decide, where no single column and no other pair comes near."""
    kinds = (_of_numbers(table), _of_values(table, each.found))
    return [one for pairs in kinds for one in _pair_far_ahead(list(pairs), table.names)]


def _pair_far_ahead(pairs: Sequence[Pair], names: Sequence[str]) -> Iterator[Suspect]:
    """The best pair, if it is far beyond everything else."""
    if not pairs:
        return
    scales = [float(on_open_scale(np.array(one.together), one.sizes)) for one in pairs]
    first = int(np.argmax(scales))
    best = pairs[first]
    rival = float(on_open_scale(np.array(best.rival), best.sizes))
    apart = scales.pop(first) - max([rival, *scales]) >= MIN_GAP
    if not apart or best.together < MIN_PAIR_SEPARATION or best.alone >= MIN_SINGLE_SEPARATION:
        return
    if len(names) ** 2 / 2 * by_chance(best.together, best.sizes, 2) < MAX_CHANCE_P:
        columns = tuple(names[j] for j in best.columns)
        yield Suspect(
            "pair",
            columns,
            f"columns {listed_names(columns)} together tell the classes apart "
            f"({best.words(best.together)}), neither does alone "
            f"({best.words(best.alone)} at most), and no other two do",
            bool(best.sizes.sum() >= MIN_REFUSED_SAMPLES),
        )


def _of_numbers(table: Watched) -> Iterator[Pair]:
    """The pairs whose plane separates a class best from the others, by least squares:
    R^2 = (a^2 + b^2 - 2 a b r) / (1 - r^2), of correlations a, b with the class and r."""
    X, y, sizes, numbers = table.X, table.y, table.sizes, np.flatnonzero(~table.coded)
    each = _from_the_rest(*table.rank_sums, sizes)
    for c in range(len(sizes) if len(sizes) > 2 else 1):
        of_class = (y == c) - sizes[c] / len(y)
        most = numbers[np.argsort(-each[numbers, c], kind="stable")[:MOST_COLUMNS]]
        if len(most) < 2:
            return
        Z = _standardised_or_zero(X[:, most])
        a = of_class.astype(np.float32) @ Z / np.float32(np.sqrt(len(y) * (of_class @ of_class)))
        r = Z.T @ Z / len(y)
        with np.errstate(divide="ignore", invalid="ignore"):
            explained = (a[:, None] ** 2 + a**2 - 2 * np.outer(a, a) * r) / (1 - r**2)
        explained[(np.abs(r) > MIN_COPY_CORRELATION) | np.tri(len(most), dtype=bool)] = 0.0
        places = _largest_places(explained)
        if not places:
            continue
        planes = [Z[:, list(at)] for at in places]
        lines = [two @ np.linalg.lstsq(two, of_class, rcond=None)[0] for two in planes]
        of_two = np.array([len(y) - sizes[c], sizes[c]])
        sums = class_rank_sums(np.column_stack(lines), (y == c).astype(np.int64), 2)
        for (i, j), together in zip(places, by_ranks(*sums, of_two).tolist(), strict=True):
            alone, rival = each[most[[i, j]], c].max(), each[numbers, c].max()
            yield Pair(
                (int(most[i]), int(most[j])), together, float(alone), float(rival), of_two, False
            )


def _from_the_rest(sums: np.ndarray, counts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """The separation of each class from all others together by each column, (k, C)."""
    found = np.empty(sums.shape)
    for c in range(sums.shape[1]):
        ranks, values = (
            np.stack([a.sum(axis=1) - a[:, c], a[:, c]], axis=1) for a in (sums, counts)
        )
        found[:, c] = by_ranks(ranks, values, np.array([sizes.sum() - sizes[c], sizes[c]]))
    return found


def _of_values(table: Watched, each: np.ndarray) -> Iterator[Pair]:
    """The pairs of coded columns whose joint values decide best, as `by_values` has it; `each`: the
    separations of all columns."""
    y, sizes, few = table.y, table.sizes, table.few_valued
    few = few[np.argsort(-each[few], kind="stable")][: MOST_VALUES // 2]
    codes = value_codes(table.X[:, few])
    ends = np.cumsum(codes.max(axis=0, initial=0) + 1)
    codes = codes[:, ends <= MOST_VALUES]
    k = codes.shape[1]
    if k < 2:
        return
    ends = ends[:k]
    starts = np.concatenate([[0], ends[:-1]])
    shown = np.zeros((len(y), int(ends[-1])), dtype=np.float32)
    np.put_along_axis(shown, codes + starts, 1, axis=1)
    best, second = (np.zeros((shown.shape[1],) * 2, dtype=np.float32) for _ in range(2))
    for c, size in enumerate(sizes):  # the two largest shares of the classes with both values
        share = _joint_counts(shown[y == c]) / np.float32(size)
        second = np.maximum(second, np.minimum(best, share))
        best = np.maximum(best, share)
    rates = np.zeros((k, k))
    for c, size in enumerate(sizes):
        counts = _joint_counts(shown[y == c])
        share = counts / np.float32(size)
        others = np.where(share == best, second, best)
        right = (counts - 1) / max(size - 1, 1) > others
        of_pairs = np.add.reduceat(np.where(right, share, 0), starts, axis=0)
        rates += np.add.reduceat(of_pairs, starts, axis=1)
    together = np.triu((rates - 1) / (len(sizes) - 1), 1)
    rival = float(each[few].max())
    for i, j in _largest_places(together):
        pair = (int(few[i]), int(few[j]))
        yield Pair(pair, float(together[i, j]), float(each[[*pair]].max()), rival, sizes, True)


def _joint_counts(shown: np.ndarray) -> np.ndarray:
    """How often values are seen together, (V, V)."""
    return shown.T @ shown


def _standardised_or_zero(X: np.ndarray) -> np.ndarray:
    """Columns of mean 0 and variance 1, 0 where missing or constant."""
    there = ~np.isnan(X)
    n = np.maximum(there.sum(axis=0), 1)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        Z = np.where(there, X - np.where(there, X, 0).sum(axis=0) / n, 0)
        Z /= np.sqrt((Z**2).sum(axis=0) / n)
    Z[~np.isfinite(Z)] = 0.0
    return Z.astype(np.float32)


def _largest_places(values: np.ndarray) -> list[tuple[int, int]]:
    """Places of the largest values of a square, best first."""
    flat = values.ravel()
    most = np.argpartition(-flat, min(N_CANDIDATE_PAIRS, len(flat) - 1))[:N_CANDIDATE_PAIRS]
    most = most[np.argsort(-flat[most], kind="stable")]
    return [divmod(int(k), values.shape[1]) for k in most if flat[k] > 0]
