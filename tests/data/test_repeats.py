"""Columns of patients whose values repeat: which are told, which are ordinary columns."""

from __future__ import annotations

import gzip

import numpy as np
import pandas as pd
import pytest

from common.replicates import replicate_table
from tamis._core.errors import DataError
from tamis.data import as_dataset, read_table
from tamis.data.names import names_samples
from tamis.data.raw import Text
from tamis.data.repeats import count_repeats, notes_on_repeats

N = 120
WHO = np.arange(N) // 6


@pytest.fixture
def frame():
    g = np.random.default_rng(0)
    X = g.normal(size=(20, 12))[WHO] + g.normal(size=(N, 12))
    frame = pd.DataFrame(X.round(4)).add_prefix("g")
    frame.insert(0, "class", np.where(WHO % 2, "ill", "well"))
    return frame


def asked(data):
    return [note for note in data.notes if "if they are patients" in note]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("patient", [f"P{k:02d}" for k in WHO]),
        ("Patient ID", [f"{k + 100}" for k in WHO]),
        ("subject_no", [f"{k}" for k in WHO]),
        ("mouse", ["tom", "tim", "kim", "ann"] * 10),
        ("SampleID", [f"a{k // 2}" for k in range(60)]),
        ("case", [f"{k}" for k in [*range(119), 0]]),
        ("who", [f"TCGA-{k:02d}-A" for k in WHO]),
        ("who", [f"{k:02d}x" for k in WHO]),
        ("T", [f"T{k}" for k in WHO]),
        ("who", [f"{'AB'[k % 2]}{k // 2 + 1:02d}" for k in WHO]),  # of two hospitals
        ("who", [f"12-{k:02d}-3" for k in WHO]),
        ("who", [f"{k // 10:02d}.{k:03d}.01" for k in WHO]),
        ("patient_visit", [f"P{k:02d}-V1" for k in WHO]),
        ("visit_patient", [f"P{k:02d}" for k in WHO]),
        ("patient", [f"2021-03-{k + 1:02d}" for k in WHO]),  # the name has the last word
    ],
)
def test_columns_that_are_asked_about(name, values):
    assert count_repeats(Text.of(values), name) == (len(set(values)), len(values))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("sex", ["m", "f"] * 60),
        ("stage", ["T1", "T2", "T3", "T4"] * 30),
        ("hospital", ["Ulm", "Bonn", "Kiel", "Jena"] * 30),
        ("age", [str(30 + k % 50) for k in range(N)]),
        ("patient_age", [str(30 + k % 50) for k in range(N)]),
        ("g1", [str(k % 40) for k in range(N)]),
        ("case", ["0", "1"] * 10),
        ("case", ["case", "control"] * 60),
        ("donor", ["a", "b", "c"] * 40),  # three in 120 rows
        ("patient", [f"P{k}" for k in range(N)]),
        ("sample", [str(k / 4) for k in WHO]),
        ("batch", [f"b{k % 9}" for k in range(N)]),
        ("diagnosis", [f"{'abcdefghijklmnopqrst'[k]}oma" for k in WHO]),
        ("empty", ["NA"] * N),
        ("visit_date", [f"2021-03-{k + 1:02d}" for k in WHO]),
        ("x", [f"2021-03-{k + 1:02d}" for k in WHO]),
        ("x", [f"2021-03-{k + 1:02d}T08:00:00Z" for k in WHO]),
        ("x", [f"{k + 1}.3.2021" for k in WHO]),
        ("x", [f"3/{k + 1}/21" for k in WHO]),
        ("x", [f"{k + 1:02d}-Mar-2021" for k in WHO]),
        ("x", [f"{k + 1} March 2021" for k in WHO]),
        ("x", [f"{k + 1900}-{k % 12 + 1:02d}" for k in WHO]),
        ("x", [f"{k + 2000}Q1" for k in WHO]),
        ("x", [f"{k:02d}:30" for k in WHO]),
        ("x", [f"{k}:30:00 PM" for k in WHO]),
        ("x", [f"{'ABCDEFGH'[k % 8]}{k // 2 + 1:02d}" for k in WHO]),
        ("x", [f"plate {k}" for k in WHO]),
        ("x", [f"Day{k}" for k in WHO]),
        ("x", [f"{k} weeks" for k in WHO]),
        ("x", [f"{k} mg" for k in WHO]),
        ("plate", [f"P{k}" for k in WHO]),
        ("batch_id", [f"B{k}" for k in WHO]),
        ("ScanRun", [f"R{k}" for k in WHO]),
        ("x", [f"T{k % 5}{'abcd'[k % 4]}" for k in WHO]),
        ("x", [f"pT{k % 5}{'abcd'[k % 4]}N0M0" for k in WHO]),
        ("x", [f"1.{k}.0" for k in WHO]),
        ("x", [f"v2.{k}" for k in WHO]),
    ],
)
def test_ordinary_columns(name, values):
    assert count_repeats(Text.of(values), name) is None


