// Where there is no AMX, a library that uses it says so, and runs no instruction on tiles.
// UNSUPPORTED: amx
// RUN: relayc compile %S/product.mlir --precision bf16 --target "x86_64-unknown-linux-gnu -mcpu=x86-64 -mattr=+avx512f,+avx512bw,+avx512vl,+amx-tile,+amx-bf16,+avx512bf16" -o %t.so
// RUN: not relayc run %t.so --outputs %t.npz 2>&1 | FileCheck %s
// Its f32 needs none, though the processor that it is for has them.
// RUN: relayc compile %S/product.mlir --target "x86_64-unknown-linux-gnu -mattr=+amx-tile,+amx-bf16,+avx512bf16" -o %t.f32.so
// RUN: relayc inspect %t.f32.so | FileCheck %s --check-prefix=F32

// Where the processor lacks AVX-512, too, it is named with that.
// CHECK: the model {{(multiplies tiles .AMX., for which this processor has no instructions; compile it for a target without them, such as x86-64-v4|needs instructions .* avx512bf16, amx-tile, amx-bf16;)}}
// F32: needs: {{.*}}avx512bf16
// F32-NOT: amx
