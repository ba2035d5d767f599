"""Where chosen variants are: the picture of the page, and columns of the table of features."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from ..plotting.chosen_places import MIN_MERGED_DOTS, ChosenDot, PlacesPicture
from ..study.results.columns_schema import Places
from ..study.results.schema import FeatureEntry, StudyContent
from ._numbers import UNDEFINED_MARK, count_text, plural_text, small_p_text
from ._page import PlacesView
from ._table import Column, computed_column

# of the axis: between chromosomes, and for places unknown
CHROMOSOME_GAP, UNPLACED_WIDTH = 0.004, 0.04


def places_view(result: StudyContent) -> PlacesView | None:
    """The headline's picture, then one of each method where there are several."""
    given = result.get("places")
    if given is None or not given["n_chosen"]:
        return None
    of = given["features"]
    methods = []
    if len(result["methods"]) > 1:
        for method in result["methods"]:
            own = of["by_method"][method["name"]]
            if any(own):
                methods.append((method["label"], _places_picture(given, own)))
    shown = len(of["name"])
    note = ""
    if shown < given["n_chosen"]:
        note = (
            f"Drawn are {count_text(shown)} of {count_text(given['n_chosen'])}: those most often "
            "chosen, and of those chosen equally often some from end to end."
        )
    if -1 in of["chromosome"]:
        note = f"“?”: {_unplaced_words(of['chromosome'])}, in their order. {note}"
    return {
        "n": plural_text(given["n_chosen"], "variant"),
        "chart": _places_picture(given, of["frequency"]),
        "methods": methods,
        "note": note.strip(),
        "gathered": sum(share > 0 for share in of["frequency"]) > MIN_MERGED_DOTS,
    }


def _unplaced_words(chromosomes: Sequence[int]) -> str:
    n = chromosomes.count(-1)
    return plural_text(n, "variant") + " whose place is not known"


def _places_picture(given: Places, shares: Sequence[float]) -> PlacesPicture:
    """Chromosomes one behind the other, each from its first to its last variant studied."""
    chromosomes, of = given["chromosomes"], given["features"]
    lengths = [c["last"] - c["first"] + 1 for c in chromosomes]
    total = sum(lengths) or 1
    starts = list(accumulate((n + CHROMOSOME_GAP * total for n in lengths), initial=0.0))
    end = starts[-1] - (CHROMOSOME_GAP * total if lengths else 0)
    axis: list[tuple[str, float]] = [
        (c["name"], start) for c, start in zip(chromosomes, starts, strict=False)
    ]
    unknown = [k for k, c in enumerate(of["chromosome"]) if c < 0]
    if unknown:
        axis.append(("?", starts[-1]))
        end = starts[-1] + (UNPLACED_WIDTH * total if lengths else 1)
    rank = {k: (i + 0.5) / len(unknown) for i, k in enumerate(unknown)}
    dots: list[ChosenDot] = []
    each = zip(of["name"], of["chromosome"], of["position"], shares, of["in_final"], strict=True)
    for k, (name, c, position, share, final) in enumerate(each):
        if c < 0:
            place, words = starts[-1] + rank[k] * (end - starts[-1]), name
        else:
            place = starts[c] + position - chromosomes[c]["first"]
            words = f"{name}, {chromosomes[c]['name']}:{count_text(position)}"
        if share or final:
            dots.append((place, share, words, final))
    alone = len(chromosomes) == 1 and not unknown
    return {
        "n": end,
        "chromosomes": axis,
        "dots": dots,
        "origin": float(chromosomes[0]["first"]) if alone else None,
    }


def tells_places(features: Sequence[FeatureEntry]) -> bool:
    """Whether features are variants somewhere."""
    return any("place" in f for f in features)


def place_columns() -> list[Column]:
    """Where each feature is, and what its values count."""
    return [
        Column(
            "chromosome",
            _place_chromosome,
            "CHR",
            lambda f: _place_chromosome(f) or (UNDEFINED_MARK if "place" in f else ""),
            False,
            help="chromosome",
        ),
        Column(
            "position",
            _place_position,
            "BP",
            lambda f: count_text(_place_position(f)) if "place" in f else "",
            help="position in base pairs",
        ),
        Column(
            "alleles",
            _place_alleles,
            "Alleles",
            _place_alleles,
            False,
            help="the first is the one whose copies are counted",
        ),
    ]


def _place_chromosome(feature: FeatureEntry) -> str | None:
    return feature["place"]["chromosome"] if "place" in feature else None


def _place_position(feature: FeatureEntry) -> int | None:
    return feature["place"]["position"] if "place" in feature else None


def _place_alleles(feature: FeatureEntry) -> str:
    if "place" not in feature:
        return ""
    return f"{feature['place']['counted']}/{feature['place']['other']}"


def missing_columns(features: Sequence[FeatureEntry]) -> list[Column]:
    """Whether values are missing more in one class, where the table says so."""
    if not any("missing_p" in f for f in features):
        return []
    return [
        computed_column(
            "missing_p",
            lambda f: f.get("missing_p"),
            "Missing, p",
            small_p_text,
            help="of equally many missing in all classes, by all samples; not corrected for the "
            "number of features",
        )
    ]
