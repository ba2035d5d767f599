"""Metadata of an SSSOM mapping set: YAML in comments before the table, or in a file beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..._core.errors import DataError, require_library
from .text import read_text

Value = str | Mapping[str, str] | Sequence[str | Mapping[str, str]]  # that a set can have
MAX_BLOCK_LENGTH = 1 << 18  # letters; a thousandth of that is usual
MAX_DEPTH = 8  # of what stands in each other
# a text that YAML of every version reads as it is written, and as a text
PLAIN_SCALAR_PATTERN = re.compile(
    r"(?![-?:,\[\]{}#&*!|>'\"%@`=~.<+\s])[^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]*(?<!\s)(?<!:)"
)
ESCAPED_PATTERN = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")  # escaped between quotes
NUMBER_PATTERN = re.compile(r"\d[\d_.,:+\-a-fxoA-FXOtTzZ ]*")  # or a date, a time
RESERVED_WORDS = frozenset(["null", "true", "false", "yes", "no", "on", "off", "y", "n"])


def split_block(text: str) -> tuple[str, str, int]:
    """Metadata without its ``#``, the table, and the number of the table's first line.

    Examples
    --------
    >>> split_block("#license: x\\na\\tb\\n")
    ('license: x\\n', 'a\\tb\\n', 2)
    """
    lines, at = [], 0
    while text.startswith("#", at):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end + 1
        lines.append(text[at + 1 : end])
        at = end
    return "".join(lines), text[at:], len(lines) + 1


def block_beside(path: Path) -> tuple[str, str] | None:
    """Metadata of a table that has none of its own: (name of the file, text), if there is one."""
    stem = path.name.removesuffix(path.suffix)
    for name in dict.fromkeys((stem.removesuffix(".sssom") + ".sssom", stem)):
        for suffix in (".yml", ".yaml"):
            beside = path.with_name(name + suffix)
            if beside.is_file():
                return beside.name, read_text(beside)
    return None


def parsed_block(text: str, name: str) -> dict[str, object]:
    """The metadata: texts, lists and dictionaries; numbers and dates stay texts.

    Raises
    ------
    DataError
        It is no YAML mapping, or has what SSSOM forbids: anchors, aliases, tags, directives.
    """
    yaml = require_library("yaml", "ontology", "the metadata of an SSSOM file")
    if len(text) > MAX_BLOCK_LENGTH:
        raise DataError(
            f"{name!r} has {len(text):,} letters of metadata; at most {MAX_BLOCK_LENGTH:,}"
        )
    forbidden = (yaml.AliasToken, yaml.AnchorToken, yaml.TagToken, yaml.DirectiveToken)
    opening = (
        yaml.BlockSequenceStartToken,
        yaml.BlockMappingStartToken,
        yaml.FlowSequenceStartToken,
        yaml.FlowMappingStartToken,
    )
    closing = (yaml.BlockEndToken, yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken)
    depth = 0
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # compiled, where there is one
    try:
        for token in yaml.scan(text, Loader=loader):
            depth += isinstance(token, opening) - isinstance(token, closing)
            if isinstance(token, forbidden) or depth > MAX_DEPTH:
                line = token.start_mark.line + 1
                raise DataError(
                    f"{name!r}: line {line:,} of its metadata has an anchor, an alias, a tag, a "
                    "directive or too many levels, which SSSOM has none of: write it out"
                )
        found = yaml.load(text, Loader=loader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1:,} of its metadata" if mark else "its metadata"
        raise DataError(
            f"{name!r}: {where} is no YAML ({getattr(error, 'problem', None) or error}); "
            "each line is `#name: value`"
        ) from None
    if found in (None, ""):
        return {}
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise DataError(f"{name!r}: its metadata are no names with values: write `#name: value`")
    return found


def block_text(metadata: Mapping[str, Value]) -> str:
    """Metadata as YAML in comments, canonical as SSSOM has it; empty values are left out.

    Examples
    --------
    >>> print(block_text({"curie_map": {"HP": "http://x/HP_"}, "comment": "a: b", "see": ["c"]}))
    #curie_map:
    #  HP: http://x/HP_
    #comment: "a: b"
    #see:
    #- c
    <BLANKLINE>
    """
    lines: list[str] = []
    for name, value in metadata.items():
        if not value:
            continue
        if isinstance(value, str):
            lines.append(f"{name}: {_yaml_scalar(value)}")
            continue
        lines.append(f"{name}:")
        if isinstance(value, Mapping):
            lines += [f"  {_yaml_scalar(key)}: {_yaml_scalar(one)}" for key, one in value.items()]
        else:
            lines += _yaml_sequence(value)
    return "".join(f"#{line}\n" for line in lines)


def _yaml_sequence(values: Sequence[str | Mapping[str, str]]) -> list[str]:
    lines = []
    for value in values:
        if isinstance(value, str):
            lines.append(f"- {_yaml_scalar(value)}")
        else:
            inside = [f"{key}: {_yaml_scalar(one)}" for key, one in value.items() if one]
            lines += [f"{'- ' if k == 0 else '  '}{line}" for k, line in enumerate(inside)]
    return lines


def _yaml_scalar(text: str) -> str:
    """Plain where that is the same text, else in double quotes, as JSON has them."""
    plain = PLAIN_SCALAR_PATTERN.fullmatch(text) and ": " not in text and " #" not in text
    if plain and text.lower() not in RESERVED_WORDS and not NUMBER_PATTERN.fullmatch(text):
        return text
    text = re.sub("[\ud800-\udfff]", "\ufffd", text)  # half a letter
    quoted = json.dumps(text, ensure_ascii=False)
    return ESCAPED_PATTERN.sub(lambda one: f"\\u{ord(one[0]):04x}", quoted)
