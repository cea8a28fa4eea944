"""Loading and running compiled models: what goes in, what comes out, and what is refused."""

import copy
import gc
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import ml_dtypes
import numpy as np
import pytest
from conftest import add_model, make_model
from onnx import TensorProto, helper

import relay_mlir
from relay_mlir.profile import random_inputs

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
DTYPES += ["float16", "bfloat16", "float32", "float64"]
DTYPES += ["float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float4_e2m1fn"]
DTYPES += ["int4", "uint4", "int2", "uint2"]
SHAPE = (2, 3)


@pytest.fixture(scope="module")
def add(compiled):
    return relay_mlir.load(compiled("add", add_model(SHAPE)), threads=1)


@pytest.fixture(scope="module")
def twice(compiled):
    """A model of every element type: each output is its input, twice along the first axis."""
    types = {name: helper.np_dtype_to_tensor_dtype(np.dtype(name)) for name in DTYPES}
    nodes = [helper.make_node("Concat", [name, name], [f"{name}_2"], axis=0) for name in DTYPES]
    inputs = [(name, types[name], SHAPE) for name in DTYPES]
    outputs = [(f"{name}_2", types[name], (4, 3)) for name in DTYPES]
    return relay_mlir.load(compiled("twice", make_model(nodes, inputs, outputs)))


def random(shape=SHAPE, dtype="float32", seed=0):
    values = np.random.default_rng(seed).integers(0, 2 if dtype == "bool" else 100, shape)
    return values.astype(dtype)


def test_a_model_says_what_it_is(add, twice):
    assert add.name == "add" and add.precision == "f32" and add.threads == 1 and twice.threads is None
    assert [(info.name, info.dtype, info.shape) for info in add.inputs] == [
        ("x", "float32", (2, 3)),
        ("y", "float32", (2, 3)),
    ]
    assert [info.name for info in add.outputs] == ["s"]
    assert repr(add) == "<relay_mlir.Model add: x: float32[2, 3], y: float32[2, 3] -> s: float32[2, 3]>"
    assert [info.dtype for info in twice.inputs] == DTYPES
    assert add.weights_bytes == 0 and "x86_64" in add.target or "aarch64" in add.target


def test_every_element_type_goes_in_and_out(twice):
    inputs = {name: random(dtype=name) for name in DTYPES}
    results = twice.run(inputs)
    assert list(results) == [f"{name}_2" for name in DTYPES]
    for name, given in inputs.items():
        result = results[f"{name}_2"]
        assert result.dtype == np.dtype(name)
        np.testing.assert_array_equal(result, np.concatenate([given, given]))


def test_arguments_go_by_position_and_by_name(add):
    x, y = random(seed=1), random(seed=2)
    for result in [add(x, y), add(x, y=y), add(y=y, x=x), add.run({"x": x, "y": y})["s"]]:
        np.testing.assert_array_equal(result, x + y)


def test_several_outputs_are_a_tuple(twice):
    results = twice(*[random(dtype=name) for name in DTYPES])
    assert isinstance(results, tuple) and len(results) == len(DTYPES)


@pytest.mark.parametrize(
    "arrange",
    [
        lambda a: np.asfortranarray(a),
        lambda a: np.repeat(a, 2, axis=1)[:, ::2],
        lambda a: a[::-1].copy()[::-1],
        lambda a: np.frombuffer(b"." + a.tobytes(), np.uint8)[1:].view(np.float32).reshape(a.shape),
        lambda a: a.tolist(),
        lambda a: memoryview(a),
        lambda a: a.astype(object).astype(np.float32).copy(),
    ],
    ids=["column-major", "strided", "backwards", "unaligned", "list", "buffer", "dense"],
)
def test_any_layout_is_read(add, arrange):
    x, y = random(seed=3), random(seed=4)
    np.testing.assert_array_equal(add(arrange(x), y), x + y)


def test_numbers_are_tensors_without_dimensions(compiled):
    model = relay_mlir.load(compiled("scalar", add_model(())))
    for x in [2, 2.0, np.float32(2), np.array(2, np.float32)]:
        result = model(x, 0.5)
        assert result.shape == () and result == 2.5


