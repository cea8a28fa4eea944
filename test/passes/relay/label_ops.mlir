// RUN: relay-opt %s --label-ops | FileCheck %s
// Twice is once.
// RUN: relay-opt %s --label-ops > %t.once && relay-opt %t.once --label-ops | diff %t.once -
// Through the text, with other names for values.
// RUN: relay-opt %s --mlir-print-op-generic | relay-opt --label-ops | FileCheck %s
// What is labelled compiles; the kernel's expression still has the hash.
// RUN: relay-opt %s --defuse-ops --dead-code-elimination --fuse-ops --label-ops --relay-to-te | FileCheck %s --check-prefix=TE
// TE: func.func private @fused_abs_add
// TE-SAME: relay.hash = "{{[0-9a-f]+}}"
// TE: te.compute

// Equal but for the name: the same number.
// CHECK: func.func private @one
// CHECK-SAME: relay.hash = "[[HASH:[0-9a-f]{16}]]"
// CHECK-SAME: relay.primitive
// CHECK: func.func private @two
// CHECK-SAME: relay.hash = "[[HASH]]"
func.func private @one(%x: tensor<4xf32>) -> tensor<4xf32> attributes {relay.primitive} {
  %c = relay.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.add %0, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @two(%other: tensor<4xf32>) -> tensor<4xf32> attributes {relay.primitive} {
  %d = relay.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %a = relay.abs %other : (tensor<4xf32>) -> tensor<4xf32> loc("elsewhere")
  %b = relay.add %a, %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// Another constant, another operator, another shape: other numbers.
// CHECK: func.func private @constant
// CHECK-NOT: [[HASH]]
// CHECK: func.func private @resource_of_one
// CHECK-SAME: relay.hash = "[[RESOURCE:[0-9a-f]{16}]]"
// CHECK: func.func private @resource_of_two
// CHECK-NOT: [[RESOURCE]]
// CHECK: func.func private @resource_of_one_again
// CHECK-SAME: relay.hash = "[[RESOURCE]]"
func.func private @constant(%x: tensor<4xf32>) -> tensor<4xf32> attributes {relay.primitive} {
  %c = relay.constant dense<[1.0, 2.0, 3.0, 5.0]> : tensor<4xf32>
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.add %0, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @resource_of_one(%x: tensor<2xf32>) -> tensor<2xf32> attributes {relay.primitive} {
  %c = relay.constant dense_resource<first> : tensor<2xf32>
  %0 = relay.add %x, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @resource_of_two(%x: tensor<2xf32>) -> tensor<2xf32> attributes {relay.primitive} {
  %c = relay.constant dense_resource<second> : tensor<2xf32>
  %0 = relay.add %x, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @resource_of_one_again(%x: tensor<2xf32>) -> tensor<2xf32> attributes {relay.primitive} {
  %c = relay.constant dense_resource<copy> : tensor<2xf32>
  %0 = relay.add %x, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// A label stays; a function that is not primitive gets none.
// CHECK: func.func private @labelled
// CHECK-SAME: relay.hash = "0123456789abcdef"
// CHECK: func.func @main
// CHECK-NOT: relay.hash
func.func private @labelled(%x: tensor<4xf32>) -> tensor<4xf32> attributes {relay.hash = "0123456789abcdef", relay.primitive} {
  return %x : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @one(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

{-#
  dialect_resources: {
    builtin: {
      first: "0x040000000000803F00000040",
      second: "0x040000000000803F00004040",
      copy: "0x040000000000803F00000040"
    }
  }
#-}
