"""Calls of Relay's operators in Relay's text, compiled and run in one program, beside what other software makes of them."""

import subprocess

import numpy as np


class First:
    """The first rows of a result: nothing is said of the others."""

    def __init__(self, rows):
        self.rows = rows


class Case:
    """A call, with `{x}` for an input called `x`, and its results: an array, or a tuple of arrays."""

    def __init__(self, call, inputs, expected, close=1e-5):
        self.call, self.inputs, self.close = call, inputs, close
        self.is_tuple = isinstance(expected, tuple)
        self.expected = expected if self.is_tuple else (expected,)


def written(array):
    """A tensor's type in Relay's text."""
    if array.ndim == 0:
        return str(array.dtype)
    comma = "," if array.ndim == 1 else ""
    return f"Tensor[({', '.join(map(str, array.shape))}{comma}), {array.dtype}]"


def program(cases):
    """The text of a function that makes all calls, and its inputs by name."""
    inputs, lines, results = {}, [], []
    for number, case in enumerate(cases):
        names = {name: f"{name}_{number}" for name in case.inputs}
        inputs |= {names[name]: np.asarray(array) for name, array in case.inputs.items()}
        lines.append(f"  %{number} = {case.call.format(**{name: f'%{unique}' for name, unique in names.items()})};")
        fields = range(len(case.expected))
        results += [f"%{number}.{field}" for field in fields] if case.is_tuple else [f"%{number}"]
    parameters = ", ".join(f"%{name}: {written(array)}" for name, array in inputs.items())
    body = "\n".join(lines)
    result = results[0] if len(results) == 1 else f"({', '.join(results)})"
    return f'#[version = "0.0.5"]\ndef @main({parameters}) {{\n{body}\n  {result}\n}}\n', inputs


def check_translation(text):
    """Reads a text into a module, and that is the same when it is printed and read again."""
    translate = lambda way, text: subprocess.run(["relay-translate", way], input=text, capture_output=True, text=True, check=True).stdout
    module = translate("--from-relay-text", text)
    printed = translate("--to-relay-text", module)
    again = translate("--to-relay-text", translate("--from-relay-text", printed))
    assert again == printed, f"{printed}\nis read as\n{again}"


def check(relayc, folder, label, cases):
    """Compiles and runs the calls, also with one thread, and compares each result in shape, type and numbers."""
    text, inputs = program(cases)
    check_translation(text)
    source, given, found = (folder / f"{label}{end}" for end in [".relay", ".in.npz", ".out.npz"])
    source.write_text(text)
    np.savez(given, **inputs)
    for threads in "12":
        subprocess.run([relayc, "run", source, "--inputs", given, "--outputs", found, "--threads", threads], check=True)
        got = np.load(found)
        number = 0
        for case in cases:
            for field, expected in enumerate(case.expected):
                actual = got[f"output{number}"]
                number += 1
                if isinstance(expected, First):
                    expected = expected.rows
                    actual = actual[: len(expected)]
                expected = np.asarray(expected)
                said = f"{case.call}, result {field}"
                assert (actual.shape, actual.dtype) == (expected.shape, expected.dtype), (said, actual.shape, actual.dtype)
                np.testing.assert_allclose(actual, expected, case.close, case.close, err_msg=said)
