"""Which files of skops are read: what they name, before anything of it is loaded."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pytest

from tamis._core.arrays import unfit_part_error
from tamis._core.bounded_zip import packed_members
from tamis._core.errors import ModelError
from tamis._core.skops_bytes import SCHEMA_NAME, canonical_bytes, names_files_once, nodes_of
from tamis.classifiers.user_classifier import UserClassifier


def members_of(content: bytes) -> dict[str, bytes]:
    source = zipfile.ZipFile(io.BytesIO(content))
    return {name: source.read(name) for name in source.namelist()}


def test_an_array_that_an_object_has_twice_is_one():
    import skops.io

    twice = np.arange(9.0)
    content = canonical_bytes(skops.io.dumps({"a": twice, "b": twice, "c": np.zeros(3)}))
    assert names_files_once(nodes_of(members_of(content)[SCHEMA_NAME]))


@pytest.mark.longer
@pytest.mark.parametrize("one", [10**9, 0, None])
def test_an_array_that_is_named_often_is_not_unpacked_often(one):
    import skops.io

    """Memory is bounded by the file, also before anybody said to trust it."""
    members = members_of(canonical_bytes(skops.io.dumps({"a": np.zeros(9), "b": np.ones(3)})))
    schema = json.loads(members[SCHEMA_NAME])
    held = schema["content"]
    held["b"] = {**held["a"], "__id__": one}
    members[SCHEMA_NAME] = json.dumps(schema).encode()
    assert not names_files_once(nodes_of(members[SCHEMA_NAME]))
    stored = np.frombuffer(packed_members(members), dtype=np.uint8)
    with pytest.raises(ModelError, match=str(unfit_part_error("estimator"))):
        UserClassifier().from_arrays({"estimator": stored}, 2, 2)
