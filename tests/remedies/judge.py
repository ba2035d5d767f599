"""Whether a data set is the truth that a writer wrote, up to what its remedies honestly say."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from remedies.truths import Column, cell_text, mark_number, meaning, word
from remedies.writers import Made
from tamis.data import Dataset

Value = float | str | None
PLAIN = {"true": 1.0, "false": 0.0}


def wrong(
    data: Dataset, made: Made, how: Mapping[str, Any], lost: Sequence[str | int] = ()
) -> list[str]:
    """What is not as it was written: samples, classes, names and values. `lost`: samples
    (by their numbers) or features whose lines were taken out, as a message said."""
    truth, found = made.truth, list[str]()
    every = truth.ids
    if how.get("id") not in (None, truth.of_role("id")[0].name):
        base, _, number = how["id"].rpartition(".")  # NAME.2 is the second of a name
        named = [c for c in truth.columns if c.name == how["id"]]
        if not named and number.isdigit():
            named = [c for c in truth.columns if c.name == base][int(number) - 1 :][:1]
        counted = truth.tells.get("counted", (None, []))
        texts = [[cell_text(x, made.style) for x in c.cells] for c in named]
        every = (texts or [counted[1] if counted[0] == how["id"] else every])[0]
    labels = [_meant(x, "class", made, how) for x in truth.of_role("class")[0].cells]
    rows = [k for k in range(truth.n) if k not in lost]
    if how.get("drop_unlabelled"):
        rows = [k for k in rows if labels[k] is not None]
    places = _places(data, made, [every[k] for k in rows])
    if isinstance(places, str):
        return [places]
    of = dict(zip(places, rows, strict=True))  # rows of the data, and of the truth
    if how.get("target") == "class":
        found += _labels_wrong("class", data.y, [(i, labels[k]) for i, k in of.items()], how)
    for role, values in (("group", data.groups), ("batch", data.batches), ("split", data.split)):
        name = how.get(role)
        if name in {c.name for c in truth.columns}:
            of_name = [c for c in truth.columns if c.name == name]
            beside = [c for c in of_name if truth.tells.get("sheet") and c.role == "sample"]
            column = [*beside, *of_name][0]  # that of a sheet is taken
            cells = [_label(x, name, made, how) for x in column.cells]
            found += _labels_wrong(name, values, [(i, cells[k]) for i, k in of.items()], how)
    known = expected(made, how)
    used = {how.get(role) for role in ("target", "group", "batch", "split", "id")}
    for j, name in enumerate(data.feature_names):
        if any(name.startswith(str(one)) for one in lost if isinstance(one, str)):
            continue  # one of several
        if name not in known and not (name.startswith(".") and "" in known):
            found.append(f"a feature {name!r} that nobody wrote")
            continue
        levels = data.levels.get(j)
        got: list[Value] = []
        for i in of:
            x = data.matrix[i, j]
            got.append(None if np.isnan(x) else x if levels is None else levels[int(x)])
        if name.strip(".0123456789") == "":
            continue  # of features without a name nobody can say which is which
        ways = [[one[k] for k in of.values()] for one in known[name]]
        if name in how.get("unify", ()):
            found += min((_spelled_wrong(name, got, want) for want in ways), key=len)
        elif not any(_same(got, want) for want in ways):
            want = ways[0]
            found.append(f"{name!r} is {got[:6]} and should be {want[:6]}")
    empty = {n for n, ways in known.items() if all(v is None for v in ways[0])}
    for name in required(made, how):
        if name in lost or (name.rpartition(".")[0] in lost and how.get("duplicates") == "suffix"):
            continue
        of_ids = any(list(data.sample_names) == [_text(v) for v in one] for one in known[name])
        gone = (
            of_ids
            or name in used
            or _dropped(name, how)
            or (name in empty and "<empty>" in how["drop"])
        )
        if name not in data.feature_names and not gone:
            found.append(f"{name!r} is lost")
    return found


def _places(data: Dataset, made: Made, ids: Sequence[str]) -> list[int] | str:
    """Rows of the data of these samples; or what is wrong."""
    names = list(data.sample_names)
    tells = made.truth.tells
    empty = np.isnan(data.matrix).all(axis=1)
    if len(names) == len(ids) and all(name.isdigit() for name in names) and "counted" not in tells:
        empty[:] = False  # rows that are counted, of ids that were dropped
    junk = [i for i, name in enumerate(names) if empty[i] and name not in ids]
    kept = [i for i in range(len(names)) if i not in set(junk)]
    own = [names[i] for i in kept]
    if sorted(own) == sorted(ids) and len(set(own)) == len(own):
        place = dict(zip(own, kept, strict=True))
        return [place[name] for name in ids]
    if _plain_ids(own) == _plain_ids(ids):
        return kept
    if tells["layout"] == "wide" and len(own) == len(ids):
        numbers = all(name.isdigit() for name in own)
        if numbers and own == sorted(own, key=int):
            id_name = made.truth.of_role("id")[0].name
            counted = tells.get("counted")
            if counted or id_name in data.feature_names or id_name not in ("(row names)",):
                return kept
    return f"samples are {names[:5]} ({len(names)}) and should be {list(ids)[:5]} ({len(ids)})"


def _plain_ids(names: Sequence[str]) -> list[str]:
    """Numbers of a workbook are written as its text has decimals: 101,5."""
    return [name.replace(",", ".").removesuffix(".0") for name in names]


def _meant(cell: Any, name: str, made: Made, how: Mapping[str, Any]) -> Value:
    return meaning(cell, name, made.style, how)


def _label(cell: Any, name: str, made: Made, how: Mapping[str, Any]) -> Value:
    marks = {  # limits and the like are not read in labels, nor numbers missing everywhere
        "missing": [
            mark
            for mark in how.get("missing", ())
            if mark.startswith(f"{name}=") or mark_number(mark, made.style) is None
        ]
    }
    return None if meaning(cell, name, made.style, marks) is None else cell_text(cell, made.style)


def _labels_wrong(
    name: str, values: Any, wanted: Sequence[tuple[int, Value]], how: Mapping[str, Any]
) -> list[str]:
    """Classes or groups; of those that are unified the letters are no matter, but one spelling
    each."""
    if values is None:
        return [f"nothing of {name!r}"]
    got = [str(values[i]) for i, _ in wanted]
    want = [str(label) for _, label in wanted]
    if name in how.get("unify", ()):
        return _spelled_wrong(name, got, want)
    if got == want or [_number(a) for a in got] == [_number(a) for a in want]:
        return []
    return [f"{name!r} is {got[:6]} and should be {want[:6]}"]


def _spelled_wrong(name: str, got: Sequence[Value], want: Sequence[Value]) -> list[str]:
    """Of names that were unified the letters are no matter, but one spelling each."""
    texts, others = [str(a) for a in got], [str(a) for a in want]
    pairs = {(_letters(a), a) for a in texts}
    if len({key for key, _ in pairs}) < len(pairs):
        return [f"{name!r} is not unified: {texts[:6]}"]
    if [*map(_letters, texts)] == [*map(_letters, others)]:
        return []
    return [f"{name!r} is {texts[:6]} and should be {others[:6]}"]


def _letters(text: str) -> str:
    return text.replace("\u200b", "").replace(" ", "").casefold()


def _number(text: str) -> float | str:
    try:
        return float(text.replace("\N{MINUS SIGN}", "-"))
    except ValueError:
        return text


def expected(made: Made, how: Mapping[str, Any]) -> dict[str, list[list[Value]]]:
    """What may stand under which name, a value a sample."""
    truth, style = made.truth, made.style
    found: dict[str, list[list[Value]]] = {}
    if truth.tells.get("long") and how.get("long"):
        return _of_long(made, how)
    groups: dict[str, list[Column]] = {}
    shift = 1 + ("counted" in truth.tells and truth.tells["layout"] == "wide")
    for k, column in enumerate(truth.columns):
        name = column.name
        if truth.tells.get("sheet") and column.role in ("class", "sample"):
            continue  # which stand there
        if not name and truth.tells["layout"] == "wide" and column.role == "other":
            values = [meaning(x, f"column {k + shift}", style, how) for x in column.cells]
            found.setdefault(f"column {k + shift}", []).append(values)
            found.setdefault("", []).append(values)
            continue
        groups.setdefault(name, []).append(column)
    way = how.get("duplicates", "refuse")
    for name, columns in groups.items():
        called = [name if k == 0 else f"{name}.{k + 1}" for k in range(len(columns))]
        vectors = [[meaning(x, name, style, how) for x in c.cells] for c in columns]
        by_own = [
            [meaning(x, new, style, how) for x in c.cells]
            for new, c in zip(called, columns, strict=True)
        ]
        if way == "suffix":
            for new, one, other in zip(called, vectors, by_own, strict=True):
                found.setdefault(new, []).extend([one, other])
            continue
        kept = [
            own
            for own, new in zip(vectors, called, strict=True)
            if new == name or new not in {*how.get("drop", ()), *how.get("categorical", ())}
        ]
        if way == "mean" and all(isinstance(v, float | None) for w in kept for v in w):
            found.setdefault(name, []).append([_mean(list(v)) for v in zip(*kept, strict=True)])
            if not declared(name, how):
                continue
        found.setdefault(name, []).append(vectors[0])
    if counted := truth.tells.get("counted"):
        found.setdefault(counted[0] or "(row names)", []).append(list(counted[1]))
    for name, cells in truth.tells.get("junk", {}).items():
        found.setdefault(name, []).append([_meant(word(x), name, made, how) for x in cells])
    ids = truth.of_role("id")[0]
    if emptied := truth.tells.get("emptied"):
        some = [None if k in emptied else x.text for k, x in enumerate(ids.cells)]
        found[ids.name] = [*found.get(ids.name, []), some]
    for name in [*found] if truth.tells.get("hashed") else ():
        found |= {f"#{name}": found[name], f"# {name}": found[name]}
    return found


def declared(name: str, how: Mapping[str, Any]) -> bool:
    """Whether one of the features of a name is to be categories, which have no mean."""
    return any(c.startswith(f"{name}.") for c in how.get("categorical", ()))


def _mean(values: list[Any]) -> float | None:
    known = [v for v in values if v is not None]
    return sum(known) / len(known) if known else None


def _of_long(made: Made, how: Mapping[str, Any]) -> dict[str, list[list[Value]]]:
    again = made.truth.tells.get("again")
    found: dict[str, list[list[Value]]] = {}
    for column in made.truth.columns:
        if column.role != "feature":
            continue
        start = f"{made.truth.tells['long'][2]}="
        marks = tuple(m.replace(start, f"{column.name}=", 1) if m.startswith(start) else m
                      for m in how.get("missing", ()))  # fmt: skip
        own = {**how, "missing": marks}
        values = [
            None if x.kind == "missing" else meaning(x, column.name, made.style, own)
            for x in column.cells
        ]
        if again and column.name == again[1]:
            k = made.truth.ids.index(again[0])
            if how.get("duplicates") == "mean":
                values[k] = _mean([values[k], again[2]])
        found[column.name] = [values]
    return found


def required(made: Made, how: Mapping[str, Any]) -> list[str]:
    """Features that have to be there."""
    truth = made.truth
    of = [c.name for c in truth.of_role("feature")]
    if truth.tells.get("long") and how.get("long"):
        columns = {c.name: c for c in truth.of_role("feature")}
        return [n for n in of if any(x.kind != "missing" for x in columns[n].cells)]
    if how.get("duplicates") == "suffix":
        seen: dict[str, int] = {}
        out = []
        for name in of:
            seen[name] = seen.get(name, 0) + 1
            out.append(name if seen[name] == 1 else f"{name}.{seen[name]}")
        return out
    return list(dict.fromkeys(of))


def _text(value: Value) -> str:
    return f"{value:.0f}" if isinstance(value, float) else str(value)


def _dropped(name: str, how: Mapping[str, Any]) -> bool:
    drop = how.get("drop", ())
    stacked = "<ranks>" in drop and ("|" in name or "__" in name)
    again = name.rpartition(".")[0] in drop and how.get("duplicates") == "suffix"
    return stacked or again or any(name == d or fnmatch.fnmatch(name, d) for d in drop)


def _same(got: list[Value], want: list[Value]) -> bool:
    return all(_same_value(a, b) for a, b in zip(got, want, strict=True))


def _same_value(got: Value, want: Value) -> bool:
    if got is None or want is None:
        return got is want
    if isinstance(got, str) and isinstance(want, str):
        return got == want or _number(got) == _number(want)
    a, b = (PLAIN.get(v.lower(), _number(v)) if isinstance(v, str) else v for v in (got, want))
    if isinstance(a, str) or isinstance(b, str):
        return False
    return a == b or abs(a - b) <= 1e-12 * abs(b)
