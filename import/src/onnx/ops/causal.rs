//! Convolutions in time that see only what came before, as state space models have them.

use super::{
    conv::with_bias,
    row::{Row, row},
    select::sliced,
};
use crate::{
    compose::activation::self_gated,
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        value::{Value, are_equal},
    },
    onnx::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[row("CausalConvWithState", 27, causal_conv)];

/// Each channel's convolution with a kernel of its own, over the state and what follows it. The state, zeros if there is none, is as long
/// as the kernel but for one place. The last places of both become the next state.
pub(super) fn causal_conv(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(4)?;
    let (x, weights) = (n.input(0)?, n.input(1)?);
    let (&[samples, channels, length], &[filters, 1, extent]) = (x.dims(), weights.shape()?) else {
        return Err(unfit(&x, &weights));
    };
    let expected = [samples, channels, Dim::Known(extent - 1)];
    if channels != filters || extent < 1 {
        return Err(unfit(&x, &weights));
    }
    let before = extent - 1;
    let all = match n.optional(3) {
        Some(past) if !are_equal(past.dims(), &expected) => {
            return Err(format!(
                "the state (input 3) has shape {:?}, expected [{samples}, {channels}, {before}]",
                past.dims()
            ));
        }
        Some(past) => b.concatenate(&[past, x.clone()], 2)?,
        None => {
            let zero = b.scalar(x.element(), 0.0);
            b.pad(&x, &zero, &[0, 0, 0, 0, before, 0], "constant")?
        }
    };
    let result = match channels == 0 || length == 0 {
        true => x.clone(),
        false => convolved(n, b, (&all, &weights))?,
    };
    let result = activated(n, b, result)?;
    let end = length.plus(before)?;
    let next = sliced(b, &all, &[(2, length, end, 1)])?;
    Ok(vec![result, next])
}

fn unfit(x: &Value, weights: &Value) -> String {
    format!(
        "the input has shape {:?}, the kernel {:?}; expected [N, C, L] and [C, 1, K]",
        x.dims(),
        weights.dims()
    )
}

fn convolved(n: &Node<'_>, b: &mut GraphBuilder, (x, weights): (&Value, &Value)) -> Result<Value> {
    let channels = weights.shape()?[0];
    let attrs = [
        ("padding", Param::Ints(vec![0, 0])),
        ("strides", Param::Ints(vec![1])),
        ("dilation", Param::Ints(vec![1])),
        ("groups", Param::Int(channels)),
        ("data_layout", Param::Str("NCW")),
        ("kernel_layout", Param::Str("OIW")),
    ];
    let result = b.op("nn.conv1d", &[x.clone(), weights.clone()], &attrs)?;
    with_bias(n, b, result, (2, channels))
}

/// x * sigmoid(x), if the node asks for it. It is computed in f32 at least.
fn activated(n: &Node<'_>, b: &mut GraphBuilder, x: Value) -> Result<Value> {
    match &n.attr_str_or("activation", "none")?[..] {
        "none" => Ok(x),
        "silu" | "swish" => {
            let wide = match x.element() {
                Element::F64 => x.clone(),
                _ => b.cast(&x, Element::F32)?,
            };
            let result = self_gated(b, &wide, 1.0)?;
            b.cast(&result, x.element())
        }
        other => Err(format!(
            "attribute 'activation' is '{other}', expected none, silu or swish"
        )),
    }
}
