"""scalar_schedule.py MODULE: gives the kernel in a module a schedule that only unrolls the innermost loop."""

import re
import sys

path = sys.argv[1]
with open(path, encoding="utf-8") as file:
    text = file.read()
name = re.search(r"return (%[\w.]+) : (tensor<[^>]*>)\n  }\n}", text)
rank = name[2].count("x")
axes = ", ".join(f"%axis{number}" for number in range(rank))
schedule = f"""te.schedule {{
      %stage = te.stage {name[1]} : {name[2]}
      {axes} = te.axes %stage
      te.unroll %axis{rank - 1}
    }}
    """
text = re.sub(r"te\.schedule \{.*?\n    \}\n    ", "", text, flags=re.DOTALL)
at = text.rindex("return " + name[1])
with open(path, "w", encoding="utf-8") as file:
    file.write(text[:at] + schedule + text[at:])
