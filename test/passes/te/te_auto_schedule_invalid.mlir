// RUN: not relay-opt %s --te-auto-schedule=steps=-1 2>&1 | FileCheck %s --check-prefix=STEPS
// STEPS: steps is -1, expected a number of mutations from 0 on

// RUN: not relay-opt %s --relay-to-te=schedule=best 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// SCHEDULE: schedule is best, expected templates or none

// RUN: not relay-opt %s --te-auto-schedule=state=%t.absent 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: {{.+}}.absent: No such file

// RUN: echo '{"sketch": 0}' > %t.short
// RUN: not relay-opt %s --te-auto-schedule=state=%t.short 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: {{.+}}.short holds no state: missing field `choices`

// RUN: echo '{"sketch": 7, "choices": []}' > %t.sketch
// RUN: not relay-opt %s --te-auto-schedule=state=%t.sketch 2>&1 | FileCheck %s --check-prefix=SKETCH
// SKETCH: the state is of sketch 7, and there are 1

// RUN: echo '{"sketch": 0, "choices": []}' > %t.stages
// RUN: not relay-opt %s --te-auto-schedule=state=%t.stages 2>&1 | FileCheck %s --check-prefix=STAGES
// STAGES: the state is of 0 stages, and there are 1

// RUN: echo '{"sketch": 0, "choices": [{"nest": {"place": "root", "tile": [65], "order": [0], "parallel": 0, "lanes": 1}}]}' > %t.tile
// RUN: not relay-opt %s --te-auto-schedule=state=%t.tile 2>&1 | FileCheck %s --check-prefix=TILE
// TILE: the state's choice for stage 0 does not fit it: nest root tile=65

// RUN: echo '{"sketch": 0, "choices": [{"nest": {"place": "root", "tile": [16], "order": [0], "parallel": 2, "lanes": 16}}]}' > %t.loops
// RUN: not relay-opt %s --te-auto-schedule=state=%t.loops 2>&1 | FileCheck %s --check-prefix=LOOPS
// LOOPS: the state's loops are not there; nearest to it is: sketch 0; 0: nest root tile=16 order=0 parallel=1 lanes=16

// One that fits is written.
// RUN: echo '{"sketch": 0, "choices": [{"nest": {"place": "root", "tile": [16], "order": [0], "parallel": 1, "lanes": 16}}]}' > %t.fits
// RUN: relay-opt %s --te-auto-schedule=state=%t.fits | FileCheck %s --check-prefix=FITS
// FITS: %[[OUTER:.+]], %[[INNER:.+]] = te.split %i {factor = 16 : i64, shift_inwards}
// FITS: te.vectorize %[[INNER]]
// FITS: te.parallel %[[OUTER]]
func.func @f(%a: tensor<64xf32>) -> tensor<64xf32> {
  %b = te.compute "b" (%i: 64) {
    %x = tensor.extract %a[%i] : tensor<64xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<64xf32>
  return %b : tensor<64xf32>
}
