"""AODE and AODEsr on adult beside Weka, in CPU time.

    python benchmarks/aode.py [--repeats 30]

The first 32,561 rows of adult (14 columns), numeric columns cut by MDL once beforehand, for both.
Weka gets the same codes as nominal attributes and is timed inside one warm JVM: of several repeats
the least CPU time of the thread that calls it (its compiler and its garbage collector have other
threads, not counted). Tamis is timed from the codes (`kernels.aode`: counts, logarithms, scores,
probabilities) and as `AODEClassifier` with declared categories on the table of codes as floats,
checks included; the first call, which compiles, is not counted. Probabilities of all rows are
compared first. Without java, javac or Weka's jar (Debian: weka default-jdk-headless; WEKA_JAR
elsewhere) the script says what is missing and times Tamis alone.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from _harness import markdown, shared_folder, versions

ROWS = 32561
SETTINGS = {
    "AODE": ("AODE -F 30", {}),
    "AODEsr": ("AODEsr -L -F 30 -C 100", {"subsumption": True}),
}
JAVA = r"""
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import weka.classifiers.Classifier;
import weka.core.Instances;
import weka.core.Utils;
import weka.core.Version;

public class Timed {
  public static void main(String[] args) throws Exception {
    Instances table = new Instances(new BufferedReader(new FileReader(args[0])));
    table.setClassIndex(table.numAttributes() - 1);
    String[] words = Utils.splitOptions(args[2]);
    int repeats = Integer.parseInt(args[3]), n = table.numInstances();
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    double fit = 1e9, predict = 1e9;
    double[][] found = new double[n][];
    for (int k = 0; k < repeats; k++) {
      Classifier model = Classifier.forName("weka.classifiers.bayes." + words[0],
        java.util.Arrays.copyOfRange(words, 1, words.length));
      System.gc();
      long begin = clock.getCurrentThreadCpuTime();
      model.buildClassifier(table);
      long middle = clock.getCurrentThreadCpuTime();
      for (int i = 0; i < n; i++) found[i] = model.distributionForInstance(table.instance(i));
      long end = clock.getCurrentThreadCpuTime();
      fit = Math.min(fit, (middle - begin) / 1e9);
      predict = Math.min(predict, (end - middle) / 1e9);
    }
    DataOutputStream out = new DataOutputStream(
      new BufferedOutputStream(new FileOutputStream(args[1])));
    for (double[] row : found) for (double p : row) out.writeDouble(p);
    out.close();
    System.out.println(fit + " " + predict + " " + Version.VERSION + " "
      + System.getProperty("java.version"));
  }
}
"""


def adult() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Codes as floats with NaN for missing (n, p), class codes, levels of the columns."""
    import pandas as pd

    from tamis.data import MDLDiscretizer

    table = pd.read_parquet(shared_folder() / "uci" / "adult.parquet").iloc[:ROWS]
    y = np.unique(table.pop("class").astype(str), return_inverse=True)[1]
    cuts = MDLDiscretizer(categorical_features="from_dtype").fit(table, y)
    levels = [
        len(known) if categorical else len(own) + 1
        for known, own, categorical in zip(
            cuts.categories_, cuts.cuts_, cuts.is_categorical_, strict=True
        )
    ]
    return cuts.transform(table), y.astype(np.int64), np.array(levels)


def write_arff(X: np.ndarray, y: np.ndarray, levels: np.ndarray, path: Path) -> None:
    """Codes as nominal attributes, the class last."""
    lines = ["@relation adult"]
    for j, n in enumerate([*levels, y.max() + 1]):
        lines.append(f"@attribute x{j} {{{','.join(map(str, range(n)))}}}")
    lines.append("@data")
    for row, label in zip(X, y, strict=True):
        lines.append(",".join("?" if np.isnan(v) else str(int(v)) for v in row) + f",{label}")
    path.write_text("\n".join(lines) + "\n")


def missing_parts() -> list[str]:
    """What a comparison with Weka lacks."""
    jar = Path(os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar"))
    lacking = [name for name in ("java", "javac") if shutil.which(name) is None]
    return lacking + ([] if jar.exists() else [str(jar)])


def weka_times(X, y, levels, options: str, repeats: int) -> tuple[float, float, np.ndarray, str]:
    """CPU seconds of fitting and of predicting, probabilities, and versions."""
    jar = os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar")
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "Timed.java").write_text(JAVA)
        build = ["javac", "-nowarn", "-cp", jar, "-d", folder, str(work / "Timed.java")]
        subprocess.run(build, check=True, stderr=subprocess.DEVNULL)
        write_arff(X, y, levels, work / "adult.arff")
        files = [str(work / "adult.arff"), str(work / "proba")]
        run = ["java", "-Xmx2g", "-cp", f"{jar}:{folder}", "Timed", *files, options, str(repeats)]
        told = subprocess.run(run, check=True, capture_output=True, text=True).stdout.split()
        proba = np.fromfile(work / "proba", dtype=">f8").reshape(len(y), -1)
    return float(told[0]), float(told[1]), proba, f"Weka {told[2]}, Java {told[3]}"


