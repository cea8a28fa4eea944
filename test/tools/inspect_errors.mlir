// Everything that keeps a model from being compiled, at once, and in the exit code.
// RUN: %python %S/Inputs/several_errors.py %t.onnx
// RUN: not relayc inspect %t.onnx --shape x=2,3,8,8 2>&1 | FileCheck %s
// RUN: not relayc compile %t.onnx -o %t.so 2>&1 | FileCheck %s --check-prefix=COMPILE
// RUN: not relayc inspect --json %t.onnx 2>/dev/null | %python -c "import json, sys; found = json.load(sys.stdin); print(found['unsupported'][0]['nodes'], len(found['errors']))" | FileCheck %s --check-prefix=JSON
// RUN: not relayc inspect %s 2>&1 | FileCheck %s --check-prefix=PASSES
// RUN: relayc inspect %S/../../examples/tour/layer.mlir | FileCheck %s --check-prefix=FINE

// CHECK: x: float[N, 3, 8, 8]
// CHECK: not supported:
// CHECK-NEXT: test.Whirl x3, first at node 'whirl0' {speed=2}: operators of domain 'test' are not supported
// CHECK-NEXT: errors:
// CHECK-NEXT: node 'too_few_channels' (Conv): {{.*}}channels
// CHECK-NOT: after_what_is_wrong
// CHECK: node 'turned' (Transpose): {{.*}}9
// CHECK-NOT: whirl2
// CHECK: node 'choice/else_branch/other' (test.Whirl): operators of domain 'test' are not supported
// CHECK-NEXT: {{.*}} node 'choice/then_branch/inner' (test.Whirl): operators of domain 'test' are not supported
// CHECK: error{{.*}}: {{.*}} cannot be compiled

// COMPILE: 3 nodes are not supported:
// COMPILE-NEXT: test.Whirl x3, first at node 'whirl0'

// JSON: ['whirl0', 'whirl1', 'whirl2'] 4

// What only a pass finds.
// PASSES: errors:
// PASSES-NEXT: pass {{.*}} failed
// PASSES: error{{.*}}: {{.*}} cannot be compiled
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @absent(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @absent(tensor<4xf32>) -> tensor<4xf32>

// FINE: x: tensor<4x64xf32> -> f32[4, 64]
// FINE-NOT: error
