// What rules make of functions holds whatever is drawn.
// RUN: relay-opt %s --relay-to-te=schedule=none --te-auto-schedule=seed=1 | FileCheck %s
// RUN: relay-opt %s --relay-to-te=schedule=none --te-auto-schedule=seed=2 | FileCheck %s
// RUN: relay-opt %s --relay-to-te=schedule=none "--te-auto-schedule=seed=3 steps=20" | FileCheck %s
// RUN: relay-opt %s --relay-to-te=schedule=none --target=x86-64-v3 "--te-auto-schedule=seed=4 steps=20" | FileCheck %s

// The same seed gives the same schedule.
// RUN: relay-opt %s --relay-to-te=schedule=none "--te-auto-schedule=seed=5 steps=9" -o %t.1
// RUN: relay-opt %s --relay-to-te=schedule=none "--te-auto-schedule=seed=5 steps=9" -o %t.2
// RUN: diff %t.1 %t.2

// Without the pass there are none but the one that was written.
// RUN: relay-opt %s --relay-to-te=schedule=none | FileCheck %s --check-prefix=NONE
// NONE-NOT: te.schedule
// NONE: func.func @scheduled

// A product is summed in a tile of the stage that reads it; what is between them is inlined.
// CHECK-LABEL: func.func private @product
// CHECK-SAME: te.state = "{{.*}}tile{{.*}}given{{.*}}given
// CHECK: %[[PRODUCT:.+]] = te.compute "matmul"
// CHECK: %[[BIAS:.+]] = te.compute "bias_add"
// CHECK: %[[RELU:.+]] = te.compute "relu"
// CHECK: %[[LAST:.+]] = te.stage %[[RELU]]
// CHECK: %[[BETWEEN:.+]] = te.stage %[[BIAS]]
// CHECK-NEXT: te.compute_inline %[[BETWEEN]]
// CHECK: %[[SUMS:.+]] = te.stage %[[PRODUCT]]
// CHECK-NEXT: te.set_scope %[[SUMS]] local
// CHECK-NEXT: te.compute_at %[[SUMS]], %[[LAST]],
func.func private @product(%a: tensor<64x96xf32>, %b: tensor<96x80xf32>, %c: tensor<80xf32>) -> tensor<64x80xf32> attributes {relay.primitive} {
  %0 = relay.nn.matmul %a, %b : (tensor<64x96xf32>, tensor<96x80xf32>) -> tensor<64x80xf32>
  %1 = relay.nn.bias_add %0, %c {axis = 1 : i64} : (tensor<64x80xf32>, tensor<80xf32>) -> tensor<64x80xf32>
  %2 = relay.nn.relu %1 : (tensor<64x80xf32>) -> tensor<64x80xf32>
  return %2 : tensor<64x80xf32>
}

// One that is returned is summed in a cache.
// CHECK-LABEL: func.func private @alone
// CHECK: %[[PRODUCT:.+]] = te.compute "matmul"
// CHECK: %[[RESULT:.+]] = te.stage %[[PRODUCT]]
// CHECK-NEXT: %[[SUMS:.+]] = te.cache_write %[[RESULT]] in local
// CHECK: te.compute_at %[[SUMS]], %[[RESULT]],
func.func private @alone(%a: tensor<64x96xf32>, %b: tensor<96x80xf32>) -> tensor<64x80xf32> attributes {relay.primitive} {
  %0 = relay.nn.matmul %a, %b : (tensor<64x96xf32>, tensor<96x80xf32>) -> tensor<64x80xf32>
  return %0 : tensor<64x80xf32>
}

