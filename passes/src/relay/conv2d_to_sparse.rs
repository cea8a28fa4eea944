//! `conv2d-to-sparse`: convolutions with weights that are mostly zeros, without the zeros.

use crate::graph::{
    operators::make,
    sparse::{self, BLOCK_SIZE, Conversion, FUNCTION, Matrix, NO_SHAPE, SPARSITY, WEIGHTS},
};
use relay_dialects::{
    ir::{Attr, Builder, Op, Value},
    names::relay,
    ops::builtin,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
    relay::Attrs,
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "conv2d-to-sparse",
    summary: "replace nn.conv2d with mostly zero weights by nn.sparse_conv2d",
    description: include_str!("conv2d_to_sparse.md"),
    anchor: builtin::Module::NAME,
    options: &[WEIGHTS, BLOCK_SIZE, SPARSITY, FUNCTION, LAYOUT, KERNEL_SIZE],
    run,
};

/// The option that names the layout.
const LAYOUT: OptionSpec = OptionSpec {
    name: "layout",
    summary: "the layout of convolutions to convert, NHWC or NCHW; all by default",
    default: Default::Str(""),
};

/// The option with the kernel's extent.
const KERNEL_SIZE: OptionSpec = OptionSpec {
    name: "kernel-size",
    summary: "the rows and columns of kernels to convert, 1 or 3; 0 for both",
    default: Default::Int(0),
};

fn run(module: Op, options: &Options) -> PassResult {
    let (layout, kernel) = (options.str(LAYOUT.name), options.int(KERNEL_SIZE.name));
    if !["", "NHWC", "NCHW"].contains(&layout) {
        return fail(module, format!("layout is {layout}, expected NHWC or NCHW"));
    }
    if ![0, 1, 3].contains(&kernel) {
        return fail(module, format!("kernel-size is {kernel}, expected 1 or 3"));
    }
    let matrix = |op: Op| {
        let plain = Plain::of(op)?;
        if !["", plain.layout].contains(&layout) {
            return Err(format!("its layout is {}, not {layout}", plain.layout));
        }
        if ![0, plain.kernel].contains(&kernel) {
            return Err(format!("its kernel is of {0}x{0}", plain.kernel));
        }
        Ok(plain.matrix)
    };
    let conversion = Conversion {
        operator: relay::NN_CONV2D,
        matrix: &matrix,
        make: &sparse_conv2d,
    };
    sparse::convert(module, options, &conversion)
}

/// A convolution that has a sparse form.
struct Plain {
    layout: &'static str,
    /// The rows of its kernel, which are its columns, too.
    kernel: i64,
    /// A row for each output.
    matrix: Matrix,
}

impl Plain {
    fn of(op: Op) -> Result<Self, String> {
        let attrs = Attrs::of(op);
        let layouts = [attrs.str("data_layout")?, attrs.str("kernel_layout")?];
        let layout = match layouts.each_ref().map(String::as_str) {
            ["NCHW", "OIHW"] => "NCHW",
            ["NHWC", "HWIO"] => "NHWC",
            [data, kernel] => {
                return Err(format!(
                    "layouts {data} and {kernel} have no sparse form; NCHW with OIHW has, and NHWC with HWIO"
                ));
            }
        };
        let [outputs, inputs, height, width] = match (layout, &sparse::extents(op)?[..]) {
            ("NCHW", &[o, i, h, w]) => [o, i, h, w],
            (_, &[h, w, i, o]) => [o, i, h, w],
            _ => return Err(NO_SHAPE.into()),
        };
        if height != width || ![1, 3].contains(&height) {
            return Err(format!(
                "a kernel of {height}x{width} has no sparse form; 1x1 and 3x3 have"
            ));
        }
        let edge = (height as i64 - 1) / 2;
        let is_all = |name: &str, number: i64| -> Result<bool, String> {
            Ok(attrs.ints(name)?.iter().all(|given| *given == number))
        };
        let is_dense = is_all("strides", 1)? && is_all("dilation", 1)?;
        if !is_dense || !is_all("padding", edge)? || attrs.int("groups")? != 1 {
            return Err(
                "strides, dilation, groups or a result of another size than the data have no sparse form".into(),
            );
        }
        Ok(Self {
            layout,
            kernel: height as i64,
            matrix: Matrix {
                rows: outputs,
                columns: inputs * height * width,
                is_transposed: layout == "NHWC",
            },
        })
    }
}

/// The sparse form of a convolution that has one.
fn sparse_conv2d(builder: &Builder, op: Op, [data, indices, starts]: [Value; 3]) -> Value {
    let operands = [op.operand(0), data, indices, starts];
    let ctx = builder.ctx;
    let layout = op.attr("data_layout").and_then(Attr::as_str);
    let shape = op.operand(1).ty().shape();
    // Of both layouts of weights, the kernel's extents are the two that are equal, at opposite ends.
    let kernel = if layout.as_deref() == Some("NHWC") {
        shape[0]
    } else {
        shape[3]
    };
    let attrs = [
        ("layout", Attr::str(ctx, &layout.unwrap_or_default())),
        ("kernel_size", Attr::ints(ctx, &[kernel, kernel])),
    ];
    make(builder, relay::NN_SPARSE_CONV2D, &operands, &attrs)
}
