"""Quotes as RFC 4180 and as R's writers have them; what can be read in two ways is refused."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis._core.errors import DataError
from tamis.data import read_table
from tamis.data.quoting import doubled_quotes, plain_blanks, record_readings

NAMES = ["g1", '5"-NT', "EGFR", "TP53"]
ROWS = [("s1", "a", 1.5), ("s2", "b", 2.5), ('s"3', "a", 3.5), ("s4", "b", 4.5)]
# around a text, for a quote inside one, as R 4.2 and pandas write them
WAYS = {
    "write.table": ('"', '\\"'),
    "double": ('"', '""'),
    "to_csv": ("", '""'),
    "unquoted": (None, '"'),
}


def written(way, separator, headless):
    around, inside = WAYS[way]

    def field(text):
        if around is None:
            return text
        text = text.replace('"', inside)
        return f'"{text}"' if around or '"' in text else text

    header = [*map(field, NAMES), field("class")]
    if not headless:
        header = [field("id"), *header]
    lines = [separator.join(header)]
    for name, label, first in ROWS:
        values = [str(first + k) for k in range(len(NAMES))]
        lines.append(separator.join([field(name), *values, field(label)]))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("separator", ["\t", ",", ";", " "])
@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize("headless", [True, False])
def test_names_stand_over_their_values(tmp_path, way, separator, headless):
    path = tmp_path / "t.txt"
    path.write_text(written(way, separator, headless))
    data = read_table(path, target="class", id=None if headless else "id")
    assert data.feature_names == tuple(NAMES)
    assert data.sample_names == tuple(name for name, _, _ in ROWS)
    assert data.X.tolist() == [[first + k for k in range(4)] for _, _, first in ROWS]


REFUSED = {
    "header both ways": '"x\\\\",&","b","class"\n"s1",1,2,"x"\n"s2",3,4,"y"\n',
    "row both ways": '"g","class"\n"a\\\\\\"b",1,"x"\n"s",2,"y"\n',
    "row in a quote": 'id,g1,class\n"s1,1,x\ns2,2,y\ns3,3,x\ns4",4,y\ns5,5,x\n',
    "stray in the header": 'id,"5"-NT",class\na,1,x\nb,2,y\n',
    "names of R and a backslash": '"5, 6\\", 7","x\\","class"\n"1",0.5,2,"a"\n"2",0.1,3,"b"\n',
    "names of R with delimiters": '"C:\\",",6\\"","class"\n"1",0.5,2,"a"\n"2",0.1,3,"b"\n',
    "row that fits no way": 'id;g1;g2;class\n"5;6\\"\\";3.2;5.8;"a"\n"s";1;2;"b"\n',
    "row of too few fields by R": '"id","g1","g2","class"\n"a\\",6",1,"x"\n"s",2,3,"y"\n',
    "blank in a name": "g1 my gene TP53 class\ns1 1 2 3 x\ns2 4 5 6 y\n",
    "carriage return": 'id,g1,class\n"a",1\r,x\nb,2,y\n',
    "carriage return between blanks": 'id g1 class\n"a" 1\r x\n"b" 2 y\n',
}


@pytest.mark.parametrize("name", list(REFUSED))
def test_what_could_be_read_otherwise_is_refused(tmp_path, name):
    path = tmp_path / "t.txt"
    path.write_bytes(REFUSED[name].encode())
    with pytest.raises(DataError) as error:
        read_table(path, target="class")
    assert "\n" not in str(error.value)
    told = (
        "two ways",
        "inside a quote",
        "quotes in the header",
        "have moved",
        "carriage return",
        "has 3 fields where 4",
    )
    assert any(words in str(error.value) for words in told), error.value


def test_a_tab_inside_a_quoted_id_stays(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text('id g class\n"a\tb" 1 x\n"c ""d""\te" 2 y\n')
    data = read_table(path, target="class", id="id")
    assert data.sample_names == ("a\tb", 'c "d"\te')


@given(st.lists(st.text('ab "\\,\t', min_size=1), min_size=2, max_size=4))
def test_what_is_doubled_is_read_back(names):
    record = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    assert names in [cells for _, cells in record_readings(record, ",")]


@given(st.lists(st.text('ab ",\t', min_size=1), min_size=2, max_size=4))
def test_what_r_escapes_is_read_back(names):
    record = ",".join('"' + name.replace('"', '\\"') + '"' for name in names)
    assert names in [cells for _, cells in record_readings(record, ",")]
    assert doubled_quotes(record, ",") == ",".join('"' + n.replace('"', '""') + '"' for n in names)


@given(st.text('ab"\\,', max_size=12))
def test_beside_a_backslash_no_bare_field_has_quotes(record):
    for text, cells in record_readings(record, ","):
        quoted = [re.escape('"' + cell.replace('"', '""') + '"') for cell in cells]
        bare = ["" if '"' in cell else "|" + re.escape(cell) for cell in cells]
        whole = ",".join(f"(?:{a}{b})" for a, b in zip(quoted, bare, strict=True))
        assert '\\"' not in record or re.fullmatch(whole, text)


@given(st.text('a" \t', max_size=12))
def test_only_tabs_between_fields_become_blanks(text):
    plain = plain_blanks(text)
    assert len(plain) == len(text)
    assert plain.replace(" ", "\t") == text.replace(" ", "\t")
