//! Convolutions whose windows' elements lie where offsets say (Dai et al., Deformable Convolutional Networks, 2017).

use super::{
    grid::{Mode, Outside, Tap, taps_at, weighted},
    linear::product,
    slice::strided_slice,
    sliding::Window,
    subscript::subscripts,
};
use crate::graph::{
    builder::GraphBuilder,
    constant::element_count,
    error::Result,
    value::{Value, are_equal},
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// What the shapes and attributes say.
struct Deform {
    window: Window,
    groups: i64,
    /// Channels that share their offsets are next to each other; so many such groups there are.
    offset_groups: i64,
    /// The extents of the result's image.
    output: Vec<Dim>,
    /// The elements of a window, and the windows.
    elements: i64,
    windows: Dim,
}

impl Deform {
    fn of(
        [x, w, offsets]: [&Value; 3],
        window: Window,
        (groups, offset_groups): (i64, i64),
    ) -> Result<Self> {
        let fits = x.rank() > 2
            && w.rank() == x.rank()
            && offset_groups > 0
            && groups > 0
            && x.extent(1)? % offset_groups == 0
            && x.extent(1)? % groups == 0
            && w.shape()?[0] % groups == 0
            && w.shape()?[1] == x.extent(1)? / groups;
        if !fits {
            return Err(format!(
                "a kernel of shape {:?} does not fit an input of shape {:?} in {groups} group(s) with offsets in {offset_groups} group(s)",
                w.dims(),
                x.dims()
            ));
        }
        let image = &x.dims()[2..];
        window.check_fit(image)?;
        let output = window.places(image)?;
        let (elements, windows) = (element_count(&window.kernel)?, dim::product(&output)?);
        let numbers = element_count(&[offset_groups, elements, image.len() as i64])?;
        let expected = [&[x.dims()[0], Dim::Known(numbers)], &output[..]].concat();
        if !are_equal(offsets.dims(), &expected) {
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
    fn taps(&self, b: &mut GraphBuilder, offsets: &Value, image: &[Dim]) -> Result<Vec<Vec<Tap>>> {
        let [axes, one] = [image.len() as i64, 1].map(Dim::Known);
        let samples = offsets.dims()[0].times(self.offset_groups)?;
        let (elements, columns) = (Dim::Known(self.elements), self.columns()?);
        let offsets = b.reshape(offsets, &[samples, elements, axes, self.windows])?;
        let offsets = b.cast(&offsets, Element::F32)?;
        let mut taps = Vec::new();
        for (axis, &extent) in image.iter().enumerate() {
            let at = axis as i64;
            let own = strided_slice(b, &offsets, &[(2, at, at + 1, 1)])?;
            let own = b.reshape(&own, &[samples, one, columns])?;
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

    /// The elements of all windows.
    fn columns(&self) -> Result<Dim> {
        self.windows.times(self.elements)
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
        let kernel = dim::dims(&self.window.kernel);
        let place = b.broadcast(&place, &[&kernel[..], &self.output].concat())?;
        let one = Dim::Known(1);
        b.reshape(&place, &[one, one, self.columns()?])
    }

    /// The sums over the windows, each of whose elements is in a column: [samples, channels times elements, windows].
    fn summed(&self, b: &mut GraphBuilder, columns: &Value, w: &Value) -> Result<Value> {
        let (filters, channels) = (w.shape()?[0], w.shape()?[1]);
        let samples = columns.dims()[0].floor_div(self.offset_groups)?;
        let depth = channels * self.elements;
        let [groups, rows] = [self.groups, depth].map(Dim::Known);
        let columns = b.reshape(columns, &[samples, groups, rows, self.windows])?;
        let w = b.reshape(w, &[self.groups, filters / self.groups, depth])?;
        let sums = product(b, &w, &columns)?;
        let planes = [samples, Dim::Known(filters)];
        b.reshape(&sums, &[&planes[..], &self.output].concat())
    }
}

/// The convolution of data with a kernel, whose elements lie where offsets say, times a mask where there is one. There are so many groups of
/// channels for the kernel, and so many that share their offsets.
///
/// # Errors
/// If the shapes do not fit.
pub fn deformed(
    b: &mut GraphBuilder,
    [x, w, offsets]: [&Value; 3],
    mask: Option<&Value>,
    window: Window,
    groups: (i64, i64),
) -> Result<Value> {
    let deform = Deform::of([x, w, offsets], window, groups)?;
    let filters = w.shape()?[0];
    if [x, w, offsets].iter().any(|it| it.is_empty()) {
        let shape = [&[x.dims()[0], Dim::Known(filters)], &deform.output[..]].concat();
        return b.full(x.element(), &shape, 0.0);
    }
    let image = &x.dims()[2..];
    let taps = deform.taps(b, offsets, image)?;
    let samples = x.dims()[0].times(deform.offset_groups)?;
    let channels = Dim::Known(x.extent(1)? / deform.offset_groups);
    let flat = b.reshape(x, &[samples, channels, dim::product(image)?])?;
    let places = deform.columns()?;
    let mut columns = weighted(b, &flat, &taps, image, places)?;
    if let Some(mask) = mask {
        let mask = b.reshape(mask, &[samples, Dim::Known(1), places])?;
        columns = b.binary("multiply", &columns, &mask)?;
    }
    deform.summed(b, &columns, w)
}
