// RUN: relay-opt %s --plan-memory | FileCheck %s

func.func private @kernel(%a: memref<16xf32>, %b: memref<16xf32>) attributes {tir.kernel} {
  return
}

// A kernel's own buffer becomes a parameter.
// CHECK-LABEL: func.func private @workspace
// CHECK-SAME: memref<16xf32>, %{{.+}}: memref<64xf32>)
func.func private @workspace(%a: memref<16xf32>, %b: memref<16xf32>) attributes {tir.kernel} {
  // CHECK-NOT: tir.alloc_buffer
  %c0 = arith.constant 0 : index
  %t = tir.alloc_buffer "global" : memref<64xf32>
  %v = memref.load %a[%c0] : memref<16xf32>
  memref.store %v, %t[%c0] : memref<64xf32>
  return
}

// %0 is dead when %2 is made, so that both take the same bytes; %1 is alive beside both.
// CHECK-LABEL: func.func @main
// CHECK-SAME: , %[[ARENA:[a-z0-9]+]]: memref<128xi8>) attributes {relay.arena_bytes = 128 : i64
func.func @main(%in: memref<16xf32>, %out: memref<16xf32>) attributes {relay.num_inputs = 1 : i64} {
  // CHECK: %[[AT0:.+]] = arith.constant 0 : index
  // CHECK: %[[V0:.+]] = memref.view %[[ARENA]][%[[AT0]]][]
  // CHECK: %[[AT1:.+]] = arith.constant 64 : index
  // CHECK: %[[V1:.+]] = memref.view %[[ARENA]][%[[AT1]]][]
  // CHECK: %[[AT2:.+]] = arith.constant 0 : index
  // CHECK: %[[V2:.+]] = memref.view %[[ARENA]][%[[AT2]]][]
  // CHECK: call @kernel(%{{.+}}, %[[V0]])
  %0 = tir.alloc_buffer "global" : memref<16xf32>
  %1 = tir.alloc_buffer "global" : memref<16xf32>
  %2 = tir.alloc_buffer "global" : memref<16xf32>
  call @kernel(%in, %0) : (memref<16xf32>, memref<16xf32>) -> ()
  call @kernel(%0, %1) : (memref<16xf32>, memref<16xf32>) -> ()
  call @kernel(%1, %2) : (memref<16xf32>, memref<16xf32>) -> ()
  call @kernel(%2, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @hoisted
// CHECK-SAME: attributes {relay.arena_bytes = 256 : i64
func.func @hoisted(%in: memref<16xf32>, %out: memref<16xf32>) attributes {relay.num_inputs = 1 : i64} {
  // CHECK: %[[W:.+]] = memref.view
  // CHECK: call @workspace(%{{.+}}, %{{.+}}, %[[W]])
  call @workspace(%in, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// A function that is neither a kernel nor calls any stays.
// CHECK-LABEL: func.func @other() {
func.func @other() {
  return
}
