// Models of GGUF against what llama.cpp computes of them (test/gguf/export.py): one for each architecture, and for types of weights. A prompt,
// and 20 words one at a time.
// REQUIRES: time
// RUN: %package
// RUN: %python %S/../gguf/check.py %S/../gguf/models %t.so | FileCheck %s
// CHECK: 12 models: 12 agree

// RUN: relay-translate --import-gguf %S/../gguf/models/llama.gguf | FileCheck %s --check-prefix=MODULE
// MODULE: func.func @main(%{{.*}}: tensor<1x?xi64, ["words"]> {relay.name = "input_ids"}
// MODULE: relay.nn.dense_blocks
// MODULE: relay.cache_update

// RUN: relayc inspect %S/../gguf/models/llama.gguf | FileCheck %s --check-prefix=INSPECT
// INSPECT: past_key_values.0.key
