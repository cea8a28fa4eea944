//! Windows summed into the image that they slide over.

use super::{
    row::{Row, row},
    select::strided_slice,
    subscript::{one_axis, steps},
    window::Window,
};
use crate::{
    graph::{
        attr::Param, builder::GraphBuilder, constant::element_count, error::Result, value::Value,
    },
    onnx::node::Node,
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
    index::strides,
};

/// The family's rows.
pub const ROWS: &[Row] = &[row("Col2Im", 18, col2im)];

/// The columns are [samples, channels times the window's elements, its places].
fn col2im(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let x = n.input(0)?;
    let image = n.ints(1, "the image's shape")?;
    let window = Window::read(n, n.ints(2, "the window's shape")?, &image)?;
    window.check_fit(&image)?;
    let known = |dims: Vec<Dim>| dims.into_iter().map(|dim| dim.known()).collect();
    let extents: (Option<Vec<i64>>, Option<Vec<i64>>) =
        (known(window.padded(&image)?), known(window.places(&image)?));
    let (Some(padded), Some(counts)) = extents else {
        unreachable!("an image of numbers has windows at so many places");
    };
    let (elements, places) = (element_count(&window.kernel)?, element_count(&counts)?);
    let (samples, channels) = match *x.dims() {
        [samples, rows, columns]
            if dim::quotient(rows, elements).is_some() && dim::unify(columns, places).is_some() =>
        {
            b.equate(columns, places.into())?;
            (samples, rows.floor_div(elements)?)
        }
        _ => {
            return Err(format!(
                "columns of shape {:?} are not those of a window {:?} at {places} places of an image {image:?}",
                x.dims(),
                window.kernel
            ));
        }
    };
    let (pixels, rows) = (element_count(&padded)?, samples.times(channels)?);
    // Channels are next to each other, so that what is added at a place is a row.
    let columns = b.reshape(&x, &[rows, Dim::Known(elements * places)])?;
    let columns = b.transpose(&columns, &[1, 0])?;
    let at = places_of(b, &window, &counts, &padded)?;
    let at = b.reshape(&at, &[1, elements * places])?;
    let nothing = b.full(x.element(), &[Dim::Known(pixels), rows], 0.0)?;
    let sums = b.op(
        "scatter_nd",
        &[nothing, at, columns],
        &[("mode", Param::Str("add"))],
    )?;
    let sums = b.transpose(&sums, &[1, 0])?;
    let sums = b.reshape(
        &sums,
        &[&[samples, channels], &dim::dims(&padded)[..]].concat(),
    )?;
    let inside: Vec<_> = (0..image.len())
        .map(|axis| {
            (
                axis + 2,
                window.before[axis],
                window.before[axis] + image[axis],
                1,
            )
        })
        .collect();
    Ok(vec![strided_slice(b, &sums, &inside)?])
}

/// Where in the padded image, whose axes are made one, each element of the window lies at each place: [elements on each axis, places on
/// each axis].
fn places_of(
    b: &mut GraphBuilder,
    window: &Window,
    counts: &[i64],
    padded: &[i64],
) -> Result<Value> {
    let axes = padded.len();
    let shape = [&window.kernel[..], counts].concat();
    let mut sum = b.filled(Element::I64, &shape, 0.0)?;
    for (axis, stride) in strides(padded).into_iter().enumerate() {
        for (at, step) in [
            (axis, window.dilations[axis]),
            (axes + axis, window.strides[axis]),
        ] {
            let term = steps(b, &one_axis(2 * axes, at, shape[at].into()), step * stride)?;
            sum = b.binary("add", &sum, &term)?;
        }
    }
    Ok(sum)
}
