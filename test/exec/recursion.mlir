// Calls that end a function take no memory, and others as much as there is: on the stack of the thread, on other ones, and
// not for ever.
// REQUIRES: time
// RUN: relayc compile %s -o %t.aot.so -q
// RUN: relayc compile %s -o %t.vm.so --executor vm -q
// RUN: %python -c "import numpy as np, sys; np.savez(sys.argv[1] + '.npz', n=np.int32(sys.argv[2]), m=np.int32(sys.argv[3]))" %t.deep 300000 1000000
// RUN: %python -c "import numpy as np, sys; np.savez(sys.argv[1] + '.npz', n=np.int32(sys.argv[2]), m=np.int32(sys.argv[3]))" %t.endless -1 0
// RUN: env RELAY_HEAP_REPORT=1 relayc run %t.aot.so --inputs %t.deep.npz --outputs %t.aot.npz 2>&1 | FileCheck %s
// RUN: env RELAY_HEAP_REPORT=1 relayc run %t.vm.so --inputs %t.deep.npz --outputs %t.vm.npz 2>&1 | FileCheck %s
// RUN: %python -c "import numpy as np, sys; print([np.load(f)[k].tolist() for f in sys.argv[1:] for k in ('output0', 'output1')])" %t.aot.npz %t.vm.npz | FileCheck %s --check-prefix=GIVES
// RUN: not relayc run %t.aot.so --inputs %t.endless.npz 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: not relayc run %t.vm.so --inputs %t.endless.npz 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: not relayc run %s --executor interpreter --inputs %t.endless.npz 2>&1 | FileCheck %s --check-prefix=INTERPRETED

// CHECK: values made, 0 left, {{[0-9]+}} bytes
// GIVES: [300000, 1000000, 300000, 1000000]
// ENDLESS: error[R0405]: {{.*}}the recursion is too deep: it needs more than 1024 MiB of stack
// INTERPRETED: error{{.*}}: {{.*}}recursion.mlir{{.*}}: the recursion is too deep: 1048576 calls are under way

func.func @down(%n: tensor<i32>) -> tensor<i32> {
  %zero = relay.constant dense<0> : tensor<i32>
  %one = relay.constant dense<1> : tensor<i32>
  %ends = relay.equal %n, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = relay.if %ends : (tensor<i1>) -> tensor<i32> {
    relay.yield %zero : tensor<i32>
  } else {
    %less = relay.subtract %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %below = func.call @down(%less) : (tensor<i32>) -> tensor<i32>
    %sum = relay.add %below, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    relay.yield %sum : tensor<i32>
  }
  return %r : tensor<i32>
}
func.func @loop(%n: tensor<i32>, %s: tensor<i32>) -> tensor<i32> {
  %zero = relay.constant dense<0> : tensor<i32>
  %one = relay.constant dense<1> : tensor<i32>
  %ends = relay.equal %n, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = relay.if %ends : (tensor<i1>) -> tensor<i32> {
    relay.yield %s : tensor<i32>
  } else {
    %less = relay.subtract %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %more = relay.add %s, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %again = func.call @loop(%less, %more) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    relay.yield %again : tensor<i32>
  }
  return %r : tensor<i32>
}
func.func @main(%n: tensor<i32> {relay.name = "n"}, %m: tensor<i32> {relay.name = "m"}) -> (tensor<i32>, tensor<i32>) {
  %zero = relay.constant dense<0> : tensor<i32>
  %0 = call @down(%n) : (tensor<i32>) -> tensor<i32>
  %1 = call @loop(%m, %zero) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}
