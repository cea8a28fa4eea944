// Names may hold what terminals obey: colours, erasing, the direction of text. Where people read them they are escapes.
// RUN: %python %S/Inputs/terminal.py %t
// RUN: relayc inspect %t/right.onnx --nodes | FileCheck %s
// RUN: relayc compile %t/right.onnx -o %t.so -q
// RUN: relayc inspect %t.so | FileCheck %s --check-prefix=LIBRARY
// RUN: not relayc compile %t/wrong.onnx -o %t.so 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not relay-translate --import-onnx %t/wrong.onnx 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: relayc inspect %t/right.onnx --json | %python -c "import json, sys; print(json.load(sys.stdin)['inputs'][0]['name'].encode())" | FileCheck %s --check-prefix=JSON
// CHECK: {{^}}  \u{1b}[31mred\u{1b}[2J\u{7}: float[4] -> f32[4]
// CHECK: {{^}}  no\u{9b}de\u{202e}: nn.relu -> f32[4]
// LIBRARY: {{^}}  \u{1b}[31mred\u{1b}[2J\u{7}: f32[4]
// WRONG: test.Whirl 'no\u{9b}de\u{202e}'
// Programs read names as they are.
// JSON: b'\x1b[31mred\x1b[2J\x07'
