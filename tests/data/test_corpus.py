"""Files as people have them: each is read to the same study as its plain CSV, or answered with what
reads it."""

import numpy as np
import pytest

from common.corpus import BASES, CASES, write
from tamis._core.errors import DataError
from tamis.data import read_table

READ = [name for name, case in CASES.items() if not case.says]
ANSWERED = [name for name, case in CASES.items() if case.says]


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """The data set of each plain CSV, once."""
    home = tmp_path_factory.mktemp("plain")

    def of(name):
        frame = BASES[name]
        path = home / f"{name}.csv"
        frame.to_csv(path, index=False)
        return read_table(path, target=frame.columns[1]), frame

    return {name: of(name) for name in BASES}


def test_the_corpus_is_large():
    assert len(CASES) >= 60


@pytest.mark.parametrize("name", READ)
def test_it_is_the_plain_table(tmp_path, base, name):
    path, options = write(CASES[name], tmp_path)
    found = read_table(path, **options)
    plain, frame = base[CASES[name].base]
    np.testing.assert_array_equal(found.X, frame.iloc[:, 2:].to_numpy(float))  # by pandas
    assert found.digest() == plain.digest()


@pytest.mark.parametrize("name", ANSWERED)
def test_it_is_answered_with_what_reads_it(tmp_path, name):
    path, options = write(CASES[name], tmp_path)
    with pytest.raises(DataError) as error:
        read_table(path, **options)
    assert CASES[name].says in str(error.value)
