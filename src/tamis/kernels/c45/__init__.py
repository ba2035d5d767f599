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

from typing import TYPE_CHECKING

from ..._core.lazy_names import lazy_names

if TYPE_CHECKING:
    from .build import build_tree as build_tree
    from .build import build_unraised as build_unraised
    from .predict import predict_columns as predict_columns
    from .predict import predict_complete_rows as predict_complete_rows
    from .tree import Options as Options
    from .tree import Tree as Tree
    from .tree import TreeTable as TreeTable
    from .tree import Workspace as Workspace
    from .tree import make_options as make_options
    from .tree import make_workspace as make_workspace
    from .tree import prepare_table as prepare_table
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
