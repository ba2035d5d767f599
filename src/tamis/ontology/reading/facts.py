"""What a file states, whatever its format: subject, property, value."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from .vocabulary import (
    AXIOM_PROPERTY,
    AXIOM_SOURCE,
    AXIOM_TARGET,
    FIRST,
    NAME_PREDICATES,
    NIL,
    NODE_TEXT_PREDICATES,
    REST,
)

BLANK_NODE_PREFIX = "_:"  # how nodes without an IRI begin


class Text(NamedTuple):
    """A literal; its datatype where that was requested."""

    value: str
    language: str = ""
    datatype: str = ""


Value: TypeAlias = str | Text  # an IRI or a blank node, or a literal
NO_VALUES: tuple[Value, ...] = ()


def is_blank(node: Value) -> bool:
    """Whether it is a node without an IRI."""
    return type(node) is str and node.startswith(BLANK_NODE_PREFIX)


class Facts:
    """Statements by property and subject; those that nobody needs are not kept.

    Attributes
    ----------
    found : dict of dict of list
        Property -> subject -> values, in the order of the file.
    remarks : list of str
        What the reader of the file noticed.
    """

    def __init__(self) -> None:
        self.found: dict[str, dict[str, list[Value]]] = defaultdict(dict)
        self.remarks: list[str] = []

    def add(self, subject: str, name: str, value: Value) -> None:
        """One more statement."""
        self.found[name].setdefault(subject, []).append(value)

    def subjects(self, name: str) -> Iterable[str]:
        """All nodes of which a property is stated."""
        return self.found.get(name, {})

    def values(self, subject: str, name: str) -> Sequence[Value]:
        """All values of a property of a node."""
        return self.found[name].get(subject, NO_VALUES) if name in self.found else NO_VALUES

    def nodes(self, subject: str, name: str) -> Iterator[str]:
        """Its values that are nodes."""
        return (value for value in self.values(subject, name) if type(value) is str)

    def node(self, subject: str, name: str) -> str | None:
        """The first of them, if there is one."""
        return next(self.nodes(subject, name), None)

    def texts(self, subject: str, name: str) -> Iterator[Text]:
        """Its values that are texts, or nodes that have a text."""
        for value in self.values(subject, name):
            if isinstance(value, Text):
                yield value
            else:
                yield from (
                    text
                    for behind in NODE_TEXT_PREDICATES
                    for text in self.values(value, behind)
                    if isinstance(text, Text)
                )

    def members(self, head: str) -> list[str]:
        """The nodes of an RDF list; one that runs in a circle ends there."""
        found: list[str] = []
        seen: set[str] = set()
        at: str | None = head
        while at is not None and at != NIL and at not in seen:
            seen.add(at)
            found += self.nodes(at, FIRST)
            at = self.node(at, REST)
        return found

    def add_list(self, members: list[str], new_node: Callable[[], str]) -> str:
        """State an RDF list, and give its head."""
        head = NIL
        for member in reversed(members):
            node = new_node()
            self.add(node, FIRST, member)
            self.add(node, REST, head)
            head = node
        return head

    def take_annotated(self) -> None:
        """Names that only an annotated axiom states (owl:annotatedSource ...)."""
        for axiom in list(self.subjects(AXIOM_TARGET)):
            source, name = self.node(axiom, AXIOM_SOURCE), self.node(axiom, AXIOM_PROPERTY)
            if source is None or name not in NAME_PREDICATES:
                continue
            known = self.values(source, name)
            for value in self.values(axiom, AXIOM_TARGET):
                if value not in known:
                    self.add(source, name, value)
