"""The lit configuration that the suites under test/ share.

lit runs this file with `config` and `lit_config` defined; test/lit.cfg.py loads it.
"""

import os
import shutil
import subprocess

import lit.formats

config.name = "relay-mlir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.excludes = ["lit.cfg.py", "oracle", "Inputs"]
config.test_source_root = os.path.join(os.path.dirname(__file__), "..", "test")

tools = lit_config.params["tools"]  # the folder of relay-opt and the others
llvm = lit_config.params["llvm"]  # the bin folder of LLVM
config.test_exec_root = os.path.join(tools, "lit")
config.environment["PATH"] = os.pathsep.join([tools, llvm, os.environ["PATH"]])
# Not the user's.
config.environment["RELAY_CACHE_DIR"] = os.path.join(tools, "lit-cache")
config.environment["RELAY_RECORDS"] = ""
# Models for GPUs run on the processor.
for variable in ["RELAY_CUDA_DRIVER", "RELAY_HIP_DRIVER"]:
    config.environment[variable] = os.path.join(tools, "librelay_gpu_emulator.so")
# numpy's library would start a thread for each core, before it knows whether it will multiply anything.
config.environment["OPENBLAS_NUM_THREADS"] = "1"
# Tests say what IR becomes on one machine, whatever this one is.
config.environment["RELAY_OPT_TARGET"] = "x86-64-v4"
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input=fail"

# Tests that take tens of seconds say that they require time, those of packages and installations that they require a
# package, those for a release only that they require a release.
# opt-tool/tests/lit.rs, which starts lit, leaves out those that are not asked for.
# Of a processor's time, a process of ours needs 30 ms before it does anything, a library's link 25 ms, an import of numpy 100 ms,
# and a kernel that no test has compiled before some 50 ms. So a script of many cases asks one process for several of them.
config.available_features.update(["time", "package", "release"])

# What the processor has, for tests of what is said where it is missing, and of code that needs it.
with open("/proc/cpuinfo", encoding="ascii") as processors:
    flags = set(processors.read().split())
    if "amx_bf16" in flags:
        config.available_features.add("amx")
    if "avx512_bf16" in flags:
        config.available_features.add("avx512_bf16")

# Tests in a Debian of their own make one as root.
if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
    lit_config.note("tests in a clean root are left out: they need mmdebstrap, and root's rights")
elif subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode != 0:
    lit_config.note("tests in a clean root are left out: this system lets nobody mount")
else:
    config.available_features.add("clean-root")

# oneDNN, for the external code generator that calls it.
if os.path.exists("/usr/include/oneapi/dnnl/dnnl.h"):
    config.available_features.add("dnnl")
else:
    lit_config.note("tests of oneDNN are left out: there is no libdnnl-dev")

# Ray, for tuning on a cluster, in an environment of its own.
ray = os.path.join(os.path.dirname(tools), "ray", "bin", "python")
if os.path.exists(ray):
    config.available_features.add("ray")
    config.substitutions.append(("%ray-python", ray))
else:
    lit_config.note("tests on a Ray cluster are left out: ./x ray installs Ray")

# A runner for AArch64. Its libraries are found where a test may mount them.
aarch64 = os.path.join(os.path.dirname(tools), "aarch64")
if os.path.exists(os.path.join(aarch64, "relay-runner")) and "clean-root" in config.available_features:
    config.available_features.add("aarch64-runner")
    config.substitutions.append(("%aarch64", aarch64))
else:
    lit_config.note("tests of tuning for AArch64 are left out: ./x aarch64 makes a runner for it, and the tests need root's rights")

# WebAssembly runs under node, whatever its version.
if shutil.which("node"):
    config.available_features.add("node")
else:
    lit_config.note("tests of WebAssembly are left out: there is no node")

# Printed, parsed again, through the generic form, and through bytecode.
config.substitutions.append(
    (
        "%roundtrip",
        "relay-opt %s | relay-opt | relay-opt --mlir-print-op-generic | relay-opt"
        " | relay-opt --emit-bytecode | relay-opt",
    )
)
config.substitutions.append(("%llvm", llvm))
config.substitutions.append(("%python", lit_config.params["python"]))
config.substitutions.append(("%runtime", os.path.join(tools, "librelay_runtime.a")))
config.substitutions.append(("%plugin", os.path.join(tools, "librelay_mlir_plugin.so")))

# The Python package: %package makes the folder that PYTHONPATH names.
package = os.path.join(config.test_source_root, "..", "python")
config.environment["PYTHONPATH"] = os.path.join(tools, "python")
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
pytest = f"{lit_config.params['python']} -m pytest -q -p no:cacheprovider"
config.substitutions.append(("%pytest", f"{pytest} {package}/tests"))
config.substitutions.append(("%doctest", f"{pytest} --doctest-glob=*.md"))
config.substitutions.append(("%package", f"{lit_config.params['python']} {package}/stage.py {tools}"))
wheel = f"{package}/wheel.py --built {tools} --llvm {os.path.dirname(llvm)}"
config.substitutions.append(("%wheel", f"{lit_config.params['python']} {wheel}"))

# For tests that build a crate outside of the workspace; lit itself passes HOME on.
config.substitutions.append(("%examples", os.path.join(config.test_source_root, "..", "examples")))
config.substitutions.append(("%target", os.path.dirname(tools)))
for name in ["CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.substitutions.append(("%tools", tools))
