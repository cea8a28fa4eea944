// Gradients of pools and convolutions, norms and losses, and images read between their pixels, against plain loops. Relay's text has
// the calls.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/gradients.py relayc %t
