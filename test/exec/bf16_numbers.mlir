// Tensors of bf16 by themselves: what files hold, conversions from and to every other type, operators that
// compute in f32 and round once, and those that only move elements.
// RUN: %python %S/Inputs/bf16_numbers.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: relayc compile %s --target "x86_64-unknown-linux-gnu -mcpu=x86-64-v3" -o %t.so
// RUN: relayc run %t.so --inputs %t.in.npz --outputs %t.v3.npz
// RUN: relayc run %s --opt-level 0 --inputs %t.in.npz --outputs %t.plain.npz
// RUN: %python %S/Inputs/bf16_numbers.py check %t.in.npz %t.out.npz %t.v3.npz %t.plain.npz

func.func @main(%x: tensor<64xf32> {relay.name = "x"}, %y: tensor<64xbf16> {relay.name = "y"},
                %d: tensor<64xf64> {relay.name = "d"}, %i: tensor<64xi64> {relay.name = "i"})
    -> (tensor<64xbf16> {relay.name = "rounded"}, tensor<64xf32> {relay.name = "exact"},
        tensor<64xbf16> {relay.name = "from_f64"}, tensor<64xf64> {relay.name = "to_f64"},
        tensor<64xbf16> {relay.name = "from_i64"}, tensor<64xi32> {relay.name = "to_i32"},
        tensor<64xi1> {relay.name = "less"}, tensor<64xbf16> {relay.name = "once"},
        tensor<64xf32> {relay.name = "twice"}, tensor<4xbf16> {relay.name = "sum"},
        tensor<16x8xbf16> {relay.name = "moved"}, tensor<4xi64> {relay.name = "argmax"}) {
  %rounded = relay.cast %x {dtype = bf16} : (tensor<64xf32>) -> tensor<64xbf16>
  %exact = relay.cast %y {dtype = f32} : (tensor<64xbf16>) -> tensor<64xf32>
  %from_f64 = relay.cast %d {dtype = bf16} : (tensor<64xf64>) -> tensor<64xbf16>
  %to_f64 = relay.cast %y {dtype = f64} : (tensor<64xbf16>) -> tensor<64xf64>
  %from_i64 = relay.cast %i {dtype = bf16} : (tensor<64xi64>) -> tensor<64xbf16>
  %to_i32 = relay.cast %y {dtype = i32} : (tensor<64xbf16>) -> tensor<64xi32>
  %less = relay.less %y, %from_i64 : (tensor<64xbf16>, tensor<64xbf16>) -> tensor<64xi1>
  // y * y + y, with y * y not rounded.
  %square = relay.multiply %y, %y : (tensor<64xbf16>, tensor<64xbf16>) -> tensor<64xbf16>
  %once = relay.add %square, %y : (tensor<64xbf16>, tensor<64xbf16>) -> tensor<64xbf16>
  // A cast rounds, whatever reads it.
  %cast = relay.cast %d {dtype = f32} : (tensor<64xf64>) -> tensor<64xf32>
  %narrow = relay.cast %cast {dtype = bf16} : (tensor<64xf32>) -> tensor<64xbf16>
  %wide = relay.cast %narrow {dtype = f32} : (tensor<64xbf16>) -> tensor<64xf32>
  %twice = relay.subtract %wide, %cast : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %rows = relay.reshape %y {newshape = array<i64: 4, 16>} : (tensor<64xbf16>) -> tensor<4x16xbf16>
  %sum = relay.sum %rows {axis = array<i64: 1>} : (tensor<4x16xbf16>) -> tensor<4xbf16>
  %argmax = relay.argmax %rows {axis = array<i64: 1>} : (tensor<4x16xbf16>) -> tensor<4xi64>
  %columns = relay.transpose %rows {axes = array<i64: 1, 0>} : (tensor<4x16xbf16>) -> tensor<16x4xbf16>
  %moved = relay.concatenate %columns, %columns {axis = 1 : i64} : (tensor<16x4xbf16>, tensor<16x4xbf16>) -> tensor<16x8xbf16>
  return %rounded, %exact, %from_f64, %to_f64, %from_i64, %to_i32, %less, %once, %twice, %sum, %moved, %argmax
    : tensor<64xbf16>, tensor<64xf32>, tensor<64xbf16>, tensor<64xf64>, tensor<64xbf16>, tensor<64xi32>, tensor<64xi1>,
      tensor<64xbf16>, tensor<64xf32>, tensor<4xbf16>, tensor<16x8xbf16>, tensor<4xi64>
}
