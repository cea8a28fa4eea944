// A program in Relay's text whose shapes are computed, against numpy; and one whose shapes depend on its inputs, which is an error.
// RUN: split-file %s %t
// RUN: relay-translate --from-relay-text %t/program.relay > %t/program.mlir
// RUN: relay-translate --to-relay-text %t/program.mlir | FileCheck %s --check-prefix=TEXT
// RUN: %python %S/Inputs/dynamic_to_static.py inputs %t/in.npz
// RUN: relayc run %t/program.mlir --inputs %t/in.npz --outputs %t/out.npz
// RUN: %python %S/Inputs/dynamic_to_static.py check %t/in.npz %t/out.npz
// RUN: relayc run %t/program.mlir --opt-level 0 --inputs %t/in.npz --outputs %t/out.0.npz
// RUN: %python %S/Inputs/dynamic_to_static.py check %t/in.npz %t/out.0.npz
// RUN: relay-translate --from-relay-text %t/open.relay > %t/open.mlir
// RUN: not relayc compile %t/open.mlir -o %t/open.so 2>&1 | FileCheck %s
// CHECK: has a shape that must be known when compiling, and it depends on parameter 'size'
// TEXT: dyn.reshape(%x, %{{.+}}, allowzero=False, newshape=[])
// TEXT: nn.space_to_batch_nd({{.*}}paddings={{\[\[1, 0\]\]}}
// TEXT: nn.batch_to_space_nd({{.*}}block_shape=[2], crops={{\[\[1, 0\]\]}}

//--- program.relay
#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3, 4), float32], %y: Tensor[(8, 3), float32]) {
  %0 = shape_of(%y, dtype="int32");
  %1 = dyn.reshape(%x, %0, allowzero=False);
  %2 = nn.relu(%1) + %y;
  %3 = dyn.tile(%2, %0 / 2);
  %4 = dyn.ones(shape_of(%3, dtype="int64"), dtype="float32") * %3;
  %5 = nn.space_to_batch_nd(%4, block_shape=[2], paddings=[[1, 0]]);
  %6 = nn.batch_to_space_nd(%5, block_shape=[2], crops=[[1, 0]]);
  %6 + %4
}

//--- open.relay
#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3, 4), float32], %size: Tensor[(2), int32]) {
  dyn.reshape(%x, %size)
}
