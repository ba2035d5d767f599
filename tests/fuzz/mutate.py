"""Valid bytes made wrong: a few edits at random, of bytes, of lengths, of lines and fields."""

from __future__ import annotations

import numpy as np

# what stands in files that somebody made: missing, too large, of another format, hostile
TOKENS = [
    b"", b".", b"-9", b"0", b"1", b"2", b"3", b"-1", b"NA", b"nan", b"1e5", b"0.5", b"9" * 30,
    b"2147483648", b"0/1", b"1|0", b"./.", b"0/1/1", b"255/3", b"GT", b"DS:GT", b":", b"<DEL>",
    b"A,C", b"*", b"chrX", b"X", b"MT", b"#", b"##", b'"', b'"a,b"', b"'", b"a b", b" ", b"\r",
    b"\x00", b"\x1b[31m", "\u202e".encode(), "é".encode(), b"\xff\xfe", b"\xef\xbb\xbf",
    b"\x85", "\u2028".encode(), b"x" * 3000,
]  # fmt: skip
LENGTHS = [
    0,
    1,
    2,
    3,
    127,
    128,
    255,
    256,
    0x7FFF,
    0x8000,
    0xFFFF,
    1 << 24,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFF,
]
DELIMITERS = [b"\t", b" ", b",", b";", b"  ", b"\t\t"]


def mutate(rng: np.random.Generator, good: bytes, text: bool = False) -> bytes:
    """One to four edits; of a text mostly those that people and programs make to lines."""
    found = good
    for _ in range(1 + rng.geometric(0.6) % 4):
        kinds = TEXT_EDITS if text and rng.random() < 0.7 else BYTE_EDITS
        found = kinds[rng.integers(len(kinds))](rng, found)
    return found


def _place(rng: np.random.Generator, found: bytes) -> int:
    return int(rng.integers(0, len(found) + 1))


def _span(rng: np.random.Generator, found: bytes) -> tuple[int, int]:
    """Of few bytes mostly."""
    first = _place(rng, found)
    return first, min(len(found), first + int(2 ** rng.uniform(0, 8)))


def flip_bit(rng: np.random.Generator, found: bytes) -> bytes:
    at = _place(rng, found)
    if at == len(found):
        return found
    return found[:at] + bytes([found[at] ^ 1 << int(rng.integers(8))]) + found[at + 1 :]


def set_byte(rng: np.random.Generator, found: bytes) -> bytes:
    at = _place(rng, found)
    return found[:at] + rng.bytes(1) + found[at + 1 :]


def cut_end(rng: np.random.Generator, found: bytes) -> bytes:
    return found[: _place(rng, found)]


def remove_span(rng: np.random.Generator, found: bytes) -> bytes:
    first, last = _span(rng, found)
    return found[:first] + found[last:]


def repeat_span(rng: np.random.Generator, found: bytes) -> bytes:
    first, last = _span(rng, found)
    return found[:last] + found[first:last] * int(rng.integers(1, 5)) + found[last:]


def insert_bytes(rng: np.random.Generator, found: bytes) -> bytes:
    at = _place(rng, found)
    return found[:at] + rng.bytes(int(rng.integers(1, 9))) + found[at:]


def add_zeros(rng: np.random.Generator, found: bytes) -> bytes:
    return found + bytes(int(2 ** rng.uniform(0, 12)))


def edit_length(rng: np.random.Generator, found: bytes) -> bytes:
    """A whole number of 1, 2 or 4 bytes becomes an extreme one, or one beside it."""
    width, at = int(rng.choice([1, 2, 4])), _place(rng, found)
    was = int.from_bytes(found[at : at + width], "little")
    near = [was - 1, was + 1, 2 * was, was // 2, len(found)]
    said = int(rng.choice([*LENGTHS, *near])) % (1 << 8 * width)
    return found[:at] + said.to_bytes(width, "little") + found[at + width :]


def insert_token(rng: np.random.Generator, found: bytes) -> bytes:
    at = _place(rng, found)
    return found[:at] + TOKENS[rng.integers(len(TOKENS))] + found[at:]


def remove_line(rng: np.random.Generator, found: bytes) -> bytes:
    lines = found.split(b"\n")
    del lines[rng.integers(len(lines))]
    return b"\n".join(lines)


def repeat_line(rng: np.random.Generator, found: bytes) -> bytes:
    lines = found.split(b"\n")
    k = rng.integers(len(lines))
    lines[k:k] = [lines[k]] * int(rng.integers(1, 6))
    return b"\n".join(lines)


def swap_lines(rng: np.random.Generator, found: bytes) -> bytes:
    lines = found.split(b"\n")
    i, j = rng.integers(len(lines), size=2)
    lines[i], lines[j] = lines[j], lines[i]
    return b"\n".join(lines)


def edit_field(rng: np.random.Generator, found: bytes) -> bytes:
    """A field of a line becomes another, goes, or comes twice."""
    lines = found.split(b"\n")
    k = rng.integers(len(lines))
    delimiter = next((d for d in (b"\t", b",", b";") if d in lines[k]), b" ")
    fields = lines[k].split(delimiter)
    j = rng.integers(len(fields))
    how = rng.integers(4)
    if how == 0:
        del fields[j]
    elif how == 1:
        fields.insert(j, fields[rng.integers(len(fields))])
    else:
        fields[j] = TOKENS[rng.integers(len(TOKENS))]
    lines[k] = delimiter.join(fields)
    return b"\n".join(lines)


def replace_delimiter(rng: np.random.Generator, found: bytes) -> bytes:
    """Everywhere, or in a line."""
    old, new = (DELIMITERS[rng.integers(len(DELIMITERS))] for _ in range(2))
    if rng.random() < 0.5:
        return found.replace(old, new)
    lines = found.split(b"\n")
    k = rng.integers(len(lines))
    lines[k] = lines[k].replace(old, new)
    return b"\n".join(lines)


def change_line_ends(rng: np.random.Generator, found: bytes) -> bytes:
    ends = [b"\r\n", b"\r", b"\n\n", b" \n", b"\t\n", b"\n \n"]
    return found.replace(b"\n", ends[rng.integers(len(ends))])


def change_encoding(rng: np.random.Generator, found: bytes) -> bytes:
    if rng.random() < 0.5:
        return b"\xef\xbb\xbf" + found
    return found.decode("utf-8", "replace").encode("utf-16")


BYTE_EDITS = [
    flip_bit,
    set_byte,
    cut_end,
    remove_span,
    repeat_span,
    insert_bytes,
    add_zeros,
    edit_length,
    edit_length,
]
TEXT_EDITS = [
    insert_token,
    remove_line,
    repeat_line,
    swap_lines,
    edit_field,
    edit_field,
    edit_field,
    replace_delimiter,
    change_line_ends,
    change_encoding,
]