def test_dates_of_too_many_kinds_are_not_offered_as_patients(tmp_path, frame):
    frame["visited"] = [f"2021-{k // 2 % 12 + 1:02d}-{k // 24 + 1:02d}" for k in range(N)]
    frame.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(DataError, match=r"60 different values .*write it as numbers") as error:
        read_table(tmp_path / "t.csv", target="class")
    assert "patients" not in str(error.value)


def test_names():
    for name in ("patient", "PatientID", "patient.id", "Subject No.", "DONOR", "pid", "id", "mrn"):
        assert names_samples(name), name
    for name in ("record_id", "study_id", "USUBJID"):  # of REDCap and CDISC
        assert names_samples(name), name
    for name in (
        "record",
        "study",
        "patient age",
        "family history",
        "idh1",
        "RAT1",
        "cases",
        "site_id",
        "class",
    ):
        assert not names_samples(name), name


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "parquet", "turned", "arff"])
@pytest.mark.parametrize("numbers", [False, True])
def test_a_dropped_column_of_patients(tmp_path, frame, kind, numbers):
    frame.insert(1, "patient", WHO + 1 if numbers else [f"P{k:02d}" for k in WHO])
    path = tmp_path / f"t.{kind}"
    options = {}
    if kind == "parquet":
        frame.to_parquet(path, index=False)
    elif kind == "turned":
        frame.T.to_csv(path, header=[f"s{k}" for k in range(N)])
        options = {"transpose": True}
    elif kind == "arff":
        kinds = {"class": "{ill,well}", "patient": "numeric" if numbers else "string"}
        head = "".join(f"@attribute {c} {kinds.get(c, 'numeric')}\n" for c in frame)
        body = frame.to_csv(index=False, header=False)
        path.write_text(f"@relation r\n{head}@data\n{body}")
    else:
        content = frame.to_csv(index=False).encode()
        path.write_bytes(gzip.compress(content) if kind == "csv.gz" else content)
    first = "1" if numbers else "P00"
    told = [
        f"column 'patient' is dropped, but its values repeat (20, such as {first!r}, in 120 rows): "
        "if they are patients, study them with group='patient' in place of drop; otherwise "
        "results look too good"
    ]
    for drop in ("patient", "pat*"):
        data = read_table(path, target="class", drop=drop, **options)
        assert asked(data) == told
        assert "patient" not in data.feature_names
    data = read_table(path, target="class", **options)
    assert asked(data) == [told[0].replace("dropped", "a feature").replace(" in place of drop", "")]
    grouped = read_table(path, target="class", group="patient", **options)
    assert asked(grouped) == []
    assert len(set(grouped.groups)) == 20


def test_a_column_inside_the_groups_or_folds_is_no_matter(tmp_path, frame):
    frame["patient"], frame["family"] = WHO, WHO // 2
    frame["fold"] = WHO % 4
    frame.to_csv(tmp_path / "t.csv", index=False)

    def notes(**options):
        return asked(read_table(tmp_path / "t.csv", target="class", **options))

    assert notes(group="family", drop=["patient", "fold"]) == []
    assert notes(split="fold", drop="patient", group="family") == []
    assert [n.split()[1] for n in notes(group="patient", drop="fold")] == ["'family'"]
    assert notes(split="fold", drop=["patient", "family"])[0].startswith("column 'family'")
    assert len(notes(drop="fold")) == 2


def test_a_sample_sheet(tmp_path, frame):
    frame.insert(0, "id", [f"s{k}" for k in range(N)])
    sheet = frame[["id", "class"]].assign(patient=[f"P{k}" for k in WHO], age=WHO % 7 + 40)
    frame.drop(columns="class").to_csv(tmp_path / "t.csv", index=False)
    sheet.to_csv(tmp_path / "sheet.csv", index=False)
    options = {"target": "class", "samples": tmp_path / "sheet.csv"}
    told = asked(read_table(tmp_path / "t.csv", **options))
    assert told[0].startswith("column 'patient' of the sample sheet is not used, but its values")
    assert len(told) == 1
    assert asked(read_table(tmp_path / "t.csv", group="patient", **options)) == []


