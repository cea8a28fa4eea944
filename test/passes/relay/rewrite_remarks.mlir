// Where rules are applied, those of a file and those of the compiler, is said to whoever asks.
// RUN: relay-opt %s --simplify-expr --remarks-filter=rewrite 2>&1 | FileCheck %s
// RUN: relay-opt %s --simplify-expr 2>&1 | FileCheck %s --check-prefix=SILENT
// SILENT-NOT: remark

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = relay.constant dense<0.0> : tensor<f32>
  %root = relay.sqrt %x : (tensor<4xf32>) -> tensor<4xf32>
  %one = relay.constant dense<1.0> : tensor<f32>
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: remark: {{.*}}reciprocal_root{{.*}}rewrite{{.*}}relay.divide becomes relay.rsqrt
  %0 = relay.divide %one, %root : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: remark: {{.*}}add_zero{{.*}}relay.add becomes relay.rsqrt
  %1 = relay.add %0, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
