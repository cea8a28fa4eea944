// Random numbers: the bits are those of Philox 4x32-10, beside a plain evaluation of it that gives the published results, and what becomes of
// them.
// REQUIRES: time
// RUN: %python %S/Inputs/random_numbers.py relayc %t