class Foreign:
    """An array that speaks nothing but DLPack, and counts how often it was asked."""

    def __init__(self, array):
        self.array, self.asked = array, 0

    def __dlpack__(self, **options):
        self.asked += 1
        return self.array.__dlpack__(**options)


def test_dlpack_goes_in(add):
    x, y = random(seed=5), random(seed=6)
    foreign = Foreign(x)
    before = sys.getrefcount(x)
    np.testing.assert_array_equal(add(foreign, y), x + y)
    assert foreign.asked == 1
    assert sys.getrefcount(x) == before, "the tensor was given back"
    for wrong in [x[:, ::2], x.astype(np.float64)]:
        with pytest.raises(relay_mlir.InputError, match="input 'x'"):
            add(Foreign(wrong), y)
    del foreign
    assert sys.getrefcount(x) == before - 1, "nothing is left of the errors"


def test_dlpack_comes_out(add, twice):
    x, y = random(seed=7), random(seed=8)
    tensor = add.run({"x": x, "y": y}, dlpack=True)["s"]
    assert isinstance(tensor, relay_mlir.Tensor) and repr(tensor) == "Tensor(float32[2, 3])"
    np.testing.assert_array_equal(np.from_dlpack(tensor), x + y)
    with pytest.raises(BufferError, match="taken once"):
        np.from_dlpack(tensor)
    # One that nobody takes is freed; one model's output is another one's input.
    add.run({"x": x, "y": y}, dlpack=True)["s"].__dlpack__()
    tensor = add.run({"x": x, "y": y}, dlpack=True)["s"]
    for _ in range(2):
        np.testing.assert_array_equal(add(tensor, y), x + y + y)
    np.testing.assert_array_equal(tensor.numpy(), x + y)
    np.testing.assert_array_equal(np.from_dlpack(tensor), x + y)
    with pytest.raises(relay_mlir.InputError, match="input 'x': the tensor was handed over before"):
        add(tensor, y)
    bits = twice.run({name: random(dtype=name) for name in DTYPES}, dlpack=True)["bfloat16_2"]
    assert bits.dtype == "bfloat16" and bits.shape == (4, 3)


def test_outputs_may_be_given(add):
    x, y, s = random(seed=9), random(seed=10), np.zeros(SHAPE, np.float32)
    result = add.run({"x": x, "y": y}, {"s": s})["s"]
    assert result is s
    np.testing.assert_array_equal(s, x + y)


def test_outputs_may_be_tensors_of_others(add):
    x, y, s = random(seed=11), random(seed=12), np.zeros(SHAPE, np.float32)
    foreign, before = Foreign(s), sys.getrefcount(s)
    assert add.run({"x": x, "y": y}, {"s": foreign})["s"] is foreign
    np.testing.assert_array_equal(s, x + y)
    assert foreign.asked == 1 and sys.getrefcount(s) == before, "the tensor was given back"
    frozen = np.zeros(SHAPE, np.float32)
    frozen.flags.writeable = False
    wrong = [
        (Foreign(x), "shares memory with input 'x'"),
        (Foreign(np.zeros((3, 2), np.float32).T), "not those of a dense row-major"),
        (Foreign(np.zeros(SHAPE)), r"expected float32\[2, 3\], got float64\[2, 3\]"),
        (Foreign(frozen), "output 's': Cannot export readonly array"),
        (add.run({"x": x, "y": y}, dlpack=True)["s"], "got a Tensor; outputs are written into numpy arrays, and tensors"),
        (np.float32(1), "got a float32"),
    ]
    for target, message in wrong:
        with pytest.raises(relay_mlir.InputError, match=message):
            add.run({"x": x, "y": y}, {"s": target})


def test_outputs_that_cannot_be_written_are_refused(add):
    x, y = random(), random(seed=1)
    whole = np.zeros((3, 3), np.float32)
    frozen = np.zeros(SHAPE, np.float32)
    frozen.flags.writeable = False
    wrong = [
        (x, "shares memory with input 'x'"),
        (np.zeros((3, 2), np.float32).T, "is not dense"),
        (np.zeros(SHAPE), "expected float32"),
        (frozen, "is read-only"),
        ([0.0] * 6, "got a list"),
    ]
    for target, message in wrong:
        with pytest.raises(relay_mlir.InputError, match=message):
            add.run({"x": x, "y": y}, {"s": target})
    with pytest.raises(relay_mlir.InputError, match="shares memory with input 'y'"):
        add.run({"x": x, "y": whole[:2]}, {"s": whole[1:]})


