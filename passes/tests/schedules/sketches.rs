//! Every schedule that is drawn from sketches is legal, and computes what the expressions say.
//!
//! The reference is the same function without a schedule, as for [candidates](crate::candidates).

use crate::{
    Compiler,
    candidates::{machine, results, run},
};
use relay_dialects::{
    attrs,
    ir::{Attr, Op},
};
use relay_machine::ir::attach_machine;

/// How many schedules of a function are drawn.
const SEEDS: i64 = 20;

/// Checks schedules of a function, every other one after mutations, and that there are several.
fn check(text: &str) {
    let compiler = Compiler::new();
    let expressed = || {
        let mut module = compiler.parse(text).expect("the text is a module");
        run(&compiler, &mut module, "relay-to-te{schedule=none}");
        module
    };
    let expected = results(&compiler, expressed());
    let mut states = Vec::new();
    for seed in 0..SEEDS {
        let mut module = expressed();
        let steps = seed % 2 * 10;
        attach_machine(Op::of_module(&module), machine());
        let pass = format!("te-auto-schedule{{seed={seed} steps={steps}}}");
        run(&compiler, &mut module, &pass);
        let function = Op::of_module(&module).lookup("f");
        let state = function.and_then(|function| function.attr(attrs::STATE));
        let state = state.and_then(Attr::as_str).expect("a state is named");
        assert_eq!(results(&compiler, module), expected, "{state}");
        states.push(state);
    }
    states.sort_unstable();
    states.dedup();
    assert!(states.len() > 5, "states differ");
}

#[test]
fn products() {
    check(
        "func.func @f(%a: tensor<2x9x6xf32>, %b: tensor<2x6x20xf32>) -> tensor<2x9x20xf32> attributes {relay.primitive} {
          %0 = relay.nn.batch_matmul %a, %b : (tensor<2x9x6xf32>, tensor<2x6x20xf32>) -> tensor<2x9x20xf32>
          %1 = relay.nn.relu %0 : (tensor<2x9x20xf32>) -> tensor<2x9x20xf32>
          return %1 : tensor<2x9x20xf32>
        }",
    );
}

#[test]
fn products_of_rows() {
    check(
        "func.func @f(%a: tensor<7x26xf32>, %b: tensor<13x26xf32>) -> tensor<7x13xf32> attributes {relay.primitive} {
          %0 = relay.nn.dense %a, %b : (tensor<7x26xf32>, tensor<13x26xf32>) -> tensor<7x13xf32>
          return %0 : tensor<7x13xf32>
        }",
    );
}

#[test]
fn packed_convolutions() {
    check(
        "func.func @f(%d: tensor<1x2x7x7x4xf32>, %w: tensor<3x2x3x3x4x4xf32>, %r: tensor<1x3x7x7x4xf32>) -> tensor<1x3x7x7x4xf32> attributes {relay.primitive} {
          %0 = relay.nn.contrib_conv2d_NCHWc %d, %w {padding = array<i64: 1, 1, 1, 1>, data_layout = \"NCHW4c\", kernel_layout = \"OIHW4i4o\"} : (tensor<1x2x7x7x4xf32>, tensor<3x2x3x3x4x4xf32>) -> tensor<1x3x7x7x4xf32>
          %1 = relay.add %0, %r : (tensor<1x3x7x7x4xf32>, tensor<1x3x7x7x4xf32>) -> tensor<1x3x7x7x4xf32>
          %2 = relay.nn.relu %1 : (tensor<1x3x7x7x4xf32>) -> tensor<1x3x7x7x4xf32>
          return %2 : tensor<1x3x7x7x4xf32>
        }",
    );
}

#[test]
fn depthwise_convolutions() {
    check(
        "func.func @f(%d: tensor<1x2x6x6x4xf32>, %w: tensor<2x1x3x3x1x4xf32>) -> tensor<1x2x6x6x4xf32> attributes {relay.primitive} {
          %0 = relay.nn.contrib_depthwise_conv2d_NCHWc %d, %w {padding = array<i64: 1, 1, 1, 1>, groups = 8 : i64, data_layout = \"NCHW4c\", kernel_layout = \"OIHW1i4o\"} : (tensor<1x2x6x6x4xf32>, tensor<2x1x3x3x1x4xf32>) -> tensor<1x2x6x6x4xf32>
          return %0 : tensor<1x2x6x6x4xf32>
        }",
    );
}

#[test]
fn plain_convolutions() {
    check(
        "func.func @f(%d: tensor<1x4x5x11xf32>, %w: tensor<12x2x3x3xf32>) -> tensor<1x12x5x11xf32> attributes {relay.primitive} {
          %0 = relay.nn.conv2d %d, %w {padding = array<i64: 1, 1, 1, 1>, groups = 2 : i64} : (tensor<1x4x5x11xf32>, tensor<12x2x3x3xf32>) -> tensor<1x12x5x11xf32>
          return %0 : tensor<1x12x5x11xf32>
        }",
    );
}

#[test]
fn rows_in_several_stages() {
    check(
        "func.func @f(%x: tensor<9x37xf32>) -> tensor<9x37xf32> attributes {relay.primitive} {
          %0 = relay.max %x {axis = array<i64: 1>, keepdims = true} : (tensor<9x37xf32>) -> tensor<9x1xf32>
          %1 = relay.subtract %x, %0 : (tensor<9x37xf32>, tensor<9x1xf32>) -> tensor<9x37xf32>
          %2 = relay.sum %1 {axis = array<i64: 1>, keepdims = true} : (tensor<9x37xf32>) -> tensor<9x1xf32>
          %3 = relay.add %1, %2 : (tensor<9x37xf32>, tensor<9x1xf32>) -> tensor<9x37xf32>
          return %3 : tensor<9x37xf32>
        }",
    );
}

#[test]
fn sums_of_rows_and_columns() {
    let sum = |axis: i64, result: &str| {
        format!(
            "func.func @f(%x: tensor<9x37xf32>) -> {result} attributes {{relay.primitive}} {{
              %0 = relay.sum %x {{axis = array<i64: {axis}>}} : (tensor<9x37xf32>) -> {result}
              return %0 : {result}
            }}"
        )
    };
    check(&sum(1, "tensor<9xf32>"));
    check(&sum(0, "tensor<37xf32>"));
}

#[test]
fn sums_of_few_results() {
    check(
        "func.func @f(%x: tensor<3x221x101xf32>) -> tensor<3xf32> attributes {relay.primitive} {
          %0 = relay.sum %x {axis = array<i64: 1, 2>} : (tensor<3x221x101xf32>) -> tensor<3xf32>
          return %0 : tensor<3xf32>
        }",
    );
}

#[test]
fn windows() {
    check(
        "func.func @f(%x: tensor<1x2x9x9x4xf32>) -> tensor<1x2x5x5x4xf32> attributes {relay.primitive} {
          %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, layout = \"NCHW4c\"} : (tensor<1x2x9x9x4xf32>) -> tensor<1x2x5x5x4xf32>
          return %0 : tensor<1x2x5x5x4xf32>
        }",
    );
}

#[test]
fn transposes() {
    check(
        "func.func @f(%x: tensor<9x37xf32>) -> tensor<37x9xf32> attributes {relay.primitive} {
          %0 = relay.transpose %x {axes = array<i64: 1, 0>} : (tensor<9x37xf32>) -> tensor<37x9xf32>
          return %0 : tensor<37x9xf32>
        }",
    );
}
