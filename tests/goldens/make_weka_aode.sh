#!/bin/sh
# Goldens of Weka's AODE and AODEsr: class probabilities of some rows, and the table of codes.
#
#   make_weka_aode.sh <folder of Weka's examples> <output folder>
#
# Needs Weka's jar (Debian: apt install weka default-jdk-headless; WEKA_JAR elsewhere). Numeric
# columns are cut by the supervised Discretize on the whole table. A row is its codes as digits and
# letters, "?" for missing, the class last. Java prints doubles so that they read back exactly.
set -eu
jar=${WEKA_JAR:-/usr/share/java/weka.jar}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/Estimators.java" <<'JAVA'
import java.io.BufferedReader;
import java.io.FileReader;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Random;
import weka.classifiers.Classifier;
import weka.classifiers.bayes.AODE;
import weka.classifiers.bayes.AODEsr;
import weka.core.Attribute;
import weka.core.FastVector;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Utils;
import weka.core.Version;
import weka.filters.Filter;
import weka.filters.supervised.attribute.Discretize;

public class Estimators {
  static final String[] OPTIONS = {
    "AODE", "AODE -F 30", "AODE -F 100 -M", "AODE -M -W 3", "AODE -F 100000", "AODE -F 100000 -M",
    "AODEsr", "AODEsr -L", "AODEsr -L -F 30 -C 100", "AODEsr -M 0.5 -C 10",
    "AODEsr -L -F 100000 -C 10", "AODEsr -F 100000"};
  static final int ROWS = 40;

  /** Weights, gaps, a copy of a column, a column that follows from another, a level of no row. */
  static Instances made() {
    Random random = new Random(5);
    FastVector columns = new FastVector();
    int[] sizes = {3, 3, 2, 4, 5, 2, 3};
    for (int j = 0; j < sizes.length; j++) {
      FastVector levels = new FastVector();
      for (int v = 0; v < sizes[j]; v++) levels.addElement("v" + v);
      columns.addElement(new Attribute("x" + j, levels));
    }
    Instances table = new Instances("made", columns, 0);
    for (int i = 0; i < 300; i++) {
      int y = random.nextInt(3), a = random.nextInt(4) == 0 ? random.nextInt(3) : y;
      int d = random.nextInt(3), e = random.nextInt(1 + y + d);
      double[] row = {a, a, a == 2 ? 1 : random.nextInt(2), d, e, random.nextInt(2), y};
      for (int j = 3; j < 6; j++)
        if (random.nextInt(8) == 0) row[j] = Instance.missingValue();
      Instance one = new Instance(1 + random.nextInt(4), row);
      one.setWeight(one.weight() / 4);
      table.add(one);
    }
    return table;
  }

  public static void main(String[] paths) throws Exception {
    boolean made = paths[0].equals("made");
    Instances table = made ? made()
      : new Instances(new BufferedReader(new FileReader(paths[0])));
    table.setClassIndex(table.numAttributes() - 1);
    if (!made) {
      Discretize filter = new Discretize();
      filter.setInputFormat(table);
      table = Filter.useFilter(table, filter);
    }
    int p = table.numAttributes(), n = table.numInstances();
    PrintWriter out = new PrintWriter(paths[1], "UTF-8");
    out.print("{\"set\": \"" + (made ? "made" : paths[2]) + "\",\n\"weka\": \"" + Version.VERSION);
    out.print("\",\n\"levels\": [");
    for (int j = 0; j < p; j++)
      out.print((j > 0 ? ", " : "") + table.attribute(j).numValues());
    out.print("],\n\"table\": [\n");
    double[] weights = new double[n];
    for (int i = 0; i < n; i++) {
      StringBuilder row = new StringBuilder();
      weights[i] = table.instance(i).weight();
      for (int j = 0; j < p; j++)
        row.append(table.instance(i).isMissing(j) ? '?'
          : Character.forDigit((int) table.instance(i).value(j), 36));
      out.print((i > 0 ? ",\n" : "") + "\"" + row + "\"");
    }
    out.print("\n],\n" + (made ? "\"weights\": " + Arrays.toString(weights) + ",\n" : ""));
    int step = n / ROWS;
    out.print("\"every\": " + step);
    for (String line : OPTIONS) {
      String[] words = Utils.splitOptions(line);
      Classifier model = words[0].equals("AODE") ? new AODE() : new AODEsr();
      words[0] = "";
      model.setOptions(words);
      model.buildClassifier(table);
      out.print(",\n\"" + line + "\": [\n");
      for (int i = 0; i < n; i += step)
        out.print((i > 0 ? ",\n" : "")
          + Arrays.toString(model.distributionForInstance(table.instance(i))));
      out.print("\n]");
    }
    out.print("}\n");
    out.close();
  }
}
JAVA
javac -nowarn -cp "$jar" -d "$work" "$work/Estimators.java"
for set in vote breast-cancer credit-g diabetes; do
  name=$(echo "$set" | tr - _)
  java -cp "$jar:$work" Estimators "$1/$set.arff" "$2/weka_aode_$name.json" "$set"
  echo "$2/weka_aode_$name.json"
done
java -cp "$jar:$work" Estimators made "$2/weka_aode_made.json"
echo "$2/weka_aode_made.json"