def test_what_does_not_fit_is_refused(add):
    x, y = random(), random(seed=1)
    wrong = [
        (lambda: add(x), "input 'y' is missing; the model's inputs are 'x', 'y'"),
        (lambda: add(x, y, x), r"the model takes 2 input\(s\) \('x', 'y'\), but 3 were given"),
        (lambda: add(x, z=y), "the model has no input 'z'; its inputs are 'x', 'y'"),
        (lambda: add(x, y, y=y), "input 'y' is given twice"),
        (lambda: add.run({"x": x}), "input 'y' is missing"),
        (lambda: add.run({"x": x, "y": y, 3: x}), "the model has no input 3"),
        (lambda: add.run({"x": x, "y": y}, {"t": x}), "the model has no output 't'"),
        (lambda: add(x.astype(np.float64), y), r"input 'x': expected float32\[2, 3\], got float64\[2, 3\]"),
        (lambda: add(x.astype(">f4"), y), "got >f4"),
        (lambda: add(x.T, y), r"expected float32\[2, 3\], got float32\[3, 2\]"),
        (lambda: add("text", y), "input 'x': could not convert"),
        (lambda: add(None, y), "input 'x'"),
        (lambda: add(x.astype(object), y), "got object"),
    ]
    for call, message in wrong:
        with pytest.raises(relay_mlir.InputError, match=message):
            call()
    assert issubclass(relay_mlir.InputError, ValueError) and issubclass(relay_mlir.InputError, relay_mlir.Error)


def test_open_dimensions_take_many_sizes(open_library):
    model = relay_mlir.load(open_library, threads=1)
    assert [info.shape for info in model.inputs] == [("n", "m"), ("2*n + 1",)]
    assert repr(model) == "<relay_mlir.Model open: x: float32[n, m], mask: int8[2*n + 1] -> y: float32[n, m]>"
    for n, m in ((2, 3), (64, 1000), (4, 0), (2, 3)):
        x, mask = random((n, m), seed=n), np.zeros(2 * n + 1, np.int8)
        np.testing.assert_array_equal(model(x, mask), 2 * x)
        foreign = Foreign(np.asfortranarray(x).copy("C"))
        np.testing.assert_array_equal(model.run({"x": foreign, "mask": mask})["y"], 2 * x)
        target = np.empty((n, m), np.float32)
        assert model.run({"x": x, "mask": mask}, {"y": target})["y"] is target
        np.testing.assert_array_equal(target, 2 * x)
        np.testing.assert_array_equal(np.from_dlpack(model.run({"x": x, "mask": mask}, dlpack=True)["y"]), 2 * x)
    x, mask = random((4, 3)), np.zeros(9, np.int8)
    wrong = [
        (lambda: model(x, mask[:8]), r"'mask', has the extent 8 in dimension 0; the model takes 2\*n \+ 1, which is 9"),
        (lambda: model(x[:3], mask), "the model takes n from 2 to 64, multiples of 2"),
        (lambda: model(x[0], mask), r"input 'x': expected float32\[n, m\], got float32\[3\]"),
        (lambda: model.run({"x": x, "mask": mask}, {"y": x[:2]}), r"output 'y': expected the shape \[4, 3\]"),
        (lambda: random_inputs(model), "input 'x' has open dimensions: give `inputs`"),
    ]
    for call, message in wrong:
        with pytest.raises(relay_mlir.InputError, match=message):
            call()


def test_threads_share_open_models(open_library):
    model = relay_mlir.load(open_library, threads=1)

    def run(n):
        x, mask = random((n, 50), seed=n), np.zeros(2 * n + 1, np.int8)
        for _ in range(200):
            np.testing.assert_array_equal(model(x, mask), 2 * x)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(run, (2, 16, 40, 64)))


def test_sessions_have_open_dimensions(open_library):
    session = relay_mlir.InferenceSession(open_library)
    assert [argument.shape for argument in session.get_inputs()] == [["n", "m"], ["2*n + 1"]]
    for n in (2, 6):
        x = random((n, 5))
        (y,) = session.run(None, {"x": x, "mask": np.zeros(2 * n + 1, np.int8)})
        np.testing.assert_array_equal(y, 2 * x)


