// RUN: split-file %s %t
// RUN: relay-opt --quantize-calibrate=%t/ranges.json %t/in.mlir | FileCheck %t/in.mlir
// RUN: relay-opt --quantize-calibrate="ranges=%t/ranges.json per-channel=false symmetric=true" %t/in.mlir \
// RUN:   | FileCheck %t/in.mlir --check-prefix=WHOLE
// RUN: relay-opt --quantize-calibrate="ranges=%t/ranges.json power-of-two=true" %t/in.mlir | FileCheck %t/in.mlir --check-prefix=POWER
// RUN: not relay-opt --quantize-calibrate %t/in.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not relay-opt --quantize-calibrate=%t/other.json %t/in.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not relay-opt --quantize-calibrate=%t/list.json %t/in.mlir 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: not relay-opt --quantize-calibrate="ranges=%t/ranges.json method=entropy" %t/in.mlir 2>&1 | FileCheck %s --check-prefix=METHOD
// RUN: not relay-opt --quantize-calibrate=%t/ranges.json %t/weight.mlir 2>&1 | FileCheck %s --check-prefix=WEIGHT

// NONE: error: {{.*}}needs the range of tensor 'x': there is no table of ranges
// MISSING: error: {{.*}}needs the range of tensor 'x': {{.*}}other.json has none
// LIST: error: {{.*}}list.json is no table of ranges
// METHOD: error: {{.*}}'entropy' is no method; there are minmax
// WEIGHT: error: {{.*}}marks a weight that is no constant of f32; run fold-constant first

//--- ranges.json
{"x": [-1.0, 1.55]}
//--- other.json
{"y": [-1.0, 1.55]}
//--- list.json
[1.0]

//--- in.mlir
// The bytes of data are unsigned, with a zero point of 100; those of the weight are signed, with a scale for each output.
// CHECK-LABEL: func.func @dense(
// CHECK-DAG: %[[S:.+]] = relay.constant dense<0.00999999977> : tensor<f32>
// CHECK-DAG: %[[L:.+]] = relay.constant dense<-1.000000e+02> : tensor<f32>
// CHECK-DAG: %[[H:.+]] = relay.constant dense<1.550000e+02> : tensor<f32>
// CHECK: simulated_quantize %arg0, %[[S]], %[[L]], %[[H]] {kind = 1 : i64, sign = false, tensor = "x"}
// CHECK: %[[SCALES:.+]] = relay.constant dense<[1.000000e-01, 2.000000e-01]> : tensor<2xf32>
// CHECK: simulated_quantize %{{.+}}, %[[SCALES]], {{.*}}kind = 2 : i64
// WHOLE-DAG: relay.constant dense<0.0122047244> : tensor<f32>
// WHOLE-DAG: relay.constant dense<2.000000e-01> : tensor<f32>
// WHOLE-NOT: sign = false
// POWER-DAG: relay.constant dense<1.562500e-02> : tensor<f32>
// POWER-DAG: relay.constant dense<-6.400000e+01> : tensor<f32>
// POWER-DAG: relay.constant dense<[1.250000e-01, 2.500000e-01]> : tensor<2xf32>
func.func @dense(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %none = relay.constant dense<0.0> : tensor<f32>
  %w = relay.constant dense<[[1.0, -12.7], [25.4, 0.0]]> : tensor<2x2xf32>
  %0 = relay.op.annotation.simulated_quantize %x, %none, %none, %none {kind = 1 : i64, tensor = "x"} : (tensor<1x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2xf32>
  %1 = relay.op.annotation.simulated_quantize %w, %none, %none, %none {kind = 2 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %2 = relay.nn.dense %0, %1 : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  return %2 : tensor<1x2xf32>
}

// What has a scale keeps it.
// CHECK-LABEL: func.func @known(
// CHECK: %[[S:.+]] = relay.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: simulated_quantize %arg0, %[[S]], %arg1, %arg1
func.func @known(%x: tensor<1x2xf32>, %limit: tensor<f32>) -> tensor<1x2xf32> {
  %s = relay.constant dense<0.5> : tensor<f32>
  %0 = relay.op.annotation.simulated_quantize %x, %s, %limit, %limit {kind = 1 : i64} : (tensor<1x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

//--- weight.mlir
func.func @weight(%w: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %none = relay.constant dense<0.0> : tensor<f32>
  %0 = relay.op.annotation.simulated_quantize %w, %none, %none, %none {kind = 2 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
