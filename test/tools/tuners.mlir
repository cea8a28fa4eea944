// Each tuner over a template's choices finds schedules that run; none tries a choice twice.
// REQUIRES: time
// RUN: rm -f %t.*.jsonl
// RUN: relayc tune %s --records %t.grid.jsonl --trials 8 --threads 1 --tuner grid 2>&1 | FileCheck %s
// RUN: relayc tune %s --records %t.random.jsonl --trials 8 --threads 1 --tuner random 2>&1 | FileCheck %s
// RUN: relayc tune %s --records %t.genetic.jsonl --trials 8 --threads 1 --tuner genetic 2>&1 | FileCheck %s
// RUN: relayc tune %s --records %t.annealing.jsonl --trials 8 --threads 1 --tuner annealing 2>&1 | FileCheck %s
// RUN: relayc tune %s --records %t.droplet.jsonl --trials 8 --threads 1 --tuner droplet 2>&1 | FileCheck %s
// RUN: relayc tune db merge %t.grid.jsonl %t.random.jsonl --records %t.all.jsonl 2>&1 | FileCheck %s --check-prefix=MERGED
// RUN: not relayc tune %s --records %t.grid.jsonl --tuner best 2>&1 | FileCheck %s --check-prefix=NONE

// A round is as small as the number of trials says.
// RUN: relayc tune %s --records %t.few.jsonl --trials 3 --threads 1 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: relayc tune %s --records %t.few.jsonl --trials 10 --threads 1 --strategy round-robin 2>&1 | FileCheck %s --check-prefix=MORE
// FEW: tried 3 schedules
// MORE: tried 10 schedules

// CHECK: tried {{[1-9][0-9]*}} schedules (0 failed)
// MERGED: added {{[1-9][0-9]*}} records
// NONE: [possible values: evolution, grid, random, genetic, annealing, droplet, sketches]

func.func @main(%x: tensor<2x24x24xf32>, %y: tensor<2x24x24xf32>) -> tensor<2x24x24xf32> {
  %0 = relay.nn.batch_matmul %x, %y : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  return %0 : tensor<2x24x24xf32>
}
