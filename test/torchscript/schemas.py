"""Writes the schemas of PyTorch's operators on tensors, by which arguments of TorchScript get their names.

Run by `./x torch schemas`. Left out are operators that write into an output that is given, that compute gradients, or that only some devices
have.
"""

import re
from pathlib import Path

import torch
import torchvision  # noqa: F401: it registers operators

TARGET = Path(__file__).resolve().parents[2] / "import/src/torch/script/schemas.txt"
LEFT_OUT = re.compile(
    r"\bout\d?$|_out$|dimname|backward|_foreach|cudnn|miopen|mkldnn|_copy$|sparse|_fused|cufft|_nested|nested_|_grouped|cslt|_mps"
    r"|_jagged|qint|_test|_stub|fbgemm|_wrapped|quantize_|_choose|_efficient|_flash",
    re.IGNORECASE,
)


def lines():
    """The schemas, with operators and overloads in order."""
    for schema in sorted(str(schema) for schema in torch._C._jit_get_all_schemas()):
        namespace, rest = schema.split("::", 1)
        if namespace not in ("aten", "torchvision") or LEFT_OUT.search(rest.split("(")[0]):
            continue
        if re.search(r"Dimname|Storage|Stream|-> complex|\(\w!\) out\b", schema) or "Tensor" not in schema:
            continue
        # Which results are views of which arguments is known elsewhere.
        yield re.sub(r"Tensor\([a-z](?:[a-z|!]| -> \*)*\)", "Tensor", schema)


TARGET.write_text("\n".join(lines()) + "\n")
