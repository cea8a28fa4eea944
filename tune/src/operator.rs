//! What an operator is known by in records: what it computes, as a text that does not depend on names.
//!
//! The text of a convolution with a known weight is, in one line,
//! ```text
//! nn.conv2d{dilation=1,1; groups=1; padding=1,1,1,1; strides=1,1}(f32[1,64,56,56], constant f32[64,64,3,3])
//! -> f32[1,64,56,56]
//! ```
//! The data before it and what reads its result are no part of it: they say what a layout costs, not which ones there are.

use relay_dialects::ir::{Attr, Op, Value};

/// The version of the text: it changes when operators are written in another way, or layouts mean something else.
pub const VERSION: u32 = 1;

/// The text of an operator; `is_known` says which operands are constants when the model is compiled.
pub fn text(op: Op, is_known: impl Fn(Value) -> bool) -> String {
    let name = op.name();
    let name = name.strip_prefix("relay.").unwrap_or(&name);
    let operand = |value: Value| match is_known(value) {
        true => format!("constant {}", tensor(value)),
        false => tensor(value),
    };
    let operands: Vec<String> = op.operands().into_iter().map(operand).collect();
    let results: Vec<String> = op.results().into_iter().map(tensor).collect();
    format!(
        "{name}{}({}) -> {}",
        attributes(op),
        operands.join(", "),
        results.join(", ")
    )
}

/// What an operator says beside its operands, in alphabetical order; nothing that passes left on it.
fn attributes(op: Op) -> String {
    let mut attributes: Vec<String> = (op.attrs().into_iter())
        .filter(|(name, _)| !name.contains('.') && name != "operandSegmentSizes")
        .map(|(name, value)| format!("{name}={}", written(value)))
        .collect();
    attributes.sort();
    match attributes.is_empty() {
        true => String::new(),
        false => format!("{{{}}}", attributes.join("; ")),
    }
}

fn written(value: Attr) -> String {
    let numbers = value.as_ints().filter(|numbers| !numbers.is_empty());
    if let Some(numbers) = numbers {
        let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
        return numbers.join(",");
    }
    let text = value.to_string();
    text.strip_suffix(" : i64").unwrap_or(&text).to_owned()
}

fn tensor(value: Value) -> String {
    let ty = value.ty();
    if !ty.is_tensor() {
        return ty.to_string();
    }
    let dims: Vec<String> = ty.shape().iter().map(i64::to_string).collect();
    format!("{}[{}]", ty.element(), dims.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use relay_dialects::{context, parse};

    #[test]
    fn names_are_no_part_of_it() {
        let text = "func.func @f(%x: tensor<2x4xf32>, %w: tensor<8x4xf32>) -> tensor<2x8xf32> {
            %0 = relay.nn.dense %x, %w : (tensor<2x4xf32>, tensor<8x4xf32>) -> tensor<2x8xf32>
            return %0 : tensor<2x8xf32>
        }";
        let context = context();
        let module = parse(&context, text.as_bytes(), "f.mlir").expect("the text is a module");
        let dense = Op::of_module(&module).find_all("relay.nn.dense")[0];
        let weight = dense.operand(1);
        assert_eq!(
            super::text(dense, |value| value == weight),
            "nn.dense(f32[2,4], constant f32[8,4]) -> f32[2,8]"
        );
    }
}
