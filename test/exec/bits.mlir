// Products of numbers of few bits, convolutions by weights in tiles, and marks on values, against numpy. Relay's text has the calls.
// REQUIRES: time
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/bits.py relayc %t
