// RUN: relay-opt --merge-compiler-regions %s | FileCheck %s

// What waits for something outside is another region.
// CHECK-LABEL: func.func @diamond
// CHECK: relay.abs {{.*}}relay.region = [[A:[0-9]+]] : i64
// CHECK: relay.nn.relu {{.*}}relay.region = [[A]] : i64
// CHECK: relay.tanh %{{[^{]*$}}
// CHECK-NOT: relay.region = [[A]] : i64
// CHECK: relay.add {{.*}}relay.region
func.func @diamond(%x: tensor<10x10xf32>) -> tensor<10x10xf32> {
  %0 = relay.abs %x {relay.target = "test"} : (tensor<10x10xf32>) -> tensor<10x10xf32>
  %1 = relay.nn.relu %0 {relay.target = "test"} : (tensor<10x10xf32>) -> tensor<10x10xf32>
  %2 = relay.tanh %0 : (tensor<10x10xf32>) -> tensor<10x10xf32>
  %3 = relay.add %1, %2 {relay.target = "test"} : (tensor<10x10xf32>, tensor<10x10xf32>) -> tensor<10x10xf32>
  return %3 : tensor<10x10xf32>
}

// Two regions that are each in order, and would wait for each other: %3 reads the first and gives to the second one, %2 the other way round.
// CHECK-LABEL: func.func @crossed
// CHECK: relay.abs {{.*}}relay.region = [[A:[0-9]+]] : i64, relay.target = "one"
// CHECK: relay.exp {{.*}}relay.region = [[B:[0-9]+]] : i64, relay.target = "two"
// CHECK: relay.add {{.*}}relay.region = [[A]] : i64, relay.target = "one"
// CHECK-NOT: relay.region = [[B]] : i64
// CHECK: return
func.func @crossed(%x: tensor<10xf32>) -> (tensor<10xf32>, tensor<10xf32>) {
  %0 = relay.abs %x {relay.target = "one"} : (tensor<10xf32>) -> tensor<10xf32>
  %1 = relay.exp %x {relay.target = "two"} : (tensor<10xf32>) -> tensor<10xf32>
  %2 = relay.add %0, %1 {relay.target = "one"} : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32>
  %3 = relay.multiply %1, %0 {relay.target = "two"} : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32>
  return %2, %3 : tensor<10xf32>, tensor<10xf32>
}

// Regions end where something outside reads them and gives to what follows: before %3 and %4, and before %6.
// CHECK-LABEL: func.func @in_turns
// CHECK: relay.add %arg0, %arg1 {relay.region = [[A:[0-9]+]] : i64
// CHECK: relay.add %arg2, %arg3 {relay.region = [[A]] : i64
// CHECK: relay.add {{.*}}relay.region = [[A]] : i64
// CHECK: relay.add {{.*}}relay.region = [[B:[0-9]+]] : i64
// CHECK: relay.add {{.*}}relay.region = [[B]] : i64
// CHECK: relay.add {{.*}}relay.region = [[C:[0-9]+]] : i64
// CHECK-NEXT: relay.add {{.*}}relay.region = [[C]] : i64
func.func @in_turns(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.add %a, %b {relay.target = "test"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.add %c, %d {relay.target = "test"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.subtract %0, %e : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.subtract %3, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.add %0, %1 {relay.target = "test"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = relay.add %2, %4 {relay.target = "test"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = relay.subtract %5, %e : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %7 = relay.add %5, %a {relay.target = "test"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = relay.add %7, %6 {relay.target = "test"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %9 = relay.add %8, %b {relay.target = "test"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %9 : tensor<4xf32>
}

// What the two branches of an if have is never one region.
// CHECK-LABEL: func.func @branches
// CHECK: relay.abs {{.*}}relay.region = [[A:[0-9]+]] : i64
// CHECK: relay.exp {{.*}}relay.region = [[A]] : i64
// CHECK: } else {
// CHECK-NOT: relay.region = [[A]] : i64
// CHECK: relay.abs {{.*}}relay.region
func.func @branches(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.if %c : (tensor<i1>) -> tensor<4xf32> {
    %1 = relay.abs %x {relay.target = "test"} : (tensor<4xf32>) -> tensor<4xf32>
    %2 = relay.exp %1 {relay.target = "test"} : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %2 : tensor<4xf32>
  } else {
    %1 = relay.abs %x {relay.target = "test"} : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
