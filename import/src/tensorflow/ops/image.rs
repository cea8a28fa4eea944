//! Images at other sizes, and parts of images.

use super::{
    cubic::cubic,
    row::{Row, row},
};
use crate::{
    compose::{
        image::{Places, bilinear, nearest},
        pad::with_channels_first,
    },
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    tensorflow::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row(&["ResizeBilinear"], resize_bilinear),
    row(&["ResizeNearestNeighbor"], |n, b| {
        let (x, size) = size(n, b)?;
        Ok(vec![nearest(b, &x, size, places(n)?)?])
    }),
    row(&["ResizeBicubic"], resize_bicubic),
    row(&["CropAndResize"], crop_and_resize),
];

fn places(n: &Node<'_, '_>) -> Result<Places> {
    let flag = |name: &str| n.attrs.flag(name, false);
    Places::of(flag("align_corners")?, flag("half_pixel_centers")?)
}

/// The image, and the extents of the result.
fn size(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<(Value, Vec<Dim>)> {
    let (x, size) = (n.of_rank(0, 4)?, n.sizes(b, 1)?);
    let is_empty = |extent: &Dim| extent.known().is_some_and(|extent| extent < 1);
    match size.len() == 2 && !size.iter().any(is_empty) {
        true => Ok((x, size)),
        false => Err(format!("data of shape {:?} at the size {size:?}", x.dims())),
    }
}

/// The result is of f32, whatever the image is of.
fn resize_bilinear(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, size) = size(n, b)?;
    let x = b.cast(&x, Element::F32)?;
    Ok(vec![bilinear(b, &x, size, places(n)?)?])
}

fn resize_bicubic(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, size) = size(n, b)?;
    Ok(vec![cubic(b, &x, &size, places(n)?)?])
}

fn crop_and_resize(n: &Node<'_, '_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.of_rank(0, 4)?;
    let method = match n.attrs.text_or("method", "bilinear")? {
        "bilinear" => "bilinear",
        "nearest" => "nearest_neighbor",
        other => return Err(format!("attribute 'method' is '{other}'")),
    };
    let attrs = [
        ("crop_size", Param::Ints(n.known(3)?)),
        ("method", Param::Str(method)),
        (
            "extrapolation_value",
            Param::Float(n.attrs.float("extrapolation_value", 0.0)?),
        ),
    ];
    let x = b.cast(&x, Element::F32)?;
    let (boxes, samples) = (n.input(1)?, n.input(2)?);
    let made = with_channels_first(b, &x, |b, x| {
        b.op("image.crop_and_resize", &[x, boxes, samples], &attrs)
    });
    Ok(vec![made?])
}
