"""Small tables of platforms as GEO and the maker write them, in parts."""

from __future__ import annotations

GENES = {
    "1007_s_at": ["MIR4640", "DDR1"],
    "1053_at": ["RFC2"],
    "117_at": [],
    "207169_x_at": ["DDR1"],
    "AFFX-HUMISGF3A_5_at": ["STAT1"],
}
TITLE = '3\' end of "a" gene, and more'


def annot() -> dict[str, bytes]:
    """GEO's ``GPL96.annot``: a heading that names columns twice, as theirs does."""
    rows = "".join(f"{p}\t{TITLE}\t{'///'.join(g)}\t\tbinding\n" for p, g in GENES.items())
    return {
        "head_text": b"^Annotation\n!Annotation_date = Feb 25 2016\n!Annotation_platform = GPL96\n"
        b"#ID = ID from Platform data table\n#Gene symbol = Entrez Gene symbol\n",
        "table_text": "!platform_table_begin\nID\tGene title\tGene symbol\tGO:Process\tGO:Process"
        f"\n{rows}!platform_table_end\n".encode(),
    }


def gpl() -> dict[str, bytes]:
    """GEO's ``GPL96-57554.txt``: symbols by the alphabet, the last fields left out."""
    rows = "".join(f"{p}\t{TITLE}\t{' /// '.join(sorted(g))}\n" for p, g in GENES.items())
    return {
        "head_text": b"#ID = Affymetrix Probe Set ID\n#Gene Symbol = A gene symbol\n",
        "table_text": f"ID\tGene Title\tGene Symbol\tENTREZ_GENE_ID\n{rows}".encode(),
    }


def maker_csv() -> dict[str, bytes]:
    """The maker's ``HG-U133A.na36.annot.csv``: all of it quoted, --- for nothing."""
    title = TITLE.replace('"', '""')
    rows = "".join(
        f'"{p}","{title}","{" /// ".join(sorted(g)) or "---"}","---"\n' for p, g in GENES.items()
    )
    return {
        "head_text": b"#%create_date=Tue Mar 29 2016\n#%chip_type=HG-U133A\n#%netaffx-x=36\n",
        "table_text": f'"Probe Set ID","Gene Title","Gene Symbol","GO"\n{rows}'.encode(),
    }


def gene_array() -> dict[str, bytes]:
    """The maker's table of a gene array: symbols within assignments, one for each transcript."""

    def assignment(genes: list[str]) -> str:
        parts = [
            f"NM_{k}{n} // {g} // title; of {g} // 1p36 // 780"
            for g in genes
            for n, k in enumerate("12")
        ]
        return " /// ".join(parts) or "---"

    rows = "".join(f'"{p}","chr1","{assignment(g)}"\n' for p, g in GENES.items())
    return {
        "head_text": b"#%lib-set-name=HuGene-1_0-st\n",
        "table_text": f'"transcript_cluster_id","seqname","gene_assignment"\n{rows}'.encode(),
    }


TABLES = {"annot": annot, "gpl": gpl, "maker": maker_csv, "gene_array": gene_array}
EASY = "ID;Symbol\n" + "".join(f"{p};{'///'.join(g)}\n" for p, g in GENES.items())
