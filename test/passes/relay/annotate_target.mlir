// RUN: relay-opt --annotate-target="targets=test operators=test.abs,test.nn.relu" %s | FileCheck %s
// RUN: relay-opt --annotate-target="targets=one,test operators=one.abs,test.abs" %s | FileCheck %s --check-prefix=TWO
// RUN: relay-opt --annotate-target="targets=one operators=one.abs" --annotate-target="targets=test operators=test.abs,test.nn.relu" %s \
// RUN:   | FileCheck %s --check-prefix=RUNS
// RUN: not relay-opt --annotate-target %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not relay-opt --annotate-target="targets=test operators=abs" %s 2>&1 | FileCheck %s --check-prefix=WRONG

// NONE: error: {{.*}}needs targets: name them
// WRONG: error: {{.*}}is given the operator 'abs', which begins with none of its targets

// A composite is for the target that its name begins with, and nothing inside has one.
// CHECK: func.func private @composite
// CHECK-NEXT: relay.abs %arg0 : (
func.func private @composite(%x: tensor<4xf32>) -> tensor<4xf32> attributes {Composite = "test.abs_exp"} {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.exp %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @other(%x: tensor<4xf32>) -> tensor<4xf32> attributes {Composite = "another.exp"} {
  %0 = relay.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @main
// CHECK-NEXT: relay.abs %arg0 {relay.target = "test"}
// CHECK-NEXT: call @composite(%{{.*}}) {relay.target = "test"}
// CHECK-NEXT: call @other(%{{[^{]*$}}
// CHECK-NEXT: relay.exp %{{[^{]*$}}
// TWO-LABEL: func.func @main
// TWO-NEXT: relay.abs %arg0 {relay.target = "one"}
// TWO-NEXT: call @composite(%{{.*}}) {relay.target = "test"}
// RUNS-LABEL: func.func @main
// RUNS-NEXT: relay.abs %arg0 {relay.target = "one"}
// RUNS-NEXT: call @composite(%{{.*}}) {relay.target = "test"}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @composite(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @other(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.exp %2 : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// Branches are looked into.
// CHECK-LABEL: func.func @branches
// CHECK: relay.if %arg0 {{.*}}{
// CHECK-NEXT: relay.abs %arg1 {relay.target = "test"}
// CHECK: } else {
// CHECK-NEXT: relay.nn.relu %arg1 {relay.target = "test"}
func.func @branches(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.if %c : (tensor<i1>) -> tensor<4xf32> {
    %1 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %1 : tensor<4xf32>
  } else {
    %1 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
