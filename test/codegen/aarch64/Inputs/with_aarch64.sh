#!/bin/sh
# with_aarch64.sh FOLDER COMMAND...: runs a command that finds AArch64's libraries where Debian's packages install them, and links models
# with the runtime in the folder. The mount ends with the command.
export RELAY_RUNTIME_LIB="$1/librelay_runtime.a"
exec unshare --mount sh -euc '
  mount -t overlay overlay -o "lowerdir=$0/usr:/usr" /usr
  exec "$@"' "$@"
