// What is not supported is named.
// RUN: not relayc compile %S/../gguf/refused/architecture.gguf -o %t.so 2>&1 | FileCheck %s --check-prefix=ARCHITECTURE
// ARCHITECTURE: the architecture 'mamba' is not supported; these are: llama, qwen2
// RUN: not relayc compile %S/../gguf/refused/experts.gguf -o %t.so 2>&1 | FileCheck %s --check-prefix=EXPERTS
// EXPERTS: it is a mixture of experts ('llama.expert_count')
// RUN: not relayc compile %S/../gguf/refused/scaling.gguf -o %t.so 2>&1 | FileCheck %s --check-prefix=SCALING
// SCALING: 'rope.scaling.type' is 'other'; none, linear, yarn and longrope are supported
// RUN: not relayc compile %S/../gguf/refused/size.gguf -o %t.so 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: 'rope.dimension_count' is 7, expected an even number from 2 to 32
// RUN: not relayc compile %S/../gguf/refused/type.gguf -o %t.so 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: 1 node is not supported
// TYPE: IQ4_NL 'blk.0.attn_q.weight': tensors of this type are not supported; llama-quantize
// RUN: not relayc compile %S/../gguf/refused/missing.gguf -o %t.so 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: node 'blk.0.ffn' (hidden layer): the file has no tensor 'blk.0.ffn_down.weight'
// RUN: not relayc compile %S/../gguf/refused/unknown.gguf -o %t.so 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: tensor 'blk.0.ssm_a.weight' is none of the architecture 'llama'
// RUN: not relayc compile %S/../gguf/refused/shape.gguf -o %t.so 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: node 'blk.0.attn' (attention): tensor 'blk.0.attn_k.weight' has shape [16, 32], expected [32, 32] by the metadata
