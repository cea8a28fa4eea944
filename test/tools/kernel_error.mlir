// What goes wrong in one kernel is said of the operator that it is for.
// RUN: not relayc compile %s -o %t.so 2>&1 | FileCheck %s
// CHECK: error{{.*}}: {{.*}}outline-parallel
// CHECK-NEXT: a layer: 'tir.for' op is parallel and uses a value of type f32 from outside
func.func @kernel(%n: f32, %a: memref<16xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %end = arith.constant 16 : index
  tir.for %i = 0 to 16 parallel {
    %sum = arith.addf %one, %n : f32
    memref.store %sum, %a[%i] : memref<16xf32>
  } loc("a layer")
  return
}
func.func @main(%a: memref<16xf32> {relay.name = "a"}) {
  %one = arith.constant 1.0 : f32
  func.call @kernel(%one, %a) : (f32, memref<16xf32>) -> ()
  return
}
