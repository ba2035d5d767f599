# Golden of limma's means over the probe sets of each gene.
#
#   Rscript make_collapse.R <table.tsv> <output folder>
#
# The table: a line for each probe set, its gene first, then a value for each sample.

suppressPackageStartupMessages(library(limma))

digits <- function(x) ifelse(is.na(x), "null", sprintf("%.17g", x))
list_of <- function(x) paste0("[", paste(x, collapse = ","), "]")

arguments <- commandArgs(trailingOnly = TRUE)
table <- read.table(arguments[1], stringsAsFactors = FALSE)
found <- avereps(as.matrix(table[, -1]), ID = table[, 1])
genes <- vapply(rownames(found), function(gene) {
  paste0('"', gene, '":', list_of(digits(found[gene, ])))
}, "")
writeLines(
  paste0('{"made_with":"limma ', packageVersion("limma"), '","genes":{',
         paste(genes, collapse = ",\n"), "}}"),
  file.path(arguments[2], "collapse.json")
)
