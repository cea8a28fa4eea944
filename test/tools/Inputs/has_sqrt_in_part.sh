#!/bin/sh
# As has_sqrt.sh, of a program that calls the function with the square root in it.
! { grep -q 'call @part' "$1" && sed -n '/func.func private @part/,$p' "$1" | grep -q relay.sqrt; }
