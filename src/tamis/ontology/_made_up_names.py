"""Terms of made-up vocabularies, and the ways in which people write them otherwise."""

from __future__ import annotations

from random import Random

Concept = tuple[str, ...]  # modifiers, the outermost first, then what it is

PART_PHRASES = [
    "wall of",
    "surface of",
    "branch of",
    "origin of",
    "lumen of",
    "region of",
    "root of",
]
OPPOSITE_SIDES = {"left": "right", "right": "left"}
POSITION_WORDS = [
    "anterior",
    "posterior",
    "superior",
    "inferior",
    "medial",
    "lateral",
    "deep",
    "superficial",
    "proximal",
    "distal",
    "internal",
    "external",
]
ORGAN_NAMES = [
    "artery", "vein", "nerve", "muscle", "ligament", "bone", "gland", "duct", "lobe", "plexus",
    "ganglion", "tendon", "septum", "membrane", "epithelium", "cortex", "nucleus", "sinus",
    "process", "fascia", "cartilage", "vertebra", "fiber", "center",
]  # fmt: skip
STAGE_WORDS = ["acute", "chronic", "congenital", "acquired", "recurrent", "familial", "hereditary"]
DISEASE_NAMES = [
    "stenosis",
    "neoplasm",
    "syndrome",
    "inflammation",
    "anemia",
    "edema",
    "hemorrhage",
    "dystrophy",
    "carcinoma",
    "infection",
    "deficiency",
    "necrosis",
    "tumor",
    "paralysis",
]
ADJECTIVES = [
    "renal",
    "hepatic",
    "cardiac",
    "pulmonary",
    "gastric",
    "cerebral",
    "tibial",
    "femoral",
    "radial",
    "ulnar",
    "iliac",
    "thoracic",
    "lumbar",
    "cervical",
    "sacral",
    "esophageal",
]
THESAURUS = {
    "renal": "kidney", "hepatic": "liver", "cardiac": "heart", "pulmonary": "lung",
    "gastric": "stomach", "cerebral": "brain", "tibial": "shin", "femoral": "thigh",
    "anterior": "ventral", "posterior": "dorsal", "superior": "upper", "inferior": "lower",
    "lateral": "outer", "medial": "inner", "superficial": "shallow", "internal": "interior",
    "external": "exterior", "wall": "lining", "branch": "ramus", "region": "area",
    "neoplasm": "tumor", "tumor": "neoplasm", "syndrome": "disorder", "edema": "swelling",
    "hemorrhage": "bleeding", "inflammation": "irritation", "necrosis": "tissue death",
    "acute": "sudden", "chronic": "persistent", "hereditary": "inherited", "congenital": "inborn",
    "familial": "hereditary", "gland": "glandula", "center": "middle", "process": "projection",
}  # fmt: skip
BRITISH_SPELLINGS = {
    "anemia": "anaemia",
    "edema": "oedema",
    "hemorrhage": "haemorrhage",
    "tumor": "tumour",
    "fiber": "fibre",
    "center": "centre",
    "esophageal": "oesophageal",
}
ADDED_WORDS = ["structure", "entire", "unspecified", "human", "organ"]
ALTERATION_SHARES = {
    "typing": 0.3,
    "order": 0.15,
    "left out": 0.1,
    "put in": 0.1,
    "thesaurus": 0.2,
    "plural": 0.1,
    "british": 0.05,
}
TWICE_ALTERED_SHARE = 0.3  # share of the altered names that are altered twice
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Words:
    """Adjectives by Zipf's law, some of them real, and names after people."""

    def __init__(self, chance: Random, n: int) -> None:
        self.chance = chance
        made = dict.fromkeys(ADJECTIVES)
        while len(made) < n:
            end = chance.choice(["al", "ic", "ar", "oid", "ine", "ous"])
            made[self._syllables(chance.randint(2, 4)) + end] = None
        self.adjectives = list(made)

    def adjective(self) -> str:
        """The k-th with probability about 1 / k."""
        return self.adjectives[int(len(self.adjectives) ** self.chance.random()) - 1]

    def eponym(self) -> str:
        """*Marel disease*: two words that say nothing of what it is."""
        return f"{self._syllables(3).capitalize()} {self.chance.choice(['disease', 'structure'])}"

    def _syllables(self, n: int) -> str:
        choose = self.chance.choice
        return "".join(choose("bcdfglmnprstv") + choose("aeiou") for _ in range(n)) + choose("lnrs")


