#!/bin/sh
# Goldens of Weka's J48: the trees, and the class distributions of the first rows.
#
#   make_weka_j48.sh <folder of .arff tables, the class last> <output folder>
#
# Needs Weka's jar (Debian: apt install weka default-jdk-headless; WEKA_JAR elsewhere). J48
# prints rounded numbers, so a small class walks the tree itself: Java prints doubles so that
# they read back exactly. A node is [attribute, threshold, class weights], attribute null in a
# leaf and threshold null in a nominal split, in the order of the printed tree. An attribute
# "row weight" holds the weights of the rows.
set -eu
jar=${WEKA_JAR:-/usr/share/java/weka.jar}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/Trees.java" <<'JAVA'
import java.io.BufferedReader;
import java.io.FileReader;
import java.io.PrintWriter;
import java.lang.reflect.Field;
import java.util.Arrays;
import weka.classifiers.trees.J48;
import weka.classifiers.trees.j48.C45Split;
import weka.classifiers.trees.j48.ClassifierSplitModel;
import weka.classifiers.trees.j48.ClassifierTree;
import weka.classifiers.trees.j48.Distribution;
import weka.core.Attribute;
import weka.core.Instances;
import weka.core.Utils;
import weka.core.Version;

public class Trees {
  static final String[] OPTIONS = {"", "-S", "-U"};
  static final int ROWS = 20;

  static String text(String value) {
    return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n")
      .replace("\t", "\\t") + '"';
  }

  static Object field(Class<?> kind, Object from, String name) throws Exception {
    Field field = kind.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(from);
  }

  static void walk(Object tree, Instances table, StringBuilder out)
      throws Exception {
    boolean leaf = (Boolean) field(ClassifierTree.class, tree, "m_isLeaf");
    Object model = field(ClassifierTree.class, tree, "m_localModel");
    Distribution seen = ((ClassifierSplitModel) model).distribution();
    String attribute = "null", threshold = "null";
    if (!leaf) {
      C45Split split = (C45Split) model;
      attribute = text(table.attribute(split.attIndex()).name());
      if (table.attribute(split.attIndex()).isNumeric())
        threshold = field(C45Split.class, split, "m_splitPoint").toString();
    }
    double[] weights = new double[table.numClasses()];
    for (int c = 0; c < weights.length; c++) weights[c] = seen.perClass(c);
    out.append(out.length() > 0 ? ",\n" : "").append("[").append(attribute).append(", ");
    out.append(threshold).append(", ").append(Arrays.toString(weights)).append("]");
    if (!leaf)
      for (Object son : (Object[]) field(ClassifierTree.class, tree, "m_sons"))
        walk(son, table, out);
  }

  public static void main(String[] paths) throws Exception {
    Instances table = new Instances(new BufferedReader(new FileReader(paths[0])));
    table.setClassIndex(table.numAttributes() - 1);
    Attribute weight = table.attribute("row weight");
    if (weight != null) {
      for (int i = 0; i < table.numInstances(); i++)
        table.instance(i).setWeight(table.instance(i).value(weight));
      table.deleteAttributeAt(weight.index());
    }
    PrintWriter out = new PrintWriter(paths[1], "UTF-8");
    out.print("{\"set\": " + text(table.relationName()) + ",\n\"weka\": \"" + Version.VERSION);
    out.print("\",\n\"rows\": " + table.numInstances() + ",\n\"classes\": [");
    for (int c = 0; c < table.numClasses(); c++)
      out.print((c > 0 ? ", " : "") + text(table.classAttribute().value(c)));
    out.print("]");
    for (String options : OPTIONS) {
      J48 model = new J48();
      model.setOptions(Utils.splitOptions(options));
      model.buildClassifier(table);
      StringBuilder nodes = new StringBuilder(), rows = new StringBuilder();
      walk(field(J48.class, model, "m_root"), table, nodes);
      for (int i = 0; i < Math.min(ROWS, table.numInstances()); i++) {
        rows.append(i > 0 ? ",\n" : "");
        rows.append(Arrays.toString(model.distributionForInstance(table.instance(i))));
      }
      out.print(",\n\"J48 " + options + "\": {\"nodes\": [\n" + nodes + "\n],\n\"first rows\": [\n");
      out.print(rows + "\n]");
      if (options.isEmpty()) out.print(",\n\"text\": " + text(model.toString()));
      out.print("}");
    }
    out.print("}\n");
    out.close();
  }
}
JAVA
javac -cp "$jar" -d "$work" "$work/Trees.java"
for table in "$1"/*.arff; do
  name=$(basename "$table" .arff | tr - _)
  java -cp "$jar:$work" Trees "$table" "$2/weka_j48_$name.json"
  echo "$2/weka_j48_$name.json"
done
