# Runs what a script beside this one writes on the emulator, and natively, too, where processor and system can:
# run.sh PYTHON FOLDER SCRIPT NUMBER ...
set -eu
python=$1 folder=$2 script=$3
here=$(dirname "$0")
runtime=$here/../../../../runtime
shift 3
"$python" -B "$here/$script.py" "$folder" "$@"
# The emulator knows tiles only: all else in the code is what the processor has.
target="x86_64-unknown-linux-gnu -mcpu=sapphirerapids"
lacks=
for feature in avx512_fp16:avx512fp16 avx_vnni:avxvnni; do
  if ! grep -qw "${feature%:*}" /proc/cpuinfo; then
    lacks=$lacks,-${feature#*:}
  fi
done
if [ -n "$lacks" ]; then
  target="$target -mattr=${lacks#,}"
fi
# Bytes stay bytes.
precision=bf16
if [ "$script" = quantized ]; then
  precision=f32
fi
relayc compile "$folder/network.onnx" --precision "$precision" --emit object -o "$folder/network.o" --target "$target"
compiler="clang -O2 -Wall -Wextra -Werror -I $folder -I $runtime/include"
# The emulator is the same for all networks of a folder.
if [ ! -e "$folder/emulator.o" ]; then
  $compiler -c "$runtime/tests/c/amx_emulator.c" -o "$folder/emulator.o"
fi
$compiler -fuse-ld=lld "$runtime/tests/c/amx_network.c" "$folder/emulator.o" "$folder/network.o" -lm -o "$folder/network"
"$folder/network"
if grep -qw amx_bf16 /proc/cpuinfo; then
  "$folder/network" native
fi
