//! Every schedule that a template offers for a GPU computes what the expressions say: of a small GPU, so that small functions have
//! several blocks, tiles and launches.

use crate::candidates::{check_on, machine};
use relay_machine::{Gpu, GpuKind, Machine, WarpUnits};

/// Warps of four threads, and at most four of them in a block.
fn small_gpu() -> Machine {
    let gpu = Gpu {
        units: WarpUnits::default(),
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
        1,
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

#[test]
fn products() {
    for (m, n, k) in [
        (5, 7, 3),
        (16, 16, 8),
        (9, 20, 13),
        (4, 33, 1),
        (1, 1, 1),
        (1, 40, 9),
        (4, 5, 0),
    ] {
        let (a, b, c) = (
            format!("tensor<{m}x{k}xf32>"),
            format!("tensor<{n}x{k}xf32>"),
            format!("tensor<{m}x{n}xf32>"),
        );
        check(
            &format!("%a: {a}, %b: {b}, %c: tensor<{n}xf32>"),
            &format!(
                "%0 = relay.nn.dense %a, %b : ({a}, {b}) -> {c}
                 %1 = relay.nn.bias_add %0, %c {{axis = 1 : i64}} : ({c}, tensor<{n}xf32>) -> {c}
                 %2 = relay.nn.relu %1 : ({c}) -> {c}"
            ),
            &format!("%2: {c}"),
            1,
        );
    }
}

#[test]
fn batches_of_products() {
    check(
        "%a: tensor<2x9x6xf32>, %b: tensor<2x6x20xf32>",
        "%0 = relay.nn.batch_matmul %a, %b : (tensor<2x9x6xf32>, tensor<2x6x20xf32>) -> tensor<2x9x20xf32>",
        "%0: tensor<2x9x20xf32>",
        20,
    );
    check(
        "%a: tensor<2x6x9xf32>, %b: tensor<2x20x6xf32>",
        "%0 = relay.nn.batch_matmul %a, %b {transpose_a = true, transpose_b = true} : (tensor<2x6x9xf32>, tensor<2x20x6xf32>) -> tensor<2x9x20xf32>",
        "%0: tensor<2x9x20xf32>",
        20,
    );
}

/// A convolution of 4 channels of 5 x 11 pixels with a window of 3 x 3.
fn check_conv(outputs: i64, groups: i64, (stride, padding, dilation): (i64, i64, i64), least: i64) {
    let inputs = 4 / groups;
    let pixels = |extent: i64| (extent + 2 * padding - 2 * dilation - 1) / stride + 1;
    let result = format!("tensor<1x{outputs}x{}x{}xf32>", pixels(5), pixels(11));
    check(
        &format!("%d: tensor<1x4x5x11xf32>, %w: tensor<{outputs}x{inputs}x3x3xf32>"),
        &format!(
            "%0 = relay.nn.conv2d %d, %w {{strides = array<i64: {stride}, {stride}>, padding = array<i64: {padding}, {padding}, {padding}, {padding}>, dilation = array<i64: {dilation}, {dilation}>, groups = {groups} : i64, channels = {outputs} : i64, kernel_size = array<i64: 3, 3>, data_layout = \"NCHW\", kernel_layout = \"OIHW\"}} : (tensor<1x4x5x11xf32>, tensor<{outputs}x{inputs}x3x3xf32>) -> {result}
             %1 = relay.nn.relu %0 : ({result}) -> {result}"
        ),
        &format!("%1: {result}"),
        least,
    );
}

#[test]
fn convolutions() {
    check_conv(6, 1, (1, 1, 1), 20);
    check_conv(5, 1, (2, 1, 1), 20);
    check_conv(8, 1, (1, 2, 2), 20);
    // Of groups and of single channels, each thread computes a pixel.
    check_conv(12, 2, (1, 1, 1), 3);
    check_conv(4, 4, (2, 0, 1), 3);
}

#[test]
fn transposed_convolutions() {
    check(
        "%d: tensor<1x4x3x5xf32>, %w: tensor<4x6x3x3xf32>",
        "%0 = relay.nn.conv2d_transpose %d, %w {strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64, channels = 6 : i64, kernel_size = array<i64: 3, 3>, data_layout = \"NCHW\", kernel_layout = \"IOHW\"} : (tensor<1x4x3x5xf32>, tensor<4x6x3x3xf32>) -> tensor<1x6x5x9xf32>",
        "%0: tensor<1x6x5x9xf32>",
        3,
    );
}

/// What a row is divided by, or less by, is computed of all of it. Exact of whole numbers: no function of C.
#[test]
fn rows() {
    for (rows, columns) in [(5, 7), (3, 40), (2, 1), (1, 17)] {
        let (x, of_row) = (
            format!("tensor<{rows}x{columns}xf32>"),
            format!("tensor<{rows}x1xf32>"),
        );
        check(
            &format!("%x: {x}"),
            &format!(
                "%0 = relay.max %x {{axis = array<i64: 1>, keepdims = true}} : ({x}) -> {of_row}
                 %1 = relay.subtract %x, %0 : ({x}, {of_row}) -> {x}
                 %2 = relay.sum %1 {{axis = array<i64: 1>, keepdims = true, exclude = false}} : ({x}) -> {of_row}
                 %3 = relay.multiply %1, %2 : ({x}, {of_row}) -> {x}"
            ),
            &format!("%3: {x}"),
            1,
        );
    }
}
