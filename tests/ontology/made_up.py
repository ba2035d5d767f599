"""A small ontology in every format that is read, and what it is to become."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from tamis.ontology import Individual, Ontology, Property, Restriction

BASE = "http://purl.obolibrary.org/obo/"
PREFIXES = {
    "obo": BASE,
    "owl": "http://www.w3.org/2002/07/owl#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "oio": "http://www.geneontology.org/formats/oboInOwl#",
}
TURTLE = (
    "".join(f"@prefix {short}: <{iri}> .\n" for short, iri in PREFIXES.items())
    + """
obo:x.owl a owl:Ontology ; owl:imports <http://other.org/y.owl> .
obo:BFO_0000050 a owl:ObjectProperty ; rdfs:label "part of" .
obo:X_1 a owl:Class ; rdfs:label "body" .
obo:X_2 a owl:Class ; rdfs:label "heart" ; rdfs:subClassOf obo:X_1 ,
    [ a owl:Restriction ; owl:onProperty obo:BFO_0000050 ; owl:someValuesFrom obo:X_1 ] ;
  oio:hasExactSynonym "cor" , "the \\"pump\\"" ; oio:hasRelatedSynonym "ticker" ;
  obo:IAO_0000115 "pumps blood" .
obo:X_3 a owl:Class ; rdfs:label "young heart" ; owl:equivalentClass [ a owl:Class ;
  owl:intersectionOf ( obo:X_2 [ a owl:Restriction ; owl:onProperty obo:BFO_0000050 ;
    owl:someValuesFrom obo:X_4 ] ) ] .
obo:X_4 a owl:Class .
obo:X_5 a owl:Class ; rdfs:label "old name" ; owl:deprecated true .
obo:X_6 a obo:X_2 ; a owl:NamedIndividual ; rdfs:label "mine" .
"""
)
RDF_XML = """<?xml version="1.0" encoding="iso-8859-1"?>
<!DOCTYPE rdf:RDF [ <!ENTITY owl "http://www.w3.org/2002/07/owl#"> <!ENTITY o "{obo}"> ]>
<rdf:RDF xml:base="&o;" xmlns:owl="&owl;" xmlns:rdf="{rdf}" xmlns:obo="&o;"
  xmlns:rdfs="{rdfs}" xmlns:oio="{oio}">
<owl:Ontology rdf:about="x.owl"><owl:imports rdf:resource="http://other.org/y.owl"/></owl:Ontology>
<owl:Class rdf:about="X_5"><rdfs:label>old name</rdfs:label>
  <owl:deprecated rdf:datatype="http://www.w3.org/2001/XMLSchema#boolean">true</owl:deprecated></owl:Class>
<owl:Class rdf:about="X_4"/>
<owl:Class rdf:about="&o;X_3"><rdfs:label>young heart</rdfs:label><owl:equivalentClass><owl:Class>
  <owl:intersectionOf rdf:parseType="Collection"><rdf:Description rdf:about="X_2"/>
    <owl:Restriction><owl:onProperty rdf:resource="&o;BFO_0000050"/>
      <owl:someValuesFrom rdf:resource="X_4"/></owl:Restriction>
  </owl:intersectionOf></owl:Class></owl:equivalentClass></owl:Class>
<owl:Class rdf:about="X_2"><rdfs:label>heart</rdfs:label><rdfs:subClassOf rdf:resource="X_1"/>
  <rdfs:subClassOf><owl:Restriction><owl:onProperty rdf:resource="BFO_0000050"/>
    <owl:someValuesFrom rdf:resource="X_1"/></owl:Restriction></rdfs:subClassOf>
  <oio:hasExactSynonym>the &quot;pump&quot;</oio:hasExactSynonym>
  <oio:hasExactSynonym>cor</oio:hasExactSynonym>
  <oio:hasRelatedSynonym>ticker</oio:hasRelatedSynonym>
  <obo:IAO_0000115>pumps blood</obo:IAO_0000115></owl:Class>
<owl:Class rdf:about="X_1"><rdfs:label>body</rdfs:label></owl:Class>
<owl:ObjectProperty rdf:about="BFO_0000050"><rdfs:label>part of</rdfs:label></owl:ObjectProperty>
<obo:X_2 rdf:about="X_6"><rdf:type rdf:resource="&owl;NamedIndividual"/>
  <rdfs:label>mine</rdfs:label></obo:X_2>
</rdf:RDF>
""".format(**PREFIXES)
OBO = r"""format-version: 1.2
ontology: x
import: http://other.org/y.owl

[Term]
id: X:1
name: body

[Term]
id: X:2
name: heart
def: "pumps blood" [PMID:1, Wikipedia:Heart "title"] {source="X"}
synonym: "cor" EXACT []
synonym: "the \"pump\"" EXACT []
synonym: "ticker" RELATED [PMID:2]
is_a: X:1 {source="PMID:3"} ! body
relationship: part_of X:1 ! body

[Term]
id: X:3
name: young heart
intersection_of: X:2 ! heart
intersection_of: part_of X:4

[Term]
id: X:4

[Term]
id: X:5
name: old name
is_obsolete: true

[Typedef]
id: part_of
name: part of
xref: BFO:0000050

[Instance]
id: X:6
name: mine
instance_of: X:2
"""
EXPECTED = Ontology(
    name="x",
    iri=BASE + "x.owl",
    iris=tuple(f"{BASE}X_{k}" for k in range(1, 6)),
    labels=("body", "heart", "young heart", "X 4", "old name"),
    local_names=tuple(f"X_{k}" for k in range(1, 6)),
    definitions=("", "pumps blood", "", "", ""),
    synonyms=((), ("cor", 'the "pump"'), (), (), ()),
    related=((), ("ticker",), (), (), ()),
    parents=((), (0,), (1,), (), ()),
    labelled=np.array([True, True, True, False, True]),
    obsolete=np.array([False, False, False, False, True]),
    properties=(Property(f"{BASE}BFO_0000050", "part of", "object"),),
    individuals=(Individual(f"{BASE}X_6", "mine", (1,)),),
    restrictions=(Restriction(1, 0, 0), Restriction(2, 0, 3)),
    remarks=(
        "1 of 5 classes without a label: the local name, in words, stands for it",
        "1 import not read ('http://other.org/y.owl'): merge them into the file if "
        "their classes are needed",
    ),
)


def content_of(ontology: Ontology) -> dict[str, Any]:
    """All attributes but the name of the file, comparable."""
    found = {one.name: getattr(ontology, one.name) for one in fields(ontology)}
    del found["name"]
    return {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in found.items()}
