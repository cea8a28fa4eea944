// In a fresh Debian 12, apt installs the package, and its relayc compiles and runs a network: most of the digits that it
// has not seen are told right. The same for the tarball, and for the Python package by pip.
// REQUIRES: clean-root, package
// RUN: mkdir -p %target/clean-root && rm -rf %t
// RUN: %wheel --output %t --level 0
// RUN: flock %target/clean-root %S/Inputs/clean_root.sh %tools %target/clean-root %python %t | FileCheck %s
// RUN: rm -rf %t
// CHECK: package: {{9[0-9]|100}}% right
// CHECK: tarball: {{9[0-9]|100}}% right
// CHECK: wheel: {{9[0-9]|100}}% right
