"""Damaged models of PyTorch, Keras, TensorFlow, TensorFlow Lite, MXNet and GGUF, and damaged weights beside one. relayc imports them, or says what is wrong."""

import functools
import io
import pathlib
import shutil
import sys
import tempfile
import zipfile

from models import damage, pick

TESTS = pathlib.Path(__file__).resolve().parents[1] / "test"
sys.path.insert(0, str(TESTS / "oracle"))


@functools.cache
def tflite():
    """Models of TensorFlow Lite."""
    from tflite_operators import COMMON, write
    from tflite_states import control

    cases = ("conv_same", "concatenation", "strided_slice", "gather", "pad", "split")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.tflite"
        made = []
        for element in ("float32", "int8"):
            write(path, element, {name: COMMON[name] for name in cases})
            made.append(path.read_bytes())
        control(path)
        return [*made, path.read_bytes()]


def cut(rng, data):
    """The same file with other bytes, or without its end."""
    return data[: int(rng.integers(len(data)))] if rng.integers(8) == 0 else damage(rng, data)


def archive(rng, data):
    """An archive in which one file is damaged, so that what reads it is reached; or the archive itself is."""
    if rng.integers(3) == 0:
        return cut(rng, data)
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(made, "w") as target:
        names = source.namelist()
        wrong = pick(rng, [name for name in names if source.getinfo(name).file_size] or names)
        for name in names:
            content = source.read(name)
            target.writestr(name, cut(rng, content) if name == wrong and content else content)
    return made.getvalue()


def torch(rng, folder):
    """A damaged program of torch.export."""
    path = folder / "model.pt2"
    path.write_bytes(archive(rng, pick(rng, sorted((TESTS / "torch/programs").glob("*.pt2"))).read_bytes()))
    return path


def script(rng, folder):
    """A damaged program of torch.jit that was traced: such a file says its types."""
    path = folder / "model.pt"
    path.write_bytes(archive(rng, pick(rng, sorted((TESTS / "torchscript/programs").glob("traced*.pt"))).read_bytes()))
    return path


def lite(rng, folder):
    """A damaged model of TensorFlow Lite."""
    path = folder / "model.tflite"
    path.write_bytes(cut(rng, pick(rng, tflite())))
    return path


def mxnet(rng, folder):
    """A graph of MXNet, of which the graph or the arrays are damaged."""
    path = folder / "model-symbol.json"
    graph = pick(rng, sorted((TESTS / "mxnet/programs").glob("*-symbol.json")))
    path.write_bytes(graph.read_bytes())
    arrays = graph.with_name("network-0000.params").read_bytes()
    if rng.integers(2):
        (folder / "model-0000.params").write_bytes(cut(rng, arrays))
        path.write_bytes(graph.with_name("network-symbol.json").read_bytes())
    else:
        path.write_bytes(cut(rng, path.read_bytes()))
    return path


def gguf(rng, folder):
    """A language model of GGUF, whose header is damaged more often than its weights."""
    path = folder / "model.gguf"
    data = pick(rng, sorted((TESTS / "gguf/models").glob("*.gguf"))).read_bytes()
    header = 4096 if rng.integers(4) else len(data)
    path.write_bytes(cut(rng, data[:header]) + data[header:])
    return path


def tensorflow(rng, folder):
    """A frozen graph of TensorFlow, or a folder of a model in which a file is damaged."""
    programs = TESTS / "tensorflow/programs"
    if rng.integers(2):
        path = folder / "model.pb"
        path.write_bytes(cut(rng, pick(rng, sorted(programs.glob("*.pb"))).read_bytes()))
        return path
    path = folder / "model"
    shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(pick(rng, sorted(saved.parent for saved in programs.glob("*/saved_model.pb"))), path)
    wrong = pick(rng, sorted(file for file in path.rglob("*") if file.is_file()))
    wrong.write_bytes(cut(rng, wrong.read_bytes()))
    return path


def keras(rng, folder):
    """A model of Keras, in either format."""
    path = pick(rng, sorted([*(TESTS / "keras/programs").glob("*.keras"), *(TESTS / "keras/programs").glob("*.h5")]))
    data = path.read_bytes()
    made = folder / f"model{path.suffix}"
    made.write_bytes(archive(rng, data) if path.suffix == ".keras" else cut(rng, data))
    return made


def params(rng, folder):
    """A whole model beside which a file of weights is damaged."""
    weights = TESTS / "torch/weights"
    files = [file for ending in ("*.safetensors", "*.pth", "*.json") for file in sorted(weights.glob(ending))]
    file = pick(rng, files)
    for part in weights.glob("part-*.safetensors"):
        shutil.copy(part, folder)
    made = folder / file.name
    made.write_bytes(archive(rng, file.read_bytes()) if file.suffix == ".pth" else cut(rng, file.read_bytes()))
    return weights / "model.pt2", "--params", made


def case(rng, folder, programs):
    """Damages a model, and imports it."""
    made = pick(rng, [torch, script, keras, lite, mxnet, gguf, tensorflow, params])(rng, folder)
    model = made if isinstance(made, tuple) else (made,)
    outcome = programs.relayc("compile", *model, "--emit", "relay", "-o", folder / "model.mlir")
    fault = outcome.fault()
    if fault:
        return "wrong", fault
    return ("refused", outcome.errors) if outcome.refused else ("agrees", "")
