"""A small family file of GEO in parts: two platforms, samples of both, one without a table."""

from __future__ import annotations

from collections.abc import Sequence

VALUES = {
    "GSM1": ("GPL96", {"a_at": "8.25", "b_at": "", "c_at": "1e3"}),
    "GSM2": ("GPL96", {"a_at": "-1.5", "b_at": "null", "c_at": "7"}),
    "GSM3": ("GPL570", {"x_at": "0.5", "y_at": "2"}),
    "GSM4": ("GPL96", {"c_at": "3", "d_at": "4", "a_at": "5"}),
    "GSM5": ("GPL96", {}),
}


def family(samples: Sequence[str] = tuple(VALUES)) -> dict[str, bytes]:
    """Parts in order."""
    ids = "".join(f"!Series_sample_id = {name}\n" for name in samples)
    parts = {
        "series_text": "^DATABASE = GeoMiame\n!Database_name = Gene Expression Omnibus (GEO)\n"
        f"^SERIES = GSE1\n!Series_title = Made, with = signs\n{ids}",
        "platform_text": "^PLATFORM = GPL96\n!Platform_title = [HG-U133A]\n#ID = Probe Set ID\n"
        "!platform_table_begin\nID\tGene Symbol\tTitle\na_at\tDDR1\tdiscoidin\nb_at\tRFC2\n"
        "c_at\t\tof no gene\n!platform_table_end\n^PLATFORM = GPL570\n",
    }
    for name in samples:
        platform, values = VALUES[name]
        table = "".join(f"{probe}\t{value}\tP\n" for probe, value in values.items())
        table = (
            f"!sample_table_begin\nID_REF\tVALUE\tABS_CALL\n{table}!sample_table_end\n"
            if values
            else ""
        )
        parts[f"{name}_text"] = (
            f"^SAMPLE = {name}\n!Sample_title = patient {name[3:]}\n"
            f"!Sample_platform_id = {platform}\n!Sample_characteristics_ch1 = tissue: lung\n"
            f"!Sample_characteristics_ch1 = smoker\n!Sample_data_row_count = {len(values)}\n"
            f"#ID_REF =\n#VALUE = signal\n{table}"
        )
    return {key: text.encode() for key, text in parts.items()}


def matrix(platform: str = "GPL96") -> dict[str, bytes]:
    """Parts of the series matrix file of a platform, of the same samples and values."""

    def line(key: str, *texts: str) -> str:
        return "\t".join([key, *(f'"{text}"' for text in texts)]) + "\n"

    names = [name for name, (of, values) in VALUES.items() if of == platform and values]
    probes = list(dict.fromkeys(probe for name in names for probe in VALUES[name][1]))
    rows = "".join(
        "\t".join([f'"{probe}"', *(VALUES[name][1].get(probe, "null") for name in names)]) + "\n"
        for probe in probes
    )
    parts = {
        "series_text": line("!Series_title", "Made, with = signs")
        + line("!Series_geo_accession", "GSE1")
        + line("!Series_sample_id", " ".join(names) + " "),
        "samples_text": "\n"
        + line("!Sample_title", *(f"patient {name[3:]}" for name in names))
        + line("!Sample_geo_accession", *names)
        + line("!Sample_characteristics_ch1", *["tissue: lung"] * len(names))
        + line("!Sample_characteristics_ch1", *["smoker"] * len(names))
        + line("!Sample_platform_id", *[platform] * len(names)),
        "table_text": "!series_matrix_table_begin\n"
        + line('"ID_REF"', *names)
        + rows
        + "!series_matrix_table_end\n",
    }
    return {key: text.encode() for key, text in parts.items()}
