// RUN: relay-opt %s --pass-pipeline='builtin.module(func.func(legalize))' --verify-diagnostics

func.func @main(%x: !relay.incomplete) -> !relay.incomplete {
  // expected-error @+1 {{has types that are to be inferred; run infer-type before}}
  %0 = relay.abs %x : (!relay.incomplete) -> !relay.incomplete
  return %0 : !relay.incomplete
}
