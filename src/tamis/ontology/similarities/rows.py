"""The similarities of `tamis ontology match`, a row each."""

from __future__ import annotations

from ..._core.rows import SimilarityRow

HERE = "tamis.ontology.similarities"
PAGE = "../ontology_similarities.md"


def _row(name: str, target: str, summary: str, title: str, *cite: str, learns: bool = False):
    return SimilarityRow(
        name, f"{HERE}.{target}", summary, title, cite=cite, page=PAGE, learns=learns
    )


ROWS = (
    _row("name", "names:jaro_winkler", "Jaro-Winkler similarity of the labels", "name",
         "winkler1990"),
    _row("jaro", "names:jaro", "Jaro similarity of the labels", "Jaro", "jaro1989"),
    _row("levenshtein", "names:levenshtein", "1 - edit distance / length of the longer label",
         "Levenshtein", "levenshtein1966"),
    _row("monge_elkan", "names:monge_elkan",
         "mean over words of the best Jaro-Winkler similarity to a word of the other label",
         "Monge-Elkan", "monge1996"),
    _row("synonyms", "names:synonyms", "best Jaro-Winkler similarity of any two names",
         "synonyms", "winkler1990"),
    _row("words", "words:words", "weight of the words in common, by their rarity", "words",
         "sparckjones1972"),
    _row("containment", "words:containment", "share of the lighter name that the other contains",
         "containment", "sparckjones1972"),
    _row("head", "words:head", "whether the head words are equal", "head word"),
    _row("definition", "words:definition", "cosine of the words of the definitions", "definition",
         "salton1975"),
    _row("path", "structure:path", "Jaro-Winkler similarity of the labels from the root, joined",
         "path", "winkler1990"),
    _row("parents", "structure:parents", "cosine of the words of the parents",
         "parents", "salton1975"),
    _row("children", "structure:children", "cosine of the words of the children",
         "children", "salton1975"),
    _row("siblings", "structure:siblings", "cosine of the words of the siblings",
         "siblings", "salton1975"),
    _row("ancestors", "structure:ancestors", "cosine of the words of all superclasses",
         "ancestors", "salton1975"),
    _row("depth", "structure:depth", "ratio of the depths in the hierarchy", "depth"),
    _row("instances", "members:instances", "Jaccard coefficient of the individuals", "instances",
         "jaccard1912"),
    _row("properties", "members:properties", "cosine of the words of the properties",
         "properties", "salton1975"),
    _row("gap", "rivals:gap", "how far the names are more alike than those of the best rival",
         "gap to the best rival"),
    _row("learned_words", "learned_words:LearnedWords",
         "words in common, where known matches teach which words may be dropped or exchanged",
         "learned words", learns=True),
)  # fmt: skip
DEFAULT = (
    "name", "monge_elkan", "synonyms", "words", "containment", "head", "parents",
    "children", "ancestors", "instances", "properties", "gap", "learned_words",
)  # fmt: skip
