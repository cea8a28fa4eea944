// Relay's text as a module: functions, names, tuples, branches, numbers, and attributes that TVM writes in other ways than ours.
// RUN: split-file %s %t
// RUN: relay-translate --from-relay-text %t/network.relay | FileCheck %s
// RUN: relay-translate --from-relay-text %t/types.relay | FileCheck %s --check-prefix=TYPES
// RUN: relay-translate --from-relay-text %t/fast.relay -o %t/fast.mlir
// RUN: relay-translate --to-relay-text %t/fast.mlir | diff %t/fast.relay -
// RUN: relay-translate --from-relay-text %t/kept.relay -o %t/kept.mlir
// RUN: FileCheck %s --check-prefix=KEPT --input-file %t/kept.mlir
// RUN: relay-translate --to-relay-text %t/kept.mlir | diff %t/kept.relay -
// RUN: not relay-translate --from-relay-text %t/full.relay 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: relay-translate --from-relay-text %t/numeric.relay -o %t/numeric.mlir
// RUN: %python %S/Inputs/relay_text.py inputs %t/in.npz
// RUN: relayc run %t/numeric.mlir --inputs %t/in.npz --outputs %t/out.npz
// RUN: %python %S/Inputs/relay_text.py check %t/in.npz %t/out.npz

// CHECK-LABEL: func.func @block(
// CHECK-SAME: %arg0: tensor<1x8x8x8xf32> {relay.name = "x"}, %arg1: tensor<8x8x3x3xf32> {relay.name = "w"}) -> tensor<1x8x8x8xf32>
// CHECK-NEXT: %[[C:.+]] = relay.nn.conv2d %arg0, %arg1 {padding = array<i64: 1, 1, 1, 1>} :
// CHECK-NEXT: %[[R:.+]] = relay.nn.relu %[[C]]
// CHECK-NEXT: return %[[R]]
// CHECK-LABEL: func.func @main(
// CHECK: %[[N:.+]] = relay.nn.batch_norm %arg0, %arg2, %arg2, %arg2, %arg2 {epsilon = 1.000000e-03 : f64}
// CHECK: %[[TWO:.+]] = relay.constant dense<2.000000e+00> : tensor<f32>
// CHECK: %[[M:.+]] = relay.multiply %[[N]], %[[TWO]]
// CHECK: %[[ONE:.+]] = relay.constant dense<1.000000e+00> : tensor<f16>
// CHECK: %[[Y:.+]] = relay.add %[[M]], %{{.+}}
// CHECK: %[[CALLED:.+]] = call @block(%[[Y]], %arg1)
// CHECK: %[[IF:.+]] = relay.if %{{.+}} : (tensor<i1>) -> tensor<1x8x8x8xf32> {
// CHECK: relay.yield %{{.+}} : tensor<1x8x8x8xf32>
// CHECK: } else {
// CHECK-NEXT: relay.yield %[[CALLED]]
// CHECK: %[[PARTS:.+]]:2 = relay.split %[[IF]] {axis = 1 : i64, indices = array<i64: 4>}
// CHECK: relay.concatenate %[[PARTS]]#1, %[[PARTS]]#0 {axis = 1 : i64}
// CHECK: relay.reshape %{{.+}} {newshape = array<i64: 1, -1>}
// CHECK: relay.transpose %{{.+}} {axes = array<i64: 1, 0>}

// TYPES-LABEL: func.func @twice(
// TYPES-SAME: tensor<?x4xf32> {{.*}} -> tensor<?x4xf32>
// TYPES-LABEL: func.func @main(
// TYPES-SAME: tensor<?x4xui8>
// TYPES-SAME: -> tuple<tensor<?x4xf32>, tuple<tensor<i1>>, tensor<?x4xf32>>
// TYPES: call @twice(%{{.+}}) : (tensor<?x4xf32>) -> tensor<?x4xf32>
// TYPES: call @later(%{{.+}}) : (tensor<?x4xf32>) -> tensor<?x4xf32>

