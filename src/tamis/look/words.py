"""A look at a table in words, for terminal and page."""

from __future__ import annotations

from collections.abc import Sequence

from .._core.errors import counted_noun, listed_names, listed_parts, shorten_text, unbroken_text
from ..data.class_heading import class_heading, number_heading
from ..genome.structure.relatives_words import pairs_text
from .schema import (
    BatchSeen,
    CohortContent,
    ColumnsSeen,
    ComponentSeen,
    ComponentsSeen,
    LookContent,
    MissingSeen,
    Named,
    RowsSeen,
    Seen,
    SuspectSeen,
)

NO_ESTIMATE = (
    "A look uses all samples and estimates no error. Do not choose features or leave out samples "
    "by it and then estimate an error on the same samples: that estimate is too good. A study "
    "selects anew inside each training set."
)
MOST_NAMED = 6  # batches or blocks in a line
MOST_BLOCKS = 10  # whose values are shown


def look_lines(r: LookContent) -> list[str]:
    """For a terminal: what was found, then what is doubtful."""
    return _look_lines(r, size_text(r), look_facts(r))


def cohort_lines(r: CohortContent) -> list[str]:
    """As `look_lines`, of genotypes."""
    remarks = [f"  ! relatives: {text}" for text in r["remarks"]]
    return [*_look_lines(r, cohort_size_text(r), cohort_facts(r)), *map(unbroken_text, remarks)]


def _look_lines(r: Seen, size: str, facts: list[tuple[str, str]]) -> list[str]:
    lines = [size, *(f"  {name:<9} {text}" for name, text in facts)]
    lines += [f"  ! {one['kind']}: {suspect_text(one)}" for one in r["suspects"]]
    lines += [f"  ! {one['code']}: {one['text']}" for one in r["cautions"]]
    return [unbroken_text(line) for line in lines]


def suspect_text(one: SuspectSeen) -> str:
    """What is so about columns that may be a leak, and what to do."""
    text = f"{one['text'].rstrip('.')}: {one['advice'].rstrip('.')}."
    return f"{text} A study refuses it." if one["grave"] else text


def size_text(r: LookContent) -> str:
    """How many samples of which class, and how many columns."""
    return f"{_samples_text(r)}, {counted_noun(r['features'], 'feature')}{_covariates_text(r)}"


def cohort_size_text(r: CohortContent) -> str:
    """How many samples of which class, and how many variants."""
    return f"{_samples_text(r)}, {counted_noun(r['variants'], 'variant')}{_covariates_text(r)}"


def _samples_text(r: Seen) -> str:
    classes = listed_parts(
        f"{one['n']:,} {class_heading(r['target'] or '', one['name'])}" for one in r["classes"]
    )
    size = f"{r['name']}: {counted_noun(r['samples'], 'sample')}"
    if r["number"] is not None:
        return f"{size} ({number_heading(r['target'] or '', **r['number'])})"
    return size + (f" ({classes})" if classes else ", no classes")


def _covariates_text(r: Seen) -> str:
    return f" and {counted_noun(len(r['covariates']), 'covariate')}" if r["covariates"] else ""


def look_facts(r: LookContent) -> list[tuple[str, str]]:
    """What there is to say, by name."""
    facts = [
        ("groups", groups_text(r)),
        ("batches", _named_text(r["batches"])),
        ("blocks", _named_text(r["blocks"])),
        ("values", values_text(r)),
        ("missing", missing_text(r["missing"])),
        ("columns", columns_text(r["columns"])),
        ("rows", rows_text(r["rows"])),
        ("variance", components_text(r["components"], outcome_noun(r))),
    ]
    return [(name, text) for name, text in facts if text]


def cohort_facts(r: CohortContent) -> list[tuple[str, str]]:
    """What there is to say of genotypes, by name."""
    quality, relatives = r["quality"], r["relatives"]
    kept = (
        f"quality control would keep {quality['samples']['kept']:,} samples and "
        f"{quality['variants']['kept']:,} variants"
    )
    family = ""
    if relatives is not None:
        pairs = {name: n for name, n in relatives["relations"].items() if n}
        family = pairs_text(pairs) if pairs else "none found"
    facts = [
        ("groups", groups_text(r)),
        ("batches", _named_text(r["batches"])),
        ("places", f"chromosomes {_named_text(r['chromosomes'])}"),
        ("calls", f"{r['called']:.2%} are there"),
        ("quality", kept),
        ("relatives", family),
        ("variance", components_text(r["components"], outcome_noun(r))),
    ]
    return [(name, text) for name, text in facts if text]


