"""Sessions and their options, beside those of ONNX Runtime."""

import numpy as np
import onnx
import onnxruntime
import pytest
from conftest import DIGITS, add_model
from onnx import TensorProto

import relay_mlir


@pytest.fixture(scope="module")
def session():
    return relay_mlir.InferenceSession(DIGITS)


def test_a_session_is_called_as_onnx_runtime_s(image, expected):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    theirs = onnxruntime.InferenceSession(DIGITS, options, providers=["CPUExecutionProvider"])
    ours = relay_mlir.InferenceSession(DIGITS, options, providers=["CPUExecutionProvider"])
    assert ours.model.threads == 1 and ours.get_providers() == ["CPUExecutionProvider"]
    for mine, yours in [(ours.get_inputs(), theirs.get_inputs()), (ours.get_outputs(), theirs.get_outputs())]:
        assert [(arg.name, arg.type, arg.shape) for arg in mine] == [(arg.name, arg.type, arg.shape) for arg in yours]
    for names in (None, ["probabilities"]):
        (result,) = ours.run(names, {"image": image})
        np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-7)
    with pytest.raises(relay_mlir.InputError, match="no output 'other'; its outputs are probabilities"):
        ours.run(["other"], {"image": image})
    assert len(ours.run([], {"image": image})) == len(theirs.run([], {"image": image})) == 1
    assert ours.get_overridable_initializers() == theirs.get_overridable_initializers() == []


