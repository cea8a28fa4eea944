// Each program of test/programs against what it has to give.
// RUN: %python -B %S/../programs/check.py --executor interpreter aot vm | FileCheck %s
// RUN: %python -B %S/../programs/check.py --executor interpreter --by printed | FileCheck %s
// RUN: %python -B %S/../programs/check.py --executor interpreter --by lifted | FileCheck %s
// Where values lie is no part of what they are: on a device that is not there, for the interpreter, and on another one of the processor.
// RUN: %python -B %S/../programs/check.py --executor interpreter --by planned | FileCheck %s
// RUN: %python -B %S/../programs/check.py --executor interpreter aot vm --by planned-processor devices closure_captures_tensor reference_to_function option_chain | FileCheck %s
// What a pass makes of programs means the same; these are ones that it changes most.
// RUN: %python -B %S/../programs/check.py --by basic-blocks control_short_circuit reference_loop pattern_red_black_tree | FileCheck %s
// RUN: %python -B %S/../programs/check.py --by a-normal graph_bindings sequence_and_shadowing reference_linked_list | FileCheck %s
// RUN: %python -B %S/../programs/check.py --by graph graph_bindings reference_swap sieve_of_primes | FileCheck %s
// RUN: %python -B %S/../programs/check.py --by eta-expanded prelude_lists mutual_hofstadter higher_order_pipeline | FileCheck %s
// RUN: %python -B %S/../programs/check.py --by first-order function_in_data_type stream_lazy church_numerals reference_to_function polymorphic_local | FileCheck %s
// RUN: %python -B %S/../programs/check.py --by cps continuation_passing function_object stream_lazy recursion_ackermann option_chain polymorphic_local | FileCheck %s
// RUN: %python -B %S/../programs/check.py --by partial stream_lazy closure_counter matrix_chain recursion_gcd power_iteration polymorphic_local | FileCheck %s
// RUN: %python -B %S/../programs/check.py --by partial-cps continuation_passing reference_loop function_object option_chain | FileCheck %s

// CHECK: [[COUNT:[0-9]+]] programs, [[COUNT]] agree
