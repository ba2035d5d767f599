"""The similarities of `tamis ontology match`, a row each."""

from __future__ import annotations

from ..._core.rows import SimilarityRow

ROOM_NAME = "tamis.ontology.similarities"
DOCS_PAGE = "../ontology_similarities.md"


def _similarity_row(name: str, target: str, summary: str, title: str, *cite: str):
    return SimilarityRow(name, f"{ROOM_NAME}.{target}", summary, title, cite=cite, page=DOCS_PAGE)


ROWS = (
    _similarity_row("name", "names:jaro_winkler", "Jaro-Winkler similarity of the labels", "name",
         "winkler1990"),
    _similarity_row("jaro", "names:jaro_similarity", "Jaro similarity of the labels", "Jaro",
        "jaro1989"),
    _similarity_row("levenshtein", "names:levenshtein_similarity",
        "1 - edit distance / length of the longer label",
         "Levenshtein", "levenshtein1966"),
    _similarity_row("monge_elkan", "names:monge_elkan",
         "mean over words of the best Jaro-Winkler similarity to a word of the other label",
         "Monge-Elkan", "monge1996"),
    _similarity_row("synonyms", "names:synonym_similarity",
        "best Jaro-Winkler similarity of any two names",
         "synonyms", "winkler1990"),
    _similarity_row("words", "words:word_overlap", "weight of the words in common, by their rarity",
        "words",
         "sparckjones1972"),
    _similarity_row("containment", "words:word_containment",
        "share of the lighter name that the other contains",
         "containment", "sparckjones1972"),
    _similarity_row("head", "words:equal_heads", "whether the head words are equal", "head word"),
    _similarity_row("definition", "words:definition_cosine",
        "cosine of the words of the definitions", "definition",
         "salton1975"),
    _similarity_row("path", "structure:path_similarity",
        "Jaro-Winkler similarity of the labels from the root, joined",
         "path", "winkler1990"),
    _similarity_row("parents", "structure:parent_cosine", "cosine of the words of the parents",
         "parents", "salton1975"),
    _similarity_row("children", "structure:child_cosine", "cosine of the words of the children",
         "children", "salton1975"),
    _similarity_row("siblings", "structure:sibling_cosine", "cosine of the words of the siblings",
         "siblings", "salton1975"),
    _similarity_row("ancestors", "structure:ancestor_cosine",
        "cosine of the words of all superclasses",
         "ancestors", "salton1975"),
    _similarity_row("depth", "structure:depth_similarity", "ratio of the depths in the hierarchy",
        "depth"),
    _similarity_row("instances", "members:instance_overlap",
        "Jaccard coefficient of the individuals", "instances",
         "jaccard1912"),
    _similarity_row("properties", "members:property_cosine",
        "cosine of the words of the properties",
         "properties", "salton1975"),
    _similarity_row("gap", "rivals:rival_gap",
        "how far the names are more alike than those of the best rival",
         "gap to the best rival"),
    _similarity_row("learned_words", "learned_words:LearnedWords",
         "words in common, where known matches teach which words may be dropped or exchanged",
         "learned words"),
)  # fmt: skip
DEFAULT_SIMILARITIES = (
    "name",
    "monge_elkan",
    "synonyms",
    "words",
    "containment",
    "head",
    "parents",
    "children",
    "ancestors",
    "instances",
    "properties",
    "gap",
    "learned_words",
)
