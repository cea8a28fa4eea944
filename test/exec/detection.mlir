// Boxes that detectors predict, and their suppression, against plain loops. Relay's text has the calls.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/detection.py relayc %t
