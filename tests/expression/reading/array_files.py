"""Small files of arrays, written as scanners and chip makers write them."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

CHIP = "Made_1"
DAT_HEADER = (
    "[12..40151]  made:CLS=4733 RWS=4733 XIN=3  YIN=3  VE=17        2.0 02/18/04 11:17:51 "
    f"50101230  M10   \x14  \x14 {CHIP}.1sq \x14  \x14  \x14  \x14  \x14  \x14  \x14  \x14  \x14 6"
)
PARAMETERS = "Percentile:75;CellMargin:2;OutlierHigh:1.500;OutlierLow:1.004"
Places = Sequence[tuple[int, int]]


def header_text(rows: int, columns: int) -> str:
    """The header that versions 3 and 4 share."""
    corners = "".join(
        f"GridCorner{c}={10 * columns} {10 * rows}\n" for c in ("UL", "UR", "LR", "LL")
    )
    return (
        f"Cols={columns}\nRows={rows}\nTotalX={columns}\nTotalY={rows}\nOffsetX=0\nOffsetY=0\n"
        f"{corners}Axis-invertX=0\nAxisInvertY=0\nswapXY=0\nDatHeader={DAT_HEADER}\n"
        f"Algorithm=Percentile\nAlgorithmParameters={PARAMETERS}\n"
    )


def cel_text(values: np.ndarray, masked: Places = (), outliers: Places = ()) -> dict[str, bytes]:
    """Version 3, of intensities in rows and columns; places are (x, y). Parts in order."""
    rows, columns = values.shape
    cells = "".join(
        f"{x:3d}\t{y:3d}\t{values[y, x]:.1f}\t{values[y, x] / 10:.1f}\t 25\r\n"
        for y in range(rows)
        for x in range(columns)
    )
    parts = {
        "head_text": f"[CEL]\nVersion=3\n\n[HEADER]\n{header_text(rows, columns)}\n",
        "intensity_text": f"[INTENSITY]\nNumberCells={values.size}\n"
        f"CellHeader=X\tY\tMEAN\tSTDV\tNPIXELS\n{cells}\n",
        "flags_text": _places_text("MASKS", masked)
        + _places_text("OUTLIERS", outliers)
        + "[MODIFIED]\nNumberCells=0\nCellHeader=X\tY\tORIGMEAN\n",
    }
    return {
        key: text.replace("\r", "").replace("\n", "\r\n").encode() for key, text in parts.items()
    }


def _places_text(section: str, places: Places) -> str:
    lines = "".join(f"{x}\t{y}\n" for x, y in places)
    return f"[{section}]\nNumberCells={len(places)}\nCellHeader=X\tY\n{lines}\n"


def cel_version_4(
    values: np.ndarray, masked: Places = (), outliers: Places = ()
) -> dict[str, bytes]:
    """Version 4: parts in order."""
    rows, columns = values.shape
    text = header_text(rows, columns).encode()
    cells = np.zeros(values.size, dtype=[("mean", "<f4"), ("sd", "<f4"), ("pixels", "<i2")])
    cells["mean"], cells["sd"], cells["pixels"] = values.ravel(), values.ravel() / 10, 25
    return {
        "numbers": struct.pack("<5i", 64, 4, rows, columns, values.size),
        "header_text": struct.pack("<i", len(text)) + text,
        "algorithm": _counted("<", b"Percentile") + _counted("<", PARAMETERS.encode()),
        "counts": struct.pack("<i2Ii", 2, len(outliers), len(masked), 0),
        "cells": cells.tobytes(),
        "flags": np.array([*masked, *outliers], dtype="<i2").tobytes(),
    }


def _counted(order: str, text: bytes) -> bytes:
    return struct.pack(f"{order}i", len(text)) + text


def _wide(text: str) -> bytes:
    return struct.pack(">i", len(text)) + text.encode("utf-16-be")


def _value(key: str, value: str | int | float) -> bytes:
    """A named value of Command Console."""
    if isinstance(value, str):
        kind, data = "text/plain", value.encode("utf-16-be")
    elif isinstance(value, int):
        kind, data = "text/x-calvin-integer-32", struct.pack(">i", value)
    else:
        kind, data = "text/x-calvin-float", struct.pack(">f", value)
    return _wide(key) + _counted(">", data) + _wide(kind)


def _header(kind: str, values: Mapping[str, str | int | float], parents: Sequence[bytes]) -> bytes:
    return b"".join(
        [
            _counted(">", kind.encode()),
            _counted(">", b"0000-made"),
            _wide("2009-08-25T10:00:00Z"),
            _wide("en-US"),
            struct.pack(">i", len(values)),
            *[_value(key, value) for key, value in values.items()],
            struct.pack(">i", len(parents)),
            *parents,
        ]
    )


def cel_command_console(
    values: np.ndarray, masked: Places = (), outliers: Places = ()
) -> dict[str, bytes]:
    """Command Console: parts in order; positions in the file are those of the valid parts."""
    rows, columns = values.shape
    parent = _header(
        "affymetrix-calvin-scan-acquisition",
        {
            "affymetrix-scan-date": "2009-08-25T13:14:15Z",
            "affymetrix-array-type": CHIP,
            "affymetrix-dat-header": DAT_HEADER,
        },
        [],
    )
    grid = {
        f"affymetrix-algorithm-param-Grid{corner}{axis}": 10.0
        for corner in ("UL", "UR", "LL", "LR")
        for axis in "XY"
    }
    header = _header(
        "affymetrix-calvin-intensity",
        {
            "affymetrix-array-type": CHIP,
            "affymetrix-cel-cols": columns,
            "affymetrix-cel-rows": rows,
            "affymetrix-algorithm-name": "Percentile",
            **grid,
        },
        [parent],
    )
    flat = values.ravel()
    sets = [
        ("Intensity", [("Intensity", 6, 4)], flat.astype(">f4").tobytes(), values.size),
        ("StdDev", [("StdDev", 6, 4)], (flat / 10).astype(">f4").tobytes(), values.size),
        ("Pixel", [("Pixel", 2, 2)], np.full(values.size, 25, dtype=">i2").tobytes(), values.size),
        (
            "Outlier",
            [("X", 2, 2), ("Y", 2, 2)],
            np.array(outliers, dtype=">i2").tobytes(),
            len(outliers),
        ),
        ("Mask", [("X", 2, 2), ("Y", 2, 2)], np.array(masked, dtype=">i2").tobytes(), len(masked)),
    ]
    parts = {"start": b"", "header": header, "group": b""}
    first = 10 + len(header)
    at = first + 12 + len(_wide("Default Group"))
    parts["start"] = struct.pack(">BBiI", 59, 1, 1, first)
    parts["group"] = struct.pack(">IIi", 0, at, len(sets)) + _wide("Default Group")
    for name, described, data, n_rows in sets:
        head = _wide(name) + struct.pack(">i", 0) + struct.pack(">I", len(described))
        head += b"".join(_wide(c) + struct.pack(">bi", kind, size) for c, kind, size in described)
        head += struct.pack(">I", n_rows)
        rows_at = at + 8 + len(head)
        at = rows_at + len(data)
        parts[f"{name}_head"] = struct.pack(">II", rows_at, at) + head
        parts[f"{name}_rows"] = data
    parts["group"] = struct.pack(">IIi", at, first + len(parts["group"]), len(sets)) + _wide(
        "Default Group"
    )
    return parts


Block = Sequence[tuple[int, int, str, str, int]]  # x, y, base of the probe, of the target, atom


def cdf_text(
    shape: tuple[int, int], probe_sets: Mapping[str, Block], others: Mapping[str, Block] = {}
) -> dict[str, bytes]:
    """A CDF in text of probe sets, and of genotyping units besides."""
    rows, columns = shape
    units = {**probe_sets, **others}
    parts = {
        "head_text": f"[CDF]\nVersion=GC3.0\n\n[Chip]\nName={CHIP}\nRows={rows}\nCols={columns}\n"
        f"NumberOfUnits={len(units)}\nMaxUnit={len(units)}\nNumQCUnits=1\nChipReference=\n\n",
        "qc_text": "[QC1]\nType=3\nNumberCells=1\nCellHeader=X\tY\tPROBE\tPLEN\tATOM\tINDEX\n"
        "Cell1=0\t0\tN\t25\t0\t0\n\n",
    }
    for k, (name, cells) in enumerate(units.items(), 1):
        atoms = len({cell[4] for cell in cells})
        kind = 2 if name in others else 3
        lines = "".join(
            f"Cell{i}={x}\t{y}\tN\tcontrol\t{name}\t{atom}\t13\t{target}\t{probe}\t{target}\t{atom}"
            f"\t{x + y * columns}\t-1\t-1\t99\t \n"
            for i, (x, y, probe, target, atom) in enumerate(cells, 1)
        )
        direction = "Direction=1\n" if kind == 2 else ""
        parts[f"unit{k}_text"] = (
            f"[Unit{k}]\nName=NONE\nDirection=1\nNumAtoms={atoms}\nNumCells={len(cells)}\n"
            f"UnitNumber={k}\nUnitType={kind}\nNumberBlocks=1\n\n[Unit{k}_Block1]\nName={name}\n"
            f"BlockNumber=1\nNumAtoms={atoms}\nNumCells={len(cells)}\nStartPosition=0\n"
            f"StopPosition={atoms - 1}\n{direction}"
            "CellHeader=X\tY\tPROBE\tFEAT\tQUAL\tEXPOS\tPOS\tCBASE\tPBASE\tTBASE\tATOM\tINDEX\t"
            f"CODONIND\tCODON\tREGIONTYPE\tREGION\n{lines}\n"
        )
    return {key: text.replace("\n", "\r\n").encode() for key, text in parts.items()}


def cdf_binary(
    shape: tuple[int, int], probe_sets: Mapping[str, Block], others: Mapping[str, Block] = {}
) -> dict[str, bytes]:
    """A binary CDF, of the same."""
    rows, columns = shape
    units = {**probe_sets, **others}
    parts = {"start": struct.pack("<2i2H3i", 67, 1, columns, rows, len(units), 1, 3) + b"ACG"}
    parts["names"] = b"".join(name.encode().ljust(64, b"\0") for name in units)
    at = sum(map(len, parts.values())) + 4 + 4 * len(units)
    control = struct.pack("<Hi", 3, 1) + struct.pack("<2H3B", 0, 0, 25, 1, 0)
    bodies = {}
    for k, (name, cells) in enumerate(units.items(), 1):
        atoms = len({cell[4] for cell in cells})
        unit = struct.pack("<HB4iB", 2 if name in others else 1, 1, atoms, 1, len(cells), k, 2)
        unit += struct.pack("<2i2B2i", atoms, len(cells), 2, 1, 0, atoms - 1)
        unit += name.encode().ljust(64, b"\0")
        for x, y, probe, target, atom in cells:
            unit += struct.pack("<i2Hi2c", atom, x, y, atom, probe.encode(), target.encode())
        bodies[f"unit{k}"] = unit
    starts, first = [], at + len(control)
    for body in bodies.values():
        starts.append(first)
        first += len(body)
    parts["starts"] = struct.pack("<i", at) + np.array(starts, dtype="<i4").tobytes()
    return {**parts, "control": control, **bodies}


def made_probe_sets(
    shape: tuple[int, int], n_sets: int, rng: np.random.Generator, mismatches: bool = True
) -> dict[str, list[tuple[int, int, str, str, int]]]:
    """Probe sets of 3 to 11 probes at places of their own, cells by atom.

    Fusion (which affxparser is built on) reads text in no other order.
    """
    rows, columns = shape
    free = rng.permutation(rows * columns).tolist()
    found = {}
    for k in range(n_sets):
        cells = []
        for atom in range(int(rng.integers(3, 12))):
            target = "ACGT"[rng.integers(4)]
            pair = [("ACGT"["TGCA".index(target)], free.pop())]
            if mismatches:
                pair.append((target, free.pop()))
            if rng.random() < 0.5:
                pair.reverse()
            cells += [(at % columns, at // columns, base, target, atom) for base, at in pair]
        found[f"{1000 + (7 * k) % n_sets}_at"] = cells
    return found


SHAPES = {"square": (20, 20), "wide": (12, 18)}
WRITERS = {"text": cel_text, "version_4": cel_version_4, "console": cel_command_console}
CDF_WRITERS = {"text": cdf_text, "binary": cdf_binary}
MASKED, OUTLIERS = [(3, 4), (17, 11)], [(0, 1), (5, 6), (16, 2)]


def made_intensities(shape: tuple[int, int], seed: int) -> np.ndarray:
    """Numbers of one decimal, as float32, which text and binary files hold alike."""
    rng = np.random.default_rng(seed)
    return np.round(rng.gamma(2, 300, shape), 1).astype(np.float32)


def golden_files() -> dict[str, bytes]:
    """The files that the peers read for `tests/goldens/arrays.json`, by name."""
    found = {}
    for name, shape in SHAPES.items():
        for k, (kind, write) in enumerate(WRITERS.items()):
            values = made_intensities(shape, k)
            found[f"{name}_{kind}.CEL"] = b"".join(write(values, MASKED, OUTLIERS).values())
        rng = np.random.default_rng(9)
        probe_sets = made_probe_sets(shape, 9, rng)
        for kind, write_cdf in CDF_WRITERS.items():
            found[f"{name}_{kind}.CDF"] = b"".join(write_cdf(shape, probe_sets).values())
    return found


def write_golden_files(folder: str | Path) -> None:
    """Into a folder that there is."""
    for name, data in golden_files().items():
        Path(folder, name).write_bytes(data)
