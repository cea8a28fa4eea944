// RUN: relay-opt %s --skip-after-errors | FileCheck %s

func.func private @relay_rt_define_0(i64, i64, i64) -> index
func.func private @relay_rt_define_1(i64, i64, i64) -> index
func.func private @kernel(index)

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
