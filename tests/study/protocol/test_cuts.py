"""Features of columns, each once."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tamis.study.protocol.cuts import first_owners


@given(arrays(np.int64, st.integers(0, 40), elements=st.integers(0, 12)))
def test_each_feature_once_in_the_order_of_its_first_column(owners):
    assert first_owners(owners).tolist() == list(dict.fromkeys(owners.tolist()))
