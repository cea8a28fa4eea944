// RUN: split-file %s %t
// RUN: relay-opt --merge-composite=rules=%t/rules.pat %t/in.mlir | FileCheck %t/in.mlir
// RUN: relay-opt --merge-composite=target=dnnl %t/in.mlir | FileCheck %t/in.mlir --check-prefix=DNNL
// RUN: not relay-opt --merge-composite %t/in.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not relay-opt --merge-composite=target=fpga %t/in.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not relay-opt --merge-composite="target=c rules=%t/rules.pat" %t/in.mlir 2>&1 | FileCheck %s --check-prefix=BOTH

// NONE: error: {{.*}}needs rules
// UNKNOWN: error: {{.*}}knows no rules of 'fpga'; those of c, dnnl are built in
// BOTH: error: {{.*}}is given a target and a file of rules; leave one of them out

//--- rules.pat

// A rule of more operators comes first.
rule test.add_sub_mul {
  match (%x + %y) * (%x - %y)
}

rule test.add_relu {
  match nn.relu(_ + _)
}

rule test.add {
  match _ + _
}

//--- in.mlir

// CHECK-LABEL: func.func @simple
// CHECK-NEXT: call @test_add_relu_0(%arg0, %arg1)
// DNNL-LABEL: func.func @simple
// DNNL-NEXT: call @dnnl_add_
// DNNL-NEXT: call @dnnl_relu_
func.func @simple(%a: tensor<10x10xf32>, %b: tensor<10x10xf32>) -> tensor<10x10xf32> {
  %0 = relay.add %a, %b : (tensor<10x10xf32>, tensor<10x10xf32>) -> tensor<10x10xf32>
  %1 = relay.nn.relu %0 : (tensor<10x10xf32>) -> tensor<10x10xf32>
  return %1 : tensor<10x10xf32>
}

// A match of several branches; what it gives is read twice.
// CHECK-LABEL: func.func @branches
// CHECK-NEXT: %[[A:.*]] = call @test_add_sub_mul_0(%arg0, %arg1)
// CHECK-NEXT: call @test_add_relu_1(%[[A]])
func.func @branches(%a: tensor<10x10xf32>, %b: tensor<10x10xf32>) -> tensor<10x10xf32> {
  %0 = relay.add %a, %b : (tensor<10x10xf32>, tensor<10x10xf32>) -> tensor<10x10xf32>
  %1 = relay.subtract %a, %b : (tensor<10x10xf32>, tensor<10x10xf32>) -> tensor<10x10xf32>
  %2 = relay.multiply %0, %1 : (tensor<10x10xf32>, tensor<10x10xf32>) -> tensor<10x10xf32>
  %3 = relay.add %2, %2 : (tensor<10x10xf32>, tensor<10x10xf32>) -> tensor<10x10xf32>
  %4 = relay.nn.relu %3 : (tensor<10x10xf32>) -> tensor<10x10xf32>
  return %4 : tensor<10x10xf32>
}

// The sum is read by something outside of the larger match, so that the smaller one takes it.
// CHECK-LABEL: func.func @diamond
// CHECK-NEXT: %[[A:.*]] = call @test_add_0(%arg0, %arg1)
// CHECK-NEXT: %[[B:.*]] = relay.nn.relu %[[A]]
// CHECK-NEXT: relay.multiply %[[A]], %[[B]]
func.func @diamond(%a: tensor<10x10xf32>, %b: tensor<10x10xf32>) -> tensor<10x10xf32> {
  %0 = relay.add %a, %b : (tensor<10x10xf32>, tensor<10x10xf32>) -> tensor<10x10xf32>
  %1 = relay.nn.relu %0 : (tensor<10x10xf32>) -> tensor<10x10xf32>
  %2 = relay.multiply %0, %1 : (tensor<10x10xf32>, tensor<10x10xf32>) -> tensor<10x10xf32>
  return %2 : tensor<10x10xf32>
}

// oneDNN computes f32, and the rules leave tensors without elements alone.
// DNNL-LABEL: func.func @others
// DNNL-NOT: call
// DNNL: return
func.func @others(%a: tensor<10xf64>, %b: tensor<0xf32>) -> (tensor<10xf64>, tensor<0xf32>) {
  %0 = relay.add %a, %a : (tensor<10xf64>, tensor<10xf64>) -> tensor<10xf64>
  %1 = relay.nn.relu %b : (tensor<0xf32>) -> tensor<0xf32>
  return %0, %1 : tensor<10xf64>, tensor<0xf32>
}
