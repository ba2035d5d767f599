"""How a table lies in a file, samples or features in rows or a row a measurement, and what goes
wrong with its rows and columns."""

from __future__ import annotations

from collections.abc import Callable

from remedies.contents import Draft, Unfit, features, some_rows
from remedies.truths import cell_text, number, pick


def quoted_cell(text: str, separator: str = ",", always: bool = False) -> str:
    """A field as RFC 4180 has it."""
    if always or any(mark in text for mark in (separator, '"', "\n")) or text.startswith(("'",)):
        return '"' + text.replace('"', '""') + '"'
    return text


def wide(draft: Draft) -> None:
    """Samples in rows."""
    columns = draft.truth.columns
    if draft.truth.tells.get("sheet"):
        columns = [c for c in columns if c.role not in ("class", "sample")]
        put_sheet(draft)
    draft.header = [column.name for column in columns]
    texts = [[cell_text(cell, draft.style) for cell in column.cells] for column in columns]
    ids = draft.truth.ids
    draft.rows = [([own[k] for own in texts], ids[k]) for k in range(draft.truth.n)]


def turned(draft: Draft) -> None:
    """Features in rows, the class in a sheet beside, or in a row."""
    draft.truth.tells["turned"] = True
    inside = not draft.truth.tells.get("sheet") and draft.rng.random() < 0.3
    draft.header = [pick(draft.rng, ("gene", "", "Gene ID", "probe")), *draft.truth.ids]
    own = [c for c in draft.truth.columns if c.role != "id"]
    rows = own if inside else [c for c in own if c.role in ("feature", "other", "nameless")]
    draft.rows = [([c.name, *(cell_text(x, draft.style) for x in c.cells)], c.name) for c in rows]
    if not inside:
        put_sheet(draft)
    if draft.rng.random() < 0.7:
        draft.how["transpose"] = True


def put_sheet(draft: Draft) -> None:
    """Classes and the like in another table, its rows in any order."""
    way = draft.truth.tells.get("sheet")
    ids = draft.truth.of_role("id")[0]
    beside = [ids, *(c for c in draft.truth.columns if c.role in ("class", "sample"))]
    texts = [[c.name, *(cell_text(x, draft.style) for x in c.cells)] for c in beside]
    if way == "spelled":
        texts[0] = [ids.name, *map(_other_spelling, draft.truth.ids)]
    if way == "partners":
        texts.insert(0, ["partner", *draft.truth.ids[1:], draft.truth.ids[0]])
    order = draft.rng.permutation(draft.truth.n).tolist()
    lines = [[own[k] for own in texts] for k in (0, *(1 + k for k in order))]
    draft.sheet = "".join(",".join(map(quoted_cell, line)) + "\n" for line in lines).encode()
    draft.how["samples"] = "sheet.csv"
    draft.truth.tells["sheet"] = way or "plain"


def _other_spelling(name: str) -> str:
    return name.lower() if name != name.lower() else name.upper().replace(" ", "_")


def long(draft: Draft) -> None:
    """A row for each measurement."""
    ids = draft.truth.of_role("id")[0]
    beside = [c for c in draft.truth.columns if c.role in ("class", "sample")]
    own = [c for c in features(draft) if all(x.kind != "text" for x in c.cells)]
    draft.truth.columns = [ids, *beside, *own]
    names = (ids.name, pick(draft.rng, ("gene", "analyte")), pick(draft.rng, ("value", "count")))
    draft.truth.tells["long"] = names
    draft.header = [names[0], *(c.name for c in beside), names[1], names[2]]
    second = draft.truth.tells.get("second")
    for k, name in enumerate(draft.truth.ids):
        about = [cell_text(c.cells[k], draft.style) for c in beside]
        for column in own:
            if column.cells[k].kind != "missing" or draft.rng.random() < 0.5:
                cells = [name, *about, column.name, cell_text(column.cells[k], draft.style)]
                draft.rows.append((cells, name))
            else:
                draft.truth.tells["gaps"] = True
    if second:
        draft.header.append(second)
        for cells, _ in draft.rows:
            cells.append(cell_text(number(draft.rng.integers(1, 99) / 10), draft.style))
    elif draft.rng.random() < 0.3:
        draft.header.insert(0, "run")
        for k, (cells, _) in enumerate(draft.rows):
            cells.insert(0, f"r{k}")
        draft.truth.tells["varying"] = ("run",)
    if draft.rng.random() < 0.5:
        again = [*draft.rows[0][0]]
        at = -2 if second else -1
        again[at] = cell_text(number(99.5), draft.style)
        draft.rows.insert(int(draft.rng.integers(1, len(draft.rows))), (again, draft.rows[0][1]))
        draft.truth.tells["again"] = (draft.rows[0][1], again[at - 1], 99.5)


LAYOUTS = {"wide": wide, "turned": turned, "long": long}


# --- what goes wrong with the grid ----------------------------------------------------------------


def name_short(draft: Draft) -> None:
    """R's write.table: the names of the rows have no header."""
    if draft.layout != "long":
        draft.header = draft.header[1:]
        draft.truth.of_role("id")[0].name = "(row names)"


