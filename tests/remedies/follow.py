"""Every remedy that is printed of a table, taken, and what it leads to held against the truth."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from remedies.judge import wrong
from remedies.kinds import kind_of
from remedies.steps import Step, printed_steps, with_step, words_of
from remedies.writers import Made
from tamis._core.errors import DataError
from tamis.cli.read import command
from tamis.cli.study import reading_options
from tamis.data import Dataset, read_table
from tamis.data.cleaned import clean_table
from tamis.data.faults import Fault, Faults

DEPTH = 4  # remedies one after the other
MOST = 10  # readings of a table by remedies
# notes that ask the user whether the table has been read as it was meant
DOUBTS = ("all names have moved by one", "if it stands between thousands, say")
OTHERWISE = "decimal='.' reads them otherwise"  # where cells are no numbers
HONEST = (
    " has no group for ",
    " has no feature columns left",
    " stands more than once in ",
)  # where a note may lead
TOGETHER = re.compile(r"(?:decimal=','|thousands='.') and (?:decimal=','|thousands='.')")
PATHS = ("samples", "keep", "annotate")


@dataclass
class Found:
    """What became of some tables."""

    tables: int = 0
    at_once: int = 0  # read without a fault
    read: int = 0  # by remedies
    readings: int = 0
    told: int = 0  # readings that were not judged, as they ask whether they are right
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


class Table:
    """A file, and all that was tried with it."""

    def __init__(self, made: Made, path: Path, found: Found, number: int = 0):
        self.made, self.path, self.found, self.number = made, path, found, number
        self.tried: set[str] = set()
        self.ends: list[str] = []  # messages without a remedy that works
        self.good = 0
        self.bad = False
        self.gone: tuple[int, ...] = ()  # lines that are out of the file now

    def follow(self) -> None:
        """From how it is read first to wherever remedies lead."""
        how = dict(self.made.how)
        first = self.read(how)
        self.found.tables += 1
        if isinstance(first, Dataset):
            self.found.at_once += 1
            self._judge(first, how, "at once")
            self._notes(first, how)
            return
        self._steps(first, how, DEPTH)
        self._fix(how)
        if self.good:
            self.found.read += 1
        else:
            self.found.unread[_template(self.ends[0] if self.ends else str(first))] += 1

    def read(self, how: Mapping[str, Any]) -> Dataset | DataError:
        self.found.readings += 1
        given = {k: self.path.parent / v if k in PATHS else v for k, v in how.items()}
        gone = given.pop("lines", ())
        if gone != self.gone:
            self.path.write_bytes(self.made.without(gone))
            self.gone = gone
        try:
            return read_table(self.path, **given)
        except DataError as error:
            return error

    def _judge(self, data: Dataset, how: Mapping[str, Any], by: str) -> None:
        if self.made.truth.tells.get("long") and not how.get("long"):
            if by == "at once" and not self.made.truth.tells.get("second"):  # as visits have
                self._wrong("is long, and read as it is")
            return
        gone = how.get("lines", ())
        owned = [(k, whose) for k, whose in self.made.rows if whose]
        wide = self.made.truth.tells["layout"] == "wide"
        lost = [i if wide else whose for i, (k, whose) in enumerate(owned) if k in gone]
        doubts = (*DOUBTS, *[OTHERWISE] * self.made.truth.tells.get("pairs", False))
        if any(doubt in note for note in data.notes for doubt in doubts):
            self.found.told += 1
            return
        for what in [] if self.bad else wrong(data, self.made, how, lost):
            self.bad = True
            self.found.wrong.append(
                f"{self.number}: {', '.join(self.made.done)}: {by}: {how}: {what}"
            )
            break

    def _steps(self, error: DataError, how: dict[str, Any], depth: int) -> None:
        """Take each remedy of an error, one after the other."""
        worked = False
        for message, step in [*self.edits(error, how), *remedies_of(error)]:
            for one in self.meant(message, step, how):
                self._count(step, message)
                then = with_step(how, one) if one.value is not False else without(how, one.key)
                if "did you mean" in message:
                    then[one.key] = one.value  # in place of what was mistyped
                if TOGETHER.search(message):
                    then |= {"decimal": ",", "thousands": "."}
                assert one.key == "lines" or same_words(one), f"{one} is another as an option"
                key = repr(sorted(then.items()))
                if key in self.tried or then == how or len(self.tried) >= MOST:
                    continue
                self.tried.add(key)
                data = self.read(then)
                if isinstance(data, Dataset):
                    worked = True
                    self.good += 1
                    self._judge(data, then, f"{one} of {message[:200]!r}")
                    if self.good < 3:
                        self._notes(data, then)
                elif depth > 1 and len(self.tried) < MOST:
                    worked = True
                    self._steps(data, then, depth - 1)
        if not worked:
            self.ends.append(str(error))

    def _count(self, step: Step, message: str) -> None:
        if step.key == "lines" or "did you mean" in message:
            kind = step.key, "a line to take out" if step.key == "lines" else "did you mean"
        elif " ... " in message:  # in the middle of a very long one
            kind = step.key, "of a message that was cut"
        else:
            kind = kind_of(step.key, message)
        self.found.kinds[kind] += 1

    def edits(self, error: DataError, how: Mapping[str, Any]) -> list[tuple[str, Step]]:
        """Lines that a message says to take out of the file."""
        if self.made.pack is None or error is None:
            return []
        found = []
        gone = how.get("lines", ())
        left = [k for k in range(len(self.made.lines)) if k not in gone]
        rows = [k for k, _ in self.made.rows if k not in gone]
        for fault in error.faults if isinstance(error, Faults) else (error,):
            message = str(fault)
            if row := re.match(r"row ([\d,]+) has text in .* take it out of the file", message):
                found.append((message, Step("lines", (rows[_whole(row[1]) - 1],))))
            elif row := re.search(
                r": line ([\d,]+) has .* (?:complete or )?remove the line", message
            ):
                found.append((message, Step("lines", (left[_whole(row[1]) - 1],))))
            elif row := re.match(r"id column .* is empty in rows? ([\d, ]+); fill it in", message):
                if self.made.truth.tells.get("turned"):  # whose rows are columns of the file
                    continue
                some = [_whole(k) for k in row[1].split(", ")]
                found.append((message, Step("lines", tuple(rows[k - 1] for k in some))))
            elif "remove whatever stands above" in message:
                first = next(k for k in left if self.made.lines[k].strip())
                if first != self.made.header:
                    found.append((message, Step("lines", (first,))))
        of = dict(self.made.rows)
        if self.made.truth.tells["layout"] == "long":  # of which a line is no sample
            found = [one for one in found if not any(map(of.get, one[1].value))]
        return found

    def _notes(self, data: Dataset, how: dict[str, Any]) -> None:
        """What notes of a table say that may be said."""
        for note in data.notes:
            steps = [one for step in printed_steps(note) for one in self.meant(note, step, how)]
            for step in steps:
                self._count(step, note)
                assert same_words(step), f"{step} is another as an option"
                then = with_step(how, step)
                if "in place of drop" in note:
                    then["drop"] = tuple(c for c in how["drop"] if c != step.value)
                for other in steps if TOGETHER.search(note) else ():
                    then = with_step(then, other)
                again = self.read(then)
                if isinstance(again, Dataset):
                    self._judge(again, then, f"{step} of the note {note[:200]!r}")
                elif not (remedies_of(again) or any(end in str(again) for end in HONEST)):
                    self._wrong(f"{step} of the note {note[:200]!r} ends in {str(again)[:200]!r}")

    def _wrong(self, what: str) -> None:
        self.found.wrong.append(f"{self.number}: {', '.join(self.made.done)}: {what}")

    def _fix(self, how: Mapping[str, Any]) -> None:
        """What `--fix` makes of it."""
        given = {k: self.path.parent / v if k in PATHS else v for k, v in how.items()}
        if self.gone:
            self.path.write_bytes(self.made.without(()))
            self.gone = ()
        try:
            cleaned = clean_table(self.path, given)
        except DataError:
            return
        self.found.kinds["--fix", ""] += 1
        self._judge(cleaned.data, cleaned.reading, "--fix")

    def meant(self, message: str, step: Step, how: Mapping[str, Any]) -> Iterator[Step]:
        """What a user who knows the file makes of a remedy; nothing where its condition does not
        hold."""
        tells, key = self.made.truth.tells, step.key
        ids = self.made.truth.of_role("id")[0].name
        if key == "transpose":
            out = "leave out transpose" in message or "leave it out if samples" in message
            if out and how.get("transpose"):
                if not tells.get("turned"):
                    yield Step(key, False)
            elif tells.get("turned"):
                yield step
        elif key == "decimal":
            if step.value is not None and step.value == tells["decimal"]:
                yield step
        elif key == "thousands":
            if tells["thousands"] and step.value in (None, tells["thousands"]):
                yield Step(key, tells["thousands"])
        elif key in ("encoding", "separator") and step.value is None:
            if value := tells.get(key):
                yield Step(key, {"\t": "tab", " ": "whitespace"}.get(value, value))
        elif key == "id" and step.value is None:
            if ids and (not tells.get("turned") or "sample sheet" in message):
                yield Step(key, ids)
        elif key == "long":
            if tells.get("long"):
                yield Step(key, tells["long"])
        elif key == "duplicates" and step.value is None:
            for value in ("first", "mean", "suffix"):
                yield Step(key, value)
        elif key == "group" and any(how.get(k) == step.value for k in ("target", "id", "batch")):
            return
        elif key == "limits":
            for value in ("value", "half", "missing"):
                yield Step(key, value)
        elif step.value is not None and key != "positive":
            yield step


@cache
def same_words(step: Step) -> bool:
    """Whether the command takes an option as Python takes the argument."""
    words = words_of({step.key: step.value}) if step.value is not False else []
    params = command.make_context("read", ["t.csv", *words]).params
    read = {
        k: v
        for k, v in reading_options(params).items()
        if v not in (None, (), {}, False) and k not in OWN
    }
    return read == ({step.key: step.value} if words else {})


OWN = ("table", "fix", "force", "as_json", "quiet", "incomplete")


def _whole(text: str) -> int:
    return int(text.replace(",", ""))


def without(how: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {k: v for k, v in how.items() if k != key}


REFUSED = re.compile(r"\w+='")  # an argument that cannot be
ROLE = re.compile(r"there is no (\w+) column '((?:[^'\\]|\\.)*)'.*did you mean '((?:[^'\\]|\\.)*)'")
NAMED = re.compile(r"^(\w+) names the column '((?:[^'\\]|\\.)*)'.*did you mean '((?:[^'\\]|\\.)*)'")


def remedies_of(error: DataError) -> list[tuple[str, Step]]:
    """Each remedy of an error and the line that says it; what a fault has for `--fix` is said."""
    found = []
    faults = error.faults if isinstance(error, Faults) else (error,)
    for fault in faults:
        message = str(fault)
        steps = [] if REFUSED.match(message) else printed_steps(message)
        if isinstance(fault, Fault) and "so with" not in message:
            for key, value in fault.remedy.items():
                _check_said(key, value, steps, message)
        if isinstance(fault, Fault) and "so with" in message:
            steps.append(Step(*next(iter(fault.remedy.items())))) if fault.remedy else None
        if named := ROLE.search(message) or NAMED.search(message):
            role, _, right = named.groups()
            key = {"class": "target"}.get(role, role)
            steps.append(Step(key, (right,) if key in ("drop", "categorical") else right))
        found += [(message, step) for step in steps]
    return found


def _check_said(key: str, value: Any, steps: list[Step], message: str) -> None:
    said = [step.value for step in steps if step.key == key]
    several = isinstance(value, tuple) and key != "long"
    fine = any(
        s is None or s == value or (several and s is not None and set(s) <= set(value))
        for s in said
    )
    fine |= key == "duplicates" and "duplicates=" in message
    assert fine, f"{key}={value!r} is done, and not said: {message}"


QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")


def _template(message: str) -> str:
    """A message without names and numbers."""
    text = QUOTED.sub("Q", message.split("\n")[0])
    text = re.sub(r"Q(?:, Q)*(?: and [\d,]+ more)?", "Q", text)
    text = re.sub(r"\d[\d,.]*", "N", text)
    return text[:110]
