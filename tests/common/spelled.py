"""The same name written otherwise, by what is different."""

from __future__ import annotations

import unicodedata

KINDS = {
    "capitals": str.upper,
    "an underscore": lambda s: s.replace(" ", "_"),
    "a no-break blank": lambda s: s.replace(" ", "\u00a0"),
    "two blanks": lambda s: s.replace(" ", "  "),
    "leading zeros": lambda s: s.replace("-7", "-007"),
    "a dash of typesetters": lambda s: s.replace("-", "\u2013"),
    "decomposed accents": lambda s: unicodedata.normalize("NFD", s),
    "a character that is not shown": lambda s: s[:2] + "\u200b" + s[2:],
    "a wide digit": lambda s: s.replace("7", "\uff17"),
    "no blank": lambda s: s.replace(" ", ""),
}
NAMES = ("mü b-7", "zü c-7")
