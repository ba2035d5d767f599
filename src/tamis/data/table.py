"""`read_table`: any supported file to a `Dataset`, or one line that says why not."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from .._core.errors import DataError, shorten_text
from . import memory
from .assemble import assemble_dataset
from .checks import refuse_double_roles, refuse_unknown, refuse_unknown_spelled
from .dataset import Dataset
from .faults import FaultList
from .formats.kinds import READABLE_FORMATS, file_kind
from .joined import (
    block_name,
    check_block_names,
    join_blocks,
    layer_within,
    named_within,
    of_panel,
    read_block,
)
from .labels import Symbols
from .long import of_features, pivoted, refuse_long
from .missing_marks import MissingMarks, split_mark
from .panel import Panel, keep_panel
from .paths import existing_path, read_beside, same_file
from .raw import Modalities, Raw, Wanted
from .reading import EMPTY_COLUMNS, Names, Reading, name_list, of_sheet
from .repeated_names import resolve_duplicate_names, role_twice
from .samples import join_sheet, sample_ids
from .sheet_numbers import with_declared_text


def read_table(
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    positive: object = None,
    samples: str | os.PathLike[str] | None = None,
    id: str | None = None,
    group: str | None = None,
    split: str | None = None,
    batch: str | None = None,
    covariates: Names = (),
    categorical: Names = (),
    drop: Names = (),
    transpose: bool = False,
    separator: str | None = None,
    target_optional: bool = False,
    only: Iterable[str] | None = None,
    keep: str | os.PathLike[str] | None = None,
    annotate: str | os.PathLike[str] | None = None,
    blocks: Mapping[str, str | os.PathLike[str]] | None = None,
    incomplete: str = "refuse",
    encoding: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    missing: Names = (),
    limits: str | None = None,
    units: str | None = None,
    duplicates: str = "refuse",
    long: Names = (),
    unify: Names = (),
    allow: Names = (),
    drop_unlabelled: bool = False,
    regression: bool = False,
    log_target: bool = False,
    sheet: str | int | None = None,
    samples_sheet: str | int | None = None,
    layer: str | None = None,
) -> Dataset:
    """Read a table of samples and features.

    Formats, known by content: delimited text of any delimiter, encoding and decimal mark, plain or
    gzip; spreadsheets; Parquet; ARFF; ``.h5ad``, and ``.h5mu`` as blocks; and what GEO (series
    matrix), GCT, featureCounts, PLINK (``.raw``) and, in a folder, salmon, kallisto, RSEM, STAR and
    HTSeq write. Missing values are empty, ``NA NaN nan null NULL ? N/A`` or a lone point. A column
    is numeric if all its values are numbers, categorical if all are text; whole numbers stay
    numeric unless declared. ``TRUE``/``FALSE`` become 1/0.

    Parameters
    ----------
    path : path
        The table, with a header line; samples in rows unless `transpose`.
    target : str, optional
        The class column, in the table or the sample sheet; labels are kept as text. With
        `regression` or `log_target` a column of numbers.
    positive : str or int, optional
        The positive of two classes; by default the last in sorted order, and then
        `positive_named` is False.
    samples : path, optional
        A sample sheet, joined by sample id. Its columns are no features: only `target`,
        `group`, `split`, `batch` and `covariates` are looked up there (and go before the table's).
    id : str, optional
        The column with sample ids. By default the first column, if it has no name, or is
        text and all different.
    group, split : str, optional
        Columns with groups that are never split, and with predefined folds.
    batch : str, optional
        A column that says what was measured together (array run, plate, study). Labels of
        permuted runs are exchanged inside it, and steps may centre by it.
    covariates : str or sequence of str
        Columns kept in every model; those of the sheet are added to X at the end.
    categorical : str or sequence of str
        Columns to read as categories whatever they hold. A numeric target named here is
        taken as classes even if it looks like a measurement.
    drop : str or sequence of str
        Columns to leave out; shell patterns (``AFFX*``) are allowed, ``<ranks>`` stands for all but
        the deepest rank of a taxonomy, or parts beside their totals, and ``<empty>`` stands
        for the columns without any value.
    transpose : bool
        Features in rows: their names in the first column, the sample ids in the header.
        Rows named by `target`, `group` and so on are used as such.
    separator : str, optional
        The delimiter, if the guess is wrong: a character, ``tab`` or ``whitespace``.
    target_optional : bool
        Accept a table without the `target` (``y`` is then None).
    only : iterable of str, optional
        Columns a saved model needs: others are left out unread (but for the first, which
        may hold ids), and those without any value, or absent, are not refused here.
    keep : path, optional
        A panel: a file with one feature name a line (lines that begin with # are skipped), or a
        table whose first column has them. Other features are left out while reading, and the
        panel counts as all there are. Columns with another role and covariates are no matter.
    annotate : path, optional
        A table of the features' ids and symbols, for display alone: `Dataset.labels`. Two columns,
        known by headings such as gene_id and symbol, else the first two.
    blocks : mapping of name to path, optional
        Further tables of the same samples, joined by sample id (in their first column, or in
        their header). A column of one is called ``name:column``, also in `categorical` and
        `drop`. A block of the path of the table itself names the table's own features; a
        table that is the sample sheet too (`samples`) has none but the covariates.
    incomplete : {"refuse", "drop"}
        What happens where a sample is not in every block.
    encoding : str, optional
        Of text that is neither UTF-8 nor UTF-16, nor without doubt Windows-1252.
    decimal : {".", ","}, optional
        What stands before decimals; by default a comma where numbers have one and none a point.
    thousands : str, optional
        The character that stands between thousands.
    missing : str or sequence of str
        Further marks of missing values, for all columns (``-9``) or for one (``age=99``).
    limits : {"value", "half", "missing"}, optional
        What ``<0.5`` among numbers is: the limit, half of it, or missing.
    units : {"remove"}, optional
        Read ``5 mg`` as 5, in columns of one unit.
    duplicates : {"refuse", "first", "mean", "suffix"}
        Which of several features of one name to take.
    long : sequence of three str
        The columns of samples, of features and of values of a table that has a row for each
        measurement. Columns that are the same in all rows of a sample are attributes of it, like
        those of a sample sheet. Several values of one sample and feature: see `duplicates`.
    unify : str or sequence of str
        Columns of classes, groups, folds or batches in which different spellings of one name
        (``pt07``, ``PT 7``) are written as the commonest of them; the column of ids, whose samples
        are then joined to a sample sheet by spelling.
    allow : str or sequence of str
        Columns in which names that differ in spelling alone are different; refused without.
    drop_unlabelled : bool
        Leave out samples without a class label, or without a value of the target.
    regression : bool
        The target is a number: `Dataset.numbers` in place of `y`.
    log_target : bool
        The same, of which the natural logarithm is learnt and predicted.
    sheet, samples_sheet : str or int, optional
        Sheet of a spreadsheet, of the table and of `samples`, by its name or its number from 1;
        else the first of rows and columns.
    layer : str, optional
        The layer of an ``.h5ad`` that is read instead of X; ``raw`` is its ``raw/X``. With
        blocks it is that of all of them, and ``block:layer`` that of one.

    Returns
    -------
    Dataset
        `X` (n_samples, n_features); `notes` says what was decided and found, and asks for
        `group` where rows look like those of one patient.

    Raises
    ------
    DataError
        A line with the column, row and value at fault and the way out; of several faults one line
        each, the commonest first (`Faults`). Refused are tables
        larger than the free memory, duplicate names, infinite values, columns without
        values, free text, missing class labels, fewer than two classes, and numeric targets
        of more than 20 different values without `regression`.

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
    how = Reading(
        target,
        positive,
        samples,
        id,
        group,
        split,
        batch,
        name_list(covariates),
        name_list(categorical),
        name_list(drop),
        transpose,
        separator,
        target_optional,
        None if only is None else frozenset(only),
        None if keep is None else read_beside(keep, Panel.read),
        None if annotate is None else read_beside(annotate, Symbols.read),
        encoding=encoding,
        decimal=decimal,
        thousands=thousands,
        missing=name_list(missing),
        limits=limits,
        units=units,
        duplicates=duplicates,
        long=name_list(long),
        unify=name_list(unify),
        allow=name_list(allow),
        drop_unlabelled=drop_unlabelled,
        regression=regression,
        log_target=log_target,
        sheet=None if sheet is None else str(sheet),
        samples_sheet=None if samples_sheet is None else str(samples_sheet),
        layer=layer,
    )
    try:
        return _read_joined(path, blocks, incomplete, how) if blocks else _read_one(path, how)
    except Modalities as found:
        if found.path != Path(path):  # a sample sheet, which has to be one table
            raise
        return _read_modalities(found, blocks or {}, incomplete, how)


def _read_joined(
    path: str | os.PathLike[str],
    blocks: Mapping[str, str | os.PathLike[str]],
    incomplete: str,
    how: Reading,
) -> Dataset:
    """A table and the blocks beside it."""
    check_block_names(blocks, incomplete)
    own = next((name for name, at in blocks.items() if same_file(at, path)), "")
    others = {name: at for name, at in blocks.items() if name != own}
    data = _read_one(path, _of_first_table(how, path, own, others))
    tables = {
        name: read_block(_read_one, name, at, data.sample_names, _of_block(how, name, blocks))
        for name, at in others.items()
    }
    if how.keep is not None:
        data, tables = of_panel(data, tables, how.keep)
    joined = join_blocks(
        data, tables, own if len(data.ranked) else "", incomplete, how.only is None
    )
    if how.annotate is not None and not joined.labels:
        raise how.annotate.refusal(joined.feature_names)
    return joined


def _read_modalities(
    found: Modalities,
    others: Mapping[str, str | os.PathLike[str]],
    incomplete: str,
    how: Reading,
) -> Dataset:
    """An .h5mu: its modalities are blocks, beside others, and its `obs` is the sample sheet."""
    path, sheet = found.path, found.sheet.sheet or {}
    if again := [name for name in found.names if name in others]:
        raise DataError(f"two blocks are named {again[0]!r}: choose another name")
    blocks = {**dict.fromkeys(found.names, path), **others}
    check_block_names(blocks, incomplete)
    if how.samples is not None and same_file(how.samples, path):
        how = replace(how, samples=None)
    obs_categorical = tuple(c for c in how.categorical if c in sheet)
    how = replace(how, categorical=tuple(c for c in how.categorical if c not in sheet))
    first = _of_first_table(how, path, "", blocks)
    if lost := [c for c in first.drop if c != EMPTY_COLUMNS]:
        raise DataError(
            f"drop names the column {lost[0]!r}, which is of no modality: name it with one, as in "
            f"drop=[{block_name(found.names[0], lost[0])!r}]"
        )
    of_obs = [mark for mark in how.missing if split_mark(mark, sheet)[0] in sheet]
    missing = tuple(dict.fromkeys([*first.missing, *of_obs]))
    first = replace(first, categorical=(*obs_categorical, *first.categorical), missing=missing)
    how = replace(how, missing=tuple(mark for mark in how.missing if mark not in of_obs))
    data, tables, size = _read_one(path, first, found.sheet), dict[str, Dataset](), 0
    for name, at in blocks.items():
        of_block = _of_block(how, name, blocks)
        if name in found.names:
            of_block = replace(of_block, modality=name)
        tables[name] = read_block(_read_one, name, at, data.sample_names, of_block)
        if name in found.names:
            size += tables[name].matrix.nbytes
            memory.check_expansion(size, path, "all modalities made dense")
    return join_blocks(data, tables, "", incomplete, how.only is None)


def _of_block(how: Reading, block: str, blocks: Iterable[str]) -> Reading:
    """How a block is read: what is said of another is no matter."""
    return replace(how, layer=layer_within(block, how.layer, blocks))


def _of_first_table(
    how: Reading, path: str | os.PathLike[str], own: str, others: Iterable[str]
) -> Reading:
    """How the first table is read: names of columns of other blocks are no matter there."""

    def names_of_first(names: Iterable[str]) -> tuple[str, ...]:
        named = (own, *others) if own else others
        of_blocks = {block_name(b, c) for b in named for c in named_within(b, names)}
        kept = [name for name in names if name not in of_blocks]
        return (*(named_within(own, names) if own else ()), *kept)

    sheet = how.samples is not None and same_file(how.samples, path)
    only = frozenset(how.covariates) if sheet and how.only is None else how.only
    return replace(
        how,
        samples=None if sheet else how.samples,
        categorical=names_of_first(how.categorical),
        drop=names_of_first(how.drop),
        missing=names_of_first(how.missing),
        unify=tuple(one for one in names_of_first(how.unify) if one not in {own, *others}),
        allow=names_of_first(how.allow),
        only=None if only is None else frozenset(names_of_first(only)),
        transpose=how.transpose and not sheet,
        part=True,
        layer=layer_within(own, how.layer, (own, *others)),
        keep=None if how.keep is None or sheet else how.keep.only(names_of_first(how.keep.names)),
    )


def _read_one(path: str | os.PathLike[str], how: Reading, raw: Raw | None = None) -> Dataset:
    """One table, which may have been read already; see `read_table`."""
    path = existing_path(path, or_folder=True)
    return dataset_of(path, how, lambda wanted, how: raw or _read_raw(path, wanted, how))


def dataset_of(path: Path, how: Reading, read: Callable[[Wanted, Reading], Raw]) -> Dataset:
    """What any reader gives of a table, decided and checked; `path` names it in messages."""
    of_several = [(role, c) for role in ("covariates", "drop") for c in getattr(how, role)]
    refuse_double_roles([*how.roles, *of_several])
    roles = {column for _, column in how.roles}
    long_wanted = Wanted(frozenset({*roles, *how.long[:2]}))
    wanted = Wanted(
        frozenset(roles),
        frozenset(how.categorical) - roles,
        tuple(d for d in how.drop if d != EMPTY_COLUMNS),
        how.covariates,
        only=how.only,
        layer=how.layer,
        modality=how.modality,
        keep=None if how.keep is None else frozenset(how.keep.names),
    )
    try:
        raw = with_declared_text(read(long_wanted if how.long else wanted, how), how)
        headers = [raw.header, tuple(raw.text), tuple(raw.sheet or ())]
        if how.long:
            raw = of_features(pivoted(raw, how.long, how.duplicates, path.name), wanted, path.name)
        elif how.only is None and not how.part:
            refuse_long(raw, how.id, path.name)
        id_column = how.id or raw.index or raw.maybe_index
        if how.first_ids and id_column is None and raw.columns:  # the first holds numbers: ids too
            return dataset_of(path, replace(how, id=raw.columns[0]), read)
        faults = FaultList(raw.faults)
        headers += [raw.columns, tuple(raw.text)]  # of a long table its features too
        sheet_id, given = None, () if how.id is None else (how.id,)
        marks = MissingMarks(how.missing, [*raw.header, *(raw.sheet or {})], raw.comma)
        sheet = marks.struck(raw.sheet or {}, roles)
        if how.samples is not None:
            if same_file(how.samples, path) and how.samples_sheet is None:
                raise DataError(
                    f"{path.name!r} is the table and the sample sheet: if it is a workbook, name "
                    "the sheet of the samples with samples_sheet="
                )
            own = _read_raw(existing_path(how.samples), Wanted(all_text=True), of_sheet(how))
            name = Path(how.samples).name
            faults.found += own.faults + role_twice(own, name, {*roles, *how.covariates})
            headers += [own.header, tuple(own.text)]
            if how.only is None:
                known = raw.header, sheet, own.header
                refuse_unknown(how.categorical, "categorical", path, *known)
                refuse_unknown(marks.within, "missing", path, *known)
            refuse_unknown(given, "id", path, raw.header, own.header)
            ids, id_notes = sample_ids(raw, how.id, path, True, how.only or frozenset())
            sheet_id, joined, note = join_sheet(
                own, raw, ids, how.id, id_column, name, path.name, how.unify
            )
            theirs = MissingMarks(how.missing, own.header, own.comma)
            sheet.update(theirs.struck(joined, {*roles, sheet_id}))
            raw.typed = raw.typed - set(joined)
            raw.notes += [*id_notes, *note, *(f"sample sheet: {one}" for one in own.notes)]
        else:
            if how.only is None:
                refuse_unknown(how.categorical, "categorical", path, raw.header, sheet)
                refuse_unknown(marks.within, "missing", path, raw.header, sheet)
            refuse_unknown(given, "id", path, raw.header)
            ids, id_notes = _own_ids(raw, how, path, faults)
            raw.notes += id_notes
        refuse_unknown_spelled(how.unify, how.allow, how.part, path, *headers)
        sheet.pop(str(sheet_id), None)
        marks.strike(raw.X, raw.columns)
        raw.text |= marks.struck(raw.text, roles)  # but for ids, which are taken by now
        with faults.collecting():
            resolve_duplicate_names(raw, how.duplicates, path.name, roles)
        if how.keep is not None:
            keep_panel(raw, how.keep, wanted, path.name, how.part)
        if how.annotate is not None:
            how.annotate.add_to(raw, how.part)
        data = assemble_dataset(raw, sheet, ids, path, how, faults)
    except MemoryError:
        raise memory.too_large(path.name, "ran out of memory while being read") from None
    except OSError as error:
        raise DataError(f"cannot read {shorten_text(path)!r}: {error.strerror or error}") from error
    memory.release_memory()
    if how.positive is None or data.y is None:
        return data
    if len(data.classes) > 2:
        raise DataError(
            f"positive={how.positive!r} is for two classes; there are {len(data.classes)}"
        )
    return data.with_positive(str(how.positive))


def _own_ids(
    raw: Raw, how: Reading, path: Path, faults: FaultList
) -> tuple[tuple[str, ...], list[str]]:
    """The sample ids; numbers of the rows, where those are at fault."""
    with faults.collecting():
        return sample_ids(raw, how.id, path, how.part, how.only or frozenset())
    return tuple(map(raw.row, range(len(raw.X)))), []


def _read_raw(path: Path, wanted: Wanted, how: Reading) -> Raw:
    """Choose the reader by the first bytes."""
    from .delimited import read_delimited

    if path.is_dir():
        from .formats.counts import read_count_folder

        for given, what in ((how.layer, "layer="), (how.transpose, "transpose=True")):
            if given:
                raise DataError(f"{what} is for a file, and {shorten_text(path)!r} is a folder")
        found = read_count_folder(path, wanted)
        if found is None:
            raise DataError(f"{shorten_text(path)!r} is a folder; give a file: {READABLE_FORMATS}")
        return found
    with path.open("rb") as file:
        head = file.read(4096)
    zipped = head.startswith(b"\x1f\x8b")
    if zipped:
        from .lines import Lines

        with Lines(path, True, skip_bom=False) as lines:
            head = lines.head(4096)
        if not head:
            raise DataError(f"{path.name!r} is empty; a header line and rows are needed")
    kind = file_kind(head, path.name, how.encoding is not None)
    if wanted.layer is not None and kind != "h5ad":
        raise DataError(
            f"the layer {wanted.layer!r} is requested of {path.name!r}, which is neither .h5ad nor "
            f".h5mu: leave it out, or say of which block it is: BLOCK:{wanted.layer}"
        )
    if kind in ("utf-16-le", "utf-16-be"):
        return read_delimited(path, wanted, replace(how, encoding=kind), zipped)
    if kind in ("parquet", "h5ad", "spreadsheet") and zipped:
        raise DataError(f"{path.name!r} is a gzipped {kind} file; unpack it first")
    if kind == "parquet":
        from .parquet import read_flipped, read_parquet

        return read_flipped(path, wanted) if how.transpose else read_parquet(path, wanted)
    if kind == "spreadsheet":
        from .formats.spreadsheet import text_of

        content, notes = text_of(path, how.sheet, how.given_decimal)
        raw = read_delimited(path, wanted, how, content=content)
        raw.notes[:0] = notes
        return raw
    if how.transpose and kind is not None:
        raise DataError(f"transpose=True is for delimited text and Parquet, not {kind}")
    if kind == "h5ad":
        from .h5ad import read_h5ad

        return read_h5ad(path, wanted)
    if kind == "arff":
        from .arff import read_arff

        return read_arff(path, wanted, zipped)
    return read_delimited(path, wanted, how, zipped)