def test_bfloat16_needs_no_other_package_to_come_out(compiled):
    model = make_model(
        [helper.make_node("Cast", ["x"], ["y"], to=TensorProto.BFLOAT16)],
        [("x", TensorProto.FLOAT, (3,))],
        [("y", TensorProto.BFLOAT16, (3,))],
    )
    library = compiled("narrow", model)
    assert relay_mlir.load(library)([1.0, 2.0, 3.0]).dtype == ml_dtypes.bfloat16
    script = f"""
import sys
sys.modules["ml_dtypes"] = None
import relay_mlir
print(relay_mlir.load({str(library)!r})([1.0, 2.0, 3.0]))
"""
    printed = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert printed.stdout == "Tensor(bfloat16[3])\n"


def test_what_is_no_library_is_refused(tmp_path, compiled):
    wrong = tmp_path / "wrong.so"
    with pytest.raises(relay_mlir.LoadError, match="wrong.so"):
        relay_mlir.load(wrong)
    wrong.write_text("no library")
    with pytest.raises(relay_mlir.LoadError, match="wrong.so"):
        relay_mlir.load(wrong)
    with pytest.raises(relay_mlir.InputError, match="must not be negative"):
        relay_mlir.load(compiled("other", add_model(SHAPE)), threads=-1)


