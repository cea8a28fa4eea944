//! Convolutions whose windows' elements lie where offsets say (Dai et al., Deformable Convolutional Networks, 2017).

use super::{
    conv::{groups, kernel, with_bias},
    grid::{Mode, Outside, Tap, taps_at, weighted},
    linear::product,
    row::{Row, row},
    select::strided_slice,
    subscript::subscripts,
    window::Window,
};
use crate::{
    graph::{builder::GraphBuilder, constant::element_count, error::Result, value::Value},
    onnx::node::Node,
};
use relay_dialects::{element::Element, index::strides};

/// The family's rows.
pub const ROWS: &[Row] = &[row("DeformConv", 19, deform_conv)];

/// What the shapes and attributes say.
struct Deform {
    window: Window,
    groups: i64,
    /// Channels that share their offsets are next to each other; so many such groups there are.
    offset_groups: i64,
    /// The extents of the result's image.
    output: Vec<i64>,
    /// The elements of a window, and the windows.
    elements: i64,
    windows: i64,
}

impl Deform {
    fn read(n: &Node<'_>, x: &Value, w: &Value, offsets: &Value) -> Result<Self> {
        let (groups, offset_groups) = (groups(n)?, n.attr_i64_or("offset_group", 1)?);
        let fits = x.rank() > 2
            && w.rank() == x.rank()
            && offset_groups > 0
            && x.shape()?[1] % offset_groups == 0
            && x.shape()?[1] % groups == 0
            && w.shape()?[0] % groups == 0
            && w.shape()?[1] == x.shape()?[1] / groups;
        if !fits {
            return Err(format!(
                "a kernel of shape {:?} does not fit an input of shape {:?} in {groups} group(s) with offsets in {offset_groups} group(s)",
                w.dims(),
                x.dims()
            ));
        }
        let image = &x.shape()?[2..];
        let window = Window::read(n, kernel(n, w)?, image)?;
        window.check_fit(image)?;
        let output = window.places(image);
        let (elements, windows) = (element_count(&window.kernel)?, element_count(&output)?);
        let numbers = element_count(&[offset_groups, elements, image.len() as i64])?;
        if offsets.shape()? != [&[x.shape()?[0], numbers], &output[..]].concat() {
            return Err(format!(
                "the offsets have shape {:?}, expected {numbers} for each of the windows {output:?}",
                offsets.dims()
            ));
        }
        Ok(Self {
            window,
            groups,
            offset_groups,
            output,
            elements,
            windows,
        })
    }

    /// What each element of each window is made of, on each axis of the image.
    fn taps(&self, b: &mut GraphBuilder, offsets: &Value, image: &[i64]) -> Result<Vec<Vec<Tap>>> {
        let (axes, samples) = (image.len() as i64, offsets.shape()?[0] * self.offset_groups);
        let offsets = b.reshape(offsets, &[samples, self.elements, axes, self.windows])?;
        let offsets = b.cast(&offsets, Element::F32)?;
        let mut taps = Vec::new();
        for (axis, &extent) in image.iter().enumerate() {
            let at = axis as i64;
            let own = strided_slice(b, &offsets, &[(2, at, at + 1, 1)])?;
            let own = b.reshape(&own, &[samples, 1, self.elements * self.windows])?;
            let place = self.places(b, axis)?;
            let position = b.binary("add", &own, &place)?;
            taps.push(taps_at(
                b,
                &position,
                extent,
                (Mode::Linear, Outside::Zeros, true),
            )?);
        }
        Ok(taps)
    }

    /// Where the elements of the windows lie on an axis without offsets, [1, 1, elements times windows].
    fn places(&self, b: &mut GraphBuilder, axis: usize) -> Result<Value> {
        let axes = self.output.len();
        let within = subscripts(b, 2 * axes, axis, self.window.kernel[axis])?;
        let within = b.with_scalar("multiply", &within, self.window.dilations[axis] as f64)?;
        let along = (2 * axes, axes + axis);
        let start = self.window.starts(b, axis, self.output[axis], along)?;
        let place = b.binary("add", &within, &start)?;
        let place = b.cast(&place, Element::F32)?;
        let place = b.broadcast(&place, &[&self.window.kernel[..], &self.output].concat())?;
        b.reshape(&place, &[1, 1, self.elements * self.windows])
    }

    /// The sums over the windows, each of whose elements is in a column: [samples, channels times elements, windows].
    fn summed(&self, b: &mut GraphBuilder, columns: &Value, w: &Value) -> Result<Value> {
        let (filters, channels) = (w.shape()?[0], w.shape()?[1]);
        let samples = columns.shape()?[0] / self.offset_groups;
        let depth = channels * self.elements;
        let columns = b.reshape(columns, &[samples, self.groups, depth, self.windows])?;
        let w = b.reshape(w, &[self.groups, filters / self.groups, depth])?;
        let sums = product(b, &w, &columns)?;
        b.reshape(&sums, &[&[samples, filters], &self.output[..]].concat())
    }
}

fn deform_conv(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(5)?;
    let (x, w, offsets) = (n.input(0)?, n.input(1)?, n.input(2)?);
    let deform = Deform::read(n, &x, &w, &offsets)?;
    let filters = w.shape()?[0];
    if [&x, &w, &offsets].iter().any(|it| it.is_empty()) {
        let shape = [&[x.shape()?[0], filters], &deform.output[..]].concat();
        let nothing = b.filled(x.element(), &shape, 0.0);
        return Ok(vec![with_bias(n, b, nothing, (3, filters))?]);
    }
    let image = x.shape()?[2..].to_vec();
    let taps = deform.taps(b, &offsets, &image)?;
    let samples = x.shape()?[0] * deform.offset_groups;
    let channels = x.shape()?[1] / deform.offset_groups;
    let flat = b.reshape(&x, &[samples, channels, element_count(&image)?])?;
    let places = deform.elements * deform.windows;
    let mut columns = weighted(b, &flat, &taps, &strides(&image), places)?;
    if let Some(mask) = n.optional(4) {
        let mask = b.reshape(&mask, &[samples, 1, places])?;
        columns = b.binary("multiply", &columns, &mask)?;
    }
    let result = deform.summed(b, &columns, &w)?;
    Ok(vec![with_bias(n, b, result, (3, filters))?])
}
