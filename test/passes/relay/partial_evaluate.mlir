// RUN: relay-opt %s --partial-evaluate --split-input-file | FileCheck %s

// A field of a tuple that is known.
// CHECK-LABEL: func.func @tuple(
// CHECK-NEXT: return %arg0
func.func @tuple(%x: tensor<f32>) -> tensor<f32> {
  %c = relay.constant dense<4.0> : tensor<f32>
  %t = relay.tuple %c, %x : (tensor<f32>, tensor<f32>) -> tuple<tensor<f32>, tensor<f32>>
  %0 = relay.tuple_get %t {index = 1 : i64} : (tuple<tensor<f32>, tensor<f32>>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// What is read is what was written last.
// CHECK-LABEL: func.func @ref(
// CHECK-NOT: relay.ref_read
// CHECK: %[[SQUARE:.+]] = relay.multiply %arg0, %arg0
// CHECK-NOT: relay.ref_read
// CHECK: return %[[SQUARE]]
func.func @ref(%d: tensor<f32>) -> tensor<f32> {
  %r = relay.ref_create %d : (tensor<f32>) -> !relay.ref<tensor<f32>>
  %a = relay.ref_read %r : (!relay.ref<tensor<f32>>) -> tensor<f32>
  %b = relay.ref_read %r : (!relay.ref<tensor<f32>>) -> tensor<f32>
  %0 = relay.multiply %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %u = relay.ref_write %r, %0 : (!relay.ref<tensor<f32>>, tensor<f32>) -> tuple<>
  %c = relay.ref_read %r : (!relay.ref<tensor<f32>>) -> tensor<f32>
  return %c : tensor<f32>
}

// -----

// Both branches write: what the reference holds after them is not known. Inside of a branch it is.
// CHECK-LABEL: func.func @if_ref(
// CHECK: %[[ONE:.+]] = relay.constant dense<1>
// CHECK: %[[R:.+]] = relay.ref_create %[[ONE]]
// CHECK: relay.if %arg0
// CHECK: %[[TWO:.+]] = relay.add %[[ONE]], %[[ONE]]
// CHECK: relay.ref_write %[[R]], %[[TWO]]
// CHECK: else
// CHECK: relay.ref_write %[[R]]
// CHECK: %[[READ:.+]] = relay.ref_read %[[R]]
// CHECK-NEXT: return %[[READ]]
func.func @if_ref(%d: tensor<i1>) -> tensor<i32> {
  %one = relay.constant dense<1> : tensor<i32>
  %r = relay.ref_create %one : (tensor<i32>) -> !relay.ref<tensor<i32>>
  %update = relay.fn() -> tuple<> {
    %a = relay.ref_read %r : (!relay.ref<tensor<i32>>) -> tensor<i32>
    %b = relay.add %a, %a : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %u = relay.ref_write %r, %b : (!relay.ref<tensor<i32>>, tensor<i32>) -> tuple<>
    relay.yield %u : tuple<>
  }
  %0 = relay.if %d : (tensor<i1>) -> tuple<> {
    %u = relay.call %update() : (() -> tuple<>) -> tuple<>
    relay.yield %u : tuple<>
  } else {
    %u = relay.call %update() : (() -> tuple<>) -> tuple<>
    relay.yield %u : tuple<>
  }
  %c = relay.ref_read %r : (!relay.ref<tensor<i32>>) -> tensor<i32>
  return %c : tensor<i32>
}

// -----

// Branches that write nothing leave what is known.
// CHECK-LABEL: func.func @if_without_write(
// CHECK-NOT: relay.ref_read
// CHECK: relay.if
// CHECK-NOT: relay.ref_read
// CHECK: relay.add %{{.+}}, %arg1
func.func @if_without_write(%d: tensor<i1>, %x: tensor<i32>) -> tensor<i32> {
  %r = relay.ref_create %x : (tensor<i32>) -> !relay.ref<tensor<i32>>
  %0 = relay.if %d : (tensor<i1>) -> tensor<i32> {
    %1 = relay.abs %x : (tensor<i32>) -> tensor<i32>
    relay.yield %1 : tensor<i32>
  } else {
    relay.yield %x : tensor<i32>
  }
  %c = relay.ref_read %r : (!relay.ref<tensor<i32>>) -> tensor<i32>
  %2 = relay.add %0, %c : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %2 : tensor<i32>
}

// -----

// A function that is not known may write to any reference, and one that reads runs when it is called: what it reads is
// not what was there when it was made.
// CHECK-LABEL: func.func @invalidate(
// CHECK: %[[R:.+]] = relay.ref_create
// CHECK: relay.if %arg0
// CHECK: relay.fn
// CHECK-NEXT: relay.ref_read %[[R]]
// CHECK: relay.ref_write %[[R]]
// CHECK: relay.call
// CHECK: relay.ref_read %[[R]]
func.func @invalidate(%d: tensor<i1>) -> tuple<tensor<i32>, tensor<i32>> {
  %zero = relay.constant dense<0> : tensor<i32>
  %one = relay.constant dense<1> : tensor<i32>
  %r = relay.ref_create %zero : (tensor<i32>) -> !relay.ref<tensor<i32>>
  %fetch = relay.fn() -> tensor<i32> {
    %a = relay.ref_read %r : (!relay.ref<tensor<i32>>) -> tensor<i32>
    relay.yield %a : tensor<i32>
  }
  %obscured = relay.if %d : (tensor<i1>) -> (() -> tensor<i32>) {
    relay.yield %fetch : () -> tensor<i32>
  } else {
    relay.yield %fetch : () -> tensor<i32>
  }
  %u = relay.ref_write %r, %one : (!relay.ref<tensor<i32>>, tensor<i32>) -> tuple<>
  %0 = relay.call %obscured() : (() -> tensor<i32>) -> tensor<i32>
  %1 = relay.ref_read %r : (!relay.ref<tensor<i32>>) -> tensor<i32>
  %2 = relay.tuple %0, %1 : (tensor<i32>, tensor<i32>) -> tuple<tensor<i32>, tensor<i32>>
  return %2 : tuple<tensor<i32>, tensor<i32>>
}

// -----

// Data whose constructors are known are taken apart, here as deep as they are.
relay.type_def @Nat {
  relay.constructor @Zero []
  relay.constructor @Next [!relay.adt<@Nat>]
}
// CHECK-LABEL: func.func @nat(
// CHECK-NEXT: %[[X:.+]] = relay.construct @Nat::@Next(%arg0)
// CHECK-NEXT: %[[Y:.+]] = relay.construct @Nat::@Next(%[[X]])
// CHECK-NEXT: return %[[Y]]
func.func @nat(%n: !relay.adt<@Nat>) -> !relay.adt<@Nat> {
  %zero = relay.construct @Nat::@Zero() : () -> !relay.adt<@Nat>
  %one = relay.construct @Nat::@Next(%zero) : (!relay.adt<@Nat>) -> !relay.adt<@Nat>
  %two = relay.construct @Nat::@Next(%one) : (!relay.adt<@Nat>) -> !relay.adt<@Nat>
  %0 = func.call @add(%two, %n) : (!relay.adt<@Nat>, !relay.adt<@Nat>) -> !relay.adt<@Nat>
  return %0 : !relay.adt<@Nat>
}
// Of unknown data, nothing is carried out.
// CHECK-LABEL: func.func private @add(
// CHECK-NEXT: relay.match %arg0
// CHECK: func.call @add
// CHECK-NOT: func.call @add
func.func private @add(%a: !relay.adt<@Nat>, %b: !relay.adt<@Nat>) -> !relay.adt<@Nat> {
  %0 = relay.match %a : !relay.adt<@Nat> -> !relay.adt<@Nat>
  case @Nat::@Zero() {
    relay.yield %b : !relay.adt<@Nat>
  }
  case @Nat::@Next(%m: !relay.adt<@Nat>) {
    %1 = func.call @add(%m, %b) : (!relay.adt<@Nat>, !relay.adt<@Nat>) -> !relay.adt<@Nat>
    %2 = relay.construct @Nat::@Next(%1) : (!relay.adt<@Nat>) -> !relay.adt<@Nat>
    relay.yield %2 : !relay.adt<@Nat>
  }
  return %0 : !relay.adt<@Nat>
}

// -----

// A loop without an end stays a call.
// CHECK-LABEL: func.func private @loop(
// CHECK-NEXT: call @loop(%arg0)
func.func private @loop(%x: tensor<i32>) -> tensor<i32> {
  %0 = func.call @loop(%x) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[ONE:.+]] = relay.constant dense<1>
// CHECK-NEXT: call @loop(%[[ONE]])
func.func @main() -> tensor<i32> {
  %one = relay.constant dense<1> : tensor<i32>
  %0 = func.call @loop(%one) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// A function that makes one like itself is written once more, and not without end.
// CHECK-LABEL: func.func @endless(
// CHECK: relay.fn
// CHECK: relay.fn
// CHECK-NOT: relay.fn
// CHECK: return
relay.type_def @Stream {
  relay.constructor @Stream [tensor<i32>, () -> !relay.adt<@Stream>]
}
func.func @endless() -> !relay.adt<@Stream> {
  %one = relay.constant dense<1> : tensor<i32>
  %0 = func.call @from(%one) : (tensor<i32>) -> !relay.adt<@Stream>
  return %0 : !relay.adt<@Stream>
}
func.func private @from(%n: tensor<i32>) -> !relay.adt<@Stream> {
  %rest = relay.fn() -> !relay.adt<@Stream> {
    %one = relay.constant dense<1> : tensor<i32>
    %1 = relay.add %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = func.call @from(%1) : (tensor<i32>) -> !relay.adt<@Stream>
    relay.yield %2 : !relay.adt<@Stream>
  }
  %0 = relay.construct @Stream::@Stream(%n, %rest) : (tensor<i32>, () -> !relay.adt<@Stream>) -> !relay.adt<@Stream>
  return %0 : !relay.adt<@Stream>
}
