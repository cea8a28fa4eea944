// A product written by hand as loops and a block.
// RUN: %python %S/Inputs/blocks.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/blocks.py check %t.in.npz %t.out.npz

func.func @main(%a: memref<6x5xf32> {relay.name = "a"}, %b: memref<5x8xf32> {relay.name = "b"},
                %c: memref<6x8xf32> {relay.name = "c"}) attributes {relay.num_inputs = 2 : i64} {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  tir.for %c0 to %c6 "parallel" {
  ^bb0(%i: index):
    tir.for %c0 to %c5 "serial" {
    ^bb0(%k: index):
      tir.for %c0 to %c8 "serial" {
      ^bb0(%j: index):
        tir.block "product" (%i, %j, %k) ["spatial", "spatial", "reduce"] {
        ^bb0(%vi: index, %vj: index, %vk: index):
          %x = memref.load %a[%vi, %vk] : memref<6x5xf32>
          %y = memref.load %b[%vk, %vj] : memref<5x8xf32>
          %p = arith.mulf %x, %y : f32
          %old = memref.load %c[%vi, %vj] : memref<6x8xf32>
          %new = arith.addf %old, %p : f32
          memref.store %new, %c[%vi, %vj] : memref<6x8xf32>
        } init {
        ^bb0(%vi: index, %vj: index, %vk: index):
          memref.store %zero, %c[%vi, %vj] : memref<6x8xf32>
        }
      }
    }
  }
  return
}
