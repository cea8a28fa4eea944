// RUN: relay-opt %s --skip-after-errors | FileCheck %s

func.func private @relay_rt_define_0(i64, i64, i64) -> index
func.func private @relay_rt_define_1(i64, i64, i64) -> index
func.func private @kernel(index)
func.func private @place(memref<i1>)

// What follows a check runs only if it has found nothing wrong; so do later checks.
// CHECK-LABEL: func.func @checked
// CHECK: %[[K:.*]] = call @relay_rt_define_0
// CHECK: %[[IS_RIGHT:.*]] = arith.cmpi sge, %[[K]], %{{.*}} : index
// CHECK: scf.if %[[IS_RIGHT]] {
// CHECK:   func.call @kernel(%[[K]])
// CHECK:   %[[M:.*]] = func.call @relay_rt_define_1
// CHECK:   scf.if %{{.*}} {
// CHECK:     func.call @kernel(%[[M]])
// CHECK:   }
// CHECK: }
// CHECK-NEXT: return
func.func @checked(%n: i64) {
  %k = call @relay_rt_define_0(%n, %n, %n) {relay.defines = "k"} : (i64, i64, i64) -> index
  call @kernel(%k) : (index) -> ()
  %m = call @relay_rt_define_1(%n, %n, %n) {relay.defines = "m"} : (i64, i64, i64) -> index
  call @kernel(%m) : (index) -> ()
  return
}

// Nothing is checked.
// CHECK-LABEL: func.func @plain
// CHECK-NOT: scf.if
func.func @plain(%n: index) {
  call @kernel(%n) : (index) -> ()
  return
}

// In a step, what the next step takes is there in any case: a place, and the condition that the rest of the step has computed by then.
// CHECK-LABEL: func.func @in_steps
// CHECK: } do {
// CHECK: %[[K:.*]] = func.call @relay_rt_define_0
// CHECK: %[[VIEW:.*]] = memref.view
// CHECK: %[[IS_RIGHT:.*]] = arith.cmpi sge, %[[K]], %{{.*}} : index
// CHECK: scf.if %[[IS_RIGHT]] {
// CHECK:   func.call @place(%[[VIEW]])
// CHECK: }
// CHECK: %[[FLAG:.*]] = memref.load %[[VIEW]][]
// CHECK: scf.yield %[[FLAG]], %[[VIEW]]
// CHECK: call @relay_rt_go_on_0() {relay.checks}
// CHECK: scf.if
// CHECK:   func.call @kernel
func.func @in_steps(%n: i64, %first: memref<i1>, %arena: memref<1xi8>, %zero: index) {
  %true = arith.constant true
  %0:2 = scf.while (%again = %true, %before = %first) : (i1, memref<i1>) -> (i1, memref<i1>) {
    scf.condition(%again) %again, %before : i1, memref<i1>
  } do {
  ^bb0(%again: i1, %before: memref<i1>):
    %k = func.call @relay_rt_define_0(%n, %n, %n) {relay.defines = "k"} : (i64, i64, i64) -> index
    %view = memref.view %arena[%zero][] : memref<1xi8> to memref<i1>
    func.call @place(%view) : (memref<i1>) -> ()
    %flag = memref.load %view[] : memref<i1>
    scf.yield %flag, %view : i1, memref<i1>
  }
  %1 = call @relay_rt_go_on_0() {relay.checks} : () -> index
  call @kernel(%zero) : (index) -> ()
  return
}
func.func private @relay_rt_go_on_0() -> index
