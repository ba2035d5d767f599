"""The file of sentences is that of the sources."""

from __future__ import annotations

from common.sentences import KEPT, found_sentences, text_of_all


def test_sentences_are_as_they_were_read():
    assert text_of_all() == KEPT.read_text(encoding="utf-8"), "just sentences, and read the change"


def test_what_users_meet_is_there_and_docstrings_are_not():
    found = found_sentences()
    assert not any(
        "Balanced classification rate (BCR)" in one for one in found["metrics/scores.py"]
    )
    assert any(one.startswith("Find few features of TABLE") for one in found["cli/study.py"])
    assert "alphabetically last; change with --positive{}" in " ".join(found["cli/study.py"])
    assert "on new samples expect less" in " ".join(found["report/_top_features.py"])
    page = " ".join(found["report/templates/headline.html.j2"])
    assert "<p" not in page
