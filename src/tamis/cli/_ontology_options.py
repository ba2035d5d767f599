"""Options of the commands that learn which classes mean the same, and how they learn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from .._core.outputs import OutputFile
from .._core.progress import Progress
from .._core.terminal import say_to_user
from ._shared import OUTPUT_OPTIONS, applied_options

if TYPE_CHECKING:
    from ..ontology import Mapping, Ontology, OntologyMatcher
    from ..ontology.review_sheet import ReviewSheet

FILE_TYPE = click.Path(path_type=Path)
MAPPING_MARKS = (
    b"#mapping_tool: tamis",
    b'#mapping_tool: "tamis',
    b"<method>tamis ",
    b'"ontology mapping"',
)


def _is_mapping(path: Path) -> bool:
    """Whether a file holds a mapping that Tamis wrote."""
    try:
        with open(path, "rb") as file:
            head = file.read(1 << 16)
    except OSError:
        return False
    return any(mark in head for mark in MAPPING_MARKS)


MAPPING_OUTPUT = OutputFile("mapping of Tamis", _is_mapping)
SOURCE_ARGUMENT = click.argument("source", metavar="A.owl", type=FILE_TYPE)
TARGET_ARGUMENT = click.argument("target", metavar="B.owl", type=FILE_TYPE)
TRAIN_OPTION = click.option(
    "--train",
    multiple=True,
    type=FILE_TYPE,
    metavar="KNOWN",
    help="Known pairs of A and B: a mapping (.tsv, .rdf, .json) or a sheet of a review. Again for "
    "each file.",
)
ALSO_OPTION = click.option(
    "--also",
    multiple=True,
    nargs=3,
    type=FILE_TYPE,
    metavar="C.owl D.owl KNOWN",
    help="Two other ontologies and a mapping that has all their matches: they teach as well. Again "
    "for each pair.",
)
REASONER_OPTION = click.option(
    "--reasoner",
    type=click.Choice(["hermit"]),
    help="Infer superclasses that ontologies do not state; needs `pip install '.[reasoner]'` and "
    "Java (default: none).",
)
LEARNING_OPTIONS = applied_options(
    TRAIN_OPTION,
    click.option(
        "--complete",
        is_flag=True,
        help="--train has every match: all other pairs are known not to match.",
    ),
    ALSO_OPTION,
    click.option(
        "--similarity",
        multiple=True,
        metavar="NAME",
        help="A similarity to learn from, again for each (default: those of `tamis methods`).",
    ),
    click.option(
        "--learner",
        type=click.Choice(["aode", "logistic", "c45", "forest"]),
        default="aode",
        show_default=True,
        help="What learns from the similarities.",
    ),
    click.option(
        "--threshold",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        metavar="P",
        help="Probability from which a pair is a match (default: that of the greatest F1 over "
        "held-out known pairs).",
    ),
    click.option(
        "--miss-cost",
        type=click.FloatRange(0, min_open=True),
        metavar="COST",
        help="Cost of a missed match, where a wrong one costs 1; sets the threshold.",
    ),
    click.option(
        "--reject",
        type=click.FloatRange(0, min_open=True),
        metavar="COST",
        help="Leave a pair undecided where deciding is expected to cost more (default: never).",
    ),
    click.option(
        "--assignment",
        type=click.Choice(["optimal", "greedy", "none"]),
        default="optimal",
        show_default=True,
        help="How a class is kept from being mapped twice.",
    ),
    click.option(
        "--relaxation",
        type=click.FloatRange(0),
        default=0.0,
        show_default=True,
        metavar="WEIGHT",
        help="Weight of what is believed of parents and children.",
    ),
    REASONER_OPTION,
    OUTPUT_OPTIONS,
)


@dataclass(frozen=True)
class MatchOptions:
    """The options of a command that maps two ontologies."""

    source: Path
    target: Path
    train: tuple[Path, ...] = ()
    complete: bool = False
    also: tuple[tuple[Path, Path, Path], ...] = ()
    similarity: tuple[str, ...] = ()
    learner: str = "aode"
    threshold: float | None = None
    miss_cost: float | None = None
    reject: float | None = None
    assignment: str = "optimal"
    relaxation: float = 0.0
    reasoner: str | None = None
    as_json: bool = False
    quiet: bool = False

    def __post_init__(self) -> None:
        if self.complete and not self.train:
            raise click.UsageError("--complete says that --train has every match: give --train")
        if None not in (self.threshold, self.miss_cost) and self.reject is None:
            raise click.UsageError("--threshold and --miss-cost both set the threshold: give one")

    def matcher(self, seeds: str) -> OntologyMatcher:
        """The matcher, not fitted."""
        from ..ontology import OntologyMatcher

        return OntologyMatcher(
            self.similarity or None,
            self.learner,
            threshold=self.threshold,
            costs=None if self.miss_cost is None else {False: 1.0, True: self.miss_cost},
            reject=self.reject,
            assignment=self.assignment,
            relaxation=self.relaxation,
            seeds=seeds,
        )

    def ontologies(self) -> tuple[Ontology, Ontology]:
        """Both, read; their remarks are said."""
        return self.read(self.source), self.read(self.target)

    def read(self, path: Path) -> Ontology:
        """An ontology; what its reader remarks is said."""
        from ..ontology import read_ontology

        found = read_ontology(path, reasoner=self.reasoner, quiet=self.quiet)
        say_remarks((f"{found.name}: {remark}" for remark in found.remarks), self.quiet)
        return found

    def known(self, source: Ontology, target: Ontology, *sheets: ReviewSheet) -> Mapping:
        """What --train and sheets say; what is remarked of them is said."""
        from ..ontology import known_pairs

        found = known_pairs(self.train, source, target, *sheets)
        say_remarks(found.remarks, self.quiet)
        return found

    def learned(self, source: Ontology, target: Ontology, known: Mapping) -> OntologyMatcher:
        """The matcher, fitted to what is known and to --also.

        Answers of a review are of the hard pairs: they alone would teach it little about the
        others. So where few matches are known besides, seeds go on teaching.
        """
        from ..ontology import known_pairs
        from ..ontology.matcher import MIN_KNOWN_MATCHES
        from ..ontology.review_sheet import is_sheet

        files = [path for path in self.train if not is_sheet(path)]
        n_known = len(known_pairs(files, source, target)) if files else 0
        others = []
        for first, second, file in self.also:
            pair = self.read(first), self.read(second)
            others.append((*pair, known_pairs([file], *pair)))
            say_remarks(others[-1][2].remarks, self.quiet)
        n_known += sum(len(one) for *_, one in others)
        matcher = self.matcher("always" if n_known < MIN_KNOWN_MATCHES else "auto")
        with Progress(1, "learning", self.quiet) as progress:
            matcher.fit(source, target, known, complete=self.complete, also=others)
            progress.advance()
        return matcher

    def mapped(self, matcher: OntologyMatcher, source: Ontology, target: Ontology) -> Mapping:
        """The mapping."""
        with Progress(1, "matching", self.quiet) as progress:
            mapping = matcher.match(source, target)
            progress.advance()
        return mapping


def say_remarks(remarks: Iterable[str], quiet: bool) -> None:
    for remark in remarks:
        say_to_user(f"  ! {remark}", quiet)


def written_mapping(mapping: Mapping, path: Path) -> str:
    """Write it; the line that says where."""
    mapping.write(path)
    return f"  mapping   {path}"
