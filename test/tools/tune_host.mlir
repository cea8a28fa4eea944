// A runner on another machine, which a script in the place of ssh makes of this one.
// REQUIRES: time
// RUN: rm -rf %t && mkdir -p %t/homes/board %t/homes/second %t/homes/weak
// RUN: %S/Inputs/with_fake_ssh.sh %t/homes relayc tune %s --records %t/records.jsonl --trials 8 --budget 60s --threads 1 --host board 2>&1 \
// RUN:   | FileCheck %s
// RUN: relayc tune db stats %t/records.jsonl | FileCheck %s --check-prefix=STATS

// CHECK: 1 kernels, 0 of them finished
// CHECK: after 8 schedules
// CHECK: tried 8 schedules (0 failed)
// CHECK: relayc compile {{.*}} --target "{{.*}}-unknown-linux-gnu {{.*}}-cores={{[0-9]+}}" --records
// STATS: 1 kernels, 8 trials, 0 of them failed

// The runner was copied once, and lies there under a name of its content.
// RUN: %S/Inputs/with_fake_ssh.sh %t/homes relayc tune %s --records %t/records.jsonl --trials 8 --budget 60s --threads 1 --host board
// RUN: FileCheck %s --check-prefix=COPIED --input-file=%t/homes/board/commands
// RUN: ls %t/homes/board/.cache/relay-mlir | FileCheck %s --check-prefix=NAME
// COPIED-COUNT-1: cat >relay-runner-
// COPIED-NOT: cat >
// NAME: relay-runner-{{[0-9a-f]+$}}

// What is compiled for the target that the tuner names finds the records.
// RUN: %S/Inputs/with_fake_ssh.sh %t/homes %python %S/Inputs/tune_host.py %s %t | FileCheck %s --check-prefix=FOUND
// FOUND: the records are found by the target that was said

// Two machines of one kind share the work; a connection that ends again and again costs time, and no trial.
// RUN: rm %t/records.jsonl
// RUN: %S/Inputs/with_fake_ssh.sh %t/homes relayc tune %s --records %t/records.jsonl --trials 24 --budget 60s --threads 1 --host weak --host second 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHARED
// RUN: FileCheck %s --check-prefix=AGAIN --input-file=%t/homes/weak/commands
// RUN: FileCheck %s --check-prefix=SECOND --input-file=%t/homes/second/commands
// SHARED: tried 24 schedules (0 failed)
// AGAIN-COUNT-2: exec "$HOME/.cache/relay-mlir/relay-runner-
// SECOND: exec "$HOME/.cache/relay-mlir/relay-runner-

// What an emulator is called may have spaces, in quotes.
// RUN: mkdir "%t/an emulator"
// RUN: ln -s /usr/bin/env "%t/an emulator/env"
// RUN: relayc tune %s --records %t/emulated.jsonl --trials 2 --budget 60s --threads 1 --runner-command 'relay-runner --emulator "\"%t/an emulator/env\" -i"' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EMULATED
// RUN: not relay-runner --emulator "it's" 2>&1 | FileCheck %s --check-prefix=QUOTE
// EMULATED: tried 2 schedules (0 failed)
// QUOTE: invalid value 'it's' for '--emulator <EMULATOR>': a quote or a backslash has no end

// RUN: not %S/Inputs/with_fake_ssh.sh %t/homes relayc tune %s --records %t/records.jsonl --host nowhere 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: not relayc tune %s --records %t/records.jsonl --host=-oProxyCommand=x 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not relayc tune %s --records %t/records.jsonl --runner-command 'echo hello' 2>&1 | FileCheck %s --check-prefix=HELLO
// RUN: not relayc tune %s --records %t/records.jsonl --runner-command 'relay-runner' --runner-command '%python %S/Inputs/other_runner.py' 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not relayc tune %s --records %t/records.jsonl --runner-command 'relay-runner' --target 'aarch64-unknown-linux-gnu' 2>&1 | FileCheck %s --check-prefix=FOREIGN
// NOWHERE: nowhere cannot be reached: ssh: connect to host nowhere port 22: No route to host; "ssh nowhere true" has to work
// OPTION: '-oProxyCommand=x' is no machine
// HELLO: no runner answers: it says 'hello --memory={{[0-9]+}}', which is no answer
// OTHER: is another kind of machine than
// FOREIGN: R0{{[0-9]+}}

func.func @main(%x: tensor<2x24x24xf32>, %y: tensor<2x24x24xf32>) -> tensor<2x24x24xf32> {
  %0 = relay.nn.batch_matmul %x, %y : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %1 = relay.nn.relu %0 : (tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  return %1 : tensor<2x24x24xf32>
}
