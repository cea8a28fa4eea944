// One library for several GPUs: an instance runs the kernels of the chip that the driver names, with their launches.
// RUN: %python %S/Inputs/gpu.py inputs %t.in.npz
// RUN: relayc run %S/gpu.mlir --inputs %t.in.npz --outputs %t.processor.npz
// RUN: relayc compile %S/gpu.mlir --target "cuda -arch=sm_75,sm_90 -emulated" -o %t.so 2>&1 | FileCheck %s --check-prefix=WROTE
// RUN: relayc inspect %t.so | FileCheck %s --check-prefix=INSPECT
// RUN: relayc compile %S/gpu.mlir --target "nvidia/t4 -emulated" -o %t.t4.so
// RUN: relayc compile %S/gpu.mlir --target "nvidia/h100 -emulated" -o %t.h100.so

// The launches are those of a library for this chip alone.
// RUN: env RELAY_EMULATOR_TRACE=1 relayc run %t.t4.so --inputs %t.in.npz --outputs %t.npz 2> %t.t4
// RUN: env RELAY_EMULATOR_TRACE=1 relayc run %t.h100.so --inputs %t.in.npz --outputs %t.npz 2> %t.h100
// RUN: env RELAY_EMULATOR_TRACE=1 RELAY_EMULATOR_CHIP=sm_89 relayc run %t.so --inputs %t.in.npz --outputs %t.first.npz 2> %t.first
// RUN: env RELAY_EMULATOR_TRACE=1 RELAY_EMULATOR_CHIP=sm_100 relayc run %t.so --inputs %t.in.npz --outputs %t.second.npz 2> %t.second
// RUN: diff %t.t4 %t.first
// RUN: diff %t.h100 %t.second
// RUN: not diff %t.t4 %t.h100
// RUN: %python %S/Inputs/gpu.py check %t.processor.npz %t.first.npz %t.first.npz
// RUN: %python %S/Inputs/gpu.py check %t.processor.npz %t.second.npz %t.second.npz

// An older chip has no code.
// RUN: env RELAY_EMULATOR_CHIP=sm_70 not relayc run %t.so --inputs %t.in.npz 2>&1 | FileCheck %s --check-prefix=OLD

// AMD's code is for the exact chip, and its warps have 64 threads or 32.
// RUN: relayc compile %S/gpu.mlir --target "amd/rx7900xtx,amd/mi250 -emulated" -o %t.amd.so
// RUN: env RELAY_EMULATOR_CHIP=gfx90a:sramecc+:xnack- relayc run %t.amd.so --inputs %t.in.npz --outputs %t.mi250.npz
// RUN: env RELAY_EMULATOR_CHIP=gfx1100 relayc run %t.amd.so --inputs %t.in.npz --outputs %t.rx7900xtx.npz
// RUN: %python %S/Inputs/gpu.py check %t.processor.npz %t.mi250.npz %t.mi250.npz
// RUN: %python %S/Inputs/gpu.py check %t.processor.npz %t.rx7900xtx.npz %t.rx7900xtx.npz
// RUN: env RELAY_EMULATOR_CHIP=gfx942 not relayc run %t.amd.so --inputs %t.in.npz 2>&1 | FileCheck %s --check-prefix=OTHER

// PTX and code objects lie side by side; the constants are there once.
// RUN: relayc compile %S/gpu.mlir --target nvidia/a100,nvidia/h100 -o %t.cuda.so
// RUN: relayc inspect %t.cuda.so --json | %python %S/Inputs/gpu_several.py sm_90 sm_80
// RUN: grep -a -c "^.target sm_80" %t.cuda.so
// RUN: grep -a -c "^.target sm_90" %t.cuda.so
// RUN: relayc compile %S/gpu.mlir --target "rocm -arch=gfx90a,gfx942,gfx1100" -o %t.rocm.so
// RUN: relayc inspect %t.rocm.so --json | %python %S/Inputs/gpu_several.py gfx90a gfx942 gfx1100

// RUN: not relayc compile %S/gpu.mlir --target "cuda -arch=sm_80,sm_80" -o %t.no.so 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not relayc compile %S/gpu.mlir --target nvidia/a100,amd/mi250 -o %t.no.so 2>&1 | FileCheck %s --check-prefix=MAKERS
// RUN: not relayc compile %S/gpu.mlir --target nvidia/a100,nvidia/h100 --emit gpu -o %t.no 2>&1 | FileCheck %s --check-prefix=ONE

// WROTE: wrote {{.*}} for nvidia/h100 -arch=sm_90 -emulated beside {{.*}}, nvidia/t4 -arch=sm_75 -emulated beside
// INSPECT: device: cuda
// INSPECT-NEXT: sm_90: {{[0-9]+}} images, {{[0-9]+}} bytes
// INSPECT-NEXT: sm_75: {{[0-9]+}} images, {{[0-9]+}} bytes
// OLD: the model failed: GPU 0 (Relay's emulated GPU, {{[0-9]+}} MiB) has the chip sm_70, and the model has code for sm_90, sm_75; compile it for this chip, too: --target "cuda -arch=sm_70,sm_90,sm_75"
// OTHER: has the chip gfx942, and the model has code for gfx1100, gfx90a; compile it for this chip, too: --target "rocm -arch=gfx942,gfx1100,gfx90a"
// TWICE: each chip can be given once, and sm_80 is given twice
// MAKERS: one library is for the GPUs of one maker: sm_80 is a chip of cuda, and gfx90a of rocm; compile a library for each
// ONE: only a library can be for several targets; name one
