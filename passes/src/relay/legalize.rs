//! `legalize`: operators in the forms that they are compiled in.

use crate::relay::convert_layout::{Desired, convert};
use relay_dialects::{
    inferred,
    ir::Op,
    names::relay,
    ops::func,
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "legalize",
    summary: "convert convolutions to layouts with kernels",
    description: include_str!("legalize.md"),
    anchor: func::Func::NAME,
    options: &[],
    run,
};

/// The layouts of data for which operators have a tensor expression. Weights have those that go with them: outputs before
/// inputs, or inputs before outputs if the convolution is transposed.
const LEGAL: &[(&str, &str)] = &[
    (relay::NN_CONV1D, "NCW"),
    (relay::NN_CONV2D, "NCHW"),
    (relay::NN_CONV3D, "NCDHW"),
    (relay::NN_CONV1D_TRANSPOSE, "NCW"),
    (relay::NN_CONV2D_TRANSPOSE, "NCHW"),
    (relay::NN_CONV3D_TRANSPOSE, "NCDHW"),
];

fn run(function: Op, _options: &Options) -> PassResult {
    inferred::check(function)?;
    convert(function, Desired::of_data(LEGAL), Vec::new())
}
