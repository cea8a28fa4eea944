// Stages without reductions on the emulated driver, against numpy: in vectors, in odd rows, with one element and with none, with an open extent.
// RUN: %python %S/Inputs/gpu_elements.py inputs %t.in.npz
// RUN: relayc compile %s --target "nvidia/t4 -emulated" -o %t.so
// RUN: relayc compile %s --target nvidia/t4 --emit te -o %t.te
// RUN: FileCheck %s --input-file=%t.te
// RUN: env RELAY_EMULATOR_ORDER=shuffled:3 relayc run %t.so --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/gpu_elements.py check %t.in.npz %t.out.npz

// Vectors are for tensors that have more elements than threads run at once.
// CHECK-LABEL: func.func private @fused_tanh(
// CHECK-SAME: te.knobs = "gpu/elementwise threads={{[0-9]+}} vector=4"
// CHECK: te.vectorize
// CHECK-LABEL: func.func private @fused_exp(
// CHECK-SAME: te.knobs = "gpu/elementwise threads={{[0-9]+}} vector=1"

func.func @main(%x: tensor<256x1024xf32> {relay.name = "x"}, %y: tensor<256x1xf32> {relay.name = "y"}, %z: tensor<1024xf32> {relay.name = "z"},
                %odd: tensor<5x7xf32> {relay.name = "odd"}, %one: tensor<1xf32> {relay.name = "one"},
                %none: tensor<0x8xf32> {relay.name = "none"}, %half: tensor<16x16x1024xf16> {relay.name = "half"},
                %bytes: tensor<64x1024xi8> {relay.name = "bytes"}, %open: tensor<?x16xf32, ["n"]> {relay.name = "open"},
                %plane: tensor<8x16x32x16xf32> {relay.name = "plane"}, %bias: tensor<16xf32> {relay.name = "bias"})
    -> (tensor<256x1024xf32> {relay.name = "sum"}, tensor<256x1024xf32> {relay.name = "tanh"}, tensor<256x1024xi1> {relay.name = "less"},
        tensor<256x1024xf32> {relay.name = "chosen"}, tensor<5x7xf32> {relay.name = "odd_exp"}, tensor<1xf32> {relay.name = "one_exp"},
        tensor<0x8xf32> {relay.name = "none_exp"}, tensor<16x16x1024xf16> {relay.name = "half_twice"},
        tensor<16x16x1024xf32> {relay.name = "half_wide"}, tensor<64x1024xi8> {relay.name = "bytes_twice"},
        tensor<?x16xf32, ["n"]> {relay.name = "open_relu"}, tensor<8x16x32x16xf32> {relay.name = "plane_sum"}) {
  %0 = relay.add %x, %y : (tensor<256x1024xf32>, tensor<256x1xf32>) -> tensor<256x1024xf32>
  %1 = relay.add %0, %z : (tensor<256x1024xf32>, tensor<1024xf32>) -> tensor<256x1024xf32>
  %2 = relay.tanh %x : (tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %3 = relay.less %x, %z : (tensor<256x1024xf32>, tensor<1024xf32>) -> tensor<256x1024xi1>
  %4 = relay.where %3, %x, %y : (tensor<256x1024xi1>, tensor<256x1024xf32>, tensor<256x1xf32>) -> tensor<256x1024xf32>
  %5 = relay.exp %odd : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %6 = relay.exp %one : (tensor<1xf32>) -> tensor<1xf32>
  %7 = relay.exp %none : (tensor<0x8xf32>) -> tensor<0x8xf32>
  %8 = relay.add %half, %half : (tensor<16x16x1024xf16>, tensor<16x16x1024xf16>) -> tensor<16x16x1024xf16>
  %9 = relay.cast %half {dtype = f32} : (tensor<16x16x1024xf16>) -> tensor<16x16x1024xf32>
  %10 = relay.add %bytes, %bytes : (tensor<64x1024xi8>, tensor<64x1024xi8>) -> tensor<64x1024xi8>
  %11 = relay.nn.relu %open : (tensor<?x16xf32, ["n"]>) -> tensor<?x16xf32, ["n"]>
  %12 = relay.nn.bias_add %plane, %bias {axis = 1 : i64} : (tensor<8x16x32x16xf32>, tensor<16xf32>) -> tensor<8x16x32x16xf32>
  return %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<256x1024xf32>, tensor<256x1024xf32>, tensor<256x1024xi1>, tensor<256x1024xf32>,
    tensor<5x7xf32>, tensor<1xf32>, tensor<0x8xf32>, tensor<16x16x1024xf16>, tensor<16x16x1024xf32>, tensor<64x1024xi8>, tensor<?x16xf32, ["n"]>,
    tensor<8x16x32x16xf32>
}
