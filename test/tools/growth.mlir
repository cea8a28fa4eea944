// What takes memory and time that grow with a model, and grew with a power of it or with 2 to it. bench/growth.py measures how
// they grow.
// REQUIRES: time
// RUN: %python %S/Inputs/growth.py %t
