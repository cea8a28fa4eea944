//! Every schedule that a template offers computes what the expressions say.
//!
//! The reference is the same function without a schedule: each stage in plain loops. The interpreter finds what is out of
//! bounds, read before it is written, or written by two threads.

use crate::{
    Compiler, MARKS,
    interpreter::{self, Number},
};
use melior::ir::Module;
use relay_dialects::{
    attrs,
    ir::{Attr, Op},
    pass::run_pipeline,
};
use relay_machine::{Machine, ir::attach_machine};

/// The passes before a kernel runs on a grid.
const ON_GRID: &str = "func.func(tir-simplify)";

/// How many of a function's schedules are looked at, from the cheapest to the dearest.
const MOST: i64 = 40;

/// Likewise, on a grid, which takes longer.
const MOST_ON_GRID: i64 = 12;

/// Vectors of four lanes, so that small functions have tiles, and caches that hold next to nothing.
pub fn machine() -> Machine {
    Machine {
        registers: 16,
        l2_bytes: 4096,
        ..Machine::new(128)
    }
}

/// The function `f` for a choice, or without a schedule.
fn expressed<'c>(
    compiler: &'c Compiler,
    text: &str,
    choice: Option<i64>,
    machine: Machine,
) -> Module<'c> {
    let mut module = compiler.parse(text).expect("the text is a module");
    let candidate = choice.unwrap_or(0);
    attach_machine(Op::of_module(&module), machine);
    let pass = format!("relay-to-te{{candidate={candidate}}}");
    run(compiler, &mut module, &pass);
    if choice.is_none() {
        for schedule in function(&module).find_all("te.schedule") {
            schedule.erase();
        }
    }
    module
}

pub fn run(compiler: &Compiler, module: &mut Module<'_>, passes: &str) {
    let result = run_pipeline(&compiler.context, module, passes);
    assert!(result.is_ok(), "{passes}: {}", compiler.diagnostics());
}

fn function(module: &Module<'_>) -> Op {
    Op::of_module(module)
        .lookup("f")
        .expect("the function is there")
}

/// What a function computes of small whole numbers, of which sums are exact.
pub fn results(compiler: &Compiler, module: Module<'_>) -> Vec<Vec<Number>> {
    results_by(compiler, module, (MARKS, interpreter::run))
}

/// Runs a kernel.
type Run = fn(Op, &[Vec<Number>]) -> Result<Vec<Vec<Number>>, String>;

/// Likewise, run in some way after some passes.
fn results_by(
    compiler: &Compiler,
    mut module: Module<'_>,
    (passes, by): (&str, Run),
) -> Vec<Vec<Number>> {
    let arguments = function(&module).body().args();
    let inputs: Vec<Vec<Number>> = (arguments.iter().enumerate())
        .map(|(number, argument)| {
            let elements = 0..argument.ty().count();
            let value = |at: i64| ((at * 7 + number as i64 * 3) % 5 - 2) as f32;
            elements.map(|at| Number::Float(value(at))).collect()
        })
        .collect();
    run(compiler, &mut module, "lower-te");
    run(compiler, &mut module, passes);
    let kernel = module.as_operation().to_string();
    by(function(&module), &inputs).unwrap_or_else(|reason| panic!("{reason}\n{kernel}"))
}

/// Checks the candidates of a function, of which there are `least` at least.
fn check(text: &str, least: i64) {
    check_on(machine(), text, least);
}

/// Checks the candidates of a function for a machine, of which there are `least` at least.
pub fn check_on(machine: Machine, text: &str, least: i64) {
    let compiler = Compiler::new();
    let expected = results(&compiler, expressed(&compiler, text, None, machine));
    let first = expressed(&compiler, text, Some(0), machine);
    let count = function(&first).attr(attrs::CANDIDATES);
    let count = count
        .and_then(Attr::as_i64)
        .expect("candidates are counted");
    assert!(count >= least, "there are {count} candidates only");
    if machine.gpu.is_some() {
        // A processor runs them, too.
        assert_eq!(
            results(&compiler, expressed(&compiler, text, Some(0), machine)),
            expected
        );
    }
    let mut seen = Vec::new();
    let most = machine.gpu.map_or(MOST, |_| MOST_ON_GRID).min(count);
    for number in 0..most {
        let rank = number * count / most;
        let module = expressed(&compiler, text, Some(rank), machine);
        let knobs = function(&module).attr(attrs::KNOBS).and_then(Attr::as_str);
        let knobs = knobs.expect("knobs are named");
        assert!(!seen.contains(&knobs), "{knobs} is there twice");
        let found = match machine.gpu {
            Some(_) => results_by(&compiler, module, (ON_GRID, interpreter::run_on_grid)),
            None => results(&compiler, module),
        };
        assert_eq!(found, expected, "{knobs}");
        seen.push(knobs);
    }
}

