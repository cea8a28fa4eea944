//! The code generator `c`: loops in C, one after the other, as a reader would write them.
//!
//! It shows what a generator is made of, and what one may be compared with; it is not fast.

use super::{
    ExternalCodegen, Generated,
    graph::{Function, Step, Tensor},
};
use crate::{CodegenError, Target};
use std::fmt::Write as _;

/// The generator.
#[derive(Debug)]
pub(super) struct C;

impl ExternalCodegen for C {
    fn name(&self) -> &str {
        "c"
    }

    fn rules(&self) -> String {
        "target=c".into()
    }

    fn generate(&self, functions: &[Function], _: &Target) -> Result<Generated, CodegenError> {
        let mut source = "#include <math.h>\n#include <stdlib.h>\n#include <string.h>\n".to_owned();
        for function in functions {
            source += &self::function(function)?;
        }
        Ok(Generated {
            sources: vec![source],
            ..Generated::default()
        })
    }
}

/// Operators of one operand, `a`.
const UNARY: &[(&str, &str)] = &[
    ("abs", "fabsf(a)"),
    ("exp", "expf(a)"),
    ("log", "logf(a)"),
    ("negative", "-a"),
    // A NaN stays one.
    ("nn.relu", "a < 0.0f ? 0.0f : a"),
    ("rsqrt", "1.0f / sqrtf(a)"),
    ("sigmoid", "1.0f / (1.0f + expf(-a))"),
    ("sqrt", "sqrtf(a)"),
    ("tanh", "tanhf(a)"),
];

/// Operators of two operands, `a` and `b`.
const BINARY: &[(&str, &str)] = &[
    ("add", "a + b"),
    ("divide", "a / b"),
    ("maximum", "a > b || a != a ? a : b"),
    ("minimum", "a < b || a != a ? a : b"),
    ("multiply", "a * b"),
    ("subtract", "a - b"),
];

/// A function in C. Values between its operators are in memory that it takes for the time of a call.
fn function(function: &Function) -> Result<String, CodegenError> {
    let (steps, tensors, outputs) = function.flat();
    let inputs = function.inputs.len();
    let mut parameters: Vec<String> = (0..inputs)
        .map(|value| format!("const float *v{value}"))
        .collect();
    parameters.extend((0..outputs.len()).map(|place| format!("float *result{place}")));
    let mut text = format!(
        "\n/* {} */\nvoid {}({}) {{\n",
        function.name,
        function.symbol,
        parameters.join(", ")
    );
    for (value, tensor) in tensors.iter().enumerate().skip(inputs) {
        // One element more, so that there is a place for none.
        let _ = writeln!(
            text,
            "  float *v{value} = malloc({} * sizeof(float));",
            tensor.count() + 1
        );
        let _ = writeln!(text, "  if (!v{value}) abort();");
    }
    for step in &steps {
        text += &self::step(step, &tensors)?;
    }
    for (place, value) in outputs.iter().enumerate() {
        let count = tensors[*value].count();
        let _ = writeln!(
            text,
            "  memcpy(result{place}, v{value}, {count} * sizeof(float));"
        );
    }
    for value in inputs..tensors.len() {
        let _ = writeln!(text, "  free(v{value});");
    }
    Ok(text + "}\n")
}

/// The statements of an operator.
fn step(step: &Step<'_>, tensors: &[&Tensor]) -> Result<String, CodegenError> {
    let op = step.node.op.as_str();
    let wrong =
        |reason: &str| CodegenError::External(format!("'c' writes no code of '{op}': {reason}"));
    let values = step.inputs.iter().chain(&step.outputs);
    if values.clone().any(|value| tensors[*value].element != "f32") {
        return Err(wrong("it knows tensors of f32"));
    }
    let [result] = step.outputs[..] else {
        return Err(wrong("it has several results"));
    };
    let find = |table: &[(&str, &'static str)]| {
        let row = table.iter().find(|(name, _)| *name == op);
        row.map(|(_, expression)| *expression)
    };
    let known = find(UNARY).or_else(|| find(BINARY));
    if let Some(expression) = known {
        return Ok(elementwise(expression, step, tensors, result));
    }
    match (op, &step.inputs[..]) {
        ("nn.dense", [data, weight]) => Ok(dense([*data, *weight, result], tensors)),
        ("constant", []) => Ok(constant(step, result)),
        (_, [operand]) if tensors[*operand].count() == tensors[result].count() && is_view(op) => {
            let count = tensors[result].count();
            Ok(format!(
                "  memcpy(v{result}, v{operand}, {count} * sizeof(float));\n"
            ))
        }
        _ => Err(wrong("it has no row for it")),
    }
}

/// Whether an operator's result has the bytes of its operand.
fn is_view(op: &str) -> bool {
    let row = relay_dialects::relay::row(&format!("relay.{op}"));
    row.is_some_and(|row| row.is_view)
}

/// Loops over the result's dimensions; operands are read as broadcasting says.
fn elementwise(expression: &str, step: &Step<'_>, tensors: &[&Tensor], result: usize) -> String {
    let shape = &tensors[result].shape;
    let mut text = String::new();
    for (dim, extent) in shape.iter().enumerate() {
        let _ = writeln!(text, "  for (long i{dim} = 0; i{dim} < {extent}; i{dim}++)");
    }
    text += "  {\n";
    for (name, value) in ["a", "b"].iter().zip(&step.inputs) {
        let place = subscript(&tensors[*value].shape, shape.len());
        let _ = writeln!(text, "    float {name} = v{value}[{place}];");
    }
    let place = subscript(shape, shape.len());
    text + &format!("    v{result}[{place}] = {expression};\n  }}\n")
}

/// Where an element of a tensor is that is broadcast to `rank` dimensions: those of extent 1 are not counted.
fn subscript(shape: &[i64], rank: usize) -> String {
    let mut stride = 1;
    let mut terms = Vec::new();
    for (dim, extent) in shape.iter().enumerate().rev() {
        if *extent != 1 {
            terms.push(format!("i{} * {stride}", dim + rank - shape.len()));
        }
        stride *= extent;
    }
    terms.reverse();
    match terms.is_empty() {
        true => "0".into(),
        false => terms.join(" + "),
    }
}

fn dense([data, weight, result]: [usize; 3], tensors: &[&Tensor]) -> String {
    let depth = tensors[data].shape.last().copied().unwrap_or(1);
    let columns = tensors[weight].shape.first().copied().unwrap_or(1);
    let rows = tensors[result].count() / columns.max(1);
    format!(
        "  for (long m = 0; m < {rows}; m++)
  for (long n = 0; n < {columns}; n++)
  {{
    float sum = 0.0f;
    for (long k = 0; k < {depth}; k++)
      sum += v{data}[m * {depth} + k] * v{weight}[n * {depth} + k];
    v{result}[m * {columns} + n] = sum;
  }}
"
    )
}

fn constant(step: &Step<'_>, result: usize) -> String {
    let data = step.node.data.iter().flatten();
    let mut text = String::new();
    for (place, number) in data.enumerate() {
        let _ = writeln!(text, "  v{result}[{place}] = {number};");
    }
    text
}
