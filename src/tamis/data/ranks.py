"""Features that hold one another: ranks of a taxonomy, and totals beside their parts.

MetaPhlAn names a taxon by all ranks above it (`k__Bacteria|p__Firmicutes`) and lists each of them;
HUMAnN lists a pathway and its share of each species (`PWY-1|g__X.s__Y`). One signal then stands at
several levels. MaxQuant lists decoys (`REV__`) and contaminants (`CON__`) beside proteins.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .._core.errors import counted_noun, listed_names
from .names import some_name_has

# among the columns to drop: all but the deepest rank, and parts of totals
STACKED_RANKS = "<ranks>"
RANK_PATTERN = re.compile(r"(?:.*\|)?([a-z])__[^|]*")  # of a taxon, by its last part
MIN_RANK_SHARE = 0.02  # of the features, fewer of which are no ranks
UNASSIGNED_NAMES = ("UNMAPPED", "UNINTEGRATED", "UNGROUPED", "UNKNOWN", "UNCLASSIFIED")
NON_FEATURE_PREFIXES = (("REV__", "decoys"), ("CON__", "contaminants"))


def stacked_names(names: Sequence[str]) -> tuple[list[str], str]:
    """Features that hold others or are parts of others, and what is kept beside them.

    Examples
    --------
    >>> stacked_names(["k__A", "k__A|p__B", "k__A|p__C"])
    (['k__A'], 'p__')
    >>> stacked_names(["UNMAPPED", "PWY-1", "PWY-1|g__X.s__Y", "PWY-1|unclassified"])
    (['PWY-1|g__X.s__Y', 'PWY-1|unclassified'], '')
    """
    if not some_name_has(names, "|"):
        return [], ""
    ranks = {name: found[1] for name in names if (found := RANK_PATTERN.fullmatch(name))}
    depth: dict[str, int] = {}
    for name, rank in ranks.items():
        depth[rank] = max(depth.get(rank, 0), name.count("|"))
    above = {name.rpartition("|")[0] for name in ranks if "|" in name}
    known = set(names)
    if len(depth) > 1 and len(above & ranks.keys()) > MIN_RANK_SHARE * len(names):
        deepest = max(depth, key=depth.__getitem__)
        return [name for name, rank in ranks.items() if rank != deepest], f"{deepest}__"
    parts = [name for name in names if "|" in name and name.partition("|")[0] in known]
    return (parts, "") if len(parts) > MIN_RANK_SHARE * len(names) else ([], "")


def notes_on_stacked(names: Sequence[str]) -> list[str]:
    """What is reported of the features."""
    found, deepest = stacked_names(names)
    notes = []
    if deepest:
        notes.append(
            f"{counted_noun(len(found), 'feature')} hold others, such as {found[0]!r}: one signal "
            f"stands at several ranks; drop=[{STACKED_RANKS!r}] leaves the deepest, {deepest}"
        )
    elif found:
        notes.append(
            f"{counted_noun(len(found), 'feature')} are parts of others, such as {found[0]!r}: "
            f"drop=[{STACKED_RANKS!r}] leaves the totals"
        )
    if found and (unsorted := [name for name in names if name in UNASSIGNED_NAMES]):
        shown = ", ".join(map(repr, unsorted))
        notes.append(
            f"{listed_names(unsorted)} {'is' if len(unsorted) == 1 else 'are'} what was put "
            f"nowhere: leave out with drop=[{shown}]"
        )
    for start, what in NON_FEATURE_PREFIXES:
        if some_name_has(names, f"\0{start}"):
            count = sum(name.startswith(start) for name in names)
            notes.append(
                f"{counted_noun(count, 'feature')} named {start}... are {what} of a search for "
                f"proteins: leave them out with drop=['{start}*']"
            )
    return notes
