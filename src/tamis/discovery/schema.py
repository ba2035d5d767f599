"""What `interactions.json` and `settings.json` of `tamis interact` hold (docs/interact.md).

The page, the summary and the remarks are drawn from these dictionaries. Numbers that are undefined
are None.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

SCHEMA = 2
KIND = "interactions"


class SearchRecord(TypedDict):
    """``settings.json``: what the search is of."""

    name: str
    digest: str  # of the data
    settings: dict[str, Any]  # as the user gave them, or the defaults; the method and the seed
    versions: dict[str, str]


class ClassSize(TypedDict):
    """A class, and how many samples it has; in rules, which are weighted, a float."""

    name: str
    size: float


class DataSection(TypedDict):
    """The table."""

    n_samples: int
    n_features: int
    n_categorical: int
    missing: float  # share of the cells
    classes: list[ClassSize]  # in the order of `recalls`


class FamilyTest(TypedDict):
    """The p-value of the full search."""

    p_value: float  # family p of the best feature
    n: int  # permuted runs
    least: float  # 1 / (n + 1)


class RankedFeature(TypedDict):
    """A feature of the ranking; p-values with permuted runs only."""

    column: int
    name: str
    importance: float | None  # None: never offered
    offered: int
    family_p_value: NotRequired[float]
    p_value: NotRequired[float | None]
    fdr: NotRequired[float | None]


class Cutoff(TypedDict):
    """Where the ranking is cut."""

    rule: str
    threshold: float | None  # importance to exceed
    size: int
    level: float | None


class TreeSettings(TypedDict):
    """What the trees were grown with, as numbers."""

    m: int
    s: int
    t: int
    u: float
    v: float
    max_ancestors: int | None
    balance: float | None
    n_permutations: int
    train: list[int]  # samples of each class


class GraphSettings(TreeSettings):
    """The same, and the second stage if there was one."""

    second_stage: NotRequired[int]
    second_m: NotRequired[int]
    second_top: NotRequired[int]
    projections: NotRequired[int]


class Update(TypedDict):
    """How far the ranking moved since the update before."""

    projections: int
    distance: float
    common: float


class Ranking(TypedDict):
    """The best features, best first, and how they were found."""

    features: list[RankedFeature]
    cutoff: Cutoff
    settings: TreeSettings
    n_trees: int
    accuracy: float
    recalls: list[float]
    maxima: list[float]  # the largest importance of each permuted run
    convergence: list[Update]


class GraphFeature(TypedDict):
    """A node of the graph."""

    name: str
    importance: float
    p_value: float | None
    fdr: float | None
    selected: bool  # by the cut-off
    offered: int


class GraphEdge(TypedDict):
    """From an antecedent to what trees split on below it."""

    source: str
    target: str
    weight: float
    se: float | None
    count: int
    met: int


class Preset(TypedDict):
    """The view of the method's authors: how many features and edges."""

    features: int
    edges: int


class Graph(TypedDict):
    """The interdependency graph, best features and heaviest edges first."""

    features: list[GraphFeature]
    edges: list[GraphEdge]
    cutoff: Cutoff
    settings: GraphSettings
    n_trees: int
    accuracy: float | None
    preset: Preset
    convergence: list[Update]


class Condition(TypedDict):
    """One condition of a rule: a limit, or a category."""

    feature: str
    op: Literal["<=", ">", "="]
    value: float | str


class Rule(TypedDict):
    """IF all conditions THEN the class."""

    conditions: list[Condition]
    text: str
    label: str
    support: float
    correct: float
    accuracy: float | None
    coverage: float | None
    p_value: float | None
    p_adjusted: float | None
    trees: int
    test_support: float | None
    test_accuracy: float | None


class NetworkNode(Condition):
    """A condition in the rules of a class."""

    id: int
    text: str
    weight: float
    rules: int


class NetworkEdge(TypedDict):
    """Two conditions, by id, that stand in rules together."""

    source: int
    target: int
    weight: float
    rules: int


class Network(TypedDict):
    """The rule network of a class."""

    label: str
    size: float
    nodes: list[NetworkNode]
    edges: list[NetworkEdge]


class Rules(TypedDict):
    """Rules from trees, best first; the ordered list; a network for each class."""

    rules: list[Rule]
    rule_list: list[Rule]
    networks: list[Network]
    classes: list[ClassSize]
    n_trees: int
    n_rules: int  # before the best were taken


class SearchHead(TypedDict):
    """What every search says of itself."""

    schema: int
    kind: str
    method: str  # the search's name
    name: str
    target: str
    seed: int
    versions: dict[str, str]
    data: DataSection
    permutation: FamilyTest | None


class SearchResult(SearchHead):
    """``interactions.json`` of any search."""

    remarks: list[str]
    labels: NotRequired[dict[str, str]]  # symbols of the features that are named


class InteractionsResult(SearchResult):
    """``interactions.json`` of Monte Carlo feature selection."""

    ranking: Ranking
    graph: Graph
    rules: Rules


class SetPart(TypedDict):
    """A feature in a set, and what of it: "= x", "> 1.5", "high"; empty: that it is 1, or any."""

    feature: str
    value: str


class FoundSet(TypedDict):
    """Features that act together."""

    parts: list[SetPart]
    label: str | None  # the class it speaks for
    numbers: dict[str, float | None]  # by the key of a measure
    passes: bool | None  # the test; None: not tested


class Measure(TypedDict):
    """A number that is reported of each set."""

    key: str
    title: str
    help: str
    form: Literal["share", "value", "p", "count"]


class SetFeature(TypedDict):
    """A node of the graph of sets."""

    name: str
    value: float  # the largest of its sets
    sets: int
    selected: bool  # it is in a set that passes


class SetEdge(TypedDict):
    """Two features that stand in sets together."""

    source: str
    target: str
    weight: float  # the largest of these sets
    sets: int


class SetGraph(TypedDict):
    """Features of the sets, the best first, and their pairs, the heaviest first."""

    features: list[SetFeature]
    edges: list[SetEdge]


class SetRanking(TypedDict):
    """The sets, best first, and what they are compared with."""

    title: str  # of the search
    noun: str  # what a set is called
    sets: list[FoundSet]
    n_sets: int  # looked at
    n_written: int  # the best of them, in sets.csv
    n_passing: int  # of those written
    n_kept: int  # features in sets that pass
    measures: list[Measure]
    by: str  # the measure that orders
    level: float
    threshold: float | None  # what it must exceed
    maxima: list[float | None]  # the best of each permuted run; None: no set there


class SetsResult(SearchResult):
    """``interactions.json`` of a search for sets of features."""

    sets: SetRanking
    graph: SetGraph
    headline: list[str]
    settings: list[list[str]]  # what, and how much
    reading: list[list[str]]  # what a word of the page means
    text: str  # for a paper
    citations: list[str]