def least(function: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """The least CPU seconds of several calls, after one that is not counted, and what it gives."""
    value, times = function(), []
    for _ in range(repeats):
        begin = process_time()
        value = function()
        times.append(process_time() - begin)
    return min(times), value


def tamis_times(X, y, levels, settings: dict, repeats: int) -> dict[str, Any]:
    """CPU seconds from codes, by part, and of the classifier; its probabilities."""
    from tamis.classifiers import AODEClassifier
    from tamis.classifiers.aode.model import AODEModel
    from tamis.kernels.aode import add_rows, no_counts

    codes = np.where(np.isnan(X), levels, X).astype(np.int32)
    weights, support = np.ones(len(y)), 100 if settings else None

    def count() -> Any:
        counts = no_counts(levels, 2)
        add_rows(counts, codes, y, weights)
        return counts

    fit, counts = least(count, repeats)
    predict, proba = least(lambda: AODEModel(counts, 30, None, support).shares(codes), repeats)
    model = AODEClassifier(categories={j: np.arange(n) for j, n in enumerate(levels)}, **settings)
    whole_fit, _ = least(lambda: model.fit(X, y), repeats)
    whole_predict, again = least(lambda: model.predict_proba(X), repeats)
    np.testing.assert_array_equal(again, proba)
    return {
        "fit": fit,
        "predict": predict,
        "proba": proba,
        "counts": counts,
        "codes": codes,
        "classifier fit": whole_fit,
        "classifier predict": whole_predict,
    }


def look_ups(found: dict[str, Any], repeats: int) -> str:
    """Where the time of a prediction goes, and how far its look-ups are from the first cache."""
    from tamis.kernels.aode import log_tables
    from tamis.kernels.aode.scores import _parent_terms

    codes, counts = found["codes"], found["counts"]
    n, p = codes.shape
    logs, tables = least(lambda: log_tables(counts, 30, None), repeats)
    some = slice(0, 4096)
    out = np.empty((4096, 2, p))

    def terms(rows: np.ndarray) -> float:
        values = rows[some] + tables.starts
        return least(lambda: _parent_terms(tables, values, values, out), repeats)[0]

    spread, one = terms(codes), terms(np.repeat(codes[:1], 4096, axis=0))
    exps, _ = least(lambda: np.exp(out), repeats)
    looked = 4096 * p * p * 2
    size = tables.child.nbytes / 1e3
    reached = looked * 8 / spread / 1e9
    return (
        f"Counts are {counts.pairs.nbytes / 1e3:.0f} kB, logarithms {size:.0f} kB "
        f"({len(tables.prior)} values with those for missing); second cache "
        f"{cache_size()}. A row adds up {2 * p * p} of them, {2 * p * p * 8 / 1e3:.1f} kB: "
        f"{spread / looked * 1e9:.2f} ns each, {reached:.0f} GB/s. Were all rows equal, so that "
        f"the first cache held what they need, it would be {one / looked * 1e9:.2f} ns. By part, "
        f"ms for all rows: logarithms {logs * 1e3:.2f}, look-ups {spread * n / 4.096:.2f}, "
        f"exponentials {exps * n / 4.096:.2f}."
    )


def cache_size() -> str:
    path = Path("/sys/devices/system/cpu/cpu0/cache/index2/size")
    return path.read_text().strip() if path.exists() else "unknown"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=30)
    repeats = parser.parse_args().repeats
    X, y, levels = adult()
    lacking = missing_parts()
    if lacking:
        print(f"not compared with Weka: {', '.join(lacking)} not found", file=sys.stderr)
    rows, peer, found = [], "", {}
    for name, (options, settings) in SETTINGS.items():
        found[name] = ours = tamis_times(X, y, levels, settings, repeats)
        if not lacking:
            fit, predict, proba, peer = weka_times(X, y, levels, options, repeats)
            apart = np.abs(proba - ours["proba"]).max()
            print(f"{name}: probabilities at most {apart:.1e} apart", file=sys.stderr)
            np.testing.assert_allclose(ours["proba"], proba, rtol=0, atol=1e-12)
        for who in ("", "classifier "):
            times = [ours[who + "fit"], ours[who + "predict"]]
            row = [f"{name}, {who.strip() or 'from codes'}", *(f"{t * 1e3:.1f}" for t in times)]
            if not lacking:
                row += [f"{fit * 1e3:.1f}", f"{predict * 1e3:.1f}"]
                row.append(f"{(fit + predict) / sum(times):.1f}")
            rows.append(row)
    print(versions("numpy", "numba", "scikit-learn") + (f"; {peer}" if peer else ""))
    header = ["", "fit, ms", "predict, ms", "Weka fit", "Weka predict", "x"]
    print(markdown(header[: len(rows[0])], rows))
    print(look_ups(found["AODE"], repeats))


if __name__ == "__main__":
    main()
