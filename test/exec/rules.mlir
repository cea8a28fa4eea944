// Every rule that is compiled in, on random instances of its pattern: what it makes computes what numpy computes, and what
// the program computes without it.
// REQUIRES: time
// RUN: %python %S/Inputs/rules.py %S/../../passes/rules %t
