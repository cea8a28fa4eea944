//! What a run gives, in a few lines for people who keep no file of it.

use crate::diff::{Range, range};
use relay_interpreter::Value;
use relay_runtime::{Port, Tensor};
use std::{fmt::Write as _, rc::Rc};

/// A line for each output: its name, its first elements, and between which numbers all lie.
pub fn of_outputs(ports: &[Port], outputs: Vec<Tensor>) -> String {
    let mut text = String::new();
    for (port, output) in ports.iter().zip(outputs) {
        let range = range(&output);
        let elements = Value::Tensor(Rc::new(output));
        // A string takes any text.
        let _ = writeln!(text, "{}: {elements}{}", port.name, describe(range));
    }
    text
}

/// Of one element its value says it all.
fn describe(range: Range) -> String {
    let Range {
        least,
        greatest,
        elements,
        no_numbers,
    } = range;
    let mut text = match elements - no_numbers {
        0 | 1 => String::new(),
        _ => format!(", from {least} to {greatest}"),
    };
    if no_numbers > 0 {
        let _ = write!(text, ", {no_numbers} of {elements} are no numbers");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use relay_runtime::{DType, Element};

    fn summary<T: Element>(dtype: DType, shape: &[i64], values: &[T]) -> String {
        let port = Port::new("y", dtype, shape);
        let tensor = Tensor::from_slice(shape, values).expect("the shape has as many");
        of_outputs(&[port], vec![tensor])
    }

    #[test]
    fn outputs_have_elements_and_a_range() {
        let floats = [1.5, -2.0, f32::NAN, f32::INFINITY];
        assert_eq!(
            summary(DType::F32, &[2, 2], &floats),
            "y: tensor<2x2xf32>[1.5, -2, NaN, inf], from -2 to inf, 1 of 4 are no numbers\n"
        );
        assert_eq!(summary(DType::I64, &[], &[7_i64]), "y: 7\n");
        assert_eq!(summary::<i8>(DType::I8, &[0], &[]), "y: tensor<0xi8>[]\n");
        let long = summary(DType::U8, &[100], &(0..100).collect::<Vec<u8>>());
        assert!(long.ends_with(", 15, ...], from 0 to 99\n"), "{long}");
    }
}
