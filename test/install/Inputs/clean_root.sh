#!/usr/bin/env bash
# Installs the package of built tools in a fresh Debian 12 and runs a network there; the same for the tarball and for
# the Python package: clean_root.sh TOOLS CACHE PYTHON WHEELS
# CACHE keeps the fresh system, its lists of packages and what apt downloads; without it, all comes from the network.
set -euo pipefail
tools=$1 cache=$2 python=$3 wheels=$4
source=$(cd "$(dirname "$0")/../../.." && pwd)

base=$cache/debian12.tar
if [ ! -e "$base" ]; then
  mirror=http://deb.debian.org
  mmdebstrap --quiet --variant=minbase --skip=cleanup/apt/lists bookworm "$base.new.tar" \
    "deb $mirror/debian bookworm main" "deb $mirror/debian-security bookworm-security main" >&2
  mv "$base.new.tar" "$base"
fi

root=$(mktemp -d -p "$cache")
trap 'rm -rf "$root"' EXIT
tar -C "$root" -xf "$base"
"$source/package/archives" "$tools" "$root/tmp" >&2
cp "$source/examples/digits/digits.onnx" "$root/tmp"
cp /etc/resolv.conf "$root/etc"
mkdir -p "$cache/archives"
cp "$cache"/archives/*.deb "$root/var/cache/apt/archives" 2>/dev/null || true

# Runs commands in the system, which sees processes, as systems do. The mount ends with them.
inside() {
  unshare --mount bash -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$root" \
    /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root /bin/bash -euc "$1"
}
# Images of digits that the network has not seen, one by one.
images=20
"$python" - "$source/examples/digits/heldout.npz" "$root/tmp" $images <<'PY'
import sys, numpy
images = numpy.load(sys.argv[1])["images"][: int(sys.argv[3])].astype(numpy.float32)
for number, image in enumerate(images):
    numpy.savez(f"{sys.argv[2]}/in{number}.npz", image=image[None])
PY
try='relayc compile /tmp/digits.onnx -o /tmp/digits.so
  for image in /tmp/in*.npz; do relayc run /tmp/digits.so --inputs $image --outputs ${image/in/out}; done'
# How much of what the network says of them is right.
score() {
  "$python" - "$source/examples/digits/heldout.npz" "$root/tmp" $images <<'PY'
import sys, numpy
labels = numpy.load(sys.argv[1])["labels"][: int(sys.argv[3])]
said = [numpy.load(f"{sys.argv[2]}/out{number}.npz")["probabilities"].argmax() for number in range(len(labels))]
print(f"{(said == labels).mean():.0%} right")
PY
}

begin=$SECONDS
inside 'export DEBIAN_FRONTEND=noninteractive
  apt-get install -qq --no-install-recommends -o APT::Keep-Downloaded-Packages=true /tmp/relay-mlir_*.deb' >&2 ||
  { echo "apt failed; if its lists are too old, remove $cache" >&2; exit 1; }
cp -n "$root"/var/cache/apt/archives/*.deb "$cache/archives" 2>/dev/null || true
inside "$try" >&2
echo "installed, compiled and run in $((SECONDS - begin)) s"
echo "package: $(score)"

inside 'dpkg --remove relay-mlir >/dev/null && mkdir /opt/relay && tar -C /opt/relay --strip-components=1 -xzf /tmp/relay-mlir-*.tar.gz
  rm /tmp/digits.so /tmp/out*.npz; export PATH=/opt/relay/bin:$PATH; '"$try" >&2
echo "tarball: $(score)"

# The Python package, with Debian's Python and numpy's wheel, which is downloaded here: the system has no certificates.
inside 'rm -rf /opt/relay /tmp/digits.so /tmp/out*.npz; export DEBIAN_FRONTEND=noninteractive
  apt-get autoremove -qq; apt-get install -qq --no-install-recommends -o APT::Keep-Downloaded-Packages=true python3-venv' >&2
cp -n "$root"/var/cache/apt/archives/*.deb "$cache/archives" 2>/dev/null || true
"$python" -m pip download --quiet --only-binary :all: --python-version 3.11 --dest "$root/tmp" numpy >&2
cp "$wheels"/relay_mlir-*.whl "$root/tmp"
begin=$SECONDS
inside 'cd /tmp
  [ -z "$(ls -d /usr/lib/llvm* 2>/dev/null)" ] || { echo "the packages of LLVM are still installed" >&2; exit 1; }
  python3 -m venv venv && venv/bin/pip install --quiet --no-index --find-links . relay-mlir
  venv/bin/python -c "
import glob, numpy, relay_mlir
model = relay_mlir.compile(\"digits.onnx\")
for image in glob.glob(\"in*.npz\"):
    numpy.savez(image.replace(\"in\", \"out\"), probabilities=model(numpy.load(image)[\"image\"]))"' >&2
echo "wheel: installed, compiled and run in $((SECONDS - begin)) s"
echo "wheel: $(score)"
