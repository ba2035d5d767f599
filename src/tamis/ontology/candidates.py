"""Which pairs of classes are worth a look: blocking, before anything is compared in full."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntFlag
from functools import cached_property
from itertools import chain

import numpy as np

from .._core.errors import PlanError, counted_noun, value_text
from .._core.first_screen import FirstScreen
from .._core.settings import checked_count
from .mapping import Mapping
from .name_table import NameTable, name_table
from .name_vectors import gram_vectors, word_vectors
from .nearest_names import nearest_pairs
from .ontology import Ontology
from .pairs import combine_sides

# pairs by one name, and pairs of neighbours by one pair: more say nothing
MAX_PAIRS_PER_NAME = 1000
N_NEIGHBOURS = 20  # pairs of superclasses, and of subclasses, for each class, on average
MIN_COSINE = 0.25  # cosine below which two names have nothing in common


class Block(IntFlag):
    """What brought a pair together."""

    EXACT = 1  # equal normalised names
    KEY = 2  # names of equal stems, or equal without blanks
    WORDS = 4  # among the nearest by words
    TRIGRAMS = 8  # among the nearest by character trigrams
    NEIGHBOURS = 16  # both superclasses, or both subclasses, of a pair of equal or nearest names
    ALL = 32  # every pair: the vocabularies are small


@dataclass(frozen=True, eq=False, repr=False)
class Candidates(FirstScreen):
    """Pairs of classes to compare, and which blocks found them.

    Attributes
    ----------
    rows : (n, 2) int32
        Positions of a source and a target class; rising.
    blocks : (n,) uint8
        `Block` flags of each pair.
    source, target : Ontology
    """

    rows: np.ndarray
    blocks: np.ndarray
    source: Ontology = field(repr=False)
    target: Ontology = field(repr=False)

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def _keys(self) -> np.ndarray:
        return self.rows[:, 0].astype(np.int64) * max(len(self.target), 1) + self.rows[:, 1]

    def counts(self) -> dict[str, int]:
        """How many pairs each block found; a pair may be in several.

        Examples
        --------
        >>> from tamis.ontology.made_up import make_vocabularies
        >>> made = make_vocabularies(300, 300, 200)
        >>> found = candidate_pairs(made.source, made.target)
        >>> found.counts()["trigrams"] <= len(found)
        True
        """
        return {
            block.name.lower(): int(np.count_nonzero(self.blocks & block))
            for block in Block
            if np.any(self.blocks & block) and block.name
        }

    def recall(self, reference: Mapping | Iterable[tuple[str, str]]) -> dict[str, float]:
        """Share of true pairs that are candidates: ``any`` block, and each block by itself.

        Parameters
        ----------
        reference : Mapping, or iterable of (source IRI, target IRI)

        Returns
        -------
        dict of str to float
            ``any`` first; NaN without true pairs.

        Raises
        ------
        PlanError
            A pair names a class that is not there.

        Examples
        --------
        >>> from tamis.ontology.made_up import make_vocabularies
        >>> made = make_vocabularies(300, 300, 200)
        >>> candidate_pairs(made.source, made.target).recall(made.reference)["any"] > 0.95
        True
        """
        pairs = reference.pairs if isinstance(reference, Mapping) else reference
        true = np.unique([self._key(*pair) for pair in pairs])
        at = np.searchsorted(self._keys, true)
        there = at < len(self)
        there[there] = self._keys[at[there]] == true[there]
        blocks = np.zeros(len(true), dtype=np.uint8)
        blocks[there] = self.blocks[at[there]]
        shares = {"any": _mean_share(there)}
        for block in Block:
            if block.name and np.any(self.blocks & block):
                shares[block.name.lower()] = _mean_share((blocks & block) > 0)
        return shares

    def _key(self, source: str, target: str) -> int:
        for iri, ontology in ((source, self.source), (target, self.target)):
            if iri not in ontology:
                raise PlanError(
                    f"reference: class {value_text(iri)} is not in {ontology.name}; "
                    "give pairs of (source IRI, target IRI)"
                )
        return self.source.position[source] * len(self.target) + self.target.position[target]

    def to_dict(self) -> dict[str, object]:
        """What `summary` says, as numbers."""
        return {
            "pairs": len(self),
            "source": len(self.source),
            "target": len(self.target),
            "by_block": self.counts(),
        }

    def summary(self, reference: Mapping | Iterable[tuple[str, str]] | None = None) -> str:
        """One line: how many pairs, by which blocks; with a reference the recall of each.

        Examples
        --------
        >>> from tamis.ontology.made_up import make_vocabularies
        >>> made = make_vocabularies(20, 20, 20)
        >>> candidate_pairs(made.source, made.target).summary().split(";")[0]
        '400 candidate pairs of 20 x 20 classes (100 % of all)'
        """
        every = len(self.source) * len(self.target)
        head = (
            f"{counted_noun(len(self), 'candidate pair')} of {len(self.source):,} x "
            f"{len(self.target):,} classes ({100 * len(self) / max(every, 1):.3g} % of all)"
        )
        said = ", ".join(f"{name} {n:,}" for name, n in self.counts().items())
        if reference is not None:
            shares = self.recall(reference)
            parts = ", ".join(f"{name} {share:.3f}" for name, share in shares.items())
            said += f"; recall {parts}"
        return f"{head}; {said}" if said else head


def candidate_pairs(
    source: Ontology,
    target: Ontology,
    exhaustive_below: int = 50_000,
    top: int = 10,
    *,
    n_jobs: int | None = None,
) -> Candidates:
    """Pairs of classes that may mean the same, found without comparing all.

    A pair is a candidate if a name (label, local name, synonym of any kind) of one class

    - equals a name of the other, normalised (`Block.EXACT`);
    - has the same stems, in whatever order, or the same letters without blanks (`Block.KEY`);
    - is among the nearest of the other vocabulary by its words (`Block.WORDS`) or by its
      character trigrams (`Block.TRIGRAMS`): TF-IDF cosine, the `top` classes for each class, from
      either side;

    or if both are superclasses, or both subclasses, of classes with equal names or of classes each
    of which is the nearest of the other by words or by trigrams, and neither has an equal name
    itself (`Block.NEIGHBOURS`). Of small vocabularies every pair is a candidate as well.

    A name that makes more than 1,000 pairs is left out where names are equal, as are as many
    neighbours of a pair; and of all neighbours those that come in the largest groups, if there are
    more than 20 for each class. The answer depends neither on the order of classes in the files nor
    on `n_jobs`, and is the same from either side. Obsolete classes are in no pair.

    Parameters
    ----------
    source, target : Ontology
    exhaustive_below : int, default=50_000
        Every pair is a candidate if there are at most so many; 0: never.
    top : int, default=10
        Nearest classes for each class, by words and by trigrams.
    n_jobs : int, optional
        Threads, as in joblib.

    Returns
    -------
    Candidates

    Raises
    ------
    PlanError
        A number that cannot be.

    Examples
    --------
    >>> from tamis.ontology.made_up import make_vocabularies
    >>> made = make_vocabularies(300, 300, 200)
    >>> found = candidate_pairs(made.source, made.target)
    >>> found.rows.shape[1], found.blocks.dtype.name
    (2, 'uint8')
    """
    exhaustive_below = checked_count(exhaustive_below, "exhaustive_below", 0)
    top = checked_count(top, "top", 1)
    table = name_table(source, target)
    exact = equal_names(table, np.arange(len(table.names)))
    keys = [equal_names(table, key) for key in (table.word_keys, table.joined_keys)]
    bags = table.bags()
    alike = np.unique(np.concatenate([exact, *keys]), axis=0)
    by_words = nearest_pairs(bags, word_vectors(bags), top, MIN_COSINE, n_jobs)
    by_trigrams = nearest_pairs(bags, gram_vectors(bags.names), top, MIN_COSINE, n_jobs)
    nearest = np.concatenate([by_words.best, by_trigrams.best])
    found = [
        (Block.EXACT, exact),
        *((Block.KEY, pairs) for pairs in keys),
        (Block.WORDS, by_words.pairs),
        (Block.TRIGRAMS, by_trigrams.pairs),
        (Block.NEIGHBOURS, neighbour_pairs(source, target, alike, nearest)),
    ]
    if len(source) * len(target) <= exhaustive_below:
        found.append((Block.ALL, every_pair(source, target)))
    rows, blocks = _pairs_once(found, max(len(target), 1))
    return Candidates(rows, blocks, source, target)


def equal_names(table: NameTable, keys: np.ndarray) -> np.ndarray:
    """Pairs of classes that bear names of the same key, (k, 2); of crowded keys none."""
    n = int(keys.max(initial=-1)) + 1
    sizes, classes = [], []
    for one in (table.source, table.target):
        of = keys[one.names]
        sizes.append(np.bincount(of, minlength=n))
        classes.append(one.classes[np.argsort(of, kind="stable")])
    used = np.flatnonzero(sizes[0] * sizes[1] <= MAX_PAIRS_PER_NAME)
    _, a, b = combine_sides(np.column_stack([used, used]), *sizes)
    return np.column_stack([classes[0][a], classes[1][b]])


def neighbour_pairs(
    source: Ontology, target: Ontology, alike: np.ndarray, nearest: np.ndarray
) -> np.ndarray:
    """Superclasses and subclasses of classes with equal or nearest names, (k, 2).

    A class with an equal name is in none. One with a nearest name may be: that is less certain.
    """
    anchors = np.unique(np.concatenate([alike, nearest]), axis=0).astype(np.int64)
    free = []
    for side, ontology in enumerate((source, target)):
        alone = ~np.asarray(ontology.obsolete, dtype=bool)
        alone[alike[:, side]] = False
        free.append(alone)
    most = N_NEIGHBOURS * (len(source) + len(target))
    found = [np.empty((0, 2), dtype=np.int64)]
    for near in ((source.parents, target.parents), (source.children, target.children)):
        sizes, classes = zip(*map(_kept_neighbours, near, free), strict=True)
        pairs = sizes[0][anchors[:, 0]] * sizes[1][anchors[:, 1]]
        # the smallest ones are the most informative
        sized, n = np.unique(pairs, return_counts=True)
        limit = min(MAX_PAIRS_PER_NAME, sized[np.cumsum(sized * n) <= most].max(initial=0))
        _, a, b = combine_sides(anchors[pairs <= limit], *sizes)
        found.append(np.column_stack([classes[0][a], classes[1][b]]))
    return np.concatenate(found)


def _kept_neighbours(
    near: Sequence[Sequence[int]], kept: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Neighbours of each class that are kept: how many, and which, one class after the other."""
    sizes = np.fromiter(map(len, near), dtype=np.int64, count=len(near))
    flat = np.fromiter(chain.from_iterable(near), dtype=np.int64, count=int(sizes.sum()))
    of = np.repeat(np.arange(len(near)), sizes)
    return np.bincount(of[kept[flat]], minlength=len(near)), flat[kept[flat]]


def every_pair(source: Ontology, target: Ontology) -> np.ndarray:
    """All pairs of classes that are not obsolete, (k, 2)."""
    first, second = (
        np.flatnonzero(~np.asarray(one.obsolete, dtype=bool)) for one in (source, target)
    )
    return np.column_stack([np.repeat(first, len(second)), np.tile(second, len(first))])


def _pairs_once(
    found: list[tuple[Block, np.ndarray]], n_target: int
) -> tuple[np.ndarray, np.ndarray]:
    """Each pair once, in order, with the flags of all blocks that found it."""
    keys = np.concatenate([p[:, 0].astype(np.int64) * n_target + p[:, 1] for _, p in found])
    flags = np.concatenate([np.full(len(p), block, dtype=np.uint8) for block, p in found])
    order = np.argsort(keys, kind="stable")
    keys, flags = keys[order], flags[order]
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    blocks = np.bitwise_or.reduceat(flags, first) if len(first) else flags
    return np.column_stack(np.divmod(keys[first], n_target)).astype(np.int32), blocks


def _mean_share(there: np.ndarray) -> float:
    return float(there.mean()) if len(there) else float("nan")
