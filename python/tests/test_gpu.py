"""Models for GPUs, run by the emulated driver: arrays of the host, tensors on the device, and what is refused."""

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest
from conftest import CACHE, add_model, make_model
from device_arrays import CPU, CUDA, CUDA_HOST, ROCM, DeviceArray, Driver, taken_from
from onnx import TensorProto, helper

import relay_mlir
from relay_mlir import ir

SHAPE = (2, 3)
KINDS = {"cuda": "nvidia/h100 -emulated", "rocm": "amd/mi300x -emulated"}
# The number that a consumer gives for the default stream.
DEFAULT_STREAMS = {"cuda": 1, "rocm": 0}
TYPES = {"cuda": CUDA, "rocm": ROCM}


@pytest.fixture(scope="module")
def driver():
    return Driver()


@pytest.fixture(scope="module", params=KINDS)
def add(request):
    model = relay_mlir.compile(add_model(SHAPE), target=KINDS[request.param], threads=1)
    assert model.device == request.param
    return model


@pytest.fixture(scope="module")
def cuda():
    return relay_mlir.compile(add_model(SHAPE), target=KINDS["cuda"], threads=1)


def random(seed, shape=SHAPE, dtype="float32"):
    return np.random.default_rng(seed).integers(0, 100, shape).astype(dtype)


def test_arrays_of_the_host_go_in_and_out(add):
    x, y = random(0), random(1)
    for result in [add(x, y), add.run({"x": x, "y": y})["s"], add.instance()(x, y)]:
        assert isinstance(result, np.ndarray)
        np.testing.assert_array_equal(result, x + y)


def test_libraries_are_saved_and_loaded(add, tmp_path):
    add.save(tmp_path / "add.so")
    model = relay_mlir.load(tmp_path / "add.so")
    assert model.device == add.device and model.hindrance is None
    np.testing.assert_array_equal(model(random(0), random(1)), random(0) + random(1))


def test_tensors_on_the_device_go_in(add, driver):
    place = (TYPES[add.device], 0)
    x, y = (DeviceArray(driver, random(seed), place) for seed in (2, 3))
    result = add(x, y)
    assert isinstance(result, relay_mlir.Tensor) and result.__dlpack_device__() == place
    np.testing.assert_array_equal(result.numpy(), x.array + y.array)
    # The producer's stream is one that the default stream waits for, and the model's stream waits for that one.
    assert x.streams == y.streams == [DEFAULT_STREAMS[add.device]]
    assert x.lent == y.lent == 0, "the tensors were given back"
    mixed = add(x, random(4))
    np.testing.assert_array_equal(mixed.numpy(), x.array + random(4))


def test_nothing_is_copied_to_the_host(cuda, driver):
    x, y = (DeviceArray(driver, random(seed)) for seed in (2, 3))
    before = driver.taken()
    result = cuda(x, y)
    assert driver.taken() - before == x.array.nbytes, "one output, and no copies of inputs"
    np.testing.assert_array_equal(taken_from(driver, result, x.array, stream=1), x.array + y.array)
    assert driver.taken() == before, "the output was given back"
    with pytest.raises(BufferError, match="taken once"):
        result.__dlpack__()


def test_outputs_are_where_the_caller_wants_them(cuda, driver):
    x, y = random(5), random(6)
    there = DeviceArray(driver, x)
    for device in ["cuda", "cuda:0"]:
        result = cuda.run({"x": x, "y": y}, device=device)["s"]
        assert repr(result) == "Tensor(float32[2, 3], CUDA GPU 0)"
        np.testing.assert_array_equal(taken_from(driver, result, x), x + y)
    result = cuda.run({"x": there, "y": y}, device="cpu")["s"]
    assert isinstance(result, np.ndarray)
    np.testing.assert_array_equal(result, x + y)
    result = cuda.run({"x": there, "y": y}, device="cpu", dlpack=True)["s"]
    assert result.__dlpack_device__() == (CPU, 0)
    np.testing.assert_array_equal(np.from_dlpack(result), x + y)
    for wrong in ["rocm", "cuda:1", "gpu"]:
        with pytest.raises(relay_mlir.InputError, match=f"'{wrong}': the model's may be on 'cpu', 'cuda' or 'cuda:0'"):
            cuda.run({"x": x, "y": y}, device=wrong)


