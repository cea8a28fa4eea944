// Random numbers of Threefry keys, against Python's integers, and Fourier transforms, against numpy. Relay's text has the calls.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/random_numbers.py relayc %t
