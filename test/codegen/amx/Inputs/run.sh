# Runs dense layers on the emulator: run.sh PYTHON FOLDER ROWS UNITS [UNITS ...]
set -eu
python=$1 folder=$2
here=$(dirname "$0")
runtime=$here/../../../../runtime
shift 2
"$python" "$here/network.py" "$folder" "$@"
relayc compile "$folder/network.onnx" --precision bf16 --emit object -o "$folder/network.o" \
  --target "x86_64-unknown-linux-gnu -mcpu=sapphirerapids"
clang -O2 -Wall -Wextra -Werror -fuse-ld=lld -I "$folder" -I "$runtime/include" \
  "$runtime/tests/c/amx_network.c" "$runtime/tests/c/amx_emulator.c" "$folder/network.o" -lm -o "$folder/network"
"$folder/network"
