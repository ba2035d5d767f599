"""CURIEs: identifiers with a prefix that stands for the beginning of an IRI."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote

from ..._core.errors import DataError, nearest_name, shorten_text

# need not be declared, and must not be declared as anything else (SSSOM, "IRI prefixes")
BUILT_IN = {
    "linkml": "https://w3id.org/linkml/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "semapv": "https://w3id.org/semapv/vocab/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "sssom": "https://w3id.org/sssom/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
ABSOLUTE_IRI_PATTERN = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|urn:", re.IGNORECASE)
# as OBO has them
NUMBERED_IRI_PATTERN = re.compile(r"(.*[/#]([A-Za-z][A-Za-z0-9.-]*)_)(\d+)", re.DOTALL)
NO_PART = re.compile(r"[\s|\x00-\x1f\x7f]")  # of a CURIE


def is_iri(text: str) -> bool:
    """Whether a text is a complete IRI.

    Examples
    --------
    >>> is_iri("http://cmt#Author"), is_iri("cmt:Author")
    (True, False)
    """
    return ABSOLUTE_IRI_PATTERN.match(text) is not None


def expanded_curie(text: str, prefixes: Mapping[str, str], where: str) -> str:
    """The IRI that a CURIE stands for; an IRI as it is.

    Raises
    ------
    DataError
        The prefix is not declared; the message begins with `where`.
    """
    if is_iri(text):
        return text
    prefix, colon, local = text.partition(":")
    start = prefixes.get(prefix, BUILT_IN.get(prefix))
    if colon and start is not None:
        return start + local
    if not colon:
        raise DataError(
            f"{where}: {shorten_text(text)!r} is no identifier with a prefix, such as HP:0000118"
        )
    close = nearest_name(prefix, prefixes)
    hint = f"did you mean {close!r}?" if close else f"add `#  {shorten_text(prefix)}: http://...`"
    raise DataError(f"{where}: the prefix {shorten_text(prefix)!r} is not in curie_map; {hint}")


def split_iri(iri: str) -> tuple[str, str]:
    """An IRI as a namespace and what follows, which is not empty.

    Examples
    --------
    >>> split_iri("http://cmt#Author"), split_iri("http://purl.obolibrary.org/obo/HP_0000118")
    (('http://cmt#', 'Author'), ('http://purl.obolibrary.org/obo/HP_', '0000118'))
    >>> split_iri("http://cmt"), split_iri("http://cmt/")
    (('http://', 'cmt'), ('http://', 'cmt/'))
    """
    if found := NUMBERED_IRI_PATTERN.fullmatch(iri):
        return found[1], found[3]
    cut = max(iri.rfind(mark, 0, len(iri) - 1) for mark in "#/:?=") + 1
    return iri[:cut], iri[cut:]


def encoded_iri(iri: str) -> str:
    """An IRI without what a CURIE cannot hold: blanks and ``|`` become percent signs and digits.

    Examples
    --------
    >>> encoded_iri("http://x.org#Program Committee")
    'http://x.org#Program%20Committee'
    """
    return NO_PART.sub(lambda found: quote(found[0]), iri)


def contracted_iris(iris: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """CURIEs for IRIs, and the prefixes they need, built-in ones left out.

    A namespace gets its last word for a prefix, of OBO identifiers the one before the number;
    further ones of that word are numbered, in the order of their namespaces. Blanks and ``|``,
    which no CURIE holds, are percent-encoded.

    Returns
    -------
    curies : dict of IRI to CURIE
    prefixes : dict of prefix to namespace, sorted

    Raises
    ------
    DataError
        An IRI has no namespace, or is another one when it is encoded.

    Examples
    --------
    >>> contracted_iris(["http://cmt#Author", "http://purl.obolibrary.org/obo/HP_0000118"])[1]
    {'HP': 'http://purl.obolibrary.org/obo/HP_', 'cmt': 'http://cmt#'}
    """
    parts = {iri: split_iri(encoded_iri(iri)) for iri in iris}
    seen: dict[tuple[str, str], str] = {}
    for iri, (namespace, local) in parts.items():
        if not namespace or not local or seen.setdefault((namespace, local), iri) != iri:
            raise DataError(
                f"{shorten_text(iri)!r} cannot be written in SSSOM, whose identifiers have a "
                "namespace and hold no blanks: write the mapping as .json"
            )
    names = {namespace: prefix for prefix, namespace in BUILT_IN.items()}
    taken = {prefix.lower() for prefix in BUILT_IN} | {"urn"}  # urn:x is an IRI by itself
    for namespace in sorted({namespace for namespace, _ in parts.values()} - set(names)):
        word, number = _word_of(namespace), 1
        while (name := word if number == 1 else f"{word}{number}").lower() in taken:
            number += 1
        taken.add(name.lower())
        names[namespace] = name
    curies = {iri: f"{names[namespace]}:{local}" for iri, (namespace, local) in parts.items()}
    used = {names[namespace]: namespace for namespace, _ in parts.values()}
    return curies, {name: used[name] for name in sorted(used) if name not in BUILT_IN}


def _word_of(namespace: str) -> str:
    """The last word of a namespace that may be a prefix, without a suffix such as .owl.

    Examples
    --------
    >>> [_word_of(one) for one in ("http://x.org/onto/mesh#", "https://orcid.org/", "http://")]
    ['mesh', 'orcid', 'ns']
    """
    path = namespace.partition("://")[2] if "://" in namespace else namespace
    path = re.sub(r"\.(owl|rdf|obo|ttl|xml)\b", "", path)
    path = re.sub(r"^([^/#]+)\.\w+([/#]?)$", r"\1\2", path)  # a host alone
    words = re.findall(r"[A-Za-z_][A-Za-z0-9_-]*", path)
    return words[-1].strip("_") or "ns" if words else "ns"
