#!/usr/bin/env bash
# numba 0.68.1 (llvmlite 0.50.0), NUMBA_OPT=0 to compile faster while developing.
#
# Guess: the level of optimisation changes how fast kernels are, and nothing about cache=True: the second process
# loads what the first has compiled.
# Seen: at level 0 a function that calls another jitted function is never cached. Each process compiles it anew, with
# NumbaWarning: Cannot cache compiled function "whole" as it uses dynamic globals (such as ctypes pointers and large
# global arrays)
# though it uses neither. A function that calls none is cached. At levels 1, 2 and 3 (the default) both are. The address
# of the callee's dispatcher is a constant of the caller that nothing uses; from level 1 on it is optimised away.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv env
env/bin/pip install -q numba==0.68.1 llvmlite==0.50.0
cat >kernels.py <<'PYTHON'
import numba
import numpy as np


@numba.njit(cache=True)
def part(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * x[i]
    return s


@numba.njit(cache=True)
def whole(x):
    return part(x) + 1.0


x = np.arange(3.0)
assert (part(x), whole(x)) == (5.0, 6.0)
hits = [sum(one.stats.cache_hits.values()) for one in (part, whole)]
print("loaded: part", hits[0], "whole", hits[1])
PYTHON
for level in 0 1 2 3; do
    export NUMBA_CACHE_DIR=$work/cache$level NUMBA_OPT=$level
    env/bin/python kernels.py >/dev/null 2>&1
    env/bin/python kernels.py >said 2>warned
    echo "level $level: $(cat said); $(grep -c 'Cannot cache' warned || true) warnings"
done | tee seen
diff seen - <<'EXPECTED'
level 0: loaded: part 1 whole 0; 1 warnings
level 1: loaded: part 1 whole 1; 0 warnings
level 2: loaded: part 1 whole 1; 0 warnings
level 3: loaded: part 1 whole 1; 0 warnings
EXPECTED
echo "as described"
