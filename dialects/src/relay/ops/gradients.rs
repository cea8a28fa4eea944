//! Gradients of pools and convolutions.

use super::{
    columns::*,
    pool::pool,
    window::{Window, numbers},
};
use crate::{
    dim::{self, Dim},
    relay::{Call, TensorType},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new(
        "nn.max_pool2d_grad",
        OutElemwiseFusable,
        FLOATS,
        Jumps,
        pool_grad,
    ),
    Row::new(
        "nn.avg_pool2d_grad",
        OutElemwiseFusable,
        FLOATS,
        Averages,
        pool_grad,
    ),
    Row::new(
        "nn.conv2d_backward_weight",
        OutElemwiseFusable,
        FLOATS,
        Sums,
        conv2d_backward_weight,
    ),
];

/// Whether two tensors are of one type, as far as that is known.
fn are_one(one: &TensorType, other: &TensorType) -> bool {
    let mut pairs = one.shape.iter().zip(&other.shape);
    one.element == other.element
        && one.rank() == other.rank()
        && pairs.all(|(one, other)| dim::unify(*one, *other).is_some())
}

fn pool_grad(call: &Call) -> Result<Vec<TensorType>, String> {
    let [grad, data] = &call.inputs[..] else {
        return Err("takes two operands".into());
    };
    let of_data = Call {
        ctx: call.ctx,
        inputs: vec![data.clone()],
        attrs: call.attrs,
    };
    let pooled = pool(&of_data)?;
    if !are_one(grad, &pooled[0]) {
        let [grad, pooled] = [grad, &pooled[0]].map(TensorType::to_type);
        return Err(format!(
            "the gradient is {grad}, and the pool's result {pooled} (C5)"
        ));
    }
    let dilation = call.attrs.ints("dilation")?;
    match dilation.iter().all(|step| *step == 1) {
        true => Ok(vec![data.clone()]),
        false => Err(format!("dilation is {dilation:?}, not 1 (C6)")),
    }
}

fn conv2d_backward_weight(call: &Call) -> Result<Vec<TensorType>, String> {
    let [grad, data] = &call.inputs[..] else {
        return Err("takes two operands".into());
    };
    let layouts = [
        ("data_layout", "NCHW"),
        ("kernel_layout", "NCHW"),
        ("out_layout", "OIHW"),
    ];
    for (name, known) in layouts {
        let layout = call.attrs.str(name)?;
        if layout != known {
            return Err(format!(
                "{name} is '{layout}', only {known} has an expression (C1)"
            ));
        }
    }
    let are_images = grad.rank() == 4 && data.rank() == 4 && grad.element == data.element;
    if !are_images || dim::unify(grad.shape[0], data.shape[0]).is_none() {
        let [grad, data] = [grad, data].map(TensorType::to_type);
        return Err(format!("a gradient {grad} is of no data {data} (C2)"));
    }
    let groups = call.attrs.int("groups")?;
    let of_group = |channels: Dim| match groups {
        ..1 => None,
        _ => dim::quotient(channels, groups),
    };
    let (outputs, inputs) = (of_group(grad.shape[1]), of_group(data.shape[1]));
    let (Some(_), Some(inputs)) = (outputs, inputs) else {
        let channels = [grad.shape[1], data.shape[1]];
        return Err(format!(
            "{channels:?} channels are not {groups} groups (C5)"
        ));
    };
    let size = numbers(&call.attrs, "kernel_size", 2, 1)?;
    let window = Window::of(&call.attrs, &size)?;
    let positions = window.positions(&data.shape[2..], false)?;
    for (dim, extent) in positions.into_iter().enumerate() {
        if dim::unify(extent, grad.shape[dim + 2]).is_none() {
            let found = grad.shape[dim + 2];
            return Err(format!(
                "the gradient has {found} elements in dimension {}, and the convolution {extent} (C6)",
                dim + 2
            ));
        }
    }
    let shape = vec![
        grad.shape[1],
        inputs,
        Dim::Known(size[0]),
        Dim::Known(size[1]),
    ];
    Ok(vec![TensorType::new(shape, data.element)])
}
