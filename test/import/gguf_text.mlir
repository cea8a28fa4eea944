// The text that llama.cpp writes, by a model with merges of bytes, and by one with scores.
// REQUIRES: time
// RUN: relayc -q run %S/../gguf/texts/merging.gguf --prompt "Once upon a time" --tokens 24 > %t.txt
// RUN: cmp %t.txt %S/../gguf/texts/merging.txt
// RUN: relayc -q compile %S/../gguf/texts/scoring.gguf -o %t.so
// RUN: relayc -q run %t.so --vocabulary %S/../gguf/texts/scoring.gguf --prompt "Once upon a time" --tokens 24 > %t.txt
// RUN: cmp %t.txt %S/../gguf/texts/scoring.txt

// What is random depends on the seed alone, and of one token there is no choice. The context of 48 words ends what is written.
// RUN: relayc -q run %t.so --vocabulary %S/../gguf/texts/scoring.gguf --prompt "Once" --temperature 0.9 --seed 3 > %t.sampled
// RUN: relayc -q run %t.so --vocabulary %S/../gguf/texts/scoring.gguf --prompt "Once" --temperature 0.9 --seed 3 | cmp - %t.sampled
// RUN: relayc -q run %t.so --vocabulary %S/../gguf/texts/scoring.gguf --prompt "Once" --temperature 0.9 --seed 4 | not cmp - %t.sampled
// RUN: relayc -q run %t.so --vocabulary %S/../gguf/texts/scoring.gguf --prompt "Once upon a time" --tokens 24 --temperature 9 --top-k 1 | cmp - %t.txt
// RUN: relayc run %t.so --vocabulary %S/../gguf/texts/scoring.gguf --prompt "Once" 2>&1 > %t.sampled | FileCheck %s --check-prefix=SPEED
// SPEED: prompt: {{[0-9]+}} tokens, {{.*}} tokens/s; text: {{[0-9]+}} tokens, {{.*}} tokens/s

// RUN: not relayc run %t.so --prompt "Once" 2>&1 | FileCheck %s --check-prefix=VOCABULARY
// VOCABULARY: has no vocabulary; name the file that it was compiled of: --vocabulary MODEL.gguf

// The guide, with this model.
// RUN: %package
// RUN: rm -rf %t.guide && mkdir %t.guide && cp %S/../gguf/texts/scoring.gguf %t.guide/model.gguf
// RUN: cd %t.guide && %doctest %S/../../docs/guide/gguf.md
