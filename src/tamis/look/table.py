"""A look at a table before any study."""

from __future__ import annotations

from typing import Any, Unpack

from .._core.errors import DataError
from .._core.threads import one_thread
from ..data.in_memory import ReadingArguments, as_dataset, refuse_unknown
from ..data.unlogged import scales_of
from .before import cautions_before
from .by_sample import samples_quantiles, samples_seen
from .column_kinds import columns_seen, copies_in
from .columns import walk_columns
from .components import components_seen, leading_components
from .missing import missing_seen
from .result import TableLook
from .rows import equal_rows, rows_seen
from .samples import people_seen
from .schema import LookContent
from .thirds import in_thirds
from .value_kinds import scale_of, values_seen

KIND = "table-look"


def look_at(data: Any, target: Any = None, **reading: Unpack[ReadingArguments]) -> TableLook:
    """Look at a table before it is studied: what it holds, and what is odd about it.

    Classes, groups, batches and blocks; missing values, by column, sample and class; what the
    numbers look like; each sample's quartiles; constant columns and near-copies; samples that
    repeat others; the first two principal components; columns that may be a leak; and what a
    study would warn of. A number to predict is shown by its thirds, as if these were classes.
    Nothing of it estimates how well a class or a number can be predicted. All samples are
    looked at: who chooses features by it and then estimates an error on the same samples leaks.

    Parameters
    ----------
    data : Dataset, DataFrame, AnnData, array of shape (n_samples, n_features) or path
        As `tamis.data.as_dataset` takes it; with or without classes, or a number.
    target : str or array of shape (n_samples,), optional
        The column of the class or the number, or its values, where `data` is no Dataset.
    **reading
        Further arguments of `tamis.data.as_dataset`.

    Returns
    -------
    TableLook
        With `summary`, `frame` (a row a column), `samples_frame`, `plot` and `to_dict`.

    Raises
    ------
    DataError
        There is no sample, or no column.

    Examples
    --------
    >>> from tamis.data import load_golub
    >>> from tamis.look import look_at
    >>> found = look_at(load_golub())
    >>> found.to_dict()["values"][0]["kind"]
    'ratios'
    >>> found.frame().loc[0, ["column", "kind"]].tolist()
    ['AFFX-HUMISGF3A/M97935_MA_at', 'numbers']
    """
    refuse_unknown("look_at", reading, ("target",))
    studied = as_dataset(data, target, target_optional=target is None, **reading)
    data = in_thirds(studied)
    n, p = data.shape
    if not n or not p:
        raise DataError(f"{data.name!r} has no {'column' if n else 'sample'} to look at")
    with one_thread():  # results do not depend on threads
        walked = walk_columns(data)
        facts = walked.facts
        scales = scales_of(data)
        values = values_seen(data, facts, scales)
        scale = scale_of([one["kind"] for one in values])
        quantiles, used = samples_quantiles(data, facts, scale)
        copies, least = copies_in(data, walked)
        components, equal = leading_components(walked), equal_rows(data)
        missing = missing_seen(data, walked)
        content: LookContent = {
            **people_seen(studied, KIND),
            "features": len(data.ranked),
            "blocks": [{"name": name, "n": len(own)} for name, own in data.blocks.items()],
            "values": values,
            "missing": missing,
            "columns": columns_seen(data, facts, copies, least),
            "rows": rows_seen(data, walked, equal),
            "by_sample": samples_seen(data, quantiles, used, scale),
            "components": components_seen(data, walked, components),
            "cautions": cautions_before(studied, missing["share"], equal, scales),
        }
    return TableLook(content, data, facts, walked, quantiles, copies, components)
