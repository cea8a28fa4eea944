// The tutorial of tuning, command by command.
// REQUIRES: time
// RUN: cd %S/../.. && %python %S/../install/Inputs/first_hour.py docs/guide/tuning_tutorial.md | FileCheck %s
// CHECK: 10 commands print what the guide says
