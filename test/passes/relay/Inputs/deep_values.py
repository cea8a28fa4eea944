"""A program whose values are made of this many others: deep_values.py COUNT"""

import sys

count = int(sys.argv[1])
tensor, cells = "tensor<4xf32>", "!relay.adt<@List>"
print(f"""relay.type_def @List {{
  relay.constructor @Cons [{tensor}, {cells}]
  relay.constructor @Nil []
}}
func.func @tensors(%x: {tensor}) -> {tensor} {{
  %t0 = relay.constant dense<1.0> : {tensor}""")
for at in range(count):
    print(f"  %t{at + 1} = relay.tanh %t{at} : ({tensor}) -> {tensor}")
print(f"""  %sum = relay.add %x, %t{count} : ({tensor}, {tensor}) -> {tensor}
  return %sum : {tensor}
}}
func.func @list(%x: {tensor}) -> {cells} {{
  %l0 = relay.construct @List::@Nil() : () -> {cells}""")
for at in range(count):
    print(f"  %l{at + 1} = relay.construct @List::@Cons(%x, %l{at}) : ({tensor}, {cells}) -> {cells}")
print(f"""  return %l{count} : {cells}
}}""")
