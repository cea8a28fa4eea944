// Elements at places that operands say, the places of elements, and sums of products, against numpy. Relay's text has the calls.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/indexing.py relayc %t