def unnamed_index(draft: Draft) -> None:
    """pandas' index, as read and written again; or R's row names."""
    name = pick(draft.rng, ("", "Unnamed: 0", "X"))
    if draft.layout == "wide" and draft.rng.random() < 0.5:
        draft.header[0] = name
        draft.truth.of_role("id")[0].name = name
    else:
        draft.header.insert(0, name)
        for k, (cells, _) in enumerate(draft.rows):
            cells.insert(0, str(k))
        rows = [str(k) for k in range(draft.truth.n)]
        if draft.layout == "wide":  # a row of types is counted too
            rows = [str(k) for k, (_, whose) in enumerate(draft.rows) if whose]
        draft.truth.tells["counted"] = (name, rows)


def trailing(draft: Draft) -> None:
    """A delimiter behind the last field: of all lines, of the rows or of the header alone."""
    if draft.separator == " ":
        raise Unfit
    way = draft.rng.integers(3)
    if way != 1:
        draft.header.append("")
    if way != 2:
        for cells, _ in draft.rows:
            cells.append("")


def described(draft: Draft) -> None:
    """Columns that describe the features, in front, or one behind."""
    if draft.layout != "turned":
        return
    texts = {
        "gene_name": lambda k: f"SYM{k}",
        "Description": lambda k: f"about {k}, this",
        "chr": lambda k: str(k + 1),
        "biotype": lambda k: "coding",
        "n_exons": lambda k: str(3 + k),
        "pathway": lambda k: f"path {k % 2}",
    }
    some = draft.rng.choice(len(texts), int(draft.rng.integers(1, 4)), replace=False).tolist()
    behind = draft.rng.random() < 0.2
    corner = draft.truth.of_role("id")[0].name != "(row names)"  # a header for the names
    for place, j in enumerate(some, 1):
        name = list(texts)[j]
        draft.header.insert(len(draft.header) if behind else place - (not corner), name)
        for k, (cells, _) in enumerate(draft.rows):
            whose = draft.rows[k][1] in {c.name for c in draft.truth.of_role("feature")}
            cells.insert(len(cells) if behind else place, texts[name](k) if whose else "")
    draft.truth.tells["beside"] = [list(texts)[j] for j in some]


def types_row(draft: Draft) -> None:
    """QIIME's types below the header, or units."""
    way = draft.rng.integers(3)
    width = len(draft.header)
    if way == 0:
        cells = ["#q2:types", *["numeric"] * (width - 1)]
    elif way == 1:
        cells = ["", *["mg/l"] * (width - 1)]
    else:
        cells = ["units", *["-", "cm", "mg"] * width][:width]
    draft.rows.insert(0, (cells, None))


def blank_rows(draft: Draft) -> None:
    at = int(draft.rng.integers(0, len(draft.rows) + 1))
    cells = [""] * len(draft.header)
    draft.rows.insert(at, (cells, None))
    if draft.rng.random() < 0.5:
        draft.rows.append(([""] * len(draft.header), None))


def footer(draft: Draft) -> None:
    text = pick(draft.rng, ("* p < 0.05", "Source: our lab, 2021", "n = 12"))
    if draft.rng.random() < 0.5:
        draft.below.append(quoted_cell(text, draft.separator))
    else:
        draft.rows.append(([text, *[""] * (len(draft.header) - 1)], None))
        draft.truth.tells["footer"] = text


def ragged(draft: Draft) -> None:
    """A row with a field too few or too many."""
    cells, _ = pick(draft.rng, draft.rows)
    if draft.rng.random() < 0.5 and len(cells) > 2:
        cells.pop()
    else:
        cells.append("7")


def header_again(draft: Draft) -> None:
    """Of two files one behind the other."""
    at = int(draft.rng.integers(1, len(draft.rows)))
    draft.rows.insert(at, ([*draft.header], None))


def padded(draft: Draft) -> None:
    for cells, _ in draft.rows:
        cells[:] = [f" {cell} " for cell in cells]


def empty_ids(draft: Draft) -> None:
    if draft.layout != "wide":
        return
    owned = [cells for cells, whose in draft.rows if whose]
    draft.truth.tells["emptied"] = some = some_rows(draft)
    for k in some:
        owned[k][0] = ""
        if "counted" in draft.truth.tells:
            draft.truth.tells["counted"][1][k] = None


def all_text(draft: Draft) -> None:
    """A column that ends with the note of a footnote in each cell: numbers with a star."""
    if draft.layout != "wide":
        return
    at = len(draft.header) - 1
    draft.truth.tells["starred"] = draft.header[at]
    for k, (cells, _) in enumerate(draft.rows):
        if k % 3 == 0 and cells[at]:
            cells[at] += "*"


GRID: dict[str, Callable[[Draft], None]] = {
    "names one short": name_short,
    "an index without a name": unnamed_index,
    "trailing delimiters": trailing,
    "described features": described,
    "types row": types_row,
    "blank rows": blank_rows,
    "footer": footer,
    "ragged": ragged,
    "header again": header_again,
    "padded": padded,
    "empty ids": empty_ids,
}