def test_outputs_are_written_into_tensors_on_the_device(cuda, driver):
    x, y = (DeviceArray(driver, random(seed)) for seed in (7, 8))
    s = DeviceArray(driver, np.zeros(SHAPE, np.float32))
    assert cuda.run({"x": x, "y": y}, {"s": s})["s"] is s
    np.testing.assert_array_equal(s.now(), x.array + y.array)
    assert s.lent == 0 and s.streams == [1]
    with pytest.raises(relay_mlir.InputError, match="output 's' shares memory with input 'x'"):
        cuda.run({"x": x, "y": y}, {"s": x})


def test_outputs_are_inputs_of_the_next_model(cuda, driver):
    x, y = random(9), random(10)
    tensor = cuda.run({"x": x, "y": y}, device="cuda")["s"]
    before = driver.taken()
    for _ in range(2):
        result = cuda(tensor, y)
        np.testing.assert_array_equal(result.numpy(), x + y + y)
        del result
        assert driver.taken() == before
    np.testing.assert_array_equal(taken_from(driver, tensor, x), x + y)
    with pytest.raises(relay_mlir.InputError, match="input 'x': the tensor was handed over before"):
        cuda(tensor, y)
    tensor = cuda.run({"x": x, "y": y}, device="cuda")["s"]
    with pytest.raises(relay_mlir.InputError, match="output 's': expected .*, got a Tensor"):
        cuda.run({"x": x, "y": y}, {"s": tensor})
    model = relay_mlir.compile(add_model(SHAPE), threads=1)
    with pytest.raises(
        relay_mlir.InputError, match="input 'x': it lies on CUDA GPU 0, and the model runs on the processor"
    ):
        model(tensor, y)


@pytest.mark.parametrize(
    "dtype", ["float32", "float16", "bfloat16", "int64", "bool", "float64", "uint8", "float8_e5m2"]
)
def test_arrays_are_copied_to_the_device(driver, dtype):
    array = random(26, (3, 4), "float32").astype(dtype)
    for given in [array, array.T, array[:, ::2], array[:0], np.array(array[0, 0])]:
        tensor = relay_mlir.Tensor.from_numpy(given, "cuda")
        assert tensor.__dlpack_device__() == (CUDA, 0) and tensor.shape == given.shape and tensor.dtype == dtype
        np.testing.assert_array_equal(tensor.numpy(), given)
        host = relay_mlir.Tensor.from_numpy(given)
        assert host.__dlpack_device__() == (CPU, 0)
        np.testing.assert_array_equal(host.numpy(), given)
    with pytest.raises(relay_mlir.InputError, match="no model has elements of the type"):
        relay_mlir.Tensor.from_numpy(np.array(["text"]), "cuda")
    with pytest.raises(relay_mlir.InputError, match="no device of the kind 'gpu': 'cuda' and"):
        relay_mlir.Tensor.from_numpy(array, "gpu")


def test_an_input_stays_on_the_device(cuda, driver):
    x = relay_mlir.Tensor.from_numpy(random(27), "cuda")
    for seed in range(3):
        np.testing.assert_array_equal(cuda(x, random(seed)).numpy(), random(27) + random(seed))


def test_outputs_are_copied_on_request(cuda, driver):
    x, y = random(11), random(12)
    tensor = cuda.run({"x": x, "y": y}, device="cuda")["s"]
    np.testing.assert_array_equal(taken_from(driver, tensor, x, copy=True), x + y)
    np.testing.assert_array_equal(tensor.numpy(), x + y)
    capsule = tensor.__dlpack__(dl_device=(CPU, 0))
    assert "dltensor" in repr(capsule)
    for options in [{"dl_device": (CPU, 0), "copy": False}, {"dl_device": (CUDA, 1)}, {"dl_device": (ROCM, 0)}]:
        with pytest.raises(BufferError, match="lies in the memory of CUDA GPU 0"):
            tensor.__dlpack__(**options)
    np.testing.assert_array_equal(taken_from(driver, tensor, x), x + y)


@pytest.mark.parametrize("place", [(CUDA, 1), (ROCM, 0), (7, 0)])
def test_tensors_on_other_devices_are_refused(cuda, driver, place):
    x = DeviceArray(driver, random(13), place)
    with pytest.raises(
        relay_mlir.InputError, match="input 'x': it lies on .*, and the model runs on GPU 0 .*RELAY_CUDA_DEVICE"
    ):
        cuda(x, random(14))
    assert x.streams == [] and x.lent == 0


