"""Networks in bytes: quantised by ONNX Runtime's own quantiser, statically, with QuantizeLinear and DequantizeLinear around operators.

Weights are signed, with a scale for each output channel; data is unsigned, with one scale, from the range that the network's own inputs
give it.
"""

import logging

import numpy as np
import onnx
from onnx import version_converter
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

import models

# Those that other engines compute in bytes, too. What gives the results of a classifier stays in floats.
OPERATORS = ["Conv", "MatMul", "Gemm", "Add", "Relu", "Clip", "MaxPool", "AveragePool", "GlobalAveragePool"]

# Weights have a scale for each channel from this operator set on.
LEAST_OPSET, OPSET = 13, 17


class Reader(CalibrationDataReader):
    """The inputs of a network, once."""

    def __init__(self, inputs):
        self.inputs = iter([inputs])

    def get_next(self):
        return next(self.inputs, None)


def files_of(found, folder):
    """The files of a network in bytes; written if they are not there."""
    folder = folder / "int8"
    folder.mkdir(parents=True, exist_ok=True)
    quantized = models.files(folder / found.model.name, folder)
    if not all(path.exists() for path in quantized):
        with np.load(found.inputs) as stored:
            inputs = dict(stored)
        write(found.model, quantized.model, inputs)
        models.write_data(quantized, inputs)
    return quantized


def write(source, target, inputs):
    """Quantises a model."""
    logging.getLogger().setLevel(logging.ERROR)
    prepared = target.with_suffix(".prepared.onnx")
    model = onnx.load(source)
    if model.opset_import[0].version < LEAST_OPSET:
        model = version_converter.convert_version(model, OPSET)
    onnx.save(model, prepared)
    quant_pre_process(str(prepared), str(prepared), skip_symbolic_shape=True)
    quantize_static(
        str(prepared),
        str(target),
        Reader(inputs),
        quant_format=QuantFormat.QDQ,
        op_types_to_quantize=OPERATORS,
        per_channel=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
    )
    prepared.unlink()
