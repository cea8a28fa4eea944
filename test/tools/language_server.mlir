// The language server speaks with an editor about our dialects.
// RUN: %python %S/Inputs/language_server.py relay-lsp-server %S/../../examples/tour/layer.mlir | FileCheck %s
// The repository's settings for VS Code name it, where it is built.
// RUN: %python -c "import json; print(json.load(open('%S/../../.vscode/settings.json'))['mlir.server_path'])" | FileCheck %s --check-prefix=SETTINGS
// SETTINGS: {{^}}target/debug/relay-lsp-server{{$}}

// CHECK: hover: True
// CHECK-NEXT: valid: []
// CHECK-NEXT: about relu: {{.*}}relay.nn.relu{{.*}}tensor<4x32xf32>
// CHECK-NEXT: %0 is on line 2
// CHECK-NEXT: symbols: ['main']
// CHECK-NEXT: wrong on line 2 - 'relay.nn.dense' op data [4, 64] and weight [32, 63] do not multiply
// CHECK: ended with 0
