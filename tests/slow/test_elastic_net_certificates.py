"""Every shared expression set's elastic net paths are certified at every lambda."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.classifiers import elastic_net_path

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("alpha", [0.1, 0.5, 1.0])
def test_every_shared_set(shared_data, alpha):
    import pandas as pd

    weak = []
    for file in sorted((shared_data / "expression").glob("*.parquet")):
        frame = pd.read_parquet(file)
        y, table = frame.pop("class").astype(str), frame.select_dtypes("number").to_numpy(float)
        X = np.ascontiguousarray(table[:, np.isfinite(table).all(axis=0)])
        path = elastic_net_path(X, y.to_numpy(), alpha=alpha)
        if not path.converged.all():
            weak.append((file.stem, path.kkt.max()))
    assert weak == []
