"""How good a mapping is: precision, recall and F1 against a reference, and its errors by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, cast

from .._core.errors import PlanError, counted_noun
from .._core.first_screen import FirstScreen
from ..metrics.estimates import estimate_text, plain_number
from ..metrics.intervals import INTERVAL_LEVEL, check_level
from .correspondence import Correspondence
from .evaluation_counts import Counts, Estimate, Pair
from .evaluation_errors import MISSED_REASONS, WRONG_REASONS, MappingError, errors_of
from .evaluation_schema import ErrorContent, EstimateContent, EvaluationContent, ScoresContent
from .mapping import Mapping
from .named_classes import resolve

if TYPE_CHECKING:
    import pandas as pd

    from .ontology import Ontology

KIND = "mapping evaluation"
METRIC_TITLES = {"precision": "precision", "recall": "recall", "f1": "F1"}


@dataclass(frozen=True, repr=False)
class MappingEvaluation(FirstScreen):
    """A mapping held against a reference. Pairs of equivalent classes count.

    Attributes
    ----------
    counts : Counts
    precision, recall, f1 : Estimate
        With intervals; NaN where undefined: precision of no pairs, recall of no reference.
    errors : tuple of MappingError
        The missed pairs, then the wrong ones.
    left_aside : dict of str to int
        What does not count: what it is, and how many pairs.
    left_to_model : MappingEvaluation or None
        Without the classes that a person mapped and the pairs that a person refused; None where
        nobody did.
    name, reference_name : str
    level : float
        Of the intervals.
    remarks : tuple of str
        What makes the scores doubtful.
    """

    counts: Counts
    precision: Estimate
    recall: Estimate
    f1: Estimate
    errors: tuple[MappingError, ...] = ()
    left_aside: dict[str, int] = field(default_factory=dict)
    left_to_model: MappingEvaluation | None = None
    name: str = "mapping"
    reference_name: str = "reference"
    level: float = INTERVAL_LEVEL
    remarks: tuple[str, ...] = ()

    @classmethod
    def of_counts(
        cls, counts: Counts, level: float = INTERVAL_LEVEL, **others
    ) -> MappingEvaluation:
        """Precision, recall and F1 of counts, and all else as it is given."""
        check_level(level)
        estimates = counts.precision(level), counts.recall(level), counts.f1(level)
        return cls(counts, *estimates, level=level, **others)

    @property
    def kinds(self) -> dict[str, dict[str, int]]:
        """How many errors there are of each kind: of ``missed`` and ``wrong`` pairs."""
        seen = Counter((one.error, one.kind) for one in self.errors)
        return {
            error: {kind: seen[error, kind] for kind in kinds if seen[error, kind]}
            for error, kinds in (("missed", MISSED_REASONS), ("wrong", WRONG_REASONS))
        }

    def frame(self) -> pd.DataFrame:
        """A row an error."""
        import pandas as pd

        return pd.DataFrame(list(self.errors), columns=list(MappingError._fields))

    def to_dict(self) -> EvaluationContent:
        """Everything, for JSON; numbers that are undefined are None."""
        left = self.left_to_model
        return {
            "kind": KIND,
            "mapping": self.name,
            "reference": self.reference_name,
            **_scores_content(self),
            "left_to_model": None if left is None else _scores_content(left),
            "kinds": self.kinds,
            "left_aside": dict(self.left_aside),
            "remarks": list(self.remarks),
            "errors": [
                cast(ErrorContent, {**one._asdict(), "confidence": plain_number(one.confidence)})
                for one in self.errors
            ],
        }

    def summary(self) -> str:
        """A few lines for people."""
        left = self.left_to_model
        lines = [f"{self.name} against {self.reference_name}: {_found_words(self.counts)}"]
        lines += _score_lines(self)
        if left is not None and left.counts.n_found:
            lines.append(
                "  without what a person decided, which says nothing of the model: "
                f"{_found_words(left.counts)}"
            )
            lines += _score_lines(left)
        for error, words in (("missed", MISSED_REASONS), ("wrong", WRONG_REASONS)):
            for kind, n in self.kinds[error].items():
                lines.append(f"  {error:<7} {n:>5,}  {kind}: {words[kind]}")
        if self.left_aside:
            aside = "; ".join(f"{what} ({n:,})" for what, n in self.left_aside.items())
            lines.append(f"  left aside: {aside}")
        return "\n".join([*lines, *(f"  ! {remark}" for remark in self.remarks)])


def evaluate_mapping(
    mapping: Mapping,
    reference: Mapping,
    source: Ontology | None = None,
    target: Ontology | None = None,
    *,
    known: Mapping | None = None,
    partial: bool = False,
    level: float = INTERVAL_LEVEL,
    name: str = "mapping",
    reference_name: str = "reference",
) -> MappingEvaluation:
    """Hold a mapping against a reference.

    Pairs count that stand (found by a model, or accepted) with the relation ``=``. Other relations,
    refused and uncertain pairs only say of which kind an error is. A pair that the reference holds
    for uncertain, as OAEI's ``?``, counts neither way.

    Parameters
    ----------
    mapping, reference : Mapping
        Between the same ontologies, in the same direction.
    source, target : Ontology, optional
        Both or none. With them, pairs count whose two sides are classes of these; properties and
        what the ontologies do not hold are left aside. Names that are no IRIs are resolved.
    known : Mapping, optional
        Pairs that the mapping was learned from: scores are reported without them as well. By
        default those that it has as accepted and refused.
    partial : bool, default=False
        The reference has a part of the classes only: pairs of two classes that it does not name
        are left aside. Otherwise they are wrong.
    level : float, default=0.95
        Of the intervals.
    name, reference_name : str
        For people.

    Returns
    -------
    MappingEvaluation

    Raises
    ------
    PlanError
        One ontology without the other, or mapping and reference have no pair in common and look
        turned around.
    DataError
        A name is of no class, or of several.

    Examples
    --------
    >>> from tamis.ontology import Correspondence, Mapping
    >>> reference = Mapping(tuple(Correspondence(f"a:{k}", f"b:{k}") for k in range(10)))
    >>> found = Mapping((*reference.correspondences[:8], Correspondence("a:8", "b:9")))
    >>> print(evaluate_mapping(found, reference).summary())
    mapping against reference: 8 of 10 reference pairs found, 1 of 9 pairs wrong
      precision 0.889 (0.518 to 0.997)
      recall    0.800 (0.444 to 0.975)
      F1        0.842 (0.426 to 0.993)
      missed      1  mapped elsewhere: the source has another target
      missed      1  target taken: the source has no target, and the target another source
      wrong       1  wrong target: the reference has another target for the source
    """
    if (source is None) != (target is None):
        raise PlanError("evaluate_mapping has one ontology only: give both, or none")
    aside: Counter[str] = Counter()
    sides: list[Sequence[Correspondence]] = []
    for one, of in ((mapping, name), (reference, reference_name)):
        rows: Sequence[Correspondence] = one.correspondences
        if source is not None and target is not None:
            rows = _of_classes(one, source, target, of, aside)
        sides.append(rows)
    said, meant = sides
    ignored = {(c.source, c.target) for c in meant if c.status == "uncertain"}
    found = {pair: c for pair, c in _equal_pairs(said).items() if pair not in ignored}
    true = {pair: c for pair, c in _equal_pairs(meant).items() if pair not in ignored}
    _refuse_turned(found.keys(), true.keys(), name, reference_name)
    _count_aside(
        aside,
        len(_equal_pairs(said)) - len(found),
        f"pairs of {name} that {reference_name} is unsure of",
    )
    if partial:
        seen = {c.source for c in meant}, {c.target for c in meant}
        kept = {p: c for p, c in found.items() if p[0] in seen[0] or p[1] in seen[1]}
        _count_aside(
            aside, len(found) - len(kept), f"pairs of classes that {reference_name} does not name"
        )
        found = kept
    for rows, of in ((said, name), (meant, reference_name)):
        for what, n in _other_kinds(rows).items():
            _count_aside(aside, n, f"{what} of {of}")
    errors = errors_of(found, true, _rows_beside(said, found), _rows_beside(meant, true))
    if known is None:
        known = Mapping(tuple(c for c in said if c.status in ("accepted", "refused")))
    elif source is not None and target is not None:
        known = resolve(known, source, target, absent="keep", name="known")
    return MappingEvaluation.of_counts(
        Counts.of(found, true),
        level,
        errors=tuple(errors),
        left_aside=dict(aside),
        left_to_model=_left_to_model(found, true, known, level),
        name=name,
        reference_name=reference_name,
        remarks=_strangers(found, true, name, reference_name),
    )


def _strangers(
    found: Iterable[Pair], true: Iterable[Pair], name: str, reference_name: str
) -> tuple[str, ...]:
    """A word where no id of a mapping is in the reference, or some differ in nothing but http and
    https: they are written otherwise there."""
    ids, others = ({one for pair in pairs for one in pair} for pairs in (found, true))
    if not ids or not others:
        return ()
    such = f"such as {min(ids)!r} and {min(others)!r}"
    if not ids & others:
        return (
            f"no id of {name} is in {reference_name}, {such}: write the ids in the same way in "
            "both",
        )
    bare = {one.partition("://")[2]: one for one in others - ids if "://" in one}
    if alike := sorted(one for one in ids - others if one.partition("://")[2] in bare):
        one, other = alike[0], bare[alike[0].partition("://")[2]]
        differ = counted_noun(len(alike), "id differs", "ids differ")
        return (
            f"{differ} from {reference_name} in http and https alone, such as {one!r} and "
            f"{other!r}: write the ids in the same way in both",
        )
    return ()


def _left_to_model(
    found: Iterable[Pair], true: Iterable[Pair], known: Mapping, level: float
) -> MappingEvaluation | None:
    """Without what a person decided: an accepted pair keeps the model from mapping its classes."""
    rows = [c for c in known.correspondences if c.relation == "="]
    if not rows:
        return None
    refused = {(c.source, c.target) for c in rows if c.status == "refused"}
    accepted = [c for c in rows if c.status in ("accepted", "mapped")]
    sources, targets = {c.source for c in accepted}, {c.target for c in accepted}
    left = (
        [p for p in pairs if p not in refused and p[0] not in sources and p[1] not in targets]
        for pairs in (found, true)
    )
    return MappingEvaluation.of_counts(Counts.of(*left), level)


def pooled(evaluations: Iterable[MappingEvaluation], name: str = "all") -> MappingEvaluation:
    """Several evaluations, of different pairs of ontologies, as one: their counts added.

    Examples
    --------
    >>> one = MappingEvaluation.of_counts(Counts.of([("a", "x")], [("a", "x"), ("b", "y")]))
    >>> pooled([one, one]).counts.false_negative
    2
    """
    evaluations = list(evaluations)
    aside: Counter[str] = Counter()
    for one in evaluations:
        aside.update(one.left_aside)
    level = evaluations[0].level if evaluations else INTERVAL_LEVEL
    left = [one.left_to_model or one for one in evaluations]
    counts, of_model = (sum((one.counts for one in of), Counts()) for of in (evaluations, left))
    return MappingEvaluation.of_counts(
        counts,
        level,
        errors=tuple(error for one in evaluations for error in one.errors),
        left_to_model=None if left == evaluations else MappingEvaluation.of_counts(of_model, level),
        left_aside=dict(aside),
        name=name,
        reference_name=counted_noun(len(evaluations), "reference"),
    )


def _of_classes(
    mapping: Mapping, source: Ontology, target: Ontology, name: str, aside: Counter[str]
) -> list[Correspondence]:
    """Rows whose two sides are classes; what the others are is counted."""
    properties = [{one.iri for one in ontology.properties} for ontology in (source, target)]
    kept = []
    for one in resolve(mapping, source, target, absent="keep", name=name).correspondences:
        sides = one.source in properties[0], one.target in properties[1]
        if one.source in source and one.target in target:
            kept.append(one)
        elif all(sides):
            aside[f"pairs of properties of {name}"] += 1
        elif any(sides):
            aside[f"pairs of a class and a property of {name}"] += 1
        else:
            aside[f"pairs of {name} that the ontologies do not hold as classes"] += 1
    return kept


def _equal_pairs(rows: Iterable[Correspondence]) -> dict[tuple[str, str], Correspondence]:
    return Mapping(tuple(rows)).pairs


def _rows_beside(
    rows: Iterable[Correspondence], pairs: dict[tuple[str, str], Correspondence]
) -> list[Correspondence]:
    return [c for c in rows if pairs.get((c.source, c.target)) is not c]


def _other_kinds(rows: Iterable[Correspondence]) -> dict[str, int]:
    """What else there is beside equal pairs, by what it is."""
    words = {"<": "narrower pairs", ">": "broader pairs"}
    kinds = Counter(
        words.get(c.relation, "") if c.status in ("mapped", "accepted") else f"{c.status} pairs"
        for c in rows
    )
    return {what: kinds[what] for what in (*words.values(), "refused pairs", "uncertain pairs")}


def _count_aside(aside: Counter[str], n: int, what: str) -> None:
    if n:
        aside[what] += n


def _refuse_turned(found, true, name: str, reference_name: str) -> None:
    """A mapping of which every pair is the other way round in the reference."""
    if found and true and not set(found) & set(true):
        turned = sum((b, a) in true for a, b in found)
        if turned * 2 > len(found):
            raise PlanError(
                f"{name} and {reference_name} go in opposite directions: {turned:,} of "
                f"{len(found):,} pairs are there the other way round; use Mapping.inverted"
            )


def _scores_content(one: MappingEvaluation) -> ScoresContent:
    c = one.counts
    return {
        "metrics": {name: _estimate_content(getattr(one, name)) for name in METRIC_TITLES},
        "counts": {"mapping": c.n_found, "reference": c.n_reference, **asdict(c)},
    }


def _score_lines(one: MappingEvaluation) -> list[str]:
    metrics = _scores_content(one)["metrics"]
    return [
        f"  {title:<9} {estimate_text(cast(dict, metrics[name]))}"
        for name, title in METRIC_TITLES.items()
    ]


def _found_words(c: Counts) -> str:
    return (
        f"{c.true_positive:,} of {counted_noun(c.n_reference, 'reference pair')} found, "
        f"{c.false_positive:,} of {counted_noun(c.n_found, 'pair')} wrong"
    )


def _estimate_content(estimate: Estimate) -> EstimateContent:
    return {
        "mean": plain_number(estimate.value),
        "low": plain_number(estimate.low),
        "high": plain_number(estimate.high),
    }
