#!/bin/sh
# Goldens of Weka's supervised Discretize (default options: Fayyad & Irani's MDL).
#
#   make_weka_mdl.sh <folder of .arff tables, the class last> <output folder>
#
# Needs Weka's jar (Debian: apt install weka default-jdk-headless; WEKA_JAR elsewhere). The filter
# prints its cuts rounded, so a small class asks it for them: Java prints doubles so that they
# read back exactly.
set -eu
jar=${WEKA_JAR:-/usr/share/java/weka.jar}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/MdlCuts.java" <<'JAVA'
import java.io.BufferedReader;
import java.io.FileReader;
import java.io.PrintWriter;
import java.util.Arrays;
import weka.core.Instances;
import weka.core.Version;
import weka.filters.Filter;
import weka.filters.supervised.attribute.Discretize;

public class MdlCuts {
  public static void main(String[] paths) throws Exception {
    Instances table = new Instances(new BufferedReader(new FileReader(paths[0])));
    table.setClassIndex(table.numAttributes() - 1);
    Discretize filter = new Discretize();
    filter.setInputFormat(table);
    Filter.useFilter(table, filter);
    StringBuilder cuts = new StringBuilder();
    for (int j = 0; j < table.numAttributes() - 1; j++) {
      if (!table.attribute(j).isNumeric()) continue;
      double[] found = filter.getCutPoints(j);
      cuts.append(cuts.length() > 0 ? ",\n" : "").append('"').append(table.attribute(j).name());
      cuts.append("\": ").append(found == null ? "[]" : Arrays.toString(found));
    }
    PrintWriter out = new PrintWriter(paths[1], "UTF-8");
    out.print("{\"set\": \"" + table.relationName() + "\",\n\"weka\": \"" + Version.VERSION);
    out.print("\",\n\"rows\": " + table.numInstances() + ",\n\"cuts\": {\n" + cuts + "\n}}\n");
    out.close();
  }
}
JAVA
javac -cp "$jar" -d "$work" "$work/MdlCuts.java"
for table in "$1"/*.arff; do
  name=$(basename "$table" .arff)
  java -cp "$jar:$work" MdlCuts "$table" "$2/weka_mdl_$name.json"
  echo "$2/weka_mdl_$name.json"
done
