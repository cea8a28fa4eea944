// Elements in Relay's text: short names of types, factors that TVM converts to `out_dtype`, what fills a tensor of other elements.
// RUN: split-file %s %t
// RUN: relay-translate --from-relay-text %t/names.relay | FileCheck %s --check-prefix=NAMES
// RUN: relay-translate --from-relay-text %t/untyped.relay | relay-opt --infer-type --canonicalize | FileCheck %s --check-prefix=UNTYPED
// RUN: not relay-translate --from-relay-text %t/wide.relay 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not relay-translate --from-relay-text %t/floats.relay 2>&1 | FileCheck %s --check-prefix=FLOATS
// RUN: not relay-translate --from-relay-text %t/other.relay 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: relay-translate --from-relay-text %t/numeric.relay -o %t/numeric.mlir
// RUN: %python %S/Inputs/relay_text_elements.py inputs %t/in.npz
// RUN: relayc run %t/numeric.mlir --inputs %t/in.npz --outputs %t/out.npz
// RUN: %python %S/Inputs/relay_text_elements.py check %t/in.npz %t/out.npz

//--- names.relay
def @main(%i: int, %u: Tensor[(2), uint], %f: float, %b: Tensor[(1), bfloat], %c: uint1) {
  (%i, cast(%u, dtype="float"), %f, %b, %c)
}
// NAMES: func.func @main(%arg0: tensor<i32> {{.*}}, %arg1: tensor<2xui32> {{.*}}, %arg2: tensor<f32> {{.*}}, %arg3: tensor<1xbf16> {{.*}}, %arg4: tensor<i1>
// NAMES: relay.cast %arg1 {dtype = f32}

// The parameters of %f get their types from its call: then the casts change one of them, or none.
//--- untyped.relay
def @main(%x: Tensor[(2, 4), float16], %w: Tensor[(3, 4), float16], %y: Tensor[(2, 4), float32], %v: Tensor[(3, 4), float32]) {
  %0 = fn (%a, %b) { nn.dense(%a, %b, units=3, out_dtype="float32") };
  %1 = fn (%a, %b) { nn.dense(%a, %b, units=3, out_dtype="float32") };
  (%0(%x, %w), %1(%y, %v))
}
// UNTYPED: relay.fn
// UNTYPED: %[[A:.+]] = relay.cast %a {dtype = f32} : (tensor<2x4xf16>) -> tensor<2x4xf32>
// UNTYPED: %[[B:.+]] = relay.cast %b {dtype = f32} : (tensor<3x4xf16>) -> tensor<3x4xf32>
// UNTYPED: relay.nn.dense %[[A]], %[[B]] :
// UNTYPED: relay.fn
// UNTYPED-NOT: cast
// UNTYPED: relay.nn.dense %a, %b :

//--- wide.relay
def @main(%x: Tensor[(1, 1, 4, 4), int32], %w: Tensor[(1, 1, 3, 3), int32]) {
  nn.conv2d(%x, %w, channels=1, kernel_size=[3, 3], out_dtype="int64")
}
// WIDE: wide.relay:2:3
// WIDE: `nn.conv2d` gives int64 only for integers of at most 16 bits; cast its operands to floats

//--- floats.relay
def @main(%x: Tensor[(1, 1, 4, 4), float32], %w: Tensor[(1, 1, 3, 3), float32]) {
  nn.conv2d(%x, %w, channels=1, kernel_size=[3, 3], out_dtype="int32")
}
// FLOATS: `nn.conv2d` gives int32 only for integers of at most 16 bits

// Only factors are converted.
//--- other.relay
def @main(%x: Tensor[(4), float16]) { add(%x, %x, out_dtype="float32") }
// OTHER: out_dtype="float32" is not what `add` takes

//--- numeric.relay
#[version = "0.0.5"]
def @main(%x: Tensor[(1, 3, 8, 8), uint8], %w: Tensor[(4, 3, 3, 3), int8], %d: Tensor[(2, 8), int8], %e: Tensor[(5, 8), int8], %h: Tensor[(2, 8), float16]) {
  %0 = nn.conv2d(%x, %w, padding=[1, 1], channels=4, kernel_size=[3, 3], out_dtype="int32");
  %1 = nn.conv2d(%x, %w, channels=4, kernel_size=[3, 3], out_dtype="int16");
  %2 = nn.dense(%d, %e, units=5, out_dtype="int32");
  %3 = nn.dense(%h, %h, units=2, out_dtype="float32");
  %4 = nn.pad(%h, -3, pad_width=[[0, 1], [2, 0]]);
  (nn.max_pool2d(%0, pool_size=[3, 3]), %1, %2, %3, %4)
}