def test_options_of_a_session_are_used_or_refused(tmp_path):
    options = relay_mlir.SessionOptions()
    options.intra_op_num_threads = 1
    options.graph_optimization_level = relay_mlir.GraphOptimizationLevel.ORT_DISABLE_ALL
    assert relay_mlir.InferenceSession(DIGITS, options).model.threads == 1
    levels = onnxruntime.GraphOptimizationLevel
    assert {name: int(level) for name, level in levels.__members__.items()} == {
        level.name: level.value for level in relay_mlir.GraphOptimizationLevel
    }
    kernels = []
    for library, level in [(relay_mlir, "ORT_DISABLE_ALL"), (onnxruntime, "ORT_DISABLE_ALL"), (onnxruntime, "ORT_ENABLE_ALL")]:
        options = library.SessionOptions()
        options.graph_optimization_level = getattr(library.GraphOptimizationLevel, level)
        kernels.append(len(relay_mlir.InferenceSession(DIGITS, options).model.profile(repeat=1)))
    assert kernels[0] == kernels[1] > kernels[2], "operators are fused by optimisations only"
    refused = [("enable_profiling", True, "profile"), ("optimized_model_filepath", str(tmp_path / "m.onnx"), "save")]
    for library in (relay_mlir, onnxruntime):
        for name, value, remedy in refused:
            options = library.SessionOptions()
            setattr(options, name, value)
            with pytest.raises(ValueError, match=rf"{name} .*session.model.{remedy}\(\)"):
                relay_mlir.InferenceSession(DIGITS, options)
    options = relay_mlir.SessionOptions()
    for call, message in [
        (lambda: options.add_free_dimension_override_by_denotation("DATA_BATCH", 1), "name the dimension with"),
        (lambda: options.add_session_config_entry("session.set_denormal_as_zero", "1"), "set_denormal_as_zero"),
        (lambda: options.register_custom_ops_library("ops.so"), "ops.so"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(AttributeError, match="no session option 'threads'; there are enable_cpu_mem_arena"):
        options.threads = 1


def test_free_dimensions_have_the_sizes_of_the_options():
    model = add_model(("batch", 3)).SerializeToString()
    shapes = []
    for library in (relay_mlir, onnxruntime):
        options = library.SessionOptions()
        options.add_free_dimension_override_by_name("batch", 5)
        shapes.append([argument.shape for argument in library.InferenceSession(model, options).get_inputs()])
    assert shapes[0] == shapes[1] == [[5, 3], [5, 3]]


def test_providers_are_this_one_or_refused():
    assert relay_mlir.get_available_providers() == ["RelayExecutionProvider", "CPUExecutionProvider"]
    assert relay_mlir.InferenceSession(DIGITS).get_providers() == ["RelayExecutionProvider"]
    with pytest.warns(UserWarning, match="'CUDAExecutionProvider' is not available"):
        both = relay_mlir.InferenceSession(DIGITS, providers=["CUDAExecutionProvider", ("CPUExecutionProvider", {})])
    assert both.get_providers() == ["CPUExecutionProvider"] and both.get_provider_options() == {"CPUExecutionProvider": {}}
    names = ["CPUExecutionProvider"]
    assert relay_mlir.InferenceSession(DIGITS, None, names, [{}]).get_providers() == names
    with pytest.raises(ValueError, match="has no options, but arena is given"):
        relay_mlir.InferenceSession(DIGITS, providers=names, provider_options=[{"arena": 1}])
    with pytest.raises(ValueError, match="should be the same length"):
        relay_mlir.InferenceSession(DIGITS, providers=names, provider_options=[{}, {}])


def test_metadata_are_those_of_the_file(tmp_path):
    model = add_model((2, 3))
    model.producer_name, model.domain, model.model_version, model.doc_string = "maker", "org.example", 7, "adds"
    model.graph.doc_string = "a graph"
    onnx.helper.set_model_props(model, {"author": "somebody", "license": "none"})
    found, wanted = (
        library.InferenceSession(model.SerializeToString()).get_modelmeta() for library in (relay_mlir, onnxruntime)
    )
    for name in [name for name in dir(wanted) if not name.startswith("_")]:
        assert getattr(found, name) == getattr(wanted, name), name
    relay_mlir.compile(model).save(tmp_path / "m.so")
    with pytest.raises(relay_mlir.Error, match="only that has metadata"):
        relay_mlir.InferenceSession(tmp_path / "m.so").get_modelmeta()


def test_inputs_and_outputs_are_bound(session, image, expected):
    theirs = onnxruntime.InferenceSession(DIGITS)
    for library, own in [(relay_mlir, session), (onnxruntime, theirs)]:
        binding = own.io_binding()
        binding.bind_cpu_input("image", image)
        binding.bind_output("probabilities")
        own.run_with_iobinding(binding)
        (copied,), (value,) = binding.copy_outputs_to_cpu(), binding.get_outputs()
        for result in (copied, value.numpy()):
            np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-7)
        assert value.shape() == [1, 10] and value.device_name() == "cpu" and value.is_tensor()

        result = np.zeros((1, 10), np.float32)
        binding.bind_input("image", "cpu", 0, np.float32, image.shape, image.ctypes.data)
        binding.bind_output("probabilities", "cpu", 0, np.float32, result.shape, result.ctypes.data)
        own.run_with_iobinding(binding)
        np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-7)

        held = library.OrtValue.ortvalue_from_numpy(np.zeros((1, 10), np.float32))
        binding.bind_ortvalue_input("image", library.OrtValue.ortvalue_from_numpy(image))
        binding.bind_ortvalue_output("probabilities", held)
        own.run_with_iobinding(binding)
        np.testing.assert_allclose(held.numpy(), expected, rtol=1e-4, atol=1e-7)
        assert binding.get_outputs()[0].data_ptr() == held.data_ptr()


def test_what_cannot_be_bound_is_refused(session, image):
    binding = session.io_binding()
    address = image.ctypes.data
    wrong = [
        (lambda: binding.bind_cpu_input("other", image), relay_mlir.InputError, "no input 'other'; its inputs are image"),
        (lambda: binding.bind_output("other"), relay_mlir.InputError, "no output 'other'"),
        (lambda: binding.bind_input("image", "cuda", 0, np.float32, image.shape, address), ValueError, "'cuda'"),
        (lambda: binding.bind_output("probabilities", "cuda"), ValueError, "'cuda'"),
        (lambda: binding.bind_output("probabilities", buffer_ptr=address), ValueError, "`element_type` and `shape`"),
        (lambda: session.run_with_iobinding(binding), relay_mlir.InputError, "input 'image' is missing"),
    ]
    for call, kind, message in wrong:
        with pytest.raises(kind, match=message):
            call()
    # ONNX Runtime names element types by number, too.
    binding.bind_input("image", "cpu", 0, TensorProto.DOUBLE, (1, 1, 4, 8), address)
    binding.bind_output("probabilities")
    with pytest.raises(relay_mlir.InputError, match="input 'image': expected float32"):
        session.run_with_iobinding(binding)
    binding.clear_binding_inputs()
    binding.clear_binding_outputs()
    assert binding.get_outputs() == []
