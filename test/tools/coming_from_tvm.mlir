// Each flag that the page for users of TVM names is one of relay-opt, or of the relayc command before it.
// RUN: %python %S/Inputs/coming_from_tvm.py %S/../../docs/guide/coming_from_tvm.md | FileCheck %s
// CHECK: {{^[0-9]+}} flags, 0 unknown

// A location is a line of the snapshot, as the page says.
// RUN: relay-opt %s --snapshot-op-locations='filename=%t.mlir' --mlir-print-debuginfo | FileCheck %s --check-prefix=LINE
// LINE: relay.abs {{.*}} loc(#[[PLACE:loc[0-9]*]])
// LINE: #[[PLACE]] = loc("{{.*}}.mlir":3:{{[0-9]+}})
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
