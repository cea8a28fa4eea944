// RUN: relay-opt %s --pass-pipeline='builtin.module(func.func(copy-asynchronously))' | FileCheck %s

memref.global "private" @relay_shared_memory : memref<4096xi8, 3>

// Each thread waits for its copies before all threads wait for each other.
// CHECK-LABEL: func.func @copy
// CHECK-NOT: vector.load
// CHECK: nvgpu.device_async_copy %arg0[%{{.+}}], %{{.+}}[%{{.+}}], 8 {bypassL1} : memref<512xf16> to memref<512xf16, 3>
// CHECK-NEXT: %[[ALL:.+]] = nvgpu.device_async_create_group
// CHECK-NEXT: nvgpu.device_async_wait %[[ALL]] {numGroups = 0 : i32}
// CHECK-NEXT: gpu.barrier
func.func @copy(%a: memref<512xf16>) attributes {tir.device_function} {
  %thread = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %memory = memref.get_global @relay_shared_memory : memref<4096xi8, 3>
  %shared = memref.view %memory[%c0][] : memref<4096xi8, 3> to memref<512xf16, 3>
  %at = arith.muli %thread, %c8 : index
  %x = vector.load %a[%at] {alignment = 16 : i64} : memref<512xf16>, vector<8xf16>
  vector.store %x, %shared[%at] {alignment = 16 : i64} : memref<512xf16, 3>, vector<8xf16>
  gpu.barrier
  return
}

// A vector of unknown alignment, one that something else reads, and one whose memory is written meanwhile, stay.
// CHECK-LABEL: func.func @other
// CHECK-NOT: nvgpu
func.func @other(%a: memref<512xf16>, %b: memref<512xf16>) attributes {tir.device_function} {
  %thread = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %memory = memref.get_global @relay_shared_memory : memref<4096xi8, 3>
  %shared = memref.view %memory[%c0][] : memref<4096xi8, 3> to memref<512xf16, 3>
  %at = arith.muli %thread, %c8 : index
  %x = vector.load %a[%at] : memref<512xf16>, vector<8xf16>
  vector.store %x, %shared[%at] {alignment = 16 : i64} : memref<512xf16, 3>, vector<8xf16>
  %y = vector.load %a[%at] {alignment = 16 : i64} : memref<512xf16>, vector<8xf16>
  vector.store %y, %shared[%at] {alignment = 16 : i64} : memref<512xf16, 3>, vector<8xf16>
  vector.store %y, %b[%at] {alignment = 16 : i64} : memref<512xf16>, vector<8xf16>
  %z = vector.load %a[%at] {alignment = 16 : i64} : memref<512xf16>, vector<8xf16>
  vector.store %x, %a[%at] {alignment = 16 : i64} : memref<512xf16>, vector<8xf16>
  vector.store %z, %shared[%at] {alignment = 16 : i64} : memref<512xf16, 3>, vector<8xf16>
  gpu.barrier
  return
}
