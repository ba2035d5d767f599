"""Tables with categories."""

from __future__ import annotations

import numpy as np

from .on_tables import OnTables
from .procedure import Procedure
from .tables import made_up_table
from .verdict import Check, Fault, Inapplicable


def check_categories(method: Procedure) -> None:
    """It runs, and chooses features of the table, each once."""
    if not isinstance(method, OnTables):
        raise Inapplicable("it sees no table")
    if "levels" in method.stopped:
        raise Fault(f"it stops on a table with categories ({method.stopped['levels']})")
    if "mixed" in method.stopped:
        raise Inapplicable("it stops on the missing values beside them")
    data = made_up_table("mixed")
    n_created = len(method.fold("mixed").design.created)
    possible = [*data.ranked, *(data.shape[1] + np.arange(n_created))]
    for name, features in method.kept_run("mixed").learnt.items():
        if not name.startswith("features"):
            continue
        if len(np.unique(features)) != len(features) or not np.isin(features, possible).all():
            raise Fault(f"it names features twice, or none of the table ({name})")


CHECK = Check("categories", "It takes a table with categories.", check_categories)
