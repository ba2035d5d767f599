"""Which sample each row of a table is: by id, by family and id, or by both in one word.

PLINK writes FID_IID where a format has one name for a sample (VCF, BGEN), so that a table and the
genotypes may name the same people differently.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..._core.errors import DataError, counted_noun, listed_names, value_text
from ...data.samples import spelled_otherwise
from ...data.spellings import spelling_keys
from .samples import NO_FAMILY, Samples


def join_ids(
    samples: Samples, ids: Sequence[str], families: Sequence[str] | None, file: str
) -> tuple[list[int | None], str]:
    """The sample of each row, and a remark where ids were joined in another way than PLINK's.

    PLINK's is FID and IID, and IID alone where the table or the genotypes have no families. If
    that finds nobody, other ways are tried, and one is taken if it is the only one to find all rows
    among the samples or all samples among the rows, each once.

    Parameters
    ----------
    samples : Samples
    ids, families : sequence of str of length m
        Of the rows; families may be None.
    file : str
        The table's name, for messages.

    Returns
    -------
    list of int or None, of length m
        None of rows that are no sample.
    str
        Empty if there is nothing to say.

    Raises
    ------
    DataError
        No row is a sample, or an id is that of several.

    Examples
    --------
    >>> samples = Samples.of_ids(["f_a", "f_b"])  # as in a VCF
    >>> join_ids(samples, ["b", "a"], ["f", "f"], "p.txt")
    ([1, 0], "p.txt: joined by FID_IID (the genotypes' ids are its FID and IID in one word)")
    """
    found = _by_plink(samples, ids, families, file)
    if any(place is not None for place in found):
        return found, _other_spellings(samples, ids, found, file)
    ways = _other_ways(samples, ids, families)
    least = min(len(samples), len(ids))
    hits = {words: len(set(own) & set(theirs)) for words, (own, theirs) in ways.items()}
    complete = [
        words for words in ways if hits[words] == least and all(map(_all_unique, ways[words]))
    ]
    if len(complete) == 1:
        own, theirs = ways[complete[0]]
        place = {key: k for k, key in enumerate(own)}
        return [place.get(key) for key in theirs], f"{file}: joined by {complete[0]}"
    best = max(hits, key=lambda words: hits[words])
    if hits[best]:
        raise DataError(
            f"{file!r} has none of the samples as it is; joined by {best}, {hits[best]:,} of "
            f"{counted_noun(len(ids), 'row')} would be samples. That is done where all rows, or "
            "all samples, are found, each once: leave out the others, or name people alike in both"
        )
    if set(ids) & set(samples.id):
        raise DataError(
            f"{file!r} has none of the samples: ids are the same, families are others; leave "
            "its column of families out, or set it to 0"
        )
    ours = listed_names(samples.id[:3])
    raise DataError(
        f"{file!r} has none of the samples {ours}: its ids are {listed_names(ids[:3])}"
        f"{spelled_otherwise(ids, samples.id)}"
    )


def _other_spellings(
    samples: Samples, ids: Sequence[str], found: Sequence[int | None], file: str
) -> str:
    """A remark on rows that would be samples which no row is, if they were spelled as these."""
    lost = [name for name, place in zip(ids, found, strict=True) if place is None]
    if not lost:
        return ""
    there = {place for place in found if place is not None}
    others = {str(name): k for k, name in enumerate(samples.id) if k not in there}
    keys = set(spelling_keys([*others]))
    alike = [name for name, key in zip(lost, spelling_keys(lost), strict=True) if key in keys]
    if not alike:
        return ""
    rows = counted_noun(len(alike), "row is", "rows are")
    return f"{file}: {rows} no sample as written{spelled_otherwise(alike, others)}"


def _by_plink(
    samples: Samples, ids: Sequence[str], families: Sequence[str] | None, file: str
) -> list[int | None]:
    """By family and id, or by id where there are no families, as PLINK has it."""
    # where the files have no families, or the table plink2's 0 for none, the id is all there is
    alone = families is None or set(families) <= {NO_FAMILY}
    if families is not None and not (alone or (samples.family == samples.id).all()):
        by_both = {pair: k for k, pair in enumerate(zip(samples.family, samples.id, strict=True))}
        return [by_both.get(pair) for pair in zip(families, ids, strict=True)]
    by_id: dict[str, int | None] = {}
    for k, name in enumerate(samples.id):
        by_id[name] = k if name not in by_id else None
    for name in ids:
        if by_id.get(name, 0) is None:
            raise DataError(
                f"{file!r}: several samples have the id {value_text(name)}: a column FID of "
                "families is needed"
            )
    return [by_id.get(name) for name in ids]


def _other_ways(
    samples: Samples, ids: Sequence[str], families: Sequence[str] | None
) -> dict[str, tuple[list[str], list[str]]]:
    """Names of the samples and of the rows, by what joins them."""
    own, theirs = samples.id.tolist(), list(ids)
    ways = {
        "FID_IID (its ids are the genotypes' family and id in one word)": (
            _joined_words(samples.family, own),
            theirs,
        ),
    }
    if families is None:
        return ways
    words = "FID_IID (the genotypes' ids are its FID and IID in one word)"
    ways[words] = (own, _joined_words(families, theirs))
    if set(samples.family) <= {NO_FAMILY} or list(families) == theirs:
        ways["IID alone (the table, or the genotypes, have no families)"] = (own, theirs)
    return ways


def _joined_words(families: Iterable[str], ids: Sequence[str]) -> list[str]:
    return [f"{family}_{name}" for family, name in zip(families, ids, strict=True)]


def _all_unique(names: Sequence[str]) -> bool:
    return len(set(names)) == len(names)