def test_models_for_processors_refuse_tensors_on_devices(driver):
    model = relay_mlir.compile(add_model(SHAPE), threads=1)
    assert model.device == "cpu"
    x = DeviceArray(driver, random(15))
    for run in [lambda: model(x, random(16)), lambda: model.run({"x": random(16), "y": random(17)}, {"s": x})]:
        with pytest.raises(
            relay_mlir.InputError, match="'[xs]': .*it lies on CUDA GPU 0, .*copy it to host memory first"
        ):
            run()
    with pytest.raises(
        relay_mlir.InputError, match="'cuda': the model's may be on 'cpu'; compile the model with target="
    ):
        model.run({"x": random(16), "y": random(17)}, device="cuda")


def test_tensors_of_other_types_and_strides_are_refused(cuda, driver):
    wrong = [
        (DeviceArray(driver, random(18, dtype="int32")), r"expected float32\[2, 3\], got int32\[2, 3\]"),
        (DeviceArray(driver, random(18, (3, 2))), r"expected float32\[2, 3\], got float32\[3, 2\]"),
        (DeviceArray(driver, random(18), strides=(1, 2)), "not those of a dense row-major"),
    ]
    for x, message in wrong:
        with pytest.raises(relay_mlir.InputError, match=message):
            cuda(x, random(19))


class Pinned:
    """An array in host memory that was pinned for a GPU."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return CUDA_HOST, 0

    def __dlpack__(self, **options):
        assert not options
        return self.array.__dlpack__()


def test_pinned_memory_is_host_memory(cuda):
    result = cuda(Pinned(random(20)), random(21))
    assert isinstance(result, np.ndarray)
    np.testing.assert_array_equal(result, random(20) + random(21))


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,)])
def test_tensors_of_few_elements(driver, shape):
    model = relay_mlir.compile(add_model(shape), target=KINDS["cuda"])
    x, y = random(22, shape), random(23, shape)
    found = model(DeviceArray(driver, x), DeviceArray(driver, y))
    assert found.shape == shape
    np.testing.assert_array_equal(found.numpy(), x + y)


def test_outputs_of_computed_shapes(driver):
    nodes = [helper.make_node("NonZero", ["x"], ["places"])]
    model = make_model(nodes, [("x", TensorProto.FLOAT, (7,))], [("places", TensorProto.INT64, (1, None))])
    model = relay_mlir.compile(model, target=KINDS["cuda"])
    x = np.array([0, 1, 0, 2, 3, 0, 4], np.float32)
    found = model(DeviceArray(driver, x))
    assert found.__dlpack_device__() == (CUDA, 0)
    np.testing.assert_array_equal(found.numpy(), [[1, 3, 4, 6]])


def test_a_child_of_a_fork_leaves_the_device_to_its_parent(cuda):
    x, y = random(30), random(31)
    tensor = cuda.run({"x": x, "y": y}, device="cuda")["s"]
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        for call in [lambda: cuda(x, y), tensor.numpy, cuda.instance]:
            try:
                call()
                os.write(write, b"no error\n")
            except relay_mlir.RunError as error:
                os.write(write, f"{error}\n".encode())
        del tensor
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    os.close(write)
    with open(read) as pipe:
        errors = pipe.read().splitlines()
    assert len(errors) == 3
    assert all("a process that was forked cannot use the GPU that its parent uses" in error for error in errors), errors
    np.testing.assert_array_equal(tensor.numpy(), x + y)
    np.testing.assert_array_equal(cuda(x, y), x + y)


def run_without_driver(program, folder):
    """What a program prints in a process where no driver is installed."""
    environment = {**os.environ, "RELAY_CUDA_DRIVER": str(folder / "libnone.so")}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_models_are_compiled_and_saved_without_a_driver(tmp_path):
    (tmp_path / "add.onnx").write_bytes(add_model(SHAPE).SerializeToString())
    program = """
import warnings, numpy as np, relay_mlir
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    model = relay_mlir.compile("add.onnx", target="nvidia/h100 -emulated")
print(said[-1].category.__name__, said[-1].message)
print(model.device, model.inputs[0].name, model.hindrance is not None)
model.save("add.so")
x = np.ones((2, 3), np.float32)
for call in [lambda: model(x, x), lambda: model.run({"x": x, "y": x}), lambda: relay_mlir.load("add.so"), model.instance]:
    try:
        call()
        print("no error")
    except relay_mlir.Error as error:
        print(type(error).__name__, error)
