#!/bin/sh
# Goldens of Weka's LogitBoost over decision stumps: class probabilities of rows.
#
#   make_weka_logitboost.sh <folder of .arff tables, the class last> <output folder>
#
# Needs Weka's jar (Debian: apt install weka default-jdk-headless; WEKA_JAR elsewhere). Java
# prints doubles so that they read back exactly.
set -eu
jar=${WEKA_JAR:-/usr/share/java/weka.jar}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/Boost.java" <<'JAVA'
import java.io.BufferedReader;
import java.io.FileReader;
import java.io.PrintWriter;
import java.util.Arrays;
import weka.classifiers.meta.LogitBoost;
import weka.core.Instances;
import weka.core.Version;

public class Boost {
  static final int[] ROUNDS = {1, 5, 10, 50};
  static final int ROWS = 40;

  public static void main(String[] paths) throws Exception {
    Instances table = new Instances(new BufferedReader(new FileReader(paths[0])));
    table.setClassIndex(table.numAttributes() - 1);
    PrintWriter out = new PrintWriter(paths[1], "UTF-8");
    out.print("{\"set\": \"" + table.relationName() + "\",\n\"weka\": \"" + Version.VERSION);
    out.print("\",\n\"rows\": " + table.numInstances());
    for (int rounds : ROUNDS) {
      LogitBoost model = new LogitBoost();
      model.setNumIterations(rounds);
      model.buildClassifier(table);
      out.print(",\n\"" + rounds + "\": [\n");
      for (int i = 0; i < Math.min(ROWS, table.numInstances()); i++)
        out.print((i > 0 ? ",\n" : "")
          + Arrays.toString(model.distributionForInstance(table.instance(i))));
      out.print("]");
    }
    out.print("}\n");
    out.close();
  }
}
JAVA
javac -cp "$jar" -d "$work" "$work/Boost.java"
for table in "$1"/*.arff; do
  name=$(basename "$table" .arff | tr - _)
  java -cp "$jar:$work" Boost "$table" "$2/weka_logitboost_$name.json"
  echo "$2/weka_logitboost_$name.json"
done
