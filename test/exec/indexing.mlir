// Elements at places that operands say, the places of elements, and sums of products, against numpy. Relay's text has the calls.
// REQUIRES: time
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/indexing.py relayc %t
