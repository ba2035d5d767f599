"""Ontologies and mappings of a few classes."""

from __future__ import annotations

from hypothesis import strategies as st

from ontology.small_pairs import vocabulary
from tamis.ontology import Correspondence, Mapping, Property

LABELS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]) | st.sampled_from('\t\n"#|:'),
    max_size=12,
).map(lambda text: text.replace("\r", " "))
IRIS = st.builds(
    lambda start, local: start + local,
    st.sampled_from(
        [
            "http://cmt#",
            "http://purl.obolibrary.org/obo/HP_",
            "https://x.org/a/mesh/",
            "http://y.org/mesh/",
            "urn:other:",
        ]
    ),
    st.text("abcXYZ019_-.~", min_size=1, max_size=8),
)
SHARES = st.integers(0, 1000).map(lambda k: k / 1000)
EVIDENCE = st.dictionaries(st.sampled_from(["name", "path", "jaccard"]), st.none() | SHARES)
CORRESPONDENCES = st.builds(
    Correspondence,
    IRIS,
    IRIS,
    st.sampled_from("=<>"),
    SHARES,
    st.sampled_from(["mapped", "accepted", "refused", "uncertain"]),
    LABELS,
    LABELS,
    EVIDENCE,
    LABELS,
)
MAPPINGS = st.lists(
    CORRESPONDENCES, max_size=8, unique_by=lambda c: (c.source, c.target, c.relation)
).map(lambda rows: Mapping(tuple(rows), "http://cmt", "http://y.org/mesh"))


def ontology(name, labels, properties=(), start=None):
    """An ontology whose classes have local names and labels; without a hierarchy."""
    start = start or f"http://{name}#"
    return vocabulary(
        f"{name}.owl",
        labels.values(),
        iri=f"http://{name}",
        local_names=tuple(labels),
        iris=[start + local for local in labels],
        properties=tuple(Property(start + local, local, "object") for local in properties),
    )


CMT = ontology(
    "cmt",
    {"Author": "author", "Paper": "paper", "Person": "person", "P2": "Paper"},
    ["hasAuthor", "writes"],
)
EDAS = ontology("edas", {"Author": "Author", "Paper": "Paper", "Agent": "Agent"}, ["hasAuthor"])
