// RUN: relay-opt %s --pass-pipeline='builtin.module(func.func(align-vectors))' | FileCheck %s

memref.global "private" @relay_shared_memory : memref<4096xi8, 3>

// Eight f16 at multiples of eight are at multiples of 16 bytes; at multiples of two, of 4 bytes.
// CHECK-LABEL: func.func @vectors
// CHECK: vector.load %arg0[%{{.+}}, %{{.+}}] {alignment = 16 : i64} : memref<?x64xf16>, vector<8xf16>
// CHECK: vector.store %{{.+}}, %{{.+}}[%{{.+}}] {alignment = 16 : i64} : memref<512xf16, 3>, vector<8xf16>
// CHECK: vector.load %arg0[%{{.+}}, %{{.+}}] {alignment = 4 : i64} : memref<?x64xf16>, vector<2xf16>
func.func @vectors(%a: memref<?x64xf16>, %b: memref<2xf16>) attributes {tir.device_function} {
  %thread = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c128 = arith.constant 128 : index
  %memory = memref.get_global @relay_shared_memory : memref<4096xi8, 3>
  %shared = memref.view %memory[%c128][] : memref<4096xi8, 3> to memref<512xf16, 3>
  %at = arith.muli %thread, %c8 : index
  %x = vector.load %a[%thread, %at] : memref<?x64xf16>, vector<8xf16>
  vector.store %x, %shared[%at] : memref<512xf16, 3>, vector<8xf16>
  %by_two = arith.muli %thread, %c2 : index
  %y = vector.load %a[%thread, %by_two] : memref<?x64xf16>, vector<2xf16>
  vector.store %y, %b[%c0] : memref<2xf16>, vector<2xf16>
  return
}

// Rows of 63 elements begin anywhere; so does a view of unknown offset. Processors' functions stay as they are.
// CHECK-LABEL: func.func @unknown
// CHECK-NOT: alignment
func.func @unknown(%a: memref<4x63xf16>, %b: memref<4096xi8>, %offset: index) attributes {tir.device_function} {
  %thread = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%thread, %c0] : memref<4x63xf16>, vector<2xf16>
  %view = memref.view %b[%offset][] : memref<4096xi8> to memref<8xf16>
  vector.store %x, %view[%c0] : memref<8xf16>, vector<2xf16>
  return
}

// CHECK-LABEL: func.func @processor
// CHECK-NOT: alignment
func.func @processor(%a: memref<64xf16>, %b: memref<64xf16>) {
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%c0] : memref<64xf16>, vector<8xf16>
  vector.store %x, %b[%c0] : memref<64xf16>, vector<8xf16>
  return
}
