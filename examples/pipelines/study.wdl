version 1.1
# A study in parts: `miniwdl run study.wdl table=expression.csv target=diagnosis parts=10`.

workflow study {
  input {
    File table
    String target
    Int parts = 10
  }
  scatter (k in range(parts)) {
    call part { input: table, target, k = k + 1, parts }
  }
  call join { input: table, target, folders = part.folder }
  output {
    File result = join.result
  }
}

task part {
  input {
    File table
    String target
    Int k
    Int parts
  }
  command <<<
    set -euo pipefail
    tamis study '~{table}' --target '~{target}' --n-jobs 1 --part ~{k}/~{parts} --out part-~{k}
    tar -cf part.tar part-~{k}
  >>>
  output {
    File folder = "part.tar"
  }
  runtime {
    docker: "tamis"
    cpu: 1
    memory: "4 GB"
  }
}

task join {
  input {
    File table
    String target
    Array[File] folders
  }
  command <<<
    set -euo pipefail
    mkdir parts
    for folder in ~{sep(' ', folders)}; do tar -xf "$folder" -C parts; done
    tamis study '~{table}' --target '~{target}' --n-jobs 1 --join parts --out study
    tar -cf study.tar study
  >>>
  output {
    File result = "study.tar"
  }
  runtime {
    docker: "tamis"
    cpu: 1
    memory: "4 GB"
  }
}
