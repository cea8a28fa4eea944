//! Every schedule that a template offers for a GPU computes what the expressions say: of a small GPU, so that small functions have
//! several blocks, tiles and launches.

use crate::candidates::{check_on, machine};
use relay_machine::{Gpu, GpuKind, Machine};

/// Warps of four threads, and at most four of them in a block.
fn small_gpu() -> Machine {
    let gpu = Gpu {
        kind: GpuKind::Cuda,
        multiprocessors: 2,
        threads_of_block: 16,
        threads_of_multiprocessor: 32,
        blocks_of_multiprocessor: 4,
        warp: 4,
        registers_of_thread: 255,
        registers_of_multiprocessor: 8192,
        shared_bytes_of_block: 4096,
        shared_bytes_of_multiprocessor: 8192,
        fma_per_cycle: 4,
        memory_bytes_per_cycle: 8.0,
        l2_bytes: 4096,
    };
    Machine {
        gpu: Some(gpu),
        ..machine()
    }
}

/// Checks the schedules of a function of `operators` that takes `arguments` and returns `result`.
fn check(arguments: &str, operators: &str, result: &str, least: i64) {
    let (value, ty) = result.split_once(": ").expect("a result has a type");
    let text = format!(
        "func.func @f({arguments}) -> {ty} attributes {{relay.primitive}} {{
          {operators}
          return {value} : {ty}
        }}"
    );
    check_on(small_gpu(), &text, least);
}

#[test]
fn elements() {
    for shape in ["", "1x", "37x", "3x1x5x7x", "0x4x"] {
        let ty = format!("tensor<{shape}f32>");
        check(
            &format!("%x: {ty}, %y: {ty}"),
            &format!(
                "%0 = relay.add %x, %y : ({ty}, {ty}) -> {ty}
                 %1 = relay.nn.relu %0 : ({ty}) -> {ty}"
            ),
            &format!("%1: {ty}"),
            1,
        );
    }
}

#[test]
fn moves() {
    check(
        "%x: tensor<9x37xf32>",
        "%0 = relay.transpose %x {axes = array<i64: 1, 0>} : (tensor<9x37xf32>) -> tensor<37x9xf32>",
        "%0: tensor<37x9xf32>",
        2,
    );
    check(
        "%x: tensor<3x5xf32>, %y: tensor<2x5xf32>",
        "%0 = relay.concatenate %x, %y {axis = 0 : i64} : (tensor<3x5xf32>, tensor<2x5xf32>) -> tensor<5x5xf32>",
        "%0: tensor<5x5xf32>",
        2,
    );
}

/// Sums of shapes along axes.
#[test]
fn sums() {
    let cases = [
        ("9x37", "1", "9x", 3),
        ("9x37", "0", "37x", 3),
        ("3x33x5", "0, 2", "33x", 3),
        ("3x33x5", "1", "3x5x", 3),
        ("3x130", "0, 1", "", 3),
        ("1x70", "1", "1x", 3),
        ("5x1", "1", "5x", 1),
        ("0x4", "1", "0x", 1),
        ("4x0", "1", "4x", 1),
    ];
    for (shape, axes, result, least) in cases {
        check(
            &format!("%x: tensor<{shape}xf32>"),
            &format!(
                "%0 = relay.sum %x {{axis = array<i64: {axes}>, keepdims = false, exclude = false}} : (tensor<{shape}xf32>) -> tensor<{result}f32>
                 %1 = relay.nn.relu %0 : (tensor<{result}f32>) -> tensor<{result}f32>"
            ),
            &format!("%1: tensor<{result}f32>"),
            least,
        );
    }
}

#[test]
fn pairs() {
    for (axis, result) in [(0, "37"), (1, "9")] {
        check(
            "%x: tensor<9x37xf32>",
            &format!(
                "%0 = relay.argmax %x {{axis = array<i64: {axis}>}} : (tensor<9x37xf32>) -> tensor<{result}xi64>"
            ),
            &format!("%0: tensor<{result}xi64>"),
            3,
        );
    }
}

#[test]
fn pools() {
    check(
        "%x: tensor<1x3x9x11xf32>",
        "%0 = relay.nn.max_pool2d %x {pool_size = array<i64: 3, 3>, strides = array<i64: 2, 2>, dilation = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>} : (tensor<1x3x9x11xf32>) -> tensor<1x3x5x6xf32>",
        "%0: tensor<1x3x5x6xf32>",
        3,
    );
}
