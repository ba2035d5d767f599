# Write the leukaemia data of the R package multtest as TSV: genes in rows.
# Usage: Rscript tools/make_golub.R golub.tsv && python tools/make_golub.py golub.tsv
out <- commandArgs(trailingOnly = TRUE)[1]
suppressPackageStartupMessages(library(multtest))
data(golub)
classes <- ifelse(golub.cl == 0, "ALL", "AML")
table <- data.frame(gene = golub.gnames[, 3], description = golub.gnames[, 2],
                    format(golub, digits = 15, trim = TRUE), stringsAsFactors = FALSE)
names(table) <- c("gene", "description", paste(classes, seq_along(classes), sep = "_"))
for (j in seq_len(ncol(golub)))  # the text must give back the same numbers
    stopifnot(identical(as.numeric(table[[j + 2]]), as.numeric(golub[, j])))
write.table(table, out, sep = "\t", quote = FALSE, row.names = FALSE, fileEncoding = "UTF-8")
cat("multtest", as.character(packageVersion("multtest")), dim(golub), "written to", out, "\n")
