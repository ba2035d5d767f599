"""Sheets of workbooks as text: which one, where it ends, and how a value is written."""

from __future__ import annotations

import datetime
import sys
import zipfile
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from tamis._core.errors import DataError
from tamis.data import limits, memory
from tamis.data.formats import spreadsheet
from tamis.data.formats import spreadsheet_child as child


class Sheet:
    def __init__(self, rows):
        self.rows = rows
        self.height, self.width = len(rows), max(map(len, rows), default=0)

    def to_python(self, skip_empty_area):
        assert skip_empty_area
        return self.rows


@pytest.fixture
def streamed(monkeypatch):
    """What a job sends of sheets by name; those of a name with an underscore are hidden."""

    def stream(sheets, name=None, decimal=None):
        metadata = [SimpleNamespace(name=one, visible="_" not in one) for one in sheets]
        book = SimpleNamespace(
            sheet_names=list(sheets),
            sheets_metadata=metadata,
            get_sheet_by_name=lambda one: Sheet(sheets[one]),
        )
        library = SimpleNamespace(
            CalamineWorkbook=SimpleNamespace(from_path=lambda path: book),
            SheetVisibleEnum=SimpleNamespace(Visible=True),
        )
        monkeypatch.setitem(sys.modules, "python_calamine", library)
        found = []
        child.stream("made.xlsx", [name, decimal], lambda *one: found.append(one))
        return found

    return stream


TABLE, LINE = [["a", "b"], [1.0, 2.5]], [["title", "", ""]]
SHEETS = {"_old": TABLE, "About": LINE, "Data": TABLE, "More": TABLE, "_more": TABLE}


@pytest.mark.every
@pytest.mark.parametrize(
    ("sheets", "name", "chosen", "others"),
    [
        (SHEETS, None, "Data", ["More"]),
        (SHEETS, "More", "More", []),
        (SHEETS, "2", "About", []),
        (SHEETS, "5", "_more", []),
        ({"_old": TABLE, "About": LINE}, None, "_old", []),  # a hidden one, where no other is
        ({"About": LINE, "Note": LINE}, None, "About", []),
        ({"2": TABLE, "About": LINE}, "2", "2", []),  # by its name first
        ({"Wide": [["a", "b", "c"]], "Long": [["a"], ["b"]]}, None, "Wide", []),  # no tables
    ],
)
def test_the_sheet_that_is_read(streamed, sheets, name, chosen, others):
    (sent,), (found, text) = streamed(sheets, name)
    assert sent == {"what": "sheets", "names": list(sheets), "chosen": True}
    assert (found["what"], found["sheet"], found["others"]) == ("text", chosen, others)
    expected = {"Data": b"a,b\n1,2.5\n", "About": b"title\n", "Wide": b"a,b,c\n"}
    assert text == expected.get(chosen, expected["Data"])
    assert found["width"] == {"About": 1, "Wide": 3}.get(chosen, 2)


@pytest.mark.parametrize("name", ["Absent", "0", "6", "-1", "²", "1.0"])
def test_a_sheet_that_is_not_there_is_not_chosen(streamed, name):
    assert streamed(SHEETS, name) == [({"what": "sheets", "names": list(SHEETS), "chosen": False},)]


def test_sheets_without_a_value_are_refused(streamed):
    with pytest.raises(child.Unfit, match=r"^has no sheet with anything in it$"):
        streamed({"About": [["", ""], [""]]})
    with pytest.raises(child.Unfit, match=r"^has no sheet with anything in it$"):
        streamed({})
    with pytest.raises(child.Unfit, match=r"^has nothing in its sheet 'About'$"):
        streamed({"About": [["", ""]], "Data": TABLE}, "1")


def test_empty_rows_and_columns_at_the_end_are_left_out(streamed):
    rows = [["", "a", "", ""], ["", "", "", ""], [1.0], ["", "", "b", ""]]
    _, (found, text) = streamed({"Data": rows})
    assert (found["width"], text) == (3, b",a,\n1,,\n,,b\n")


@pytest.mark.every
@pytest.mark.parametrize(
    ("texts", "mark"),
    [
        (["1,5", "a"], ","),
        (["1,5", "1.5"], "."),
        (["1.5"], "."),
        ([], "."),
        (["1,500"], "."),  # perhaps of thousands
        (["1234,500"], ","),
        ([" -0,25 "], ","),
        (["1,2,3"], "."),
    ],
)
def test_numbers_are_written_with_the_mark_of_the_text_around(streamed, texts, mark):
    _, (_, text) = streamed({"Data": [["x", "y"], [2.5, *texts]]})
    assert text.decode().splitlines()[1].strip('"').startswith(f"2{mark}5")
    _, (_, text) = streamed({"Data": [["x", "y"], [2.5, *texts]]}, None, ",")
    assert b"2,5" in text


