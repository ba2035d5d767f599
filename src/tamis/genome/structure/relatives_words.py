"""What was found about relatives, in sentences for terminal and page."""

from __future__ import annotations

from ..._core.errors import counted_noun
from .degrees import DEGREE_BORDERS
from .relatives_schema import RelativesNumbers

MIN_POPULATION_PAIRS = 0.01  # share of the pairs, from which several populations are reported
SELF_KINSHIP = 0.5  # kinship of a person with himself
TWIN_RELATIONS = ("duplicate or twin",)
LARGE_FAMILY_SHARE = 0.2  # share of the samples in one family, from which degrees mean little


def relatives_sentences(r: RelativesNumbers) -> list[str]:
    """In full."""
    how = f"{counted_noun(r['variants'], 'variant')} (KING-robust)"
    found = [f"Kinship of {counted_noun(r['pairs'], 'pair')} of {r['samples']:,} samples by {how}."]
    if r["smallest"] > SELF_KINSHIP:
        found.append(
            "Too few variants to identify relatives: two unrelated people may have a kinship of "
            f"{r['smallest']:.2f} by chance, and one person twice has 0.5."
        )
    elif not any(r["relations"].values()):
        found.append(
            f"No relatives: no pair has a kinship of {r['smallest']:.3f} or more beyond chance."
        )
    if any(r["relations"].values()):
        found.append(f"{pairs_text(r['relations'])}.")
        if not r["relatives"]:
            found.append("None is of the degree that families go by.")
    if r["relatives"]:
        many = len(r["families"])
        sizes = f"{r['families'][-1]} to {r['families'][0]}"
        if r["families"][-1] == r["families"][0]:
            sizes = f"{r['families'][0]}"
        found.append(
            f"{r['relatives']:,} people have a relative here: "
            f"{counted_noun(many, 'family', 'families')} of {sizes}. "
            f"{counted_noun(r['unrelated'], 'person', 'people')} can be kept so that no two are "
            "related."
        )
    twins = r["relations"]["duplicate or twin"]
    if twins:
        first = r["top"][0]
        found.append(
            f"{counted_noun(twins, 'pair')} {'is' if twins == 1 else 'are'} one person twice or "
            f"identical twins, such as {first['IID1']} and {first['IID2']}: look for samples "
            "entered twice."
        )
    return [*found, *degree_caveats(r)]


def pairs_text(relations: dict[str, int]) -> str:
    """How many pairs of which relation."""
    nouns = {
        "duplicate or twin": ("pair of duplicates or twins", "pairs of duplicates or twins"),
        "parent and child": ("parent-child pair", "parent-child pairs"),
        "siblings": ("pair of siblings", "pairs of siblings"),
        "second degree": ("pair of the second degree", "pairs of the second degree"),
        "third degree": ("pair of the third degree", "pairs of the third degree"),
    }
    parts = [f"{n:,} {nouns[name][n != 1]}" for name, n in relations.items() if n]
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + f" and {parts[-1]}"


def degree_caveats(r: RelativesNumbers) -> list[str]:
    """What makes degrees mean less."""
    found = []
    if r["smallest"] > DEGREE_BORDERS[-1]:
        found.append(
            f"By these variants only a kinship of {r['smallest']:.3f} or more is beyond chance; "
            "the third degree begins at .044."
        )
    if r["families"] and r["families"][0] > max(10, LARGE_FAMILY_SHARE * r["samples"]):
        found.append(
            f"One family holds {r['families'][0]:,} of {r['samples']:,} people: where all are "
            "distant relatives, as in an isolated population or a herd, scan with a mixed model "
            "(`tamis genome mixed`) rather than leave people out."
        )
    if r["apart"] >= MIN_POPULATION_PAIRS:
        found.append(
            f"{100 * r['apart']:.0f} % of the pairs have a kinship far below 0: the samples are of "
            "several populations, not relatives. `tamis genome pca` shows them."
        )
    return found


def remarks_on_relatives(
    r: RelativesNumbers, related: str | None, apart: str | None, duplicates: str | None
) -> list[str]:
    """What another analysis says of relatives, of several populations and of people twice, each
    with what to do; None: nothing."""
    found, twins = [], r["relations"]["duplicate or twin"]
    if twins and duplicates is not None:
        people = counted_noun(twins, "pair of samples", "pairs of samples")
        verb = "is" if twins == 1 else "are"
        found.append(f"{people} {verb} one person twice or identical twins: {duplicates}")
    relations = {k: n for k, n in r["relations"].items() if n}
    if related is not None and any(not (found and k in TWIN_RELATIONS) for k in relations):
        people = f"{r['relatives']:,} of {r['samples']:,} people have relatives among them"
        found.append(f"{people} ({pairs_text(relations)}): {related}")
    if r["apart"] >= MIN_POPULATION_PAIRS and apart is not None:
        share = f"{100 * r['apart']:.0f} % of the pairs"
        found.append(f"{share} have a kinship far below 0, as of different populations: {apart}")
    return found
