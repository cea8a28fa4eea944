// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @kind(%i: index) {
  // expected-error@+1 {{expected one of [spatial, reduce] for what an iteration variable of a block does, got: parallel}}
  tir.block "b" (%v = %i parallel) {
  }
  return
}

// -----

func.func @count(%i: index) {
  // expected-error@+1 {{has 1 bindings and 2 iteration types}}
  "tir.block"(%i) ({
  ^bb0(%v: index):
  }, {
  }) {iter_types = [0 : i32, 0 : i32], name = "b"} : (index) -> ()
  return
}

// -----

func.func @arguments(%i: index) {
  // expected-error@+1 {{its regions take 1 arguments of type index, one for each binding}}
  "tir.block"(%i) ({
  ^bb0(%v: i32):
  }, {
  }) {iter_types = [0 : i32], name = "b"} : (index) -> ()
  return
}

// -----

func.func @init(%i: index) {
  // expected-error@+1 {{has an init, but no reduce variable to start from}}
  tir.block "b" (%v = %i spatial) {
  } init {
  }
  return
}

// -----

func.func @condition(%i: index) {
  "tir.block"(%i) ({
  ^bb0(%v: index):
    // expected-error@+1 {{'tir.where' op operand #0 must be 1-bit signless integer, but got 'index'}}
    "tir.where"(%i) : (index) -> ()
  }, {
  }) {iter_types = [0 : i32], name = "b"} : (index) -> ()
  return
}

// -----

func.func @condition_inside(%i: index, %j: index) {
  tir.block "b" (%v = %i spatial) {
    %inside = arith.cmpi slt, %v, %j : index
    // expected-error@+1 {{its condition is made in the block; it must be known outside of it (C1)}}
    tir.where %inside
  }
  return
}

// -----

func.func @two_conditions(%i: index, %c: i1) {
  tir.block "b" (%v = %i spatial) {
    // expected-error@+1 {{is one of 2 in its block (C2)}}
    tir.where %c
    tir.where %c
  }
  return
}

// -----

func.func @nowhere(%c: i1) {
  // expected-error@+1 {{expects parent op 'tir.block'}}
  tir.where %c
  return
}

// -----

func.func @rank(%a: memref<4x8xf32>, %i: index) {
  tir.block "b" (%v = %i spatial) {
    // expected-error@+1 {{has 1 subscripts, and the buffer has rank 2 (C1)}}
    tir.reads %a[%v] : memref<4x8xf32>
  }
  return
}

// -----

func.func @extents(%a: memref<4x8xf32>, %i: index) {
  tir.block "b" (%v = %i spatial) {
    // expected-error@+1 {{has the extents [1, 9], which are not of a part of a buffer of shape [4, 8] (C1)}}
    tir.writes %a[%v, 0] extents [1, 9] : memref<4x8xf32>
  }
  return
}

// -----

func.func @symbol(%a: memref<4xf32>, %i: index) {
  tir.block "b" (%v = %i spatial) {
    // expected-error@+1 {{has a subscript with symbols; values stand for themselves (C1)}}
    tir.reads %a[symbol(%v)] : memref<4xf32>
  }
  return
}

// -----

func.func @own_buffer(%i: index) {
  tir.block "b" (%v = %i spatial) {
    %own = tir.alloc_buffer : memref<4xf32>
    // expected-error@+1 {{is about a buffer that the block makes itself (C2)}}
    tir.writes %own[%v] : memref<4xf32>
  }
  return
}

// -----

func.func @read(%a: memref<4xf32>, %b: memref<8xf32>, %i: index) {
  // expected-error@+1 {{loads from a memref<8xf32>, and says it in no tir.reads (C3)}}
  tir.block "b" (%v = %i spatial) {
    tir.reads %a[%v] : memref<4xf32>
    %x = memref.load %b[%v] : memref<8xf32>
  }
  return
}

// -----

func.func @written(%a: memref<4xf32>, %b: memref<8xf32>, %x: f32, %i: index) {
  // expected-error@+1 {{stores to a memref<8xf32>, and says it in no tir.writes (C4)}}
  tir.block "b" (%v = %i spatial) {
    tir.writes %a[%v] : memref<4xf32>
    memref.store %x, %b[%v] : memref<8xf32>
  }
  return
}

// -----

// What a block writes, it reads if it has an init; without one it must say so.
func.func @read_back(%a: memref<4xf32>, %b: memref<8xf32>, %i: index) {
  // expected-error@+1 {{loads from a memref<8xf32>, and says it in no tir.reads (C3)}}
  tir.block "b" (%v = %i spatial) {
    tir.reads %a[%v] : memref<4xf32>
    tir.writes %b[%v] : memref<8xf32>
    %x = memref.load %b[%v] : memref<8xf32>
    memref.store %x, %b[%v] : memref<8xf32>
  }
  return
}