#[test]
fn products() {
    check(
        "func.func @f(%a: tensor<2x9x6xf32>, %b: tensor<2x6x20xf32>) -> tensor<2x9x20xf32> attributes {relay.primitive} {
          %0 = relay.nn.batch_matmul %a, %b : (tensor<2x9x6xf32>, tensor<2x6x20xf32>) -> tensor<2x9x20xf32>
          %1 = relay.nn.relu %0 : (tensor<2x9x20xf32>) -> tensor<2x9x20xf32>
          return %1 : tensor<2x9x20xf32>
        }",
        20,
    );
}

#[test]
fn packed_convolutions() {
    check(
        "func.func @f(%d: tensor<1x2x7x7x4xf32>, %w: tensor<4x2x3x3x4x4xf32>) -> tensor<1x4x4x4x4xf32> attributes {relay.primitive} {
          %0 = relay.nn.contrib_conv2d_NCHWc %d, %w {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64, channels = 16 : i64, kernel_size = array<i64: 3, 3>, data_layout = \"NCHW4c\", kernel_layout = \"OIHW4i4o\"} : (tensor<1x2x7x7x4xf32>, tensor<4x2x3x3x4x4xf32>) -> tensor<1x4x4x4x4xf32>
          return %0 : tensor<1x4x4x4x4xf32>
        }",
        10,
    );
}

#[test]
fn depthwise_convolutions() {
    check(
        "func.func @f(%d: tensor<1x2x6x6x4xf32>, %w: tensor<2x1x3x3x1x4xf32>) -> tensor<1x2x6x6x4xf32> attributes {relay.primitive} {
          %0 = relay.nn.contrib_depthwise_conv2d_NCHWc %d, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 8 : i64, channels = 8 : i64, kernel_size = array<i64: 3, 3>, data_layout = \"NCHW4c\", kernel_layout = \"OIHW1i4o\"} : (tensor<1x2x6x6x4xf32>, tensor<2x1x3x3x1x4xf32>) -> tensor<1x2x6x6x4xf32>
          return %0 : tensor<1x2x6x6x4xf32>
        }",
        10,
    );
}

#[test]
fn plain_convolutions() {
    check(
        "func.func @f(%d: tensor<1x4x5x11xf32>, %w: tensor<12x2x3x3xf32>) -> tensor<1x12x5x11xf32> attributes {relay.primitive} {
          %0 = relay.nn.conv2d %d, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 2 : i64, channels = 12 : i64, kernel_size = array<i64: 3, 3>, data_layout = \"NCHW\", kernel_layout = \"OIHW\"} : (tensor<1x4x5x11xf32>, tensor<12x2x3x3xf32>) -> tensor<1x12x5x11xf32>
          return %0 : tensor<1x12x5x11xf32>
        }",
        6,
    );
}

#[test]
fn sums_of_rows_and_columns() {
    let sum = |axis: i64, result: &str| {
        format!(
            "func.func @f(%x: tensor<9x37xf32>) -> {result} attributes {{relay.primitive}} {{
              %0 = relay.sum %x {{axis = array<i64: {axis}>, keepdims = false, exclude = false}} : (tensor<9x37xf32>) -> {result}
              return %0 : {result}
            }}"
        )
    };
    check(&sum(1, "tensor<9xf32>"), 4);
    check(&sum(0, "tensor<37xf32>"), 4);
}

#[test]
fn transposes() {
    check(
        "func.func @f(%x: tensor<9x37xf32>) -> tensor<37x9xf32> attributes {relay.primitive} {
          %0 = relay.transpose %x {axes = array<i64: 1, 0>} : (tensor<9x37xf32>) -> tensor<37x9xf32>
          return %0 : tensor<37x9xf32>
        }",
        2,
    );
}