"""
    warning, facts, *errors = run_without_driver(program, tmp_path).splitlines()
    assert (
        warning.startswith("CompileWarning the model can be saved, but not run here: ") and "no CUDA driver" in warning
    )
    assert facts == "cuda x True"
    assert len(errors) == 4
    for error in errors:
        assert error.startswith("RunError") and "no CUDA driver" in error and "RELAY_CUDA_DRIVER" in error
    model = relay_mlir.load(tmp_path / "add.so")
    np.testing.assert_array_equal(model(random(0), random(1)), random(0) + random(1))


@pytest.mark.parametrize(
    ("target", "reason"),
    [("cuda -arch=sm_80", "CUDA_ERROR_NO_BINARY_FOR_GPU"), ("amd/mi300x", "hipErrorNoBinaryForGpu")],
)
def test_kernels_are_loaded_with_the_model(target, reason):
    """The emulated driver refuses what is for a GPU."""
    with pytest.warns(
        relay_mlir.CompileWarning, match=f"not run here: .*cannot load the model's kernels to GPU 0 .*{reason}"
    ):
        relay_mlir.compile(add_model(SHAPE), target=target)


@pytest.mark.parametrize("target", ["cuda -arch=sm_80,sm_90", "nvidia/h100,nvidia/a100", "amd/mi250,amd/rx7900xtx"])
def test_a_model_is_for_several_gpus(target):
    model = relay_mlir.compile(add_model(SHAPE), target=f"{target} -emulated")
    chips = ["sm_90", "sm_80"] if "amd" not in target else ["gfx90a", "gfx1100"]
    places = [model.target.index(f"-arch={chip} -emulated") for chip in chips]
    assert places == sorted(places)
    x, y = random(30), random(31)
    np.testing.assert_array_equal(model(x, y), x + y)


def test_nothing_is_said_where_the_device_is(add):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = relay_mlir.compile(add_model(SHAPE), target=KINDS[add.device])
    assert model.hindrance is None


def test_caches_on_the_device_stay_where_they_are(driver):
    model = relay_mlir.compile(ir.Module(CACHE), target=KINDS["cuda"])
    past, new = DeviceArray(driver, np.arange(4, dtype=np.float32)), DeviceArray(driver, np.array([9], np.float32))
    given = {"past": past, "new": new, "at": np.array(2)}
    result = model.run(given)["next"]
    np.testing.assert_array_equal(result.numpy(), [0, 1, 9, 3])
    np.testing.assert_array_equal(past.now(), [0, 1, 2, 3])
    assert model.run(given, donate=True)["next"] is past
    np.testing.assert_array_equal(past.now(), [0, 1, 9, 3])


def test_inputs_and_outputs_are_bound_on_the_device(driver):
    nodes = [helper.make_node("Add", ["x", "y"], ["s"]), helper.make_node("Mul", ["x", "y"], ["p"])]
    ports = [(name, TensorProto.FLOAT, SHAPE) for name in ("x", "y", "s", "p")]
    model = make_model(nodes, ports[:2], ports[2:]).SerializeToString()
    session = relay_mlir.InferenceSession(model, target=KINDS["cuda"])
    binding, x, y = session.io_binding(), random(28), random(29)
    value = relay_mlir.OrtValue.ortvalue_from_numpy(x, "cuda", 0)
    assert value.device_name() == "cuda" and value.shape() == [2, 3]
    np.testing.assert_array_equal(value.numpy(), x)
    binding.bind_ortvalue_input("x", value)
    binding.bind_cpu_input("y", y)
    binding.bind_output("s", "cuda")
    binding.bind_output("p")
    for _ in range(2):
        session.run_with_iobinding(binding)
        there, here = binding.get_outputs()
        assert (there.device_name(), here.device_name()) == ("cuda", "cpu")
        for found, expected in zip(binding.copy_outputs_to_cpu(), [x + y, x * y]):
            np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(taken_from(driver, there, x, stream=1), x + y)
    written = np.zeros(SHAPE, np.float32)
    binding.bind_ortvalue_output("p", relay_mlir.OrtValue.ortvalue_from_numpy(written))
    session.run_with_iobinding(binding)
    np.testing.assert_array_equal(written, x * y)
    wrong = [
        (lambda: binding.bind_output("s", "rocm"), "may be on 'cpu' or 'cuda'"),
        (
            lambda: binding.bind_input("x", "cuda", 0, np.float32, SHAPE, 4096),
            "an OrtValue, or a tensor with __dlpack__",
        ),
        (lambda: binding.bind_ortvalue_output("s", value), "bind the output to the device, by bind_output"),
        (lambda: relay_mlir.OrtValue.ortvalue_from_numpy(x, "cuda", 1), "'cuda:1'; models run on 'cuda:0'"),
        (value.data_ptr, "take it with __dlpack__"),
    ]
    for call, message in wrong:
        with pytest.raises(ValueError, match=message):
            call()
