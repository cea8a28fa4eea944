// RUN: relay-opt %s | relay-opt | FileCheck %s

// CHECK-LABEL: func.func @bytes
func.func @bytes(%x: i32, %v: vector<16xi32>) {
  // CHECK: tir.dot_bytes %{{.+}}, %{{.+}} : i32
  %0 = tir.dot_bytes %x, %x : i32
  // CHECK: tir.dot_bytes %{{.+}}, %{{.+}} : vector<16xi32>
  %1 = tir.dot_bytes %v, %v : vector<16xi32>
  return
}
