#!/bin/sh
# with_fake_ssh.sh HOMES COMMAND...: runs a command for which ssh is the script beside this one.
FAKE_HOMES=$1
PATH=$(dirname "$0")/bin:$PATH
export FAKE_HOMES PATH
shift
exec "$@"