def groups_text(r: Seen) -> str:
    """How many groups of how many samples."""
    groups = r["groups"]
    if groups is None:
        return ""
    return (
        f"{counted_noun(groups['n'], 'group')} of up to {counted_noun(groups['largest'], 'sample')}"
        + (
            f"; {groups['several_classes']:,} hold several classes"
            if groups["several_classes"]
            else ""
        )
    )


def _named_text(found: Sequence[Named | BatchSeen]) -> str:
    parts = (f"{shorten_text(one['name'])} ({one['n']:,})" for one in found)
    return listed_parts(parts, MOST_NAMED)


def values_text(r: LookContent) -> str:
    """What the numbers look like, block by block."""
    parts = []
    for one in r["values"]:
        text, cut = one["text"], one["values"]
        if cut is not None and one["kind"] not in ("counts", "intensities", "constant"):
            text += f" ({cut['low']:.3g} to {cut['high']:.3g}, median {cut['median']:.3g})"
        parts.append(f"{shorten_text(one['block'])}: {text}" if one["block"] else text)
    return listed_parts(parts, MOST_BLOCKS, "; ")


def missing_text(found: MissingSeen) -> str:
    """How much is missing, and whether that differs between classes."""
    if not found["values"]:
        return "none"
    text = (
        f"{found['share']:.2%} of the values, in {counted_noun(found['columns'], 'column')} and "
        f"{counted_noun(found['samples'], 'sample')}"
    )
    if found["unlike"]:
        text += f"; more in one class than in another in {counted_noun(found['unlike'], 'column')}"
    return text


def columns_text(found: ColumnsSeen) -> str:
    """Kinds of columns, and near-copies."""
    parts = [f"{one['n']:,} {_kind_text(one['kind'])}" for one in found["kinds"]]
    if found["copies"]:
        parts.append(counted_noun(found["copies"], "near-duplicate"))
    return ", ".join(parts)


def _kind_text(kind: str) -> str:
    return {
        "numbers": "numeric",
        "whole numbers": "of whole numbers",
        "two values": "of two values",
        "categories": "of categories",
    }.get(kind, kind)


def rows_text(found: RowsSeen) -> str:
    """Samples that repeat others."""
    parts = []
    if found["equal_rows"]:
        parts.append(f"{counted_noun(found['equal_rows'], 'sample')} the same as another")
    if found["near"]:
        sets = counted_noun(found["near_sets"], "set")
        parts.append(
            f"{sets} of near-duplicate samples, such as {listed_names(found['near'][0], 3)}"
        )
    return "; ".join(parts) or "no duplicate samples"


def outcome_noun(r: Seen) -> str:
    """What the classes of a look are."""
    return "class" if r["number"] is None else "third of the number"


def label_shares(one: ComponentSeen, outcome: str) -> list[tuple[str, float]]:
    """What classes and batches, where there are any, account for of a component."""
    both = ((outcome, one["by_class"]), ("batch", one["by_batch"]))
    return [(what, share) for what, share in both if share is not None]


def explained_text(one: ComponentSeen, outcome: str) -> str:
    """What share of a component the labels explain, the largest first."""
    parts = sorted(label_shares(one, outcome), key=lambda part: -part[1])
    words = [f"{what} explains {share:.0%}" for what, share in parts[:1]]
    words += [f"{what} {share:.0%}" for what, share in parts[1:]]
    return f"; {', '.join(words)}" if words else ""


def components_text(found: ComponentsSeen | None, outcome: str) -> str:
    """Shares of the first two components, and what labels have of them."""
    if found is None:
        return ""
    parts = []
    for k, one in enumerate(found["components"], 1):
        parts.append(f"PC{k}: {one['share']:.0%} of variance{explained_text(one, outcome)}")
    return "; ".join(parts)
