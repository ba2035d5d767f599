# Golden of median polish with missing values, by R itself.
#
#   Rscript make_median_polish.R <table.tsv> <output folder>
#
# The table: a line for each probe, the name of its set first, then a value for each sample.

digits <- function(x) ifelse(is.na(x), "null", sprintf("%.17g", x))
list_of <- function(x) paste0("[", paste(digits(x), collapse = ","), "]")

arguments <- commandArgs(trailingOnly = TRUE)
table <- read.table(arguments[1], stringsAsFactors = FALSE)
sets <- vapply(unique(table[, 1]), function(name) {
  z <- as.matrix(table[table[, 1] == name, -1])
  found <- medpolish(z, eps = 0.01, maxiter = 10, trace.iter = FALSE, na.rm = TRUE)
  paste0('"', name, '":{"values":', list_of(found$overall + found$col),
         ',"effects":', list_of(found$row), "}")
}, "")
writeLines(
  paste0('{"made_with":"R ', getRversion(), '","sets":{', paste(sets, collapse = ",\n"), "}}"),
  file.path(arguments[2], "median_polish.json")
)
