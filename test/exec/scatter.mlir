// scatter_elements and scatter_nd with each reduction beside plain loops: with several updates of one element, on each axis, with fewer indices
// than elements, with negative subscripts, of several types, with one thread and with two.
// REQUIRES: time
// RUN: %python %S/Inputs/scatter.py relayc %t
