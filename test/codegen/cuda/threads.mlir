// A block of more threads than have all registers says so: the driver has to leave some for each.
// RUN: relayc compile %s --target nvidia/h100 --emit gpu | FileCheck %s

// CHECK: // many_grid_0 has blocks of 1024 threads and 0 bytes of shared memory
// CHECK: // few_grid_0 has blocks of 256 threads
// CHECK: .entry many_grid_0(
// CHECK: .maxntid 1024
// CHECK: .entry few_grid_0(
// CHECK-NOT: .maxntid
func.func private @many(%x: tensor<4096xf32>) -> tensor<4096xf32> attributes {relay.primitive} {
  %y = te.compute "y" (%i: 4096) {
    %a = tensor.extract %x[%i] : tensor<4096xf32>
    %b = arith.addf %a, %a : f32
    te.yield %b : f32
  } : tensor<4096xf32>
  te.schedule {
    %s = te.stage %y : tensor<4096xf32>
    %i = te.axes %s
    %block, %thread = te.split %i {factor = 1024}
    te.bind %block blockIdx.x
    te.bind %thread threadIdx.x
  }
  return %y : tensor<4096xf32>
}

func.func private @few(%x: tensor<4096xf32>) -> tensor<4096xf32> attributes {relay.primitive} {
  %y = te.compute "y" (%i: 4096) {
    %a = tensor.extract %x[%i] : tensor<4096xf32>
    %b = arith.mulf %a, %a : f32
    te.yield %b : f32
  } : tensor<4096xf32>
  te.schedule {
    %s = te.stage %y : tensor<4096xf32>
    %i = te.axes %s
    %block, %thread = te.split %i {factor = 256}
    te.bind %block blockIdx.x
    te.bind %thread threadIdx.x
  }
  return %y : tensor<4096xf32>
}

func.func @main(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = call @many(%x) : (tensor<4096xf32>) -> tensor<4096xf32>
  %1 = call @few(%0) : (tensor<4096xf32>) -> tensor<4096xf32>
  return %1 : tensor<4096xf32>
}
