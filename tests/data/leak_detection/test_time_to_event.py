"""A class that is the event of a time to an event is told by name; other classes are not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tamis._core.errors import DataError
from tamis.data import Dataset, find_suspects, read_table
from tamis.data.event_names import holds_times
from tamis.study import run_study

N = 60
RNG = np.random.default_rng(4)
DAYS = np.ceil(RNG.exponential(800, N))
HAPPENED = RNG.random(N) < 0.4
GENES = RNG.normal(size=(N, 5))
CODES = np.where(HAPPENED, "1", "0")


def table(target, labels, **columns):
    names = (*(f"g{j}" for j in range(5)), *columns)
    X = np.column_stack([GENES, *columns.values()])
    return Dataset(X, np.asarray(labels, dtype=str), names, target=target)


def states(yes, no):
    return np.where(HAPPENED, yes, no)


SURVIVAL = {
    "R's survival": ("status", np.where(HAPPENED, "2", "1"), "time"),
    "competing events": ("status", np.where(HAPPENED, RNG.choice(["1", "2"], N), "0"), "time"),
    "os_status": ("os_status", CODES, "os_time"),
    "progression": ("event", CODES, "PFS"),
    "PFS and its event": ("PFS_event", CODES, "PFS_months"),
    "TCGA": ("vital_status", states("Dead", "Alive"), "days_to_death"),
    "TCGA in capitals": ("vital_status", states("DECEASED", "LIVING"), "days_to_last_followup"),
    "PanCancer": ("OS", CODES, "OS.time"),
    "cBioPortal": ("OS_STATUS", states("1:DECEASED", "0:LIVING"), "OS_MONTHS"),
    "cBioPortal, relapse": (
        "DFS_STATUS",
        states("1:Recurred/Progressed", "0:DiseaseFree"),
        "DFS_MONTHS",
    ),
    "R's ovarian": ("fustat", CODES, "futime"),
    "GEO": ("e.rfs", CODES, "t.rfs"),
    "heart failure": ("DEATH_EVENT", CODES, "time"),
    "lifelines": ("observed", states("True", "False"), "T"),
    "CDISC": ("CNSR", CODES, "TTE"),
}
SURVIVAL["SurvSet"] = ("event", CODES, "time")
SURVIVAL["two endpoints of mgus2"] = ("death", CODES, "ptime")
SURVIVAL["the other of mgus2"] = ("pstat", CODES, "futime")
SURVIVAL["van de Vijver"] = ("event", CODES, "timerecurrence")
SURVIVAL["in one word"] = ("status", CODES, "daysdeath")
SURVIVAL["progression"] = ("event", CODES, "PFS_days")
SURVIVAL["lifelines"] = ("event", states("True", "False"), "duration")


@pytest.mark.parametrize("name", SURVIVAL)
def test_survival_is_recognised(name):
    target, labels, time = SURVIVAL[name]
    first = find_suspects(table(target, labels, **{time: DAYS}))[0]
    assert (first.kind, first.columns, first.grave) == ("time-to-event", (time,), True)
    assert first.text == (
        f"looks like a time to an event: columns {time!r} and {target!r}; survival outcomes are "
        "not supported yet"
    )
    assert first.advice.endswith(f"drop=[{time!r}], or say that it is meant with allow=[{time!r}]")


OF_TABLES = {
    "mgus2_as_in_R.csv": {"death": ("ptime", "futime"), "pstat": ("ptime", "futime")},
    "nki70.parquet": {"event": ("time",)},
    "ovarian4.parquet": {"event": ("time",)},
    "pbc_as_in_R.csv": {"status": ("time",)},
    "rott2.parquet": {"event": ("time",)},
    "support2.parquet": {"event": ("time",)},
    "vandevijver_times.parquet": {"event": ("time", "timerecurrence")},
    "vdv.parquet": {"event": ("time",)},
    "whas500.parquet": {"event": ("time", "week")},
}


@pytest.mark.longer
@pytest.mark.parametrize("table", OF_TABLES)
def test_survival_in_published_tables(shared_data, table):
    for target, times in OF_TABLES[table].items():
        data = read_table(shared_data / "survival" / table, target=target)
        (found,) = [one for one in find_suspects(data) if one.kind == "time-to-event"]
        assert (found.columns, found.grave) == (times, True)


HONEST = {
    "status, no time": ("status", CODES, {"age": DAYS / 40}),
    "cases": ("status", states("case", "control"), {"time": DAYS}),
    "receptor": ("er_status", CODES, {"OS_MONTHS": DAYS}),
    "mutated": ("mutation_status", CODES, {"time": DAYS}),
    "response": ("response", states("yes", "no"), {"time": DAYS}),
    "subtypes": ("class", states("LumA", "Basal"), {"os_time": DAYS}),
    "died in hospital": ("death", CODES, {"age": DAYS / 40, "weeks": RNG.integers(1, 5, N)}),
    "hours of a clock": ("status", CODES, {"time": RNG.integers(8, 18, N)}),
    "days in a freezer": ("status", CODES, {"days": DAYS}),
    "years of diagnosis": ("death", CODES, {"os_year": RNG.integers(1990, 2010, N)}),
    "time of day": ("death", CODES, {"time_of_day": RNG.random(N) * 24}),
    "prothrombin time": ("status", CODES, {"protime": DAYS}),
}


@pytest.mark.parametrize("name", HONEST)
def test_other_classes_are_not(name):
    target, labels, columns = HONEST[name]
    kinds = {one.kind for one in find_suspects(table(target, labels, **columns))}
    assert "time-to-event" not in kinds


QUICK = {
    "outer": {"folds": 3},
    "inner": {"folds": 2, "repeats": 1},
    "permutations": 0,
    "describe": False,
    "final": False,
    "method": [{"select": "pearson", "sizes": [2]}],
}


@pytest.mark.every
@pytest.mark.parametrize(
    ("values", "are_times", "vague"),
    [
        ([0.0, 1, 2], True, True),  # half as many as samples
        ([0.0, 1, 1], False, False),  # of two values
        ([0, 1, 2, np.nan, np.inf], True, True),
        ([-0.5, 1, 2], False, False),
        ([1900.0, 2000, 2100], False, False),  # years
        ([1899.0, 2000, 2100], True, True),
        ([1900.0, 2000, 2101], True, True),
        (np.arange(30) % 14, True, False),
        (np.arange(30) % 15, True, True),
        (np.arange(28) % 14, True, True),
        (np.arange(29) % 14, True, False),
        (np.arange(100) % 15, True, True),
    ],
)
def test_numbers_that_may_be_times(values, are_times, vague):
    """From 0, three different ones, no years; fifteen of a vague name, or half as many as there
    are."""
    given = np.array(values, dtype=float)
    assert holds_times(given, vague=False) is are_times
    assert bool(holds_times(given, vague=True)) is vague


def test_a_study_refuses_it_in_one_line_and_its_remedies_work(tmp_path):
    frame = pd.DataFrame(GENES, columns=[f"g{j}" for j in range(5)])
    frame = frame.assign(status=CODES, time=DAYS)
    frame.to_csv(tmp_path / "t.csv", index=False)
    data = read_table(tmp_path / "t.csv", target="status")
    with pytest.raises(DataError, match="'t' is not studied: it looks like a time to") as caught:
        run_study(data, QUICK, tmp_path / "s")
    assert "\n" not in str(caught.value)
    meant = run_study(data, {**QUICK, "allow": ["time"]}, tmp_path / "meant").to_dict()
    assert "possible-leak" in {one["code"] for one in meant["warnings"]}
    dropped = read_table(tmp_path / "t.csv", target="status", drop=["time"])
    found = run_study(dropped, QUICK, tmp_path / "dropped").to_dict()
    (warned,) = [one["text"] for one in found["warnings"] if one["code"] == "time-to-event"]
    assert warned.startswith("looks like a time to an event: columns 'time' and 'status'; survival")


@pytest.mark.parametrize("used", [True, False])
def test_a_time_in_the_sample_sheet_is_seen_too(tmp_path, used):
    """Where it is no column of the table: a note, and the warning of a study."""
    ids = [f"s{i}" for i in range(N)]
    pd.DataFrame(GENES, index=ids).rename_axis("id").to_csv(tmp_path / "t.csv")
    sheet = pd.DataFrame({"id": ids, "OS_STATUS": states("1:DECEASED", "0:LIVING")})
    sheet["OS_MONTHS" if used else "GRADE"] = DAYS
    sheet.to_csv(tmp_path / "sheet.csv", index=False)
    data = read_table(tmp_path / "t.csv", samples=tmp_path / "sheet.csv", target="OS_STATUS")
    told = [note for note in data.notes if "looks like a time to an event" in note]
    assert len(told) == used
    assert list(data.doubts) == told
    other = read_table(tmp_path / "t.csv", samples=tmp_path / "sheet.csv", target="OS_STATUS",
                       covariates="OS_MONTHS" if used else "GRADE")  # fmt: skip
    kinds = [one.kind for one in find_suspects(other)]
    assert ("time-to-event" in kinds) == used
    assert not other.doubts


def read_numbers(tmp_path, target, values, **more):
    frame = pd.DataFrame(GENES[np.arange(len(values)) % N], columns=list("abcde"))
    frame.assign(**{target: values, **more}).to_csv(tmp_path / "t.csv", index=False)
    return read_table(tmp_path / "t.csv", target=target)


@pytest.mark.parametrize(
    ("target", "values", "said"),
    [
        ("OS_MONTHS", DAYS / 30, "looks like a time to an event: survival outcomes are not"),
        ("time", DAYS, "looks like a time to an event"),
        ("weight", DAYS / 7, "for classes give a column of them, such as one cut at a threshold$"),
        (
            "income",
            np.arange(N),
            "for classes give a column of them, such as one cut at a threshold$",
        ),
        (
            "rings",
            np.arange(600) % 28,
            r"declare it with categorical=\['rings'\] if they are classes$",
        ),
    ],
)
def test_a_number_is_offered_as_classes_only_where_these_are_few(tmp_path, target, values, said):
    with pytest.raises(DataError, match=said):
        read_numbers(tmp_path, target, values, status=np.arange(len(values)) % 2)


def test_few_whole_numbers_declared_as_classes_are_read(tmp_path):
    with pytest.raises(DataError, match="categorical"):
        read_numbers(tmp_path, "rings", np.arange(600) % 28)
    data = read_table(tmp_path / "t.csv", target="rings", categorical=["rings"])
    assert len(data.classes) == 28