@pytest.mark.every
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3.0, "3"),
        (-0.5, "-0;5"),
        (1e14, "100000000000000"),
        (1e15 - 1, "999999999999999"),
        (1e15, "1000000000000000;0"),
        (1e22, "1e+22"),
        (True, "TRUE"),
        (False, "FALSE"),
        (7, "7"),
        ("  a b ", "a b"),
        (datetime.date(2020, 1, 2), "2020-01-02"),
        (datetime.datetime(2020, 1, 2, 3, 4, 5), "2020-01-02 03:04:05"),
        (datetime.time(3, 4), "03:04:00"),
        (datetime.timedelta(hours=30), "1 day, 6:00:00"),
    ],
)
def test_values_are_written_as_in_a_csv(value, text):
    assert child._cell_text(value, ";") == text


@pytest.fixture
def sent(monkeypatch):
    """Lets a workbook be read by a process that sends these messages."""

    def send(*found):
        calls, left = [], list(found)

        @contextmanager
        def messages_of(*given):
            calls.append(given)
            yield SimpleNamespace(next=lambda: left.pop(0), content=lambda message: message["text"])

        monkeypatch.setattr(spreadsheet, "messages_of", messages_of)
        return calls

    return send


THERE = {"names": ["About", "Data"], "chosen": True}


def test_what_else_there_is_to_read_is_remarked_on(sent, tmp_path):
    path = tmp_path / "t.xls"
    path.write_bytes(b"no archive")
    text = {"width": 2, "text": b"a,b\n", "others": [], "sheet": "Data"}
    sent(THERE, text)
    assert spreadsheet.text_of(path, None, None) == (b"a,b\n", [])
    others = {**text, "others": ["More", "And", "Then", "Last"]}
    calls = sent(THERE, others)
    assert spreadsheet.text_of(path, "x" * 1001, ",") == (
        b"a,b\n",
        ["sheet 'Data' is read, not 'More', 'And', 'Then' and 1 more; sheet= names one"],
    )
    [(script, read, wanted, _, advice)] = calls
    assert (script.name, read, wanted) == ("spreadsheet_child.py", path, ["x" * 1000, ","])
    assert advice.startswith("a cell may stand far below")


def test_a_sheet_that_is_not_there_is_told_with_the_nearest(sent, tmp_path):
    path = tmp_path / "t.xls"
    path.write_bytes(b"no archive")
    sent({**THERE, "chosen": False})
    with pytest.raises(DataError) as error:
        spreadsheet.text_of(path, "Dat", None)
    assert str(error.value) == "sheet='Dat' is not in 't.xls': did you mean 'Data'?"


def test_sheets_beyond_the_limit_of_columns_are_refused(sent, monkeypatch, tmp_path):
    path = tmp_path / "t.xls"
    path.write_bytes(b"no archive")
    monkeypatch.setenv("TAMIS_MOST_COLUMNS", "1")
    sent(THERE, {"width": 2, "others": []})
    with pytest.raises(DataError, match=r"'t.xls' has 2 columns, and at most 1 are read"):
        spreadsheet.text_of(path, None, None)


def archive(path, *names, size=10):
    with zipfile.ZipFile(path, "w") as made:
        for name in names:
            made.writestr(name, b"0" * size)
    return path


@pytest.mark.parametrize("part", spreadsheet.SHEET_PARTS)
def test_what_is_packed_is_bounded(monkeypatch, tmp_path, part):
    path = archive(tmp_path / "t.xlsx", part, "other.xml", size=3000)
    needed = []
    monkeypatch.setattr(memory, "check_memory", lambda *given: needed.append(given))
    monkeypatch.setattr(limits, "most_expanded", lambda path: 6000)
    spreadsheet._refuse_swollen(path)
    assert needed == [(24000.0, path, "unpacked")]
    monkeypatch.setattr(limits, "most_expanded", lambda path: 5999)
    with pytest.raises(DataError, match="holds 0 MB when unpacked"):
        spreadsheet._refuse_swollen(path)


def test_archives_of_something_else_are_refused(tmp_path):
    path = archive(tmp_path / "t.xlsx", "b.csv", "folder/", "a.csv", "c.csv")
    with pytest.raises(DataError) as error:
        spreadsheet._refuse_swollen(path)
    assert str(error.value) == (
        "'t.xlsx' is a zip archive, with 'a.csv', 'b.csv', 'c.csv' inside: unpack it first"
    )
    whole = path.read_bytes()
    at = whole.index(b"PK\x01\x02")
    path.write_bytes(whole[:at] + b"XXXX" + whole[at + 4 :])
    with pytest.raises(DataError, match=r"^'t.xlsx' is a damaged zip archive: "):
        spreadsheet._refuse_swollen(path)
