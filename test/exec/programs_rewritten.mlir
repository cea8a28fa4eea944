// A pass keeps the meaning of programs; these are the programs that it changes most.
// REQUIRES: time
// RUN: %python -B %S/../programs/check.py --by basic-blocks control_short_circuit reference_loop pattern_red_black_tree | FileCheck %s
// RUN: %python -B %S/../programs/check.py --by a-normal graph_bindings sequence_and_shadowing reference_linked_list | FileCheck %s
// RUN: %python -B %S/../programs/check.py --by graph graph_bindings reference_swap sieve_of_primes | FileCheck %s
// RUN: %python -B %S/../programs/check.py --by eta-expanded prelude_lists mutual_hofstadter higher_order_pipeline | FileCheck %s
// RUN: %python -B %S/../programs/check.py --by first-order function_in_data_type stream_lazy church_numerals reference_to_function polymorphic_local | FileCheck %s
// RUN: %python -B %S/../programs/check.py --by cps continuation_passing function_object stream_lazy recursion_ackermann option_chain polymorphic_local | FileCheck %s
// RUN: %python -B %S/../programs/check.py --by partial stream_lazy closure_counter matrix_chain recursion_gcd power_iteration polymorphic_local | FileCheck %s
// RUN: %python -B %S/../programs/check.py --by partial-cps continuation_passing reference_loop function_object option_chain | FileCheck %s

// CHECK: [[COUNT:[0-9]+]] programs, [[COUNT]] agree