// Two stages read this one, each element by element: neither has it in its tile.
// CHECK-LABEL: func.func private @read_twice
// CHECK: %[[PRODUCT:.+]] = te.compute "matmul"
// CHECK: %[[RESULT:.+]] = te.stage %[[PRODUCT]]
// CHECK-NEXT: te.cache_write %[[RESULT]] in local
func.func private @read_twice(%a: tensor<64x96xf32>, %b: tensor<96x80xf32>) -> (tensor<64x80xf32>, tensor<64x80xf32>) attributes {relay.primitive} {
  %0 = relay.nn.matmul %a, %b : (tensor<64x96xf32>, tensor<96x80xf32>) -> tensor<64x80xf32>
  %1 = relay.nn.relu %0 : (tensor<64x80xf32>) -> tensor<64x80xf32>
  %2 = relay.exp %0 : (tensor<64x80xf32>) -> tensor<64x80xf32>
  return %1, %2 : tensor<64x80xf32>, tensor<64x80xf32>
}

// What no stage reads twice is not tiled, and not cached: each element is read once.
// CHECK-LABEL: func.func private @elements
// CHECK-SAME: te.state = "{{.*}}given{{.*}}nest
// CHECK: te.schedule
// CHECK-NOT: te.cache_write
// CHECK-NOT: te.rfactor
// CHECK-NOT: te.set_scope
// CHECK: te.compute_inline
// CHECK-NOT: te.compute_at
// CHECK: return
func.func private @elements(%a: tensor<64x96xf32>) -> tensor<64x96xf32> attributes {relay.primitive} {
  %0 = relay.exp %a : (tensor<64x96xf32>) -> tensor<64x96xf32>
  %1 = relay.nn.relu %0 : (tensor<64x96xf32>) -> tensor<64x96xf32>
  return %1 : tensor<64x96xf32>
}

// The sum of everything is made of partial results: all that threads can share.
// CHECK-LABEL: func.func private @everything
// CHECK: te.schedule
// CHECK: te.rfactor
// CHECK: return
func.func private @everything(%a: tensor<1024x1024xf32>) -> tensor<f32> attributes {relay.primitive} {
  %0 = relay.sum %a : (tensor<1024x1024xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// Many sums of what lies apart are not: vectors lie along the sums.
// CHECK-LABEL: func.func private @columns
// CHECK: te.schedule
// CHECK-NOT: te.rfactor
// CHECK: te.cache_write
// CHECK-NOT: te.rfactor
// CHECK: return
func.func private @columns(%a: tensor<16x4096xf32>) -> tensor<4096xf32> attributes {relay.primitive} {
  %0 = relay.sum %a {axis = array<i64: 0>} : (tensor<16x4096xf32>) -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

// The places of Winograd's tiles choose among constants: their loops are unrolled.
// CHECK-LABEL: func.func private @winograd
// CHECK: %[[COLUMNS:.+]] = te.compute "winograd_data_columns"
// CHECK: te.schedule
// CHECK: %[[STAGE:.+]] = te.stage %[[COLUMNS]]
// CHECK: %[[EPS:eps.*]], %nu{{.*}} = te.axes %[[STAGE]]
// CHECK: te.unroll %[[EPS]]
func.func private @winograd(%x: tensor<1x2x16x16x16xf32>, %w: tensor<6x6x2x32x16xf32>) -> tensor<1x2x16x16x16xf32> attributes {relay.primitive} {
  %0 = relay.nn.contrib_conv2d_winograd_without_weight_transform %x, %w {tile_size = 4 : i64, data_layout = "NCHW16c", padding = array<i64: 1, 1, 1, 1>} : (tensor<1x2x16x16x16xf32>, tensor<6x6x2x32x16xf32>) -> tensor<1x2x16x16x16xf32>
  return %0 : tensor<1x2x16x16x16xf32>
}

// Functions that have a schedule, and such as hold more than computes, stay as they are.
// CHECK-LABEL: func.func @scheduled
// CHECK-NOT: te.state
// CHECK: te.schedule {
// CHECK-NEXT: }
func.func @scheduled(%a: tensor<64xf32>) -> tensor<64xf32> {
  %b = te.compute "b" (%i: 64) {
    %x = tensor.extract %a[%i] : tensor<64xf32>
    te.yield %x : f32
  } : tensor<64xf32>
  te.schedule {
  }
  return %b : tensor<64xf32>
}
