// RUN: relay-opt %s --pass-pipeline='builtin.module(func.func(distribute-fragments))' --split-input-file --verify-diagnostics | FileCheck %s

// Loops over lanes become one that is bound to the threads along x; a lane keeps its two registers.
// CHECK-LABEL: func.func @digits
// CHECK: tir.alloc_buffer {{.*}}: memref<3x2xf32, #tir.scope<local>>
// CHECK: tir.for %[[LANE:.+]] = 0 to 32 thread_binding threadIdx.x
// CHECK: %[[GROUP:.+]] = arith.divsi %[[LANE]], %{{.+}}
// CHECK: tir.for %[[REGISTER:.+]] = 0 to 2
// CHECK: memref.store %{{.+}}, %{{.+}}[%{{.+}}, %[[REGISTER]]]
// CHECK: tir.for %[[LANE:.+]] = 0 to 32 thread_binding threadIdx.x
// CHECK-NEXT: memref.load %{{.+}}[%{{[^,]+}}, %{{[^,]+}}] : memref<3x2xf32, #tir.scope<local>>
func.func @digits(%a: memref<32xf32>) {
  %fragment = tir.alloc_buffer : memref<3x32x2xf32, #tir.scope<fragment>>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  tir.for %group = 0 to 8 {
    tir.for %register = 0 to 2 {
      tir.for %of_group = 0 to 4 {
        %first = arith.muli %group, %c4 : index
        %lane = arith.addi %first, %of_group : index
        memref.store %zero, %fragment[%c0, %lane, %register] : memref<3x32x2xf32, #tir.scope<fragment>>
      }
    }
  }
  tir.for %lane = 0 to 32 thread_binding threadIdx.x {
    %x = memref.load %fragment[%c0, %lane, %c0] : memref<3x32x2xf32, #tir.scope<fragment>>
    memref.store %x, %a[%lane] : memref<32xf32>
  }
  return
}

// An instruction of a warp takes the lane's own elements.
// CHECK-LABEL: func.func @own
// CHECK: vector.load %{{.+}}[%{{[^,]+}}] : memref<4xf16, #tir.scope<local>>, vector<4xf16>
func.func @own(%a: memref<4xf16>) {
  %fragment = tir.alloc_buffer : memref<32x4xf16, #tir.scope<fragment>>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %lane = gpu.lane_id upper_bound 32
  %group = arith.divsi %lane, %c4 : index
  %of_group = arith.remsi %lane, %c4 : index
  %first = arith.muli %group, %c4 : index
  %own = arith.addi %first, %of_group : index
  %x = vector.load %fragment[%own, %c0] : memref<32x4xf16, #tir.scope<fragment>>, vector<4xf16>
  vector.store %x, %a[%c0] : memref<4xf16>, vector<4xf16>
  return
}

// Other memory stays as it is.
// CHECK-LABEL: func.func @none
// CHECK: tir.alloc_buffer {{.*}}: memref<32x4xf16, #tir.scope<local>>
func.func @none() {
  %own = tir.alloc_buffer : memref<32x4xf16, #tir.scope<local>>
  return
}

// -----

func.func @of_another(%a: memref<2xf32>) {
  %fragment = tir.alloc_buffer : memref<32x2xf32, #tir.scope<fragment>>
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{accesses an element of a fragment that is not known to be the lane's own}}
  %x = memref.load %fragment[%c3, %c0] : memref<32x2xf32, #tir.scope<fragment>>
  memref.store %x, %a[%c0] : memref<2xf32>
  return
}

// -----

func.func @some_lanes() {
  %fragment = tir.alloc_buffer : memref<32x2xf32, #tir.scope<fragment>>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  tir.for %lane = 0 to 16 {
    // expected-error @+1 {{accesses an element of a fragment that is not known to be the lane's own}}
    memref.store %zero, %fragment[%lane, %c0] : memref<32x2xf32, #tir.scope<fragment>>
  }
  return
}

// -----

func.func @flat() {
  // expected-error @+1 {{needs a dimension of lanes and one of registers}}
  %fragment = tir.alloc_buffer : memref<32xf32, #tir.scope<fragment>>
  return
}
