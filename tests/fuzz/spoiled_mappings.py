"""Inputs of the fuzzer of mappings: the k-th of a seed is always the same."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from fuzz.mapping_files import BESIDE, mappings
from fuzz.mutate import mutate
from fuzz.structure import json_text, spoil_tree

QUESTIONS = "fuzz.mapping_questions"
PIECES = [b"\t", b"\n", b'"', b"#", b":", b"|", b"\\", b"\0", b"\xff", b"&x;", b"<", b">", b"[[[[",
          b"- &a *a", b"nan", b"1e999", b"\r", b"<!DOCTYPE r [<!ENTITY x 'y'>]>", b"</Cell>",
          b"{", b"null", b"Not", b"sssom:NoTermFound", b"!!int", b"http://[", b"//a]b/",
          b"xml:base='http://['", b"xsd:double", b"=", b"?", b"yes", b"no", b"0,5",
          b"</rdf:RDF>", b"<Cell><entity1 rdf:resource=''/></Cell>"]  # fmt: skip


def spoiled(seed: int, k: int, folder: Path) -> tuple[str, Path]:
    """Write an input into a folder: which file was spoiled, and the mapping to read."""
    rng = np.random.default_rng([seed, k, 6])
    contents = mappings()
    name = list(contents)[k % len(contents)]
    data = contents[name]
    if name.endswith(".json") and rng.random() < 0.6:
        data = json_text(spoil_tree(rng, json.loads(data))).encode("utf-8", "surrogatepass")
    else:
        for _ in range(int(rng.integers(3))):
            at = int(rng.integers(len(data) + 1))
            to = at + int(rng.integers(40)) if rng.random() < 0.5 else at
            data = data[:at] + PIECES[rng.integers(len(PIECES))] + data[to:]
        if rng.random() < 0.5:
            data = mutate(rng, data, text=True)
    (folder / name).write_bytes(data)
    if name != BESIDE:
        return name, folder / name
    path = folder / "beside.sssom.tsv"
    path.write_bytes(contents[path.name])
    return name, path
