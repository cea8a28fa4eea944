// Tuning for a machine without a compiler: schedules are exported, relay-runner times them there, and what it wrote is imported.
// RUN: rm -rf %t && mkdir %t
// RUN: relayc tune %s --target x86-64-v2 --records %t/records.jsonl --export-candidates %t/candidates --candidates 6 --threads 1 --seed 3 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EXPORT
// RUN: cd / && relay-runner %t/candidates 2>&1 | FileCheck %s --check-prefix=RUNNER
// RUN: relayc tune %s --records %t/records.jsonl --import %t/candidates/results.jsonl 2>&1 | FileCheck %s --check-prefix=IMPORT
// RUN: relayc tune db stats %t/records.jsonl | FileCheck %s --check-prefix=STATS
// EXPORT: [1/1] {{.*}}: 6 candidates
// EXPORT: wrote {{.*}}candidates for x86_64-unknown-linux-gnu -mcpu=x86-64-v2 (SSE2): 6 candidates of 1 kernels (0 kernels left out, 0 candidates did not compile), {{[0-9.]+}} MB
// EXPORT: run "relay-runner {{.*}}candidates"
// RUNNER: [1/1] {{.*}}: 6 candidates, 0 failed; the best takes {{[0-9.]+}} of the default's time
// RUNNER: wrote {{.*}}/candidates/results.jsonl
// IMPORT: imported 6 trials (0 failed)
// IMPORT: relayc compile {{.*}} --target "x86-64-v2" --records
// STATS: 1 kernels, 6 trials, 0 of them failed

// A second import finds all of them, and a second run of the runner has nothing to do.
// RUN: cp %t/candidates/results.jsonl %t/first.jsonl
// RUN: relay-runner %t/candidates
// RUN: cmp %t/first.jsonl %t/candidates/results.jsonl
// RUN: relayc tune %s --records %t/records.jsonl --import %t/first.jsonl 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: imported 0 trials

// What wins there is what the next compilation takes. The times are the script's.
// RUN: %python %S/Inputs/tune_elsewhere.py win %t/first.jsonl %t/won.jsonl
// RUN: relayc tune %s --records %t/won.records --import %t/won.jsonl 2>&1 | FileCheck %s --check-prefix=WON
// RUN: relayc tune db explain %s --target x86-64-v2 --records %t/won.records > %t/explained
// RUN: %python %S/Inputs/tune_elsewhere.py explained %t/won.jsonl %t/explained
// RUN: relayc compile %s --target x86-64-v2 --no-records --emit te -o %t/default.mlir
// RUN: relayc compile %s --target x86-64-v2 --records %t/won.records --emit te -o %t/won.mlir
// RUN: not diff %t/default.mlir %t/won.mlir
// WON: takes 0.500 of the default's time
// WON: imported 6 trials (0 failed); 1 of 1 kernels have a better schedule than the default

// A part of the results is imported, too. A library that is none is a trial that failed, and does not end the others.
// RUN: head -n 3 %t/first.jsonl > %t/part.jsonl
// RUN: relayc tune %s --records %t/part.records --import %t/part.jsonl 2>&1 | FileCheck %s --check-prefix=PART
// RUN: cp -r %t/candidates %t/broken && rm %t/broken/results.jsonl
// RUN: %python %S/Inputs/tune_elsewhere.py break %t/broken
// RUN: relay-runner %t/broken --results %t/broken.jsonl 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: relayc tune %s --records %t/broken.records --import %t/broken.jsonl 2>&1 | FileCheck %s --check-prefix=FAILED
// PART: imported 1 trials (0 failed); {{.*}}; 5 candidates were not timed yet
// BROKEN: 6 candidates, 1 failed
// FAILED: imported 6 trials (1 failed)

// What does not fit is refused.
// RUN: %python %S/Inputs/tune_elsewhere.py foreign %t/broken
// RUN: not relay-runner %t/broken 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: %python %S/Inputs/tune_elsewhere.py cut %t/broken
// RUN: not relay-runner %t/broken 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: not relay-runner %t/no_such_folder 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: not relayc tune %s --target x86-64-v3 --records %t/no.records --import %t/first.jsonl 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not relayc tune %S/../../examples/digits/digits.onnx --records %t/no.records --import %t/first.jsonl 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: not relayc tune %s --records %t/no.records --import %s 2>&1 | FileCheck %s --check-prefix=RESULTS
// RUN: not relayc tune %s --records %t/no.records --export-candidates %t/candidates 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not relayc tune %s --target x86-64-v2,x86-64-v3 --records %t/no.records --export-candidates %t/several 2>&1 | FileCheck %s --check-prefix=SEVERAL
// FOREIGN: the candidates are for {{.*}} (x86-64-v2), and this machine is {{.*}}; export candidates for it, by --target
// CUT: plan.json: it is damaged: {{.*}}; export the candidates again, and copy the whole folder
// NOWHERE: relay-runner: {{.*}}no_such_folder/plan.json: No such file
// TARGET: the results are for '{{.*}}x86-64-v2{{.*}}', and the target is '{{.*}}x86-64-v3{{.*}}'; leave --target out
// MODEL: of the results is none of these models
// RESULTS: it is no file of results
// EMPTY: candidates: is not empty; name a new folder
// SEVERAL: name the target to measure

// The machine as --target takes it.
// RUN: relay-runner --describe | FileCheck %s --check-prefix=DESCRIBE
// DESCRIBE: {{^[a-z0-9_]+}}-unknown-linux-gnu -mattr=+{{.*}}-cores={{[0-9]+}}

func.func @main(%x: tensor<2x24x24xf32>, %y: tensor<2x24x24xf32>) -> tensor<2x24x24xf32> {
  %0 = relay.nn.batch_matmul %x, %y : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %1 = relay.nn.relu %0 : (tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  return %1 : tensor<2x24x24xf32>
}
