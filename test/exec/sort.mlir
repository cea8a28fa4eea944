// sort, argsort and topk of every number type beside numpy's stable sort: with equal elements, with NaN, of lines that lie together and
// apart, of one element and of many, with one thread and with two.
// REQUIRES: time
// RUN: %python %S/Inputs/sort.py relayc %t
