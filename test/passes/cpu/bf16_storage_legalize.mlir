// RUN: relay-opt %s --bf16-storage-legalize | FileCheck %s

// What is moved is integers, also from block to block, with casts around what takes numbers.
// CHECK-LABEL: llvm.func @moves(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i1, %arg3: bf16)
// CHECK: %[[FOUR:.+]] = llvm.load %arg0 : !llvm.ptr -> vector<4xi16>
// CHECK: %[[TWO:.+]] = llvm.shufflevector %[[FOUR]], %[[FOUR]] [0, 2] : vector<4xi16>
// CHECK: %[[OWN:.+]] = llvm.bitcast %arg3 : bf16 to i16
// CHECK: %[[SET:.+]] = llvm.insertelement %[[OWN]], %[[TWO]][{{.+}}] : vector<2xi16>
// CHECK: llvm.cond_br %arg2, ^bb1(%[[SET]] : vector<2xi16>), ^bb1(%[[TWO]] : vector<2xi16>)
// CHECK: ^bb1(%[[GOT:.+]]: vector<2xi16>):
// CHECK: llvm.store %[[GOT]], %arg1 : vector<2xi16>, !llvm.ptr
// CHECK: llvm.bitcast %[[GOT]] : vector<2xi16> to vector<2xbf16>
// CHECK: llvm.fadd %{{.+}}, %{{.+}} : vector<2xbf16>
llvm.func @moves(%from: !llvm.ptr, %to: !llvm.ptr, %which: i1, %own: bf16) -> vector<2xbf16> {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %four = llvm.load %from : !llvm.ptr -> vector<4xbf16>
  %two = llvm.shufflevector %four, %four [0, 2] : vector<4xbf16>
  %set = llvm.insertelement %own, %two[%zero : i64] : vector<2xbf16>
  llvm.cond_br %which, ^bb1(%set : vector<2xbf16>), ^bb1(%two : vector<2xbf16>)
^bb1(%got: vector<2xbf16>):
  llvm.store %got, %to : vector<2xbf16>, !llvm.ptr
  %sum = llvm.fadd %got, %got : vector<2xbf16>
  llvm.return %sum : vector<2xbf16>
}

// Between the bits of a number and an integer there is nothing left to cast. Other types stay.
// CHECK-LABEL: llvm.func @others
// CHECK-NOT: bf16
// CHECK: %[[BITS:.+]] = llvm.load %{{.+}} -> i16
// CHECK: llvm.store %[[BITS]], %{{.+}} : i16
// CHECK: %[[AGAIN:.+]] = llvm.load %{{.+}} -> i16
// CHECK: llvm.zext %[[AGAIN]] : i16 to i32
// CHECK: llvm.load %{{.+}} -> f32
llvm.func @others(%p: !llvm.ptr, %q: !llvm.ptr) -> f32 {
  %bits = llvm.load %p : !llvm.ptr -> i16
  %number = llvm.bitcast %bits : i16 to bf16
  llvm.store %number, %q : bf16, !llvm.ptr
  %back = llvm.load %p : !llvm.ptr -> bf16
  %again = llvm.bitcast %back : bf16 to i16
  %wide = llvm.zext %again : i16 to i32
  llvm.store %wide, %q : i32, !llvm.ptr
  %f = llvm.load %p : !llvm.ptr -> f32
  llvm.return %f : f32
}
