#!/usr/bin/env bash
# Builds TVM 0.18, the last one that has Relay, AutoTVM and Ansor, as a peer of ./x bench: bench/tvm.sh FOLDER
#
# FOLDER gets the source, the library and a Python environment; the last line on standard output is the Python for ./x bench --tvm.
# It takes about half an hour on two processors. What a stopped run has done is not done again.
set -euo pipefail

COMMIT=031f0475bea40f6dfb07c7d53e7078edfcbd300d
SUBMODULES=(3rdparty/dmlc-core 3rdparty/dlpack 3rdparty/rang)
PACKAGES=(
  git cmake ninja-build python3-venv clang-16 llvm-16-dev libpolly-16-dev zlib1g-dev libzstd-dev libxml2-dev libz3-dev libjemalloc2
)

say() { printf '\033[1m[tvm]\033[0m %s\n' "$*" >&2; }
die() { printf '\033[1;31m[tvm]\033[0m %s\n' "$*" >&2; exit 1; }

# Says what Debian has to give.
packages() {
  local missing=() package
  for package in "${PACKAGES[@]}"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] || die "Debian packages are missing: apt-get install ${missing[*]}"
}

# TVM at the commit, and those parts of others that it is built with, at the commits that it names.
fetch() {
  [ ! -e "$source/3rdparty/.fetched" ] || return 0
  say "fetching TVM"
  git init --quiet "$source"
  git -C "$source" fetch --quiet --depth 1 https://github.com/apache/tvm "$COMMIT"
  git -C "$source" checkout --quiet --force FETCH_HEAD
  git -C "$source" submodule --quiet update --init --depth 1 "${SUBMODULES[@]}"
  touch "$source/3rdparty/.fetched"
}

# The library. Optimised as its makers release it: Ansor spends most of its time in it.
build() {
  say "building TVM"
  mkdir -p "$source/build"
  cp "$here/tvm.cmake" "$source/build/config.cmake"
  cmake -S "$source" -B "$source/build" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-w \
    -DCMAKE_C_COMPILER=clang-16 -DCMAKE_CXX_COMPILER=clang++-16 >&2
  ninja -C "$source/build" tvm >&2
}

# A Python that imports it. Its files are compiled, since TVM starts other Pythons as it tunes; and it has another allocator
# than the C library's, where a fifth of the samples of Ansor's search were.
python() {
  say "installing what TVM's Python needs"
  python3 -m venv "$folder/python"
  "$folder/python/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements-tvm-source.txt"
  "$folder/python/bin/python" -m compileall -q "$source/python" "$folder/python/lib"
  cat >"$folder/tvm-python" <<END
#!/bin/sh
LD_PRELOAD=/usr/lib/x86_64-linux-gnu/libjemalloc.so.2 PYTHONPATH='$source/python' TVM_LIBRARY_PATH='$source/build' exec '$folder/python/bin/python' "\$@"
END
  chmod 755 "$folder/tvm-python"
}

[ $# = 1 ] || die "usage: bench/tvm.sh FOLDER"
here=$(realpath "$(dirname "$0")")
packages
mkdir -p "$1"
folder=$(realpath "$1") source=$folder/source
fetch
build
python
"$folder/tvm-python" -c 'import tvm; from tvm import auto_scheduler, autotvm, relay; print(tvm.__version__)' >&2
echo "$folder/tvm-python"
