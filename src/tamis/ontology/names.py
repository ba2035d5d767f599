"""Names of classes as words: one spelling for what is written in many ways.

Matching compares names that people wrote, each vocabulary in its own manner. A normalised name has
small letters without accents, one blank between words, and no punctuation; identifiers are split at
changes of case, letters from digits. A word key goes further: stems of the words, in order of the
alphabet, so that word order, plurals and British spelling do not matter either.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

MAX_NAME_LENGTH = 1000  # characters of a name that are looked at: what is longer is no name
STOP_WORDS = frozenset(
    ("an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with")
)  # not "a": vitamin A
ROMAN_NUMERALS = {
    "i": "1",
    "ii": "2",
    "iii": "3",
    "iv": "4",
    "vi": "6",
    "vii": "7",
    "viii": "8",
    "ix": "9",
}
GREEK_LETTERS = {
    chr(code): unicodedata.name(chr(code)).split()[-1].lower().replace("lamda", "lambda")
    for code in range(ord("α"), ord("ω") + 1)
}


def normalised_name(text: str) -> str:
    """A name in small letters, its words parted by one blank.

    Unicode compatibility forms, case and accents are folded; an identifier (no blank in it) is
    split where a small letter meets a capital; letters are split from digits; punctuation becomes
    a blank, ``'s`` is dropped, ``&`` and ``+`` become words, and so does a Greek letter that
    stands alone. Only the first 1,000 characters are read.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
        Empty if there is no letter or digit.

    Examples
    --------
    >>> (normalised_name("hasPCMember_2"),
    ...  normalised_name("Crohn's Disease, type2"),
    ...  normalised_name("TNF-α"))
    ('has pc member 2', 'crohn disease type 2', 'tnf alpha')
    """
    return _normalised_name(text[:MAX_NAME_LENGTH])


def normalise_all(texts: Iterable[str]) -> list[str]:
    """`normalised_name` of each text: all at once, which is several times as fast.

    Examples
    --------
    >>> normalise_all(["ConferencePaper", "Naïve T-cells"])
    ['conference paper', 'naive t cells']
    """
    lines = [_begin_normalising(text[:MAX_NAME_LENGTH]) for text in texts]
    return _finish_normalising("\n".join(lines)) if lines else []


@lru_cache(maxsize=2**16)
def word_stem(word: str) -> str:
    """A normalised word in the singular, in American spelling; a Roman numeral as a number.

    Plurals go by the S stemmer of Harman (1991), spelling by a few endings. It is no lemma: what
    counts is that two forms of a word have the same stem.

    Examples
    --------
    >>> [word_stem(word) for word in ("arteries", "vertebrae", "tumours", "haemolysis", "ii")]
    ['artery', 'vertebra', 'tumor', 'hemolysis', '2']

    References
    ----------
    Harman (1991), How effective is suffixing?, Journal of the American Society for Information
    Science 42, 7-15.
    """
    if word in ROMAN_NUMERALS:
        return ROMAN_NUMERALS[word]
    if len(word) < 4:
        return word
    for pattern, instead in SPELLING_RULES:
        word = pattern.sub(instead, word)
    return word


@lru_cache(maxsize=2**16)
def name_stems(name: str) -> tuple[str, ...]:
    """Stems of a normalised name, each once, in order of the alphabet, without stop words.

    A name of nothing but stop words keeps them.

    Examples
    --------
    >>> name_stems("diseases of the left artery"), name_stems("the")
    (('artery', 'disease', 'left'), ('the',))
    """
    words = name.split()
    telling = [word for word in words if word not in STOP_WORDS] or words
    return tuple(sorted({word_stem(word) for word in telling}))


SPELLING_RULES = [
    (re.compile(pattern), instead)
    for pattern, instead in [
        (r"(?<=ss|.x|sh)es$|(?<=[nt]ch|[^aou]us)es$", ""),  # abscesses, branches, viruses
        (r"(?<![ea])ies$", "y"),
        (r"(?<=..)(?<![aeo])es$", "e"),
        (r"(?<![usi])s$", ""),
        (r"ae$", "a"),
        (r"(?<=.)[ao]e(?=..)|^[ao]e(?=...)", "e"),  # haemolysis, oedema
        (r"(?<=..)our$", "or"),
        (r"(?<=[tb])re$", "er"),
        (r"(?<=..)is(?=e$|ation$|ing$|ed$)", "iz"),
        (r"(?<=..)ys(?=e$|ing$|ed$)", "yz"),
        (r"sulph", "sulf"),
    ]
]

# The alphabets that have capitals, most of them; the rest is not split.
_UPPER_LETTERS = "".join(c for c in map(chr, range(0x590)) if c.isupper())
_LOWER_LETTERS = "".join(c for c in map(chr, range(0x590)) if c.islower())
_HUMP_PATTERN = re.compile(
    f"(?<=[{_LOWER_LETTERS}])(?=[{_UPPER_LETTERS}])|(?<=[{_UPPER_LETTERS}])(?=[{_UPPER_LETTERS}][{_LOWER_LETTERS}]{{2}})"
)
_MARKS_PATTERN = re.compile("[\u0300-\u036f]+")
_POSSESSIVE_PATTERN = re.compile(r"['’ʼ]s(?![^\W\d_])")
_DIGITS_PATTERN = re.compile(r"\d+")
_LONE_GREEK = re.compile("(?<![α-ω])[α-ω](?![α-ω])")


@lru_cache(maxsize=2**16)
def _normalised_name(text: str) -> str:
    return _finish_normalising(_begin_normalising(text))[0]


def _begin_normalising(text: str) -> str:
    """One line of it; what depends on the full text is done."""
    if text.isascii():
        parts = text.split()
    else:
        parts = _MARKS_PATTERN.sub("", unicodedata.normalize("NFKD", text)).split()
    line = " ".join(parts)
    return _HUMP_PATTERN.sub(" ", line) if len(parts) == 1 and not line.islower() else line


def _finish_normalising(text: str) -> list[str]:
    """Lines that `_begin_normalising` made, normalised."""
    text = text.casefold().replace("&", " and ").replace("+", " plus ")
    if not text.isascii():
        text = _MARKS_PATTERN.sub("", unicodedata.normalize("NFKD", text))
        text = _LONE_GREEK.sub(lambda letter: f" {GREEK_LETTERS[letter[0]]} ", text)
        text = unicodedata.normalize("NFC", text)
    text = _POSSESSIVE_PATTERN.sub("", text)  # after what parts words, so that a name is its own
    text = _DIGITS_PATTERN.sub(r" \g<0> ", text.translate(_LETTER_TABLE))
    return [" ".join(line.split()) for line in text.split("\n")]


class _Letters(dict):
    """What each character becomes: itself if a letter, digit or mark on one, else a blank."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        kept = unicodedata.category(letter)[0] in "LNM" or letter == "\n"
        self[code] = letter if kept else " "
        return self[code]


_LETTER_TABLE = _Letters()
