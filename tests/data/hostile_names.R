# Tables of a specification by R's own writers: one line a table, tab-separated, texts as hex.
# number, rows, names of features, names of samples; values are 10 * row + column.
arguments <- commandArgs(TRUE)
folder <- arguments[1]
set.seed(as.integer(arguments[2]))
text <- function(hex) {
  sapply(strsplit(hex, ",", fixed = TRUE)[[1]], USE.NAMES = FALSE, function(one) {
    decoded <- rawToChar(as.raw(strtoi(substring(one, seq(1, nchar(one), 2), seq(2, nchar(one), 2)), 16L)))
    Encoding(decoded) <- "UTF-8"
    decoded
  })
}
fast <- requireNamespace("data.table", quietly = TRUE)
told <- character()
for (line in readLines(file.path(folder, "tables.tsv"))) {
  parts <- strsplit(line, "\t", fixed = TRUE)[[1]]
  features <- text(parts[3]); samples <- text(parts[4])
  n <- length(samples); p <- length(features)
  table <- as.data.frame(outer(10 * (1:n), 1:p, "+"))
  names(table) <- features
  table$class <- rep(c("a", "b"), length.out = n)
  separator <- sample(c("\t", " ", ",", ";"), 1)
  method <- sample(c("escape", "double"), 1)
  quoted <- runif(1) > .1
  file <- file.path(folder, paste0(parts[1], ".txt"))
  way <- sample(c("names", "column", "corner", "csv", if (fast) "fwrite"), 1)
  if (way %in% c("column", "fwrite")) table <- cbind(id = samples, table) else rownames(table) <- samples
  if (way == "names") write.table(table, file, sep = separator, qmethod = method, quote = quoted)
  if (way == "column") write.table(table, file, sep = separator, qmethod = method, quote = quoted, row.names = FALSE)
  if (way == "corner") write.table(table, file, sep = separator, qmethod = method, quote = quoted, col.names = NA)
  if (way == "csv") write.csv(table, file, quote = quoted)
  if (way == "fwrite") {
    data.table::fwrite(table, file, sep = separator, qmethod = method, quote = if (quoted) "auto" else FALSE)
  }
  told <- c(told, paste(parts[1], way, encodeString(separator), method, quoted))
}
writeLines(told, file.path(folder, "ways.txt"))
