// A function that only libm has, on vectors: one call per lane.
// RUN: relay-translate --to-llvm %s | FileCheck %s
// CHECK-COUNT-4: call {{.*}}float @cbrtf

func.func @main(%x: memref<4xf32>, %y: memref<4xf32>, %arena: memref<1xi8>) attributes {relay.num_inputs = 1 : i64} {
  %c0 = arith.constant 0 : index
  %v = vector.load %x[%c0] : memref<4xf32>, vector<4xf32>
  %a = math.cbrt %v : vector<4xf32>
  vector.store %a, %y[%c0] : memref<4xf32>, vector<4xf32>
  return
}
