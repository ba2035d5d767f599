"""What the process that all test runs are forked from imports once: not the package, no tests."""

import _pytest.assertion.rewrite  # noqa: F401
import hypothesis  # noqa: F401
import numba
import numpy as np
import pandas  # noqa: F401
import pyarrow  # noqa: F401
import pydantic  # noqa: F401
import pytest  # noqa: F401
import scipy.stats  # noqa: F401
import sklearn.linear_model
import sklearn.model_selection
import sklearn.pipeline  # noqa: F401
from hypothesis.extra import numpy  # noqa: F401

numba.njit(lambda x: x.sum() + len(x))(np.ones(3))  # the rules of compiling
