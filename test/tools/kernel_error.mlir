// What goes wrong in one kernel is said of the operator that it is for.
// RUN: not relayc compile %s -o %t.so 2>&1 | FileCheck %s
// CHECK: error{{.*}}: {{.*}}outline-parallel
// CHECK-NEXT: a layer: 'tir.for' op is parallel and uses a value of type index from outside
func.func @kernel(%n: index, %a: memref<16xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %end = arith.constant 16 : index
  tir.for %i = 0 to 16 parallel {
    %j = arith.muli %i, %n : index
    memref.store %one, %a[%j] : memref<16xf32>
  } loc("a layer")
  return
}
func.func @main(%a: memref<16xf32> {relay.name = "a"}) {
  %one = arith.constant 1 : index
  func.call @kernel(%one, %a) : (index, memref<16xf32>) -> ()
  return
}
