"""The folder of a search: what a record must agree in, and where its names come from."""

from __future__ import annotations

import copy

import pytest

import tamis.discovery
import tamis.study
from tamis._core.errors import StoreError
from tamis.discovery.folder import InteractionFolder

ABOUT = {"name": "toy", "digest": "0", "settings": {"m": 3, "seed": 0}, "versions": {"numpy": "2"}}


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("name", "other", "the table is named"),
        ("digest", "1", "the data differ"),
        ("settings", {"m": 4, "seed": 1}, r"the settings differ .* \(in: m, seed\)"),
        ("versions", {"numpy": "1"}, "another version of numpy"),
    ],
)
def test_another_search_is_refused(tmp_path, key, value, says):
    folder = InteractionFolder(tmp_path / "o")
    folder.begin(copy.deepcopy(ABOUT), if_exists="refuse")
    before = (folder.folder / "settings.json").read_bytes()
    folder.begin(ABOUT, if_exists="resume")
    with pytest.raises(StoreError, match=says):
        folder.begin({**ABOUT, key: value}, if_exists="resume")
    with pytest.raises(StoreError, match="already holds a result of `tamis interact`"):
        folder.begin(ABOUT, if_exists="refuse")
    assert (folder.folder / "settings.json").read_bytes() == before


def test_the_folder_of_a_study_is_no_search(tmp_path):
    (tmp_path / "plan.json").write_text("{}")
    with pytest.raises(StoreError, match="holds no result of `tamis interact`: choose another"):
        InteractionFolder(tmp_path).begin(ABOUT, if_exists="resume")


@pytest.mark.parametrize("name", ["Interactions", "find_interactions", "open_interactions"])
def test_searches_live_in_discovery_alone(name):
    assert name in tamis.discovery.__all__
    assert not hasattr(tamis.study, name)
