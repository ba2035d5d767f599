"""C4.5 decision trees: growth, pruning and class distributions of rows.

The rules are those of Weka's J48, which follows Quinlan's release 8: gain ratio among splits
of at least average gain, numeric splits paying for the number of their cuts, nominal splits with
a branch for every level, missing values as fractions of a row. Weights count as repeated rows
do, everywhere.

A table is prepared once and a workspace made for each thread; `build_tree` and `predict_columns`
then allocate next to nothing and may be called from other compiled code. Weights of 1 and columns
without missing values are counted in whole numbers, which is quick; the rest goes the general
way, with the same result.

Source: Quinlan (1993), C4.5: Programs for Machine Learning.
"""

from .build import build_tree, build_unraised
from .predict import predict_columns, predict_whole
from .tree import Options, Tree, TreeTable, Workspace, make_options, make_workspace, prepare_table

__all__ = [
    "Options",
    "Tree",
    "TreeTable",
    "Workspace",
    "build_tree",
    "build_unraised",
    "make_options",
    "make_workspace",
    "predict_columns",
    "predict_whole",
    "prepare_table",
]
