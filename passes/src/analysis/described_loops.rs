//! Tests of [`relay_loops::analysis::loops`] on kernels that schedules make.

use relay_dialects::{context, ir::Op, pass::run_pipeline};
use relay_loops::analysis::loops::describe;

#[test]
fn the_loops_of_a_schedule() {
    crate::register();
    let context = context();
    let text = include_str!("../../../examples/tour/matmul.mlir");
    let mut module = melior::ir::Module::parse(&context, text).expect("the text is a module");
    run_pipeline(&context, &mut module, "lower-te").expect("the pipeline runs");
    let kernel = Op::of_module(&module)
        .lookup("matmul")
        .expect("there is a kernel");
    // 32 rows in tiles of 4, 48 columns in tiles of 16, and a sum of 64 in each.
    assert_eq!(describe(kernel), "parallel 8, 3, 64, unroll 4, vector 16");
}

/// What [`describe`] says of the kernel of one function, on a machine with AMX.
fn on_amx(name: &str, text: &str) -> String {
    crate::register();
    let context = context();
    let mut module = melior::ir::Module::parse(&context, text).expect("the text is a module");
    let pipeline = "attach-target{target=sapphirerapids},relay-to-te,lower-te";
    run_pipeline(&context, &mut module, pipeline).expect("the pipeline runs");
    describe(
        Op::of_module(&module)
            .lookup(name)
            .expect("there is a kernel"),
    )
}

#[test]
fn products_of_tiles() {
    let text = "func.func private @dense(%x: tensor<128x768xbf16>, %w: tensor<48x384x16x2xbf16>)
            -> tensor<128x768xbf16> attributes {relay.primitive} {
        %0 = relay.nn.contrib_dense_pack %x, %w {weight_layout = \"NC16n2c\"}
            : (tensor<128x768xbf16>, tensor<48x384x16x2xbf16>) -> tensor<128x768xbf16>
        return %0 : tensor<128x768xbf16>
    }";
    // 24 blocks of columns meet 4 of rows; a sum of 768 takes 24 steps of 4 products.
    assert_eq!(on_amx("dense", text), "parallel 24, 4, amx 24 x 4");
}

#[test]
fn convolutions_on_amx() {
    let text =
        "func.func private @conv(%x: tensor<1x16x30x30x16xbf16>, %w: tensor<16x16x3x3x8x16x2xbf16>)
            -> tensor<1x16x28x28x16xbf16> attributes {relay.primitive} {
        %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {kernel_layout = \"OIHW8i16o2i\",
            strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>}
            : (tensor<1x16x30x30x16xbf16>, tensor<16x16x3x3x8x16x2xbf16>)
            -> tensor<1x16x28x28x16xbf16>
        return %0 : tensor<1x16x28x28x16xbf16>
    }";
    // 28 rows of 8 pairs of blocks; 16 blocks of inputs by 3 rows of the kernel, each two steps of 4 products.
    assert_eq!(on_amx("conv", text), "parallel 224, 16, amx 3 x 8");
}
