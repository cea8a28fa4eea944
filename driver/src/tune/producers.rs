//! Producers of a kernel's inputs, so that it finds them as in a network: written a moment ago, in shares, by the threads that read them.
//!
//! A kernel that reads the same tensor in each run finds every thread's share of it in that thread's own cache, whatever the schedule.
//! In a network it does so only where its producer has cut the tensor as it does itself: a depthwise convolution of MobileNet v2 that
//! took 0.69 of the default's time alone took 1.42 there (two threads of a Zen 4, November 2026). So a kernel is timed
//! behind copies of its data, which are cut as producers cut their results: along the outer dimensions. The clock is around the kernel only.

use crate::candidates::kernel::{intrinsics_beside, main_with};
use relay_dialects::ir::{Op, Type};
use relay_topi::{Machine, Plan};

/// What functions that copy are called, with a number.
const PRODUCER: &str = "producer";

/// The text of a module in which `main` copies those arguments of a kernel that are no weights, by kernels of their own, before it calls the
/// kernel, whose function is given.
pub fn behind_producers(function: Op, weights: &[bool]) -> String {
    let mut copied: Vec<Type> = Vec::new();
    let main = main_with(function, |place, ty| {
        let is_weight = weights.get(place).copied().unwrap_or(false);
        if is_weight || !is_produced(ty) {
            return None;
        }
        let known = copied.iter().position(|known| *known == ty);
        let number = known.unwrap_or_else(|| {
            copied.push(ty);
            copied.len() - 1
        });
        Some(format!("{PRODUCER}{number}"))
    });
    let producers: String = (copied.iter().enumerate())
        .map(|(number, ty)| producer(number, *ty))
        .collect();
    let intrinsics = intrinsics_beside(function, |_| true);
    format!("{main}\n{intrinsics}{producers}{function}\n")
}

/// Gives the producers of a module their schedules.
pub fn schedule_producers(module: Op, machine: Machine) {
    for function in module.functions() {
        let name = function.symbol().unwrap_or_default();
        if name.starts_with(PRODUCER)
            && let Some(plan) = Plan::of(function, machine)
            && let Some(default) = plan.candidates().first()
        {
            plan.emit(default);
        }
    }
}

/// Whether a tensor is large enough that it matters where it lies.
fn is_produced(ty: Type) -> bool {
    ty.is_static() && ty.shape().iter().product::<i64>() > 1
}

/// A function that copies a tensor.
fn producer(number: usize, ty: Type) -> String {
    let places: Vec<String> = (0..ty.shape().len())
        .map(|dim| format!("%i{dim}"))
        .collect();
    let axes: Vec<String> = (places.iter().zip(ty.shape()))
        .map(|(place, extent)| format!("{place}: {extent}"))
        .collect();
    let (axes, places, element) = (axes.join(", "), places.join(", "), ty.element());
    format!(
        "func.func private @{PRODUCER}{number}(%a: {ty}) -> {ty} attributes {{relay.primitive}} {{\n  \
         %copy = te.compute \"copy\" ({axes}) {{\n    %e = tensor.extract %a[{places}] : {ty}\n    te.yield %e : {element}\n  }} : {ty}\n  \
         return %copy : {ty}\n}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{candidates::kernel::NAME, compile};

    const KERNEL: &str = r#"
func.func private @kernel(%a: tensor<4x8xf32>, %w: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<f32>) -> tensor<4x8xf32> {
  %sum = te.compute "sum" (%i: 4, %j: 8) {
    %x = tensor.extract %a[%i, %j] : tensor<4x8xf32>
    te.yield %x : f32
  } : tensor<4x8xf32>
  return %sum : tensor<4x8xf32>
}
"#;

    #[test]
    fn data_is_copied_and_weights_are_not() {
        let context = compile::prepare();
        let parse = |text: &str| relay_dialects::parse(&context, text.as_bytes(), "kernel.mlir");
        let alone = parse(KERNEL).expect("the kernel parses");
        let kernel = Op::of_module(&alone)
            .lookup(NAME)
            .expect("there is a kernel");
        let text = behind_producers(kernel, &[false, true, false, false]);
        let module = parse(&text).expect("what is made parses");
        let whole = Op::of_module(&module);
        schedule_producers(whole, Machine::new(512));
        let main = whole.lookup("main").expect("there is a main");
        let calls = main
            .body()
            .ops()
            .into_iter()
            .filter(|op| op.is("func.call"));
        let called: Vec<String> = calls
            .map(|op| {
                op.attr("callee")
                    .map(|it| it.to_string())
                    .unwrap_or_default()
            })
            .collect();
        // Both data tensors are of one type, and so of one function; a scalar lies nowhere that matters.
        assert_eq!(called, ["@producer0", "@producer0", "@kernel"]);
        let schedules = whole.to_string().matches("te.schedule").count();
        assert_eq!(schedules, 1, "{whole}");
    }
}
