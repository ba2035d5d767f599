"""The text of a model file, held against its type: a hostile one costs little more than it has."""

import subprocess
import sys

import pytest

HOSTILE = """
import resource
from tamis._core.array_file import checked_text
from tamis._core.errors import ModelError
from tamis.model.content import StoredModel

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

text = {"steps": [{}] * 500_000}  # 2 MB of a file, and three faults each
try:
    checked_text({}, StoredModel)
except ModelError:
    before = peak()
try:
    checked_text(text, StoredModel)
except ModelError as error:
    print(peak() - before, error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is in other units there")
def test_a_million_faults_are_not_all_kept():
    done = subprocess.run([sys.executable, "-c", HOSTILE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    kilobytes, _, told = done.stdout.partition(" ")
    assert int(kilobytes) < 100_000
    assert told.strip() == "the model's part 'kind' does not fit the others: it was not used"
