"""Names with ends of lines in them, and what the reader decided, as every command tells it."""

import csv

import numpy as np
import pytest

PLAN = 'permutations = 0\nouter = { folds = 3 }\n[[method]]\nselect = "moderated_t"\nsizes = [2]\n'


@pytest.mark.longer
def test_a_name_starts_no_line_of_its_own(tamis, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draws = np.random.default_rng(0).normal(size=(24, 2))
    with open("made.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["sample", "class", "g\n  ! all-is-well: 1", "g\n2"])
        for k, (a, b) in enumerate(draws):
            writer.writerow([f"s{k}", "ill\n  forged" if k % 2 else "well", a + k % 2, b])
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    said = tamis("study", "made.csv", "--target", "class", "--plan", "plan.toml", "--n-jobs", "1")
    model = "tamis-made/model.npz"
    judged = tamis("evaluate", model, "made.csv", "--target", "class")
    applied = tamis("predict", model, "made.csv")
    assert said[0] == judged[0] == applied[0] == 0
    for text in (*said[1:], *judged[1:], *applied[1:]):
        assert not any(line.startswith(("  ! all", "  forged", "2")) for line in text.splitlines())
    assert "g ! all-is-well: 1" in said[1]
    assert "12 ill forged" in said[2]
    assert "12 ill forged" in judged[1]
    assert applied[1].count("\n") == 25
    for remarks in (said[2], judged[2], applied[2]):  # what the reader took for what
        assert "  sample ids: column 'sample' (the first, and text)\n" in remarks