def test_errors_about_repeated_ids_offer_groups_first(tmp_path, frame):
    group = r"study them with group='who' \(rows of one patient must not be on both sides of a spl"
    frame.insert(3, "who", [f"P{k // 2}" for k in range(N)])
    frame.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(
        DataError, match=rf"60 .* if they are patients, {group}.*drop=.*cat"
    ) as told:
        read_table(tmp_path / "t.csv", target="class")
    assert "id='who'" not in str(told.value)
    with pytest.raises(DataError, match=rf"if they are patients, {group}.*else make them unique"):
        read_table(tmp_path / "t.csv", target="class", id="who")
    frame["who"] = [f"P{k}" for k in range(N)]
    frame.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(DataError, match=r"'P1'.*; leave it out with drop=.*id='who', or") as told:
        read_table(tmp_path / "t.csv", target="class")
    assert "group" not in str(told.value)
    frame.rename(columns={"who": "patient"}).assign(patient=["7", *["P1"] * (N - 1)]).to_csv(
        tmp_path / "t.csv", index=False
    )
    with pytest.raises(DataError, match="'P1'; if it names patients, study them with group='pat"):
        read_table(tmp_path / "t.csv", target="class")


def test_near_rows_are_told_unless_groups_are_named(tmp_path, frame):
    g = np.random.default_rng(1)
    X = g.normal(size=(60, 40))
    X[50:53] = X[:3] + 0.1 * g.normal(size=(3, 40))
    wide = pd.DataFrame(X).add_prefix("g")
    wide.insert(0, "id", [f"s{k}" for k in range(60)])
    wide["class"] = ["a", "b"] * 30
    wide["batch"] = [f"{k % 10}" for k in range(60)]
    wide.to_csv(tmp_path / "t.csv", index=False)
    told = [
        n
        for n in read_table(tmp_path / "t.csv", target="class").notes
        if "nearly" in n or "near-dup" in n
    ]
    assert len(told) == 1
    assert told[0].startswith("6 samples form 3 sets of near-duplicates, such as 's")
    assert ": if a set is one patient, study them with the column of patients as group=" in told[0]
    grouped = read_table(tmp_path / "t.csv", target="class", group="batch")
    assert not [n for n in grouped.notes if "nearly" in n or "near-dup" in n]
    assert not [n for n in read_table(tmp_path / "t.csv").notes if "nearly" in n or "near-dup" in n]


def test_replicates_are_told_however_the_table_comes(tmp_path):
    X, who = replicate_table(np.random.default_rng(2), 20, 3, 1.0, 1000)
    frame = pd.DataFrame(X).add_prefix("g")
    frame.index = [f"s{k}" for k in range(60)]
    y = np.where(np.random.default_rng(3).random(20) < 0.5, "ill", "well")[who]
    told = "60 samples form 20 sets of near-duplicates, such as 's"
    assert as_dataset(frame, y).doubts[0].startswith(told)
    assert as_dataset(frame, y, group=who.astype(str)).doubts == ()
    anndata = pytest.importorskip("anndata")
    held = anndata.AnnData(frame, obs=pd.DataFrame({"class": y}, frame.index))
    assert as_dataset(held, "class").doubts[0].startswith(told)
    one, other = frame.iloc[:, :500].assign(**{"class": y}), frame.iloc[:, 500:]
    one.to_csv(tmp_path / "one.csv", index_label="id")
    other.to_csv(tmp_path / "other.csv", index_label="id")
    joined = read_table(tmp_path / "one.csv", target="class", blocks={"b": tmp_path / "other.csv"})
    assert len(joined.doubts) == 1
    assert joined.doubts[0].startswith(told)


def test_a_class_of_three_like_samples_is_no_patient():
    X, who = replicate_table(np.random.default_rng(4), 20, 3, 0.5, 200)
    wide = pd.DataFrame(X).add_prefix("g")
    assert as_dataset(wide, [f"tissue {k}" for k in who]).doubts == ()


@pytest.mark.parametrize("name", ["barcode", "sample_id", "Specimen No."])
def test_a_sample_that_stands_twice_is_no_patient(name):
    """119 barcodes of 120 rows are those of samples; sixty of them are not."""
    codes = [f"X{k:03d}" for k in range(119)] + ["X007"]
    (note,) = notes_on_repeats({name: (Text.of(codes), "is dropped")}, [])
    assert "'X007' stands in 2; if that is one sample, keep one row" in note
    assert "group=" not in note
    (note,) = notes_on_repeats({name: (Text.of(codes[:60] * 2), "is dropped")}, [])
    assert f"group={name!r}" in note
    (note,) = notes_on_repeats({"patient": (Text.of(codes), "is dropped")}, [])
    assert "group='patient'" in note