def test_a_library_can_be_saved(tmp_path, compiled):
    library = pathlib.Path(compiled("saved", add_model(SHAPE)))
    model, bytes_before = relay_mlir.load(library), library.read_bytes()
    library.unlink()
    copies = [tmp_path / f"{number}.so" for number in range(4)]
    threads = [threading.Thread(target=model.save, args=(copy,)) for copy in copies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(copy.read_bytes() == bytes_before for copy in copies)
    assert sorted(tmp_path.iterdir()) == copies, "nothing else is left"
    x, y = random(), random(seed=1)
    np.testing.assert_array_equal(relay_mlir.load(copies[0])(x, y), x + y)
    with pytest.raises(FileNotFoundError):
        model.save(tmp_path / "missing" / "m.so")


def test_a_model_that_is_dropped_leaves_nothing(compiled):
    library = compiled("dropped", add_model(SHAPE))

    def descriptors():
        return len(os.listdir("/proc/self/fd"))

    # What other tests dropped.
    gc.collect()
    before = descriptors()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = relay_mlir.load(library, threads=1)
        other = model.instance()
        del model
        np.testing.assert_array_equal(other(random(), random()), random() + random())
        del other
        with pytest.raises(relay_mlir.LoadError):
            relay_mlir.load(library.with_name("missing.so"))
        gc.collect()
    assert descriptors() == before


def test_models_are_pickled(compiled, tmp_path):
    library = compiled("pickled", add_model(SHAPE))
    model = relay_mlir.load(library, threads=2)
    pickled = pickle.dumps(model)
    x, y = random(), random(seed=1)
    for same in (pickle.loads(pickled), copy.deepcopy(model)):
        assert same.threads == 2 and repr(same) == repr(model)
        np.testing.assert_array_equal(same(x, y), x + y)
        same.save(tmp_path / "m.so")
        assert (tmp_path / "m.so").read_bytes() == library.read_bytes()
    # A byte of the machine code, which no table of the library tells of.
    place = pickled.index(library.read_bytes()[4096:4160])
    damaged = pickled[:place] + bytes([pickled[place] ^ 1]) + pickled[place + 1 :]
    with pytest.raises(relay_mlir.LoadError, match="the pickle of the model pickled is damaged"):
        pickle.loads(damaged)


def test_threads_share_models(compiled):
    library = compiled("shared", add_model((64, 64)))
    model = relay_mlir.load(library, threads=1)
    wrong = []

    def work(own, seed):
        x, y = random((64, 64), seed=seed), random((64, 64), seed=seed + 1)
        for _ in range(300):
            if not np.array_equal(own(x, y), x + y):
                wrong.append(seed)

    models = [model, model, model.instance(threads=2), model.instance()]
    threads = [threading.Thread(target=work, args=(own, seed)) for seed, own in enumerate(models)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_python_goes_on_while_a_model_runs(compiled):
    size = 1024
    weights = [("x", TensorProto.FLOAT, (size, size)), ("y", TensorProto.FLOAT, (size, size))]
    product = [helper.make_node("MatMul", ["x", "y"], ["z"])]
    result = [("z", TensorProto.FLOAT, (size, size))]
    model = relay_mlir.load(compiled("product", make_model(product, weights, result)), threads=1)
    x = random((size, size))
    counted, done = 0, threading.Event()

    def work():
        for _ in range(5):
            model(x, x)
        done.set()

    thread = threading.Thread(target=work)
    # Python hands its lock over every 5 ms; held all through a run of many, it would be had once a run.
    start = time.perf_counter()
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.0005)
    thread.join()
    assert counted > 5, f"{counted} turns in {time.perf_counter() - start:.3f} s"


def in_child(work):
    """What `work` gives in the child of a fork; a signal that ends the child is an error."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, repr(work()).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as said:
        answer = said.read()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    return answer


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_the_child_of_a_fork_runs_and_drops_models(compiled):
    # Large enough that threads share it.
    shape = (64, 4096)
    model = relay_mlir.load(compiled("forked", add_model(shape)), threads=3)
    x, y = random(shape), random(shape, seed=1)
    wanted = (x + y).sum()
    assert model(x, y).sum() == wanted

    def drop():
        nonlocal model
        del model

    assert in_child(drop) == "None"
    assert in_child(lambda: float(model(x, y).sum())) == repr(float(wanted))
    assert in_child(lambda: [float(model(x, y).sum()) for _ in range(3)] and drop()) == "None"
    assert in_child(lambda: in_child(lambda: float(model(x, y).sum()))) == repr(repr(float(wanted)))
    # The parent has its threads still.
    assert model(x, y).sum() == wanted


DEEP = """#[version = "0.0.5"]
def @f(%n: Tensor[(), int32]) -> Tensor[(), int32] {
  if (less(%n, 1)) { 0 } else { add(1, @f(subtract(%n, 1))) }
}
def @main(%n: Tensor[(), int32]) -> Tensor[(), int32] { @f(%n) }
"""


def compiled_program(folder, text, executor):
    source, library = folder / "program.relay", folder / "program.so"
    source.write_text(text)
    compiler = ["relayc", "compile", source, "-o", library, "--executor", executor]
    subprocess.run(compiler, check=True, capture_output=True)
    return library


@pytest.mark.parametrize("executor", ["aot", "vm"])
def test_a_thread_of_little_stack_runs_deep_programs(tmp_path, executor):
    model = relay_mlir.load(compiled_program(tmp_path, DEEP, executor), threads=1)
    results = []
    usual = threading.stack_size(256 << 10)
    try:
        thread = threading.Thread(target=lambda: results.append(int(model(np.int32(50_000)))))
        thread.start()
    finally:
        threading.stack_size(usual)
    thread.join()
    assert results == [50_000]


ENDLESS = """#[version = "0.0.5"]
def @f(%n: Tensor[(), int32]) -> Tensor[(), int32] {
  if (less(%n, -5)) { 0 } else { CALL }
}
def @main(%n: Tensor[(), int32]) -> Tensor[(), int32] { @f(%n) }
"""

INTERRUPTED = """
import os, signal, sys, threading
import numpy as np, relay_mlir
# In the background, shells have it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
model = relay_mlir.load(sys.argv[1])
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    model(np.int32(50000))
except KeyboardInterrupt:
    print("interrupted")
print(model(np.int32(-7)))
"""


@pytest.mark.parametrize("executor", ["aot", "vm"])
# A call that ends its function, and calls that together take longer than anybody waits.
@pytest.mark.parametrize("call", ["@f(%n)", "add(@f(subtract(%n, 1)), @f(subtract(%n, 1)))"])
def test_an_endless_program_can_be_interrupted(tmp_path, executor, call):
    library = compiled_program(tmp_path, ENDLESS.replace("CALL", call), executor)
    program = [sys.executable, "-c", INTERRUPTED, str(library)]
    output = subprocess.run(program, capture_output=True, text=True, timeout=30)
    assert output.stdout == "interrupted\n0\n", output.stderr