def draw_concepts(words: Words, n: int) -> list[Concept]:
    """Different concepts, each after those it is a part or a kind of."""
    chance = words.chance
    found: dict[Concept, None] = {}
    while len(found) < n:
        if chance.random() < 0.7:
            one = [chance.choice(ORGAN_NAMES), words.adjective()]
            later = [POSITION_WORDS, list(OPPOSITE_SIDES), PART_PHRASES]
        else:
            one = [chance.choice(DISEASE_NAMES), words.adjective()]
            later = [STAGE_WORDS, [f"type {k}" for k in (1, 2, 3)]]
        one += [chance.choice(kind) for kind in later if chance.random() < 0.6]
        line = [tuple(reversed(one))]
        if chance.random() < 0.7:
            line.append(tuple(OPPOSITE_SIDES.get(word, word) for word in line[0]))
            if line[0][0].startswith("type"):
                line[1] = (f"type {1 + int(line[0][0][-1]) % 3}", *line[0][1:])
        for concept in line:
            for k in range(len(concept) - 1, -1, -1):
                found.setdefault(concept[k:])
    return list(found)[:n]


def written_name(concept: Concept) -> str:
    """The plain name: modifiers in front, a type behind."""
    first, *rest = concept
    return " ".join([*rest, first] if first.startswith("type") else concept)


def other_name(name: str, chance: Random) -> str:
    """A synonym: the words in another order, or one of them replaced."""
    changed = _replaced_word(name, THESAURUS, chance)
    return changed if changed != name and chance.random() < 0.5 else _inverted_name(name, chance)


def altered_name(name: str, chance: Random) -> str:
    """A name as somebody else might have written it; see `make_vocabularies`."""
    kinds, weights = list(ALTERATION_SHARES), list(ALTERATION_SHARES.values())
    for kind in chance.choices(kinds, weights, k=1 + (chance.random() < TWICE_ALTERED_SHARE)):
        before = name
        match kind:
            case "order":
                name = _inverted_name(name, chance)
            case "left out":
                name = _left_out(name, chance)
            case "put in":
                name = f"{name} {chance.choice(ADDED_WORDS)}"
            case "thesaurus":
                name = _replaced_word(name, THESAURUS, chance)
            case "plural":
                name = _plural_name(name)
            case "british":
                name = _replaced_word(name, BRITISH_SPELLINGS, chance)
        if name == before:
            name = _mistyped_name(name, chance)
    return name


def recased_name(name: str, chance: Random) -> str:
    """A tenth with capitals, a tenth in camelCase, a tenth in snake_case."""
    drawn, words = chance.random(), name.replace(",", "").split()
    if drawn < 0.1:
        return name.title()
    if drawn < 0.2:
        return words[0] + "".join(word.capitalize() for word in words[1:])
    return "_".join(words) if drawn < 0.3 else name


def _inverted_name(name: str, chance: Random) -> str:
    words = name.split()
    at = chance.randrange(1, len(words)) if len(words) > 1 else 0
    return f"{' '.join(words[at:])}, {' '.join(words[:at])}" if at else name


def _left_out(name: str, chance: Random) -> str:
    words = name.split()
    free = [
        k
        for k, word in enumerate(words)
        if word not in OPPOSITE_SIDES and word != "type" and not word.isdigit()
    ]
    if len(words) > 1 and free:
        del words[chance.choice(free)]
    return " ".join(words)


def _replaced_word(name: str, by: dict[str, str], chance: Random) -> str:
    words = name.split()
    known = [k for k, word in enumerate(words) if word in by]
    if known:
        at = chance.choice(known)
        words[at] = by[words[at]]
    return " ".join(words)


def _plural_name(name: str) -> str:
    """The last word in the plural, unless it is a number."""
    if name[-1] == "y":
        return f"{name[:-1]}ies"
    if name.endswith("sis"):
        return f"{name[:-2]}es"
    if name[-1] in "sx":
        return f"{name}es"
    return name if name[-1].isdigit() else f"{name}s"


def _mistyped_name(name: str, chance: Random) -> str:
    """A letter dropped, doubled or replaced, or two exchanged."""
    at = chance.randrange(len(name) - 1)
    a, b, rest = name[at], name[at + 1], name[at + 2 :]
    instead = chance.choice([b, f"{a}{a}{b}", f"{chance.choice(LETTERS)}{b}", f"{b}{a}"])
    return f"{name[:at]}{instead}{rest}"
