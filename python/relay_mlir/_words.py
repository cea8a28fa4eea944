"""The compiler's messages in the words of Python: the names of arguments instead of the command's options."""

from __future__ import annotations

import re

# One or several shapes or values, such as `--shape x=... --shape y=...`.
NAMED = {name: re.compile(rf"--{name} ([^\n]+?)=\.\.\.(?: (?=--{name}))?") for name in ("shape", "value")}
# An option with a value in the same word, such as `--codegen=dnnl`.
VALUED = re.compile(r"--(codegen|placement)=([\w.]+)")
# An option alone, with the argument's name.
ALONE = {
    "--ref opt0": 'reference="opt0"',
    "--shape": "shapes",
    "--dim": "dims",
    "--type": "types",
    "--value": "values",
    "--data-root": "data_root",
    "--params": "params",
    "--signature": "signature",
    "--fetch": "fetch",
    "--python": "python",
    "--explain and --html": "explain and html",
    "--keep, --keep-first and --keep-last": "keep, keep_first and keep_last",
    "--keep": "keep",
}


def in_python(text: str) -> str:
    """A message of the compiler, with the names of arguments instead of the command's options."""
    for option, pattern in NAMED.items():
        if inputs := pattern.findall(text):
            named = ", ".join(f'"{name}": ...' for name in inputs)
            start = pattern.search(text).start()
            text = f"{text[:start]}{option}s={{{named}}}{pattern.sub('', text[start:])}"
    text = VALUED.sub(r'\1="\2"', text)
    for option, argument in ALONE.items():
        text = re.sub(rf"(?<![\w-]){option}(?![\w-])", argument, text)
    return text
