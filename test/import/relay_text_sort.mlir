// Sorting in Relay's text, there and back, by the names and attributes that TVM writes. What `topk` returns depends on `ret_type`.
// RUN: split-file %s %t
// RUN: relay-translate --from-relay-text %t/sort.relay -o %t/sort.mlir
// RUN: FileCheck %s --input-file %t/sort.mlir
// RUN: relay-translate --to-relay-text %t/sort.mlir -o %t/again.relay
// RUN: relay-translate --from-relay-text %t/again.relay -o %t/again.mlir
// RUN: relay-translate --to-relay-text %t/again.mlir | diff %t/again.relay -

// CHECK-LABEL: func.func @main(
// CHECK: relay.sort %arg0 {axis = 0 : i64, is_ascend = false}
// CHECK: relay.argsort %arg0 {dtype = i32}
// CHECK: %{{.+}}:2 = relay.topk %arg0 {dtype = i32, k = 3 : i64}
// CHECK: relay.topk %arg0 {dtype = i64, k = 2 : i64, ret_type = "indices"}

//--- sort.relay
#[version = "0.0.5"]
def @main(%x: Tensor[(4, 9), float32]) {
  %0 = sort(%x, axis=0, is_ascend=False);
  %1 = argsort(%x, dtype="int32");
  %2 = topk(%x, k=3, dtype="int32");
  %3 = topk(%x, k=2, ret_type="indices", dtype="int64");
  (%0, %1, %2.0, %2.1, %3)
}
