"""What a column's name says."""

from __future__ import annotations

import re
from collections.abc import Iterable

GROUPS_REASON = "rows of one patient must not be on both sides of a split"

_WHO = (
    r"patient|subject|donor|individual|participant|person|proband|volunteer|case|mother|family|"
    r"animal|mouse|rat|dog|twin|litter|pedigree|sample|specimen|cell[ _.-]?line|pat|subj|pt|mrn"
)
_LABEL = r"ids?|no|nr|nrs|num|numbers?|codes?|names?|keys?|labels?|identifiers?|barcodes?|#"
ID_NAME = re.compile(r"(?i)#? ?(sample|patient|subject)?s?[ _.-]?(id|name)?s?")
# may be a measurement
SHORT_ID_PATTERN = re.compile(r"(?i)#?[\W_]*(?:s|pt|pat|dog|rat|case|name)s?[\W_]*")
NUMBER_ID = re.compile(r"[1-9]\d+\.00\d+")  # 10317.000047180: of a study, and counted within
ROW_NUMBER_PATTERN = re.compile(  # what programs call the numbers of rows: pandas, R, data.table
    r"(?i)index|idx|x|v1|#|n[ro]?\.?|number|rows?|row[ _.]?(names?|numbers?|n[ro]\.?)|Unnamed: 0.*"
)
PATIENT_PATTERN = re.compile(rf"(?i)(?:{_WHO})s?")
_ONLY_ID = r"(?:record|study|usubj)[ _.-]*id"  # as REDCap and CDISC call them
PERSON_ID_PATTERN = re.compile(
    rf"(?i)(?:(?:{_WHO})(?:s?[ _.-]*(?:{_LABEL})\.?)?|[ps]?id|barcode|{_ONLY_ID})"
)
SAMPLE_ID_PATTERN = re.compile(
    rf"(?i)(?:sample|specimen)s?(?:[ _.-]*(?:{_LABEL})\.?)?|s?id|barcodes?"
)
_FEATURE = re.compile(  # what a first column of features is called
    r"(?i)\W*(?:\w*[ _.-])?(?:gene|probe|probeset|transcript|protein|peptide|metabolite|compound|"
    r"analyte|taxon|otu|asv|feature|symbol|accession|cpg|snp|variant|mirna|id|name|ref|key)s?"
    r"(?:[ _.-]\w*)?"
)
SYMBOL_HEADER_PATTERN = re.compile(  # of genes, for people
    r"(?i)(?:pr|hgnc|mgi|external|feature)?[ _.-]*(?:gene)?[ _.-]*(?:symbols?|names?)"
)

DESCRIPTION_PATTERN = re.compile(  # of a feature, where features are in rows
    r"(?i)(?:gene|transcript|probe|hgnc|external|entrez|ensembl)[ _.-]?(?:gene[ _.-]?)?"
    r"(?:symbols?|names?|ids?|bio?types?|type|title|description|length)|symbols?|description|"
    r"bio?type|chr(?:omosome)?|start|end|strand|length|entrez|ensembl"
)
DESCRIPTIONS_MESSAGE = "columns that describe the features are left out: {}"


def names_samples(name: str) -> bool:
    """Whether a column's name says that it distinguishes patients, animals or samples.

    Examples
    --------
    >>> [names_samples(name) for name in ("PatientID", "mouse", "id", "Donor No.")]
    [True, True, True, True]
    >>> [names_samples(name) for name in ("patient_age", "family_history", "sex", "stage")]
    [False, False, False, False]
    """
    return PERSON_ID_PATTERN.fullmatch(name.strip()) is not None


def names_ids(name: str) -> bool:
    """Whether a column's name says that it holds ids even if they look like measurements.

    Examples
    --------
    >>> [names_ids(name) for name in ("sample_name", "#SampleID", "sample-id", "barcode")]
    [True, True, True, True]
    >>> [names_ids(name) for name in ("Pt", "S", "no", "age", "")]
    [False, False, False, False, False]
    """
    bare = name.strip().removeprefix("#").strip()
    by_name = ID_NAME.fullmatch(bare) or names_samples(bare)
    return len(bare) > 1 and bool(by_name) and not SHORT_ID_PATTERN.fullmatch(bare)


def names_features(name: str) -> bool:
    """Whether a column's name says that it distinguishes genes or other features.

    Examples
    --------
    >>> [names_features(name) for name in ("Gene ID", "#OTU ID", "probes", "class")]
    [True, True, True, False]
    """
    return _FEATURE.fullmatch(name) is not None


def names_rows(name: str) -> bool:
    """Whether a column's name says that it holds ids, or the numbers of the rows.

    Examples
    --------
    >>> [names_rows(name) for name in ("sample id", "Unnamed: 0", "age")]
    [True, True, False]
    """
    return any(kind.fullmatch(name) for kind in (ID_NAME, ROW_NUMBER_PATTERN))


def some_name_has(names: Iterable[str], *texts: str) -> bool:
    r"""Whether one of the texts stands in a name: one search of all names, for speed. A name begins
    with a zero byte.

    Examples
    --------
    >>> some_name_has(["TP53", "__no_feature"], "\0__"), some_name_has(["a__b"], "\0__")
    (True, False)
    """
    together = "\0" + "\0".join(names)
    return any(text in together for text in texts)
