// Schedules for a GPU against numpy, with the threads of a block one after the other: rows, products, normalisations, pairs.
// REQUIRES: time
// RUN: %python %S/Inputs/rows.py inputs %t.rows.npz
// RUN: relay-opt %S/rows.mlir --attach-target='target="nvidia/h100"' --simplify-inference --fuse-ops --relay-to-te -o %t.rows.mlir
// RUN: relayc run %t.rows.mlir --inputs %t.rows.npz --outputs %t.rows.out.npz
// RUN: %python %S/Inputs/rows.py check %t.rows.npz %t.rows.out.npz

// RUN: %python %S/Inputs/products.py inputs %t.products.npz
// RUN: relay-opt %S/products.mlir --attach-target='target="nvidia/h100"' --simplify-inference --fuse-ops --relay-to-te -o %t.products.mlir
// RUN: relayc run %t.products.mlir --threads 1 --inputs %t.products.npz --outputs %t.products.1.npz
// RUN: relayc run %t.products.mlir --threads 2 --inputs %t.products.npz --outputs %t.products.2.npz
// RUN: %python %S/Inputs/products.py check %t.products.npz %t.products.1.npz %t.products.2.npz

// RUN: %python %S/Inputs/norm.py inputs %t.norm.npz
// RUN: relay-opt %S/norm.mlir --attach-target='target="nvidia/h100"' --fuse-ops --relay-to-te -o %t.norm.mlir
// RUN: relayc run %t.norm.mlir --inputs %t.norm.npz --outputs %t.norm.out.npz
// RUN: %python %S/Inputs/norm.py check %t.norm.npz %t.norm.out.npz

// RUN: %python %S/Inputs/argmax_nan.py inputs %t.argmax.npz
// RUN: relay-opt %S/argmax_nan.mlir --attach-target='target="nvidia/h100"' --fuse-ops --relay-to-te -o %t.argmax.mlir
// RUN: relayc run %t.argmax.mlir --inputs %t.argmax.npz --outputs %t.argmax.out.npz
// RUN: %python %S/Inputs/argmax_nan.py check %t.argmax.npz %t.argmax.out.npz
