// A product written by hand as loops and a block.
// RUN: %python %S/Inputs/blocks.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/blocks.py check %t.in.npz %t.out.npz

func.func @main(%a: memref<6x5xf32> {relay.name = "a"}, %b: memref<5x8xf32> {relay.name = "b"},
                %c: memref<6x8xf32> {relay.name = "c"}) {
  %zero = arith.constant 0.0 : f32
  tir.for %i = 0 to 6 parallel {
    tir.for %k = 0 to 5 {
      tir.for %j = 0 to 8 {
        tir.block "product" (%vi = %i spatial, %vj = %j spatial, %vk = %k reduce) {
          %x = memref.load %a[%vi, %vk] : memref<6x5xf32>
          %y = memref.load %b[%vk, %vj] : memref<5x8xf32>
          %p = arith.mulf %x, %y : f32
          %old = memref.load %c[%vi, %vj] : memref<6x8xf32>
          %new = arith.addf %old, %p : f32
          memref.store %new, %c[%vi, %vj] : memref<6x8xf32>
        } init {
          memref.store %zero, %c[%vi, %vj] : memref<6x8xf32>
        }
      }
    }
  }
  return
}
