"""What ``results.json`` of kinship holds."""

from __future__ import annotations

from typing import Any, TypedDict


class RelativesNumbers(TypedDict):
    """Of `Relatives.to_dict`."""

    samples: int
    variants: int
    pairs: int  # all, not those listed
    listed: int
    relations: dict[str, int]  # pairs, the closest relation first
    families: list[int]  # how many people, of those of two or more, the largest first
    relatives: int  # people with one
    unrelated: int  # people, the most found of whom no two are related
    standard_error: float  # of the kinship of two unrelated people, typically
    smallest: float  # kinship from which a pair counts as relatives, typically
    apart: float  # share of the pairs whose kinship is below -.0442 beyond chance
    top: list[dict[str, object]]  # rows of `Relatives.frame`


class RelativesPicture(TypedDict):
    """Pairs by kinship, and those listed by kinship and opposite homozygotes."""

    counts: list[int]  # of pairs, in even steps of kinship from -1/2 to 1/2
    dots: list[list[Any]]  # kinship, share of opposite homozygotes, relation, both names
    of: int


class RelativesContent(RelativesNumbers):
    """The file."""

    schema: int
    kind: str
    versions: dict[str, str]
    settings: dict[str, object]
    picture: RelativesPicture
