"""The same results in any process."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from hashlib import blake2b

import cloudpickle
import numpy as np

from .._core.own_code import code_folder, code_folders
from . import roles
from .cell_manners import as_in_a_study
from .procedure import Procedure, Run
from .procedure_of import procedure_of
from .verdict import Check, Fault


def digests_of(run: Run) -> dict[str, str]:
    """One for each entry of all that a run learnt and said."""
    return {
        name: blake2b(np.ascontiguousarray(array).tobytes(), digest_size=8).hexdigest()
        for name, array in run.everything.items()
    }


def digests_elsewhere(
    packed: bytes, kinds: Sequence[str], folders: Sequence[str], path: Sequence[str]
) -> dict[str, dict[str, str]]:
    """Of runs in this process, which is another one; `packed` are row, settings
    and outcome."""
    for folder in folders:
        code_folder(folder)
    sys.path += [folder for folder in path if folder not in sys.path]  # as where it was imported
    row, settings, response = cloudpickle.loads(packed)  # now its module can be found
    row = roles.of_this_process(row)
    with roles.row_in_registry(row), as_in_a_study():
        method = procedure_of(row, settings, response)
        if kinds:  # what is kept by shape, or by labels, is then of these samples
            method.run("other")
        return {kind: digests_of(method.run(kind)) for kind in kinds}


def check_same_bytes(method: Procedure) -> None:
    """Runs in a worker process, in another order, against those here."""
    from joblib import delayed

    from .._core.workers import joblib_parallel

    kinds = method.kinds[::-1]
    response = getattr(method, "response", None)
    packed = cloudpickle.dumps((method.row, method.settings, response))
    where = code_folders(), sys.path
    # two workers, for with one joblib stays in this process
    found, _ = joblib_parallel(n_jobs=2, backend="loky")(
        delayed(digests_elsewhere)(packed, some, *where) for some in (kinds, [])
    )
    for kind in kinds:
        ours, theirs = digests_of(method.kept_run(kind)), found[kind]
        for name in ours:
            if ours[name] != theirs.get(name):
                raise Fault(
                    f"in another process it gives other bytes ({name}): let nothing depend on the "
                    "order of a set, on addresses of objects, on the clock, or on what ran before: "
                    "keep no result between fits"
                )


CHECK = Check(
    "same-bytes",
    "Results are the same bytes in any process.",
    check_same_bytes,
    after=("memory", "global-random"),
)
