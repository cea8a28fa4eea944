#!/bin/sh
# mlir-reduce takes any exit code but 0 for interesting: that of a program with a square root in it.
! grep -q relay.sqrt "$1"
