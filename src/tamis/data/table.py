"""`read_table`: any supported file to a `Dataset`, or one line that says why not."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .._core.errors import DataError, listing, nearest
from . import checks, memory
from .dataset import Dataset, check_unique
from .raw import ROW_NAMES, Raw, Text, Wanted, number, plain_integers, sort_levels

EMPTY = "<empty>"
FORMATS = "CSV, TSV or other delimited text, these with .gz, Parquet, ARFF and .h5ad"
Names = str | Sequence[str]


def read_table(
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    positive: object = None,
    samples: str | os.PathLike[str] | None = None,
    id: str | None = None,
    group: str | None = None,
    split: str | None = None,
    covariates: Names = (),
    categorical: Names = (),
    drop: Names = (),
    transpose: bool = False,
    separator: str | None = None,
    target_optional: bool = False,
) -> Dataset:
    """Read a table of samples and features.

    Formats, told by content: delimited text (comma, tab, semicolon, bar or blanks; plain or
    gzip), ARFF (dense and sparse), Parquet, and ``.h5ad`` with the extra ``h5ad``. Missing
    values are empty, ``NA NaN nan null NULL ? N/A`` or a lone point. A column is numeric if
    all its values are numbers, categorical if all are text; whole numbers stay numeric
    unless declared. ``TRUE``/``FALSE`` become 1/0.

    Parameters
    ----------
    path : path
        The table, with a header line; samples in rows unless `transpose`.
    target : str, optional
        The class column, in the table or the sample sheet. Labels are kept as text.
    positive : str or int, optional
        The positive of two classes; by default the last in sorted order.
    samples : path, optional
        A sample sheet, joined by sample id. Its columns are no features: only `target`,
        `group`, `split` and `covariates` are looked up there (and go before the table's).
    id : str, optional
        The column with sample ids. By default the first column, if it has no name, or is
        text and all different.
    group, split : str, optional
        Columns with groups that are never split, and with predefined folds.
    covariates : str or sequence of str
        Columns kept in every model; those of the sheet are added to X at the end.
    categorical : str or sequence of str
        Columns to read as categories whatever they hold. A numeric target named here is
        taken as classes even if it looks like a measurement.
    drop : str or sequence of str
        Columns to leave out; shell patterns (``AFFX*``) are allowed, and ``<empty>`` stands
        for the columns without any value.
    transpose : bool
        Features in rows: their names in the first column, the sample ids in the header.
        Rows named by `target`, `group` and so on are used as such.
    separator : str, optional
        The delimiter, if the guess is wrong: a character, ``tab`` or ``whitespace``.
    target_optional : bool
        Accept a table without the `target` (``y`` is then None).

    Returns
    -------
    Dataset
        `X` (n_samples, n_features); `notes` says what was decided and found.

    Raises
    ------
    DataError
        One line with the column, row and value at fault and the way out. Refused are tables
        larger than the free memory, duplicate names, infinite values, columns without
        values, free text, missing class labels, fewer than two classes, and numeric targets
        of more than 20 different values (regression).

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "table.csv"
    >>> _ = file.write_text("id,class,g1,g2\\ns1,ill,1.5,2\\ns2,well,,3\\n")
    >>> data = read_table(file, target="class", positive="ill")
    >>> data
    Dataset('table': 2 x 2; well 1, ill 1)
    >>> data.X
    array([[1.5, 2. ],
           [nan, 3. ]])
    """
    path = _existing(path)
    covariates, categorical, drop = _names(covariates), _names(categorical), _names(drop)
    _refuse_double_roles(target, id, group, split, covariates, drop)
    roles = {c for c in (target, id, group, split) if c is not None}
    wanted = Wanted(
        frozenset(roles), frozenset(categorical) - roles,
        tuple(d for d in drop if d != EMPTY), covariates,
    )  # fmt: skip
    try:
        raw = _read(path, wanted, transpose, separator)
        sheet = dict(raw.sheet)
        sheet_id = None
        if samples is not None:
            own = _read(_existing(samples), Wanted(all_text=True), False, None)
            _refuse_unknown(categorical, {*raw.header, *own.header}, "categorical", path)
            ids, id_notes = _ids(raw, id, path, required=True)
            sheet_id, joined, note = _join(own, ids, id, Path(samples).name, path.name)
            sheet.update(joined)
            raw.notes += [*id_notes, *note]
        else:
            _refuse_unknown(categorical, {*raw.header, *sheet}, "categorical", path)
            ids, id_notes = _ids(raw, id, path)
            raw.notes += id_notes
        sheet.pop(str(sheet_id), None)
        data = _assemble(
            raw, sheet, ids, path, target, group, split, covariates, categorical,
            EMPTY in drop, target_optional,
        )  # fmt: skip
    except MemoryError:
        raise memory.too_large(path.name, "ran out of memory while being read") from None
    except OSError as error:
        raise DataError(f"cannot read {str(path)!r}: {error.strerror or error}") from error
    if positive is None or data.y is None:
        return data
    if len(data.classes) > 2:
        raise DataError(f"positive={positive!r} is for two classes; there are {len(data.classes)}")
    return data.with_positive(str(positive))


def _names(value: Names) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(map(str, value))


def _existing(path: str | os.PathLike[str]) -> Path:
    path = Path(path)
    if path.is_dir():
        raise DataError(f"{str(path)!r} is a folder; give a file: {FORMATS}")
    if not path.exists():
        beside = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
        hint = nearest(path.name, beside) if beside else f"the folder {str(path.parent)!r} neither"
        raise DataError(f"there is no file {str(path)!r}; {hint}")
    if path.is_file() and path.stat().st_size == 0:
        raise DataError(f"{path.name!r} is empty; a header line and rows are needed")
    return path


def _refuse_double_roles(target, id, group, split, covariates, drop) -> None:
    roles = [("target", target), ("id", id), ("group", group), ("split", split)]
    roles += [("covariates", c) for c in covariates] + [("drop", d) for d in drop]
    seen: dict[str, str] = {}
    for role, column in roles:
        if column is not None and seen.setdefault(column, role) != role:
            raise DataError(
                f"column {column!r} is named both as {seen[column]} and as {role}; choose one"
            )


def _refuse_unknown(names: Sequence[str], header: set[str], role: str, path: Path) -> None:
    for name in names:
        if name not in header:
            raise DataError(
                f"{role} names the column {name!r}, which {path.name!r} does not have: "
                f"{nearest(name, sorted(header))}"
            )


def _read(path: Path, wanted: Wanted, transpose: bool, separator: str | None) -> Raw:
    """Choose the reader by the first bytes."""
    with path.open("rb") as file:
        head = file.read(4096)
    zipped = head.startswith(b"\x1f\x8b")
    if zipped:
        from .lines import Lines

        with Lines(path, True, skip_bom=False) as lines:
            lines.fill()
            head = lines.rest[:4096]
        if not head:
            raise DataError(f"{path.name!r} is empty; a header line and rows are needed")
    kind = _kind(head)
    if kind is not None and kind.startswith("."):
        raise DataError(f"{path.name!r} is {kind[1:]}; allowed are {FORMATS}")
    if kind in ("parquet", "h5ad") and zipped:
        raise DataError(f"{path.name!r} is a gzipped {kind} file; unpack it first")
    if kind == "parquet":
        from .parquet import flip, read_parquet

        return flip(path, wanted) if transpose else read_parquet(path, wanted)
    if transpose and kind is not None:
        raise DataError(f"transpose=True is for delimited text and Parquet, not {kind}")
    if kind == "h5ad":
        from .h5ad import read_h5ad

        return read_h5ad(path, wanted)
    if kind == "arff":
        from .arff import read_arff

        return read_arff(path, wanted, zipped)
    from .delimited import read_delimited

    return read_delimited(path, wanted, separator, transpose, zipped)


def _kind(head: bytes) -> str | None:
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(b"\x89HDF\r\n"):
        return "h5ad"
    if head.startswith(b"PK\x03\x04"):
        return ".a zip archive or a spreadsheet"
    if head.startswith((b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf")):
        return ".compressed in a way that is not read here"
    if head.startswith((b"RDX", b"X\n\0", b"%PDF", b"ARROW1", b"\x93NUMPY", b"\xd0\xcf\x11\xe0")):
        return ".of an unknown format"
    if head[:64].count(b"\0") > 8 and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ".of an unknown format"
    text = re.sub(rb"(?m)^\s*(%.*)?\r?\n", b"", head.removeprefix(b"\xef\xbb\xbf"))
    if re.match(rb"\s*@(relation|attribute)\b", text, re.IGNORECASE):
        return "arff"
    return None


def _ids(
    raw: Raw, id: str | None, path: Path, required: bool = False
) -> tuple[tuple[str, ...], list[str]]:
    """Sample names, and what was decided about them; a text column that is none is returned
    to the features."""
    n = len(raw.X)
    if id is not None and id in raw.text:
        column, name = raw.text.pop(id), id
        note = []
    elif raw.index is not None:
        column, name = raw.text.pop(raw.index), raw.index
        note = [] if name == ROW_NAMES else [f"sample ids: column {name!r}"]
    elif raw.maybe_index is not None and _all_different(raw.text[raw.maybe_index]):
        name = raw.maybe_index
        column = raw.text.pop(name)
        note = [f"sample ids: column {name!r} (the first, text, all different)"]
    elif required:
        raise DataError(
            f"{path.name!r} has no column of sample ids to join the sample sheet by; name it "
            "with id="
        )
    else:
        return tuple(str(i + 1) for i in range(n)), _return_first(raw, id, path)
    if raw.maybe_index is not None and raw.maybe_index != name:
        note += _return_first(raw, None, path)
    labels = plain_integers(column).labels
    gaps = [str(i + 1) for i, v in enumerate(labels) if v is None]
    if gaps:
        raise DataError(f"id column {name!r} is empty in row(s) {listing(gaps)}; fill it in")
    ids = [str(v) for v in labels]
    check_unique(ids, f"sample ids in column {name!r}")
    return tuple(ids), note


def _return_first(raw: Raw, id: str | None, path: Path) -> list[str]:
    """The first column is text but no id: put it among the features."""
    if id is not None and id not in raw.sheet:
        raise DataError(
            f"id names the column {id!r}, which {path.name!r} does not have: "
            f"{nearest(id, raw.header)}"
        )
    if raw.maybe_index is not None:
        raw.columns.insert(0, raw.maybe_index)
        raw.X = np.column_stack([np.full(len(raw.X), np.nan), raw.X])
    elif raw.columns and re.fullmatch(r"(?i)(sample|patient|subject)?[ _.]?id", raw.columns[0]):
        first = raw.X[:, 0]
        if len(first) > 2 and len(np.unique(first)) == len(first) and (first % 1 == 0).all():
            return [
                f"column {raw.columns[0]!r} holds different whole numbers and is used as a "
                f"feature; if it names the samples, say id={raw.columns[0]!r}"
            ]
    return []


def _all_different(column: Text) -> bool:
    codes = column.codes
    return bool((codes >= 0).all()) and len(np.unique(codes)) == len(codes)


def _join(
    own: Raw, ids: tuple[str, ...], id: str | None, sheet: str, table: str
) -> tuple[str, dict[str, Text], list[str]]:
    """The sheet's columns with their rows in the order of `ids`."""
    known = set(ids)
    if id is not None and id in own.text:
        name = id
    else:
        hits = {c: len(known.intersection(filter(None, t.labels))) for c, t in own.text.items()}
        name = max(hits, key=lambda c: hits[c])
    labels = plain_integers(own.text[name]).labels
    if None in labels:
        raise DataError(
            f"sample sheet {sheet!r}: id column {name!r} is empty in row "
            f"{labels.index(None) + 1:,}; fill it in"
        )
    names = [str(v) for v in labels]
    check_unique(names, f"sample ids in column {name!r} of {sheet!r}")
    place = {v: k for k, v in enumerate(names)}
    lost = [v for v in ids if v not in place]
    if lost:
        raise DataError(
            f"{len(lost):,} of {len(ids):,} samples of {table!r} have no row in the sample sheet "
            f"{sheet!r} (column {name!r}): {listing(lost)}; add them, remove them from the "
            "table, or name the id column with id="
        )
    notes = [f"sample sheet joined by its column {name!r}"]
    extra = [v for v in names if v not in known]
    if extra:
        notes.append(f"{len(extra):,} rows of the sample sheet have no data: {listing(extra)}")
    rows = np.array([place[v] for v in ids])
    return name, {c: t.take(rows) for c, t in own.text.items()}, notes


def _assemble(
    raw: Raw, sheet: dict[str, Text], ids: tuple[str, ...], path: Path, target: str | None,
    group: str | None, split: str | None, covariates: tuple[str, ...],
    categorical: tuple[str, ...], drop_empty: bool, target_optional: bool,
) -> Dataset:  # fmt: skip
    """Classes, groups, covariates and levels around the matrix; then the checks."""
    notes = list(raw.notes)

    def role(column: str | None, what: str, optional: bool = False) -> Text | None:
        if column is None:
            return None
        if column in sheet:
            if column in raw.text and column not in raw.columns:
                notes.append(f"{column!r} is in the table and in the sample sheet: the sheet's")
            return plain_integers(sheet[column])
        if column in raw.text:
            found = raw.text[column]
            return found if column in raw.typed else plain_integers(found)
        if optional:
            return None
        valid = [*sheet, *raw.header]
        raise DataError(f"there is no {what} column {column!r}: {nearest(column, valid)}")

    labels = role(target, "target", target_optional)
    classes: tuple[str, ...] = ()
    if labels is not None and target is not None:
        checks.refuse_gaps(labels, target, "class label", ids)
        if target not in categorical and not (target in raw.typed and target not in sheet):
            checks.refuse_regression(labels, target)
        classes = tuple(labels.distinct())
        if not target_optional:
            checks.refuse_one_class(classes, target)
    found = {}
    for column, what in ((group, "group"), (split, "split")):
        values = role(column, what)
        if values is not None:
            checks.refuse_gaps(values, str(column), what, ids)
            found[what] = np.array(values.labels, dtype=str)

    X, columns = raw.X, raw.columns
    place = {c: k for k, c in enumerate(columns)}
    features = {c: t for c, t in raw.text.items() if c in place}
    for covariate in covariates:
        if covariate in sheet:
            features[covariate] = sheet[covariate]
        elif covariate not in raw.header:
            valid = [*sheet, *raw.header]
            raise DataError(
                f"covariates names the column {covariate!r}, which neither table nor sample "
                f"sheet has: {nearest(covariate, valid)}"
            )
    levels: dict[str, tuple[str, ...]] = {}
    for column, text in features.items():
        declared = column in categorical or column in raw.levels
        names = raw.levels.get(column)
        _code(X, place[column], text, column, names, declared, levels)
    guessed = [c for c in levels if c not in categorical and c not in raw.levels]
    if guessed:
        notes.append(f"{len(guessed):,} text columns are categorical: {listing(guessed)}")

    if not columns:
        raise DataError(f"{path.name!r} has no feature columns left")
    summary = checks.summarize(X)
    checks.refuse_infinite(X, summary, columns, ids)
    if drop_empty and np.isnan(summary.low).any():
        keep = ~np.isnan(summary.low)
        notes.append(f"{int((~keep).sum()):,} columns without any value are left out")
        X, columns = X[:, keep], [c for c, k in zip(columns, keep, strict=True) if k]
        summary = checks.Summary(summary.low[keep], summary.high[keep], summary.missing[keep])
    checks.refuse_empty(summary, columns)
    notes += checks.notes_on(X, summary)
    place = {c: k for k, c in enumerate(columns)}
    return Dataset(
        X=X,
        y=None if labels is None else np.array(labels.labels, dtype=str),
        feature_names=tuple(columns),
        sample_names=ids,
        classes=classes,
        levels={place[c]: v for c, v in sorted(levels.items()) if c in place},
        groups=found.get("group"),
        split=found.get("split"),
        covariates=tuple(place[c] for c in covariates if c in place),
        target=target or "class",
        name=re.sub(r"(\.(csv|tsv|tab|txt|arff))?(\.gz)?$|\.[^.]+$", "", path.name, count=1),
        notes=tuple(dict.fromkeys(notes)),
    )


def _code(
    X: np.ndarray, at: int, text: Text, name: str, given: tuple[str, ...] | None,
    declared: bool, levels: dict[str, tuple[str, ...]],
) -> None:  # fmt: skip
    """Put a text column into X: numbers and truth values as such, else codes of levels."""
    used = np.unique(text.codes[text.codes >= 0])
    values = [text.values[c] for c in used]
    table = np.full(len(text.values) + 1, np.nan)
    if not declared and values:
        truth = {"true": 1.0, "false": 0.0}
        numbers = [number(v) for v in values]
        if all(v.lower() in truth for v in values):
            table[used] = [truth[v.lower()] for v in values]
            X[:, at] = table[text.codes]
            return
        if all(v is not None for v in numbers) and given is None:
            table[used] = np.array(numbers, dtype=float)
            X[:, at] = table[text.codes]
            return
        checks.refuse_free_text(sort_levels(values), len(text.codes), name)
    if declared and given is None:
        text = plain_integers(text)
        used = np.unique(text.codes[text.codes >= 0])
        table = np.full(len(text.values) + 1, np.nan)
    names = tuple(sort_levels(text.values[c] for c in used)) if given is None else given
    index = {v: float(k) for k, v in enumerate(names)}
    table[used] = [index[text.values[c]] for c in used]
    X[:, at] = table[text.codes]
    if names:
        levels[name] = names


