"""Who is related and who descends from whom: kinship, families, principal components."""
