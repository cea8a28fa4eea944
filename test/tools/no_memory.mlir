// Where there is no memory, the compiler says so: it ends with neither a signal nor a panic.
// REQUIRES: time
// RUN: %python %S/Inputs/no_memory.py relayc compile %s --no-cache --no-records -o %t.so

func.func @main(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>) -> tensor<4x32xf32> {
  %0 = relay.nn.dense %x, %w : (tensor<4x64xf32>, tensor<32x64xf32>) -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}
