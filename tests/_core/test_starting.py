"""What a command spares itself while it starts."""

from __future__ import annotations

import subprocess
import sys

CODE = """if True:
    import gc, sys
    from tamis._core.starting import begin_to_load, end_loading
    usual = gc.get_threshold()
    end_loading()
    print(gc.get_threshold() == usual, gc.get_freeze_count())
    begin_to_load()
    print(gc.get_threshold()[0] > 100 * usual[0])
    import numpy as np
    import scipy.special
    print([name for name in ("numpy.f2py.rules", "unittest") if name in sys.modules])
    np.testing.assert_allclose(scipy.special.digamma(1.0), -0.5772156649015329)
    from numpy.f2py import get_include
    print("f2py" in get_include())
    end_loading()
    print(gc.get_threshold() == usual, gc.get_freeze_count() > 10_000)
"""


def test_modules_nobody_uses_come_when_used_and_the_collector_rests():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:-1] == ["True 0", "True", "[]", "True", "True True"]
