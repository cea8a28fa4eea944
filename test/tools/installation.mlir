// relayc works from wherever it stands: it carries the runtime, and finds the linker that it is installed with.
// RUN: rm -rf %t && mkdir -p %t/bin %t/lib/relay-mlir && cp -l %tools/relayc %t/bin
// RUN: env -u RELAY_RUNTIME_LIB PATH=/nothing %t/bin/relayc compile %s -o %t/m.so
// RUN: relayc run %t/m.so --print-time | FileCheck %s
// CHECK: median
// RUN: printf '#!/bin/sh\necho "the linker of $0" >&2\nexit 1\n' > %t/lib/relay-mlir/ld.lld && chmod +x %t/lib/relay-mlir/ld.lld
// RUN: not %t/bin/relayc compile %s -o %t/m.so 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: ld.lld failed:
// OWN: the linker of {{.*}}/lib/relay-mlir/ld.lld

// What variables name is taken first.
// RUN: env RELAY_LINKER=%llvm/ld.lld RELAY_RUNTIME_LIB=%runtime %t/bin/relayc compile %s -o %t/m.so
// RUN: relayc run %t/m.so --print-time | FileCheck %s
// RUN: not env RELAY_LINKER=%t/nothing relayc compile %s -o %t/m.so 2>&1 | FileCheck %s --check-prefix=LINKER
// LINKER: error{{.*}}: cannot find the file {{.*}}nothing that RELAY_LINKER names; correct the variable, or unset it
// RUN: not env RELAY_RUNTIME_LIB=%t/nothing relayc compile %s -o %t/m.so 2>&1 | FileCheck %s --check-prefix=RUNTIME
// RUNTIME: error{{.*}}: cannot find the file {{.*}}nothing that RELAY_RUNTIME_LIB names; correct the variable, or unset it
func.func @main(%x: tensor<4xf32> {relay.name = "x"}) -> (tensor<4xf32> {relay.name = "y"}) {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
