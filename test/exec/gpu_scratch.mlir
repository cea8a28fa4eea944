// Loop programs whose threads need much memory of their own, on a GPU: more lines than threads run at a time, of known and of open extents, and
// programs that have one thread. The emulated driver runs the threads in an order that is not that of their numbers.
// RUN: env RELAY_EMULATOR_ORDER=shuffled:1 %python %S/Inputs/gpu_scratch.py relayc %s %t "nvidia/t4 -emulated"
// RUN: env RELAY_EMULATOR_ORDER=backward %python %S/Inputs/gpu_scratch.py relayc %s %t "amd/mi250 -emulated"

func.func @main(%x: tensor<14000x70xf32> {relay.name = "x"}, %y: tensor<?x?xf32, ["n", "m"]> {relay.name = "y"}, %z: tensor<?xi64, ["k"]> {relay.name = "z"})
    -> (tensor<14000x70xi64> {relay.name = "known"}, tensor<?x?xi64, ["n", "m"]> {relay.name = "open"}, tensor<?xi64, ["k"]> {relay.name = "alone"}) {
  %0 = relay.argsort %x {axis = 1 : i64, dtype = i64} : (tensor<14000x70xf32>) -> tensor<14000x70xi64>
  %1 = relay.argsort %y {axis = 1 : i64, dtype = i64} : (tensor<?x?xf32, ["n", "m"]>) -> tensor<?x?xi64, ["n", "m"]>
  %2 = relay.sort %z {axis = 0 : i64} : (tensor<?xi64, ["k"]>) -> tensor<?xi64, ["k"]>
  return %0, %1, %2 : tensor<14000x70xi64>, tensor<?x?xi64, ["n", "m"]>, tensor<?xi64, ["k"]>
}
