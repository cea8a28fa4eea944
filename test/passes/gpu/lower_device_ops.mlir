// RUN: relay-opt %s --place-shared --lower-device-ops | FileCheck %s
// RUN: relay-opt %s --place-shared --lower-device-ops=device=rocm | FileCheck %s --check-prefix=ROCM
// RUN: relay-opt %s --place-shared --lower-device-ops=device=emulated | FileCheck %s --check-prefix=EMULATED
// RUN: relay-opt %s --lower-device-ops="byte-dots=dp4a" | FileCheck %s --check-prefix=DP4A
// RUN: relay-opt %s --lower-device-ops="byte-dots=sdot4" | FileCheck %s --check-prefix=SDOT4
// RUN: relay-opt %s --lower-device-ops="byte-dots=sudot4" | FileCheck %s --check-prefix=SUDOT4
// RUN: not relay-opt %s --lower-device-ops=device=toaster 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: device is toaster, expected cuda, rocm or emulated

// CHECK: memref.global "private" @relay_shared_memory : memref<192xi8, 3> {alignment = 64 : i64}
// CHECK-LABEL: func.func @thread
// CHECK-SAME: tir.shared_bytes = 192 : i64
// CHECK: %[[MEMORY:.+]] = memref.get_global @relay_shared_memory
// CHECK: memref.view %[[MEMORY]][%c0
// CHECK-SAME: to memref<3xf32, 3>
// CHECK: memref.view %[[MEMORY]][%c64
// CHECK-SAME: to memref<32xf32, 3>
// CHECK: %[[X:.+]] = nvvm.read.ptx.sreg.tid.x : i32
// CHECK: arith.index_cast %[[X]] : i32 to index
// CHECK: nvvm.read.ptx.sreg.ctaid.y : i32
// CHECK: nvvm.barrier

// ROCM: memref.global "private" @relay_shared_memory : memref<192xi8, 3> {alignment = 64 : i64}
// ROCM-LABEL: func.func @thread
// ROCM: %[[X:.+]] = rocdl.workitem.id.x : i32
// ROCM: arith.index_cast %[[X]] : i32 to index
// ROCM: rocdl.workgroup.id.y : i32
// ROCM: rocdl.barrier

// EMULATED-NOT: relay_shared_memory
// EMULATED-LABEL: func.func @thread
// EMULATED: %[[MEMORY:.+]] = call @relay_emulator_shared(%c0
// EMULATED: memref.view %[[MEMORY]]
// EMULATED-SAME: to memref<3xf32>
// EMULATED: call @relay_emulator_index(%c0_i32
// EMULATED: call @relay_emulator_index(%c4_i32
// EMULATED: call @relay_emulator_barrier()
func.func @thread(%a: memref<32xf32>) attributes {tir.device_function} {
  %some = memref.alloca() : memref<3xf32, #tir.scope<shared>>
  %more = memref.alloca() : memref<32xf32, #tir.scope<shared>>
  %thread = gpu.thread_id x
  %block = gpu.block_id y
  %x = memref.load %a[%thread] : memref<32xf32>
  memref.store %x, %more[%thread] : memref<32xf32, #tir.scope<shared>>
  memref.store %x, %some[%block] : memref<3xf32, #tir.scope<shared>>
  gpu.barrier
  %y = memref.load %more[%block] : memref<32xf32, #tir.scope<shared>>
  memref.store %y, %a[%thread] : memref<32xf32>
  return
}

// The emulated driver multiplies matrices and copies; devices have instructions for both, which upstream's conversions make.
// CHECK-LABEL: func.func @matrices
// CHECK: nvgpu.device_async_copy
// CHECK: nvgpu.mma.sync
// EMULATED-LABEL: func.func @matrices
// EMULATED: %[[LANE:.+]] = memref.alloca() : memref<192xi8>
// EMULATED: call @relay_emulator_copy(
// EMULATED: call @relay_emulator_wait()
// EMULATED: call @relay_emulator_barrier()
// EMULATED: memref.view %[[LANE]]
// EMULATED: call @relay_emulator_multiply(%{{.+}}, %[[LANE]]) : (i32, memref<192xi8>) -> ()
// EMULATED: vector.load
// EMULATED-NOT: nvgpu
func.func @matrices(%a: memref<512xf16>, %first: vector<4x2xf16>, %second: vector<2x2xf16>, %sums: vector<2x2xf32>) -> vector<2x2xf32>
    attributes {tir.device_function} {
  %c0 = arith.constant 0 : index
  %shared = memref.alloca() : memref<512xf16, 3>
  %copy = nvgpu.device_async_copy %a[%c0], %shared[%c0], 8 : memref<512xf16> to memref<512xf16, 3>
  %all = nvgpu.device_async_create_group
  nvgpu.device_async_wait %all {numGroups = 0 : i32}
  gpu.barrier
  %0 = nvgpu.mma.sync(%first, %second, %sums) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  return %0 : vector<2x2xf32>
}

// Products of bytes are an instruction, with the sum that they are added to.
// CHECK-LABEL: func.func @bytes
// CHECK-COUNT-2: tir.dot_bytes
// DP4A-LABEL: func.func @bytes
// DP4A-SAME: %[[X:[a-z0-9]+]]: i32, %[[Y:[a-z0-9]+]]: i32, %[[SUM:[a-z0-9]+]]: i32
// DP4A: %[[FIRST:.+]] = llvm.call_intrinsic "llvm.nvvm.idp4a.u.s"(%[[X]], %[[Y]], %[[SUM]])
// DP4A: llvm.call_intrinsic "llvm.nvvm.idp4a.u.s"(%[[X]], %[[FIRST]], %c0
// SDOT4-LABEL: func.func @bytes
// SDOT4-SAME: %[[X:[a-z0-9]+]]: i32, %[[Y:[a-z0-9]+]]: i32, %[[SUM:[a-z0-9]+]]: i32
// SDOT4: %[[TURNED:.+]] = arith.xori %[[X]], %c-2139062144_i32
// SDOT4: %[[BYTES:.+]] = llvm.call_intrinsic "llvm.amdgcn.sdot4"(%c16843009_i32{{.*}}, %[[Y]]
// SDOT4: %[[MORE:.+]] = arith.shli %[[BYTES]], %c7_i32
// SDOT4: %[[START:.+]] = arith.addi %[[MORE]], %[[SUM]]
// SDOT4: llvm.call_intrinsic "llvm.amdgcn.sdot4"(%[[TURNED]], %[[Y]], %[[START]]
// SUDOT4-LABEL: func.func @bytes
// SUDOT4-SAME: %[[X:[a-z0-9]+]]: i32, %[[Y:[a-z0-9]+]]: i32, %[[SUM:[a-z0-9]+]]: i32
// SUDOT4: llvm.call_intrinsic "llvm.amdgcn.sudot4"(%false{{[_0-9]*}}, %[[X]], %true{{[_0-9]*}}, %[[Y]], %[[SUM]], %false
func.func @bytes(%x: i32, %y: i32, %sum: i32) -> i32 attributes {tir.device_function} {
  %0 = tir.dot_bytes %x, %y : i32
  %1 = arith.addi %sum, %0 : i32
  %2 = tir.dot_bytes %x, %1 : i32
  return %2 : i32
}
