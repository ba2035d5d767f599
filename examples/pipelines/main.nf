// A study in parts:
// `nextflow run main.nf --table expression.csv --target diagnosis --parts 10`.
nextflow.enable.dsl = 2

params.parts = 10
params.out = 'study'

process part {
    cpus 1
    input:
    tuple val(k), path(table)
    output:
    path "${k}"
    script:
    """
    tamis study '${table}' --target '${params.target}' --n-jobs 1 \
        --part ${k}/${params.parts} --out ${k}
    """
}

process join {
    publishDir '.', mode: 'copy'
    input:
    path table
    path parts
    output:
    path params.out
    script:
    def folders = parts.collect { "--join ${it}" }.join(' ')
    """
    tamis study '${table}' --target '${params.target}' --n-jobs 1 ${folders} --out '${params.out}'
    """
}

workflow {
    table = Channel.fromPath(params.table, checkIfExists: true).first()
    parts = part(Channel.of(1..params.parts).combine(table))
    join(table, parts.collect())
}
