// Schedules drawn from sketches against numpy: products, convolutions with padding and what follows them, rows, windows,
// transposes, of extents that no tile divides; for vectors of two widths, with one thread and with two.
// REQUIRES: time
// RUN: %python %S/Inputs/auto_schedule.py inputs %t.in.npz
// RUN: relay-opt --fuse-ops --relay-to-te=schedule=none %s -o %t.te.mlir
// RUN: relay-opt --te-auto-schedule=seed=0 %t.te.mlir -o %t.0.mlir
// RUN: relayc run %t.0.mlir --inputs %t.in.npz --outputs %t.0.npz
// RUN: relay-opt --te-auto-schedule=seed=1 %t.te.mlir -o %t.1.mlir
// RUN: relayc run %t.1.mlir --threads 1 --inputs %t.in.npz --outputs %t.1.npz
// RUN: relay-opt "--te-auto-schedule=seed=2 steps=30" %t.te.mlir -o %t.2.mlir
// RUN: relayc run %t.2.mlir --threads 2 --inputs %t.in.npz --outputs %t.2.npz
// RUN: relay-opt --target=x86-64-v3 "--te-auto-schedule=seed=3 steps=30" %t.te.mlir -o %t.3.mlir
// RUN: relayc run %t.3.mlir --inputs %t.in.npz --outputs %t.3.npz
// RUN: %python %S/Inputs/auto_schedule.py check %t.in.npz %t.0.npz %t.1.npz %t.2.npz %t.3.npz

func.func @main(%a: tensor<7x53xf32> {relay.name = "a"},
                %b: tensor<53x37xf32> {relay.name = "b"},
                %c: tensor<37xf32> {relay.name = "c"},
                %x: tensor<1x6x13x14xf32> {relay.name = "x"},
                %w: tensor<8x6x3x3xf32> {relay.name = "w"},
                %r: tensor<1x8x13x14xf32> {relay.name = "r"},
                %p: tensor<3x13x40xf32> {relay.name = "p"},
                %q: tensor<3x40x17xf32> {relay.name = "q"},
                %s: tensor<130x257xf32> {relay.name = "s"})
    -> (tensor<7x37xf32> {relay.name = "product"},
        tensor<1x8x13x14xf32> {relay.name = "conv"},
        tensor<3x13x17xf32> {relay.name = "batch"},
        tensor<130x257xf32> {relay.name = "softmax"},
        tensor<257xf32> {relay.name = "columns"},
        tensor<130xi64> {relay.name = "argmax"},
        tensor<1x6x7x7xf32> {relay.name = "pool"},
        tensor<40x3x13xf32> {relay.name = "transpose"}) {
  %0 = relay.nn.matmul %a, %b : (tensor<7x53xf32>, tensor<53x37xf32>) -> tensor<7x37xf32>
  %1 = relay.nn.bias_add %0, %c {axis = 1 : i64} : (tensor<7x37xf32>, tensor<37xf32>) -> tensor<7x37xf32>
  %product = relay.sigmoid %1 : (tensor<7x37xf32>) -> tensor<7x37xf32>
  %2 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x6x13x14xf32>, tensor<8x6x3x3xf32>) -> tensor<1x8x13x14xf32>
  %3 = relay.add %2, %r : (tensor<1x8x13x14xf32>, tensor<1x8x13x14xf32>) -> tensor<1x8x13x14xf32>
  %conv = relay.nn.relu %3 : (tensor<1x8x13x14xf32>) -> tensor<1x8x13x14xf32>
  %batch = relay.nn.batch_matmul %p, %q : (tensor<3x13x40xf32>, tensor<3x40x17xf32>) -> tensor<3x13x17xf32>
  %softmax = relay.nn.softmax %s {axis = -1 : i64} : (tensor<130x257xf32>) -> tensor<130x257xf32>
  %columns = relay.sum %s {axis = array<i64: 0>} : (tensor<130x257xf32>) -> tensor<257xf32>
  %argmax = relay.argmax %s {axis = array<i64: 1>} : (tensor<130x257xf32>) -> tensor<130xi64>
  %pool = relay.nn.max_pool2d %x {pool_size = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : (tensor<1x6x13x14xf32>) -> tensor<1x6x7x7xf32>
  %transpose = relay.transpose %p {axes = array<i64: 2, 0, 1>} : (tensor<3x13x40xf32>) -> tensor<40x3x13xf32>
  return %product, %conv, %batch, %softmax, %columns, %argmax, %pool, %transpose : tensor<7x37xf32>, tensor<1x8x13x14xf32>, tensor<3x13x17xf32>, tensor<130x257xf32>, tensor<257xf32>, tensor<130xi64>, tensor<1x6x7x7xf32>, tensor<40x3x13xf32>
}