// Attributes of functions in place; and those that TVM's operators have and leave to an operand.
// KEPT: relay.fn(%{{.*}}: tensor<4xf32>) -> tensor<4xf32> attributes {relay.hash = "abc", relay.primitive, relay.written = {mine = [1 : i32, 2 : i32]}}
// KEPT: relay.dyn.reshape %{{.*}}, %{{.*}} {allowzero = true} :
// KEPT: relay.dyn.tile %{{[a-z0-9]+}}, %{{[a-z0-9]+}} :
// FULL: `dyn.reshape` has no attribute 'newshape'

//--- kept.relay
#[version = "0.0.5"]
def @main(%x: Tensor[(4), float32], %s: Tensor[(2), int64]) -> Tensor[(?, ?), float32] {
  let %x1 = fn (%y: Tensor[(4), float32], Primitive=1, hash="abc", mine=[1, 2]) -> Tensor[(4), float32] {
    nn.relu(%y)
  };
  let %x2 = %x1(%x);
  %1 = dyn.reshape(%x2, %s, allowzero=True, newshape=[]);
  dyn.tile(%1, %s, reps=[])
}
//--- full.relay
#[version = "0.0.5"]
def @main(%x: Tensor[(4), float32], %s: Tensor[(2), int64]) {
  dyn.reshape(%x, %s, newshape=[2, 2])
}
//--- network.relay
#[version = "0.0.5"]
def @block(%x: Tensor[(1, 8, 8, 8), float32], %w: Tensor[(8, 8, 3, 3), float32]) -> Tensor[(1, 8, 8, 8), float32] {
  %0 = nn.conv2d(%x, %w, padding=[1, 1], channels=8, kernel_size=[3, 3], out_dtype="") /* ty=Tensor[(1, 8, 8, 8), float32] */;
  nn.relu(%0)
}

def @main(%data: Tensor[(1, 8, 8, 8), float32], %w: Tensor[(8, 8, 3, 3), float32], %g: Tensor[(8), float32]) {
  %0 = nn.batch_norm(%data, %g, %g, %g, %g, epsilon=0.001f);
  let %y: Tensor[(1, 8, 8, 8), float32] = %0.0 * 2f + cast(1f16, dtype="float32");
  %1 = @block(%y, %w);
  %2 = if (sum(%g) > 0f) { add(%1, %y) } else { %1 };
  %3 = split(%2, indices_or_sections=2, axis=1);
  %4 = concatenate((%3.1, %3.0), axis=1);
  %5 = mean(%4, axis=[2, 3], keepdims=0);
  %6 = reshape(%5, newshape=[0, -1]);
  transpose(nn.softmax(%6))
}

//--- fast.relay
#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32] {
  %0 = fast_exp(%x);
  %1 = fast_tanh(%0);
  %2 = fast_erf(%1);
  nn.fast_softmax(%2, axis=1)
}
//--- types.relay
def @twice(%x: Tensor[(?, 4), float32]) {
  %x + %x
}

def @main(%x: Tensor[(?, 4), uint8]) {
  let %y = cast(%x, dtype="float32");
  (@twice(%y), (True,), @later(%y))
}

def @later(%x: Tensor[(?, 4), float32]) -> Tensor[(?, 4), float32] {
  %x
}

//--- numeric.relay
#[version = "0.0.5"]
def @main(%x: Tensor[(3, 8), float32], %w: Tensor[(6, 8), float32], %b: Tensor[(6), float32]) {
  %0 = nn.dense(%x, %w, units=6);
  %1 = nn.bias_add(%0, %b);
  %2 = split(%1, indices_or_sections=[2], axis=-1);
  %3 = concatenate((nn.softmax(%2.1), %2.0 - 2f * max(%2.0, axis=1, keepdims=True) / 3f), axis=1);
  strided_slice(transpose(%3, axes=None), begin=[0, 2], end=[6, 0], strides=[1, -1])
}
