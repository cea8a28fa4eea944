// An installation works from wherever it is: here it is moved first.
// REQUIRES: time
// RUN: rm -rf %t && mkdir -p %t/work
// RUN: %examples/../package/stage %tools %t/first && mv %t/first %t/.local

// What the README tells users to do; its comparison needs a Python that has ONNX Runtime.
// RUN: cd %t/work && env HOME=%t RELAY_PYTHON=%python PATH=%t/.local/bin:/usr/bin:/bin %python %S/Inputs/readme.py %examples/../README.md %examples 2> %t/commands | FileCheck %s --check-prefix=README
// README: A model of your own: 1
// README: A tour of Relay: 6
// README: A tour below Relay: 1

// What a new user does, step by step.
// RUN: mkdir -p %t/hour %t/bin && printf '#!/bin/sh\nexec %python "$@"\n' > %t/bin/python3 && chmod +x %t/bin/python3
// RUN: cd %t/hour && env HOME=%t PATH=%t/.local/bin:%t/bin:/usr/bin:/bin %python %S/Inputs/first_hour.py %examples/../docs/guide/first_hour.md | FileCheck %s --check-prefix=HOUR
// HOUR: {{[0-9]+}} commands print what the guide says

// A program with a model in it, by CMake and by pkg-config; a library that CMake has compiled.
// RUN: cmake -S %S/Inputs -B %t/build -DCMAKE_PREFIX_PATH=%t/.local -DCMAKE_C_COMPILER=%llvm/clang -DMODEL=%s -DPROGRAM=%examples/../runtime/tests/c/object.c
// RUN: cmake --build %t/build
// RUN: %t/build/program | FileCheck %s
// RUN: %t/.local/bin/relayc run %t/build/loaded.so --print-time | FileCheck %s --check-prefix=TIME
// RUN: %t/.local/bin/relayc compile %s --emit object -o %t/twice.o
// RUN: env PKG_CONFIG_PATH=%t/.local/lib/pkgconfig sh -c "%llvm/clang %examples/../runtime/tests/c/object.c %t/twice.o \$(pkg-config --cflags --libs relay-mlir) -o %t/program"
// RUN: %t/program | FileCheck %s
// CHECK: 11 22 33 44
// TIME: median

// The example for bare machines is complete, and so are guides, pages of errors and rules.
// RUN: %t/.local/bin/relayc compile %t/.local/share/doc/relay-mlir/examples/digits.onnx --emit bare --target "thumbv7em-none-eabihf -mcpu=cortex-m4" -o %t/digits
// RUN: cd %t/.local/share/doc/relay-mlir/examples/bare_metal && %llvm/clang --target=thumbv7em-none-eabihf -mcpu=cortex-m4 -O2 -ffreestanding -nostdlib -fuse-ld=lld -T mps2.ld -I %t/digits main.c startup.c memory.c %t/digits/digits.c %t/digits/digits.o -o %t/three
// RUN: ls %t/.local/share/doc/relay-mlir/guide/tuning.md %t/.local/share/doc/relay-mlir/errors/R0204.md %t/.local/share/doc/relay-mlir/generated/dialects/te.md
// RUN: %t/.local/bin/relay-opt %s --rewrite=%t/.local/share/relay-mlir/rules/simplify_expr.pat -o /dev/null

// Its manual, and completion by bash.
// RUN: gzip -dc %t/.local/share/man/man1/relay-opt.1.gz | FileCheck %s --check-prefix=PAGE
// PAGE: relay\-mlir {{[0-9.]+}}"
// PAGE: \-\-remarks\-filter
// RUN: bash -c "source %t/.local/share/bash-completion/completions/relay-opt; _relay_mlir_tools %t/.local/bin/relay-opt --fuse-o; echo \${COMPREPLY[@]}" | FileCheck %s --check-prefix=PASSES
// PASSES: {{^}}--fuse-ops{{$}}
// RUN: gzip -dc %t/.local/share/man/man1/relayc-compile.1.gz | FileCheck %s --check-prefix=MANUAL
// MANUAL: \-\-emit
// RUN: bash -c "source %t/.local/share/bash-completion/completions/relayc; COMP_WORDS=(relayc com); COMP_CWORD=1; _relayc relayc com relayc; echo \${COMPREPLY[@]}" | FileCheck %s --check-prefix=COMPLETE
// COMPLETE: compile completions

func.func @main(%x: tensor<4xf32> {relay.name = "x"}) -> (tensor<4xf32> {relay.name = "y"}) {
  %c = relay.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  %0 = relay.add %x, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
