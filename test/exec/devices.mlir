// A graph over two devices of the processor computes what it would on one; for a device that is not the target's there is no code.
// RUN: %python -c "import numpy as np, sys; np.savez(sys.argv[1], x=np.float32([1, -2, 3, -4]), y=np.float32([5, 6, 7, 8]))" %t.in.npz
// RUN: relay-opt %s --plan-devices=cpu:1 > %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: relayc run %t.mlir --executor interpreter -q --inputs %t.in.npz --outputs %t.interpreter.npz
// RUN: relayc run %t.mlir --executor aot -q --inputs %t.in.npz --outputs %t.aot.npz
// RUN: relayc run %t.mlir --executor vm -q --inputs %t.in.npz --outputs %t.vm.npz
// RUN: %python -c "import numpy as np, sys; [print([v.tolist() for v in np.load(f).values()]) for f in sys.argv[1:]]" %t.interpreter.npz %t.aot.npz %t.vm.npz | FileCheck %s --check-prefix=GIVES
// RUN: sed 's/cpu:1/cuda:0/' %s | relay-opt --plan-devices=cuda > %t.cuda.mlir
// RUN: relayc run %t.cuda.mlir --executor interpreter -q --inputs %t.in.npz --outputs %t.cuda.npz
// RUN: %python -c "import numpy as np, sys; print([v.tolist() for v in np.load(sys.argv[1]).values()])" %t.cuda.npz | FileCheck %s --check-prefix=CUDA
// RUN: not relayc compile %t.cuda.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=NO
// RUN: not relayc compile %t.cuda.mlir -o %t.so --executor vm 2>&1 | FileCheck %s --check-prefix=NO

// A library for a GPU computes the same: all operators run there.
// RUN: relayc compile %t.cuda.mlir -o %t.gpu.so --target "cuda -emulated" 2>&1 | FileCheck %s --check-prefix=GPU
// RUN: relayc run %t.gpu.so -q --inputs %t.in.npz --outputs %t.gpu.npz
// RUN: %python -c "import numpy as np, sys; print([v.tolist() for v in np.load(sys.argv[1]).values()])" %t.gpu.npz | FileCheck %s --check-prefix=CUDA
// GPU-COUNT-1: the target's device, cuda, runs all operators that have no external code; results are the same

// CHECK: relay.on_device
// CHECK-COUNT-2: relay.device_copy %{{.+}} {dst_virtual_device = "cpu:1", src_virtual_device = "cpu:0"}
// CHECK: relay.device_copy %arg0 {dst_virtual_device = "cpu:1", src_virtual_device = "cpu:0"}
// GIVES-COUNT-3: {{\[}}[1.0, 2.0, 3.0, 4.0], [6.0, 8.0, 10.0, 12.0], [1.0, -2.0, 3.0, -4.0]]
// CUDA: {{\[}}[1.0, 2.0, 3.0, 4.0], [6.0, 8.0, 10.0, 12.0], [1.0, -2.0, 3.0, -4.0]]
// NO: 'relay.device_copy' op puts a copy of the result of 'relay.abs' on cuda:0, but code is generated for cpu only

// A value and its copy are both given, and a parameter is given by way of a copy alone.
func.func @main(%x: tensor<4xf32> {relay.name = "x"}, %y: tensor<4xf32> {relay.name = "y"}) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {relay.virtual_device = "cpu:1"} {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.on_device %0 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.add %1, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.on_device %x {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
