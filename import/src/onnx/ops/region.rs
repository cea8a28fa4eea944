//! Regions of images, each sampled as a grid.

use super::{
    gather::check_indices,
    grid::{Tap, clipped},
    reduce::along,
    row::{Row, row},
    select::strided_slice,
    subscript::subscripts,
};
use crate::{
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        value::{Value, are_equal},
    },
    onnx::node::Node,
};
use relay_dialects::{dim::Dim, element::Element, relay::ops::window::LARGEST};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("MaxRoiPool", 1, max_roi_pool),
    row("RoiAlign", 10, roi_align),
];

/// The greatest elements of the cells of regions.
fn max_roi_pool(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let cells = n
        .attr_ints("pooled_shape")?
        .ok_or("attribute 'pooled_shape' is missing")?;
    let attrs = [
        ("pooled_size", Param::Ints(cells)),
        (
            "spatial_scale",
            Param::Float(n.attr_f32_or("spatial_scale", 1.0)?),
        ),
    ];
    let operands = [n.input(0)?, n.input(1)?];
    Ok(vec![b.op("vision.roi_pool", &operands, &attrs)?])
}

/// How regions are sampled (He et al., Mask R-CNN, 2017).
struct Sampling {
    /// The extents of a result: rows and columns.
    cells: [i64; 2],
    /// The samples of a cell, on each axis.
    samples: i64,
    /// What the regions' numbers are multiplied by, to count elements of the image.
    scale: f64,
    /// Whether the centre of the first element is at 0.5; else it is at 0, and a region is at least one element wide and high.
    half_pixel: bool,
    mode: Mode,
}

/// How the samples of a cell, and the four elements around each of them, become one number.
#[derive(Clone, Copy)]
enum Mode {
    Average,
    /// The greatest of the elements, each times its weight.
    Greatest,
}

impl Sampling {
    fn read(n: &Node<'_>) -> Result<Self> {
        let samples = n.attr_i64_or("sampling_ratio", 0)?;
        if samples < 1 {
            return Err(format!(
                "attribute 'sampling_ratio' is {samples}: each region has as many samples as its size asks for; only a number that all \
                 regions share is supported"
            ));
        }
        let half_pixel = match n.opset {
            ..16 => false,
            _ => match n
                .attr_str_or("coordinate_transformation_mode", "half_pixel")?
                .as_str()
            {
                "half_pixel" => true,
                "output_half_pixel" => false,
                other => {
                    return Err(format!(
                        "attribute 'coordinate_transformation_mode' is '{other}'"
                    ));
                }
            },
        };
        let mode = match n.attr_str_or("mode", "avg")?.as_str() {
            "avg" => Mode::Average,
            "max" => Mode::Greatest,
            other => return Err(format!("attribute 'mode' is '{other}'")),
        };
        let cells = [
            n.attr_i64_or("output_height", 1)?,
            n.attr_i64_or("output_width", 1)?,
        ];
        let sizes = [cells[0], cells[1], samples];
        if sizes.iter().any(|size| !(1..=LARGEST).contains(size)) {
            return Err(format!(
                "the regions' results have extents {cells:?} of {samples} samples each; 1 to 2^30 are supported"
            ));
        }
        Ok(Self {
            cells,
            samples,
            scale: n.attr_f32_or("spatial_scale", 1.0)?,
            half_pixel,
            mode,
        })
    }

    /// The elements that samples are made of on one axis of an image, 0 or 1: two for each sample, of shape [regions, samples]. Outside of
    /// the image and the ring of elements around it there is nothing. The regions' columns are the first and last x and y.
    fn taps(
        &self,
        b: &mut GraphBuilder,
        regions: &Value,
        axis: usize,
        extent: Dim,
    ) -> Result<[Tap; 2]> {
        let position = self.positions(b, regions, axis)?;
        let element = regions.element();
        let after_start = b.with_scalar("greater_equal", &position, -1.0)?;
        let before_end = b.with_size("less_equal", &position, extent)?;
        let is_inside = b.binary("logical_and", &after_start, &before_end)?;
        let zero = b.scalar(element, 0.0);
        let last = b.size(element, extent.minus(1)?)?;
        let position = clipped(b, position, &last)?;
        let low = b.unary("floor", &position)?;
        let high = b.with_scalar("add", &low, 1.0)?;
        let high = b.binary("minimum", &high, &last)?;
        let far = b.binary("subtract", &position, &low)?;
        let one = b.scalar(element, 1.0);
        let near = b.binary("subtract", &one, &far)?;
        let mut tap = |place, weight| -> Result<Tap> {
            Ok(Tap {
                subscript: b.cast(&place, Element::I64)?,
                weight: b.op("where", &[is_inside.clone(), weight, zero.clone()], &[])?,
            })
        };
        Ok([tap(low, near)?, tap(high, far)?])
    }

    /// Where the samples lie on an axis, [regions, cells times samples]: in the middle of equal parts of the region.
    fn positions(&self, b: &mut GraphBuilder, regions: &Value, axis: usize) -> Result<Value> {
        let scaled = b.with_scalar("multiply", regions, self.scale)?;
        let offset = if self.half_pixel { 0.5 } else { 0.0 };
        let scaled = b.with_scalar("subtract", &scaled, offset)?;
        let first = 1 - axis as i64;
        let start = strided_slice(b, &scaled, &[(1, first, first + 1, 1)])?;
        let end = strided_slice(b, &scaled, &[(1, first + 2, first + 3, 1)])?;
        let mut extent = b.binary("subtract", &end, &start)?;
        if !self.half_pixel {
            extent = b.with_scalar("maximum", &extent, 1.0)?;
        }
        let parts = self.cells[axis] * self.samples;
        let part = b.with_scalar("multiply", &extent, 1.0 / parts as f64)?;
        let places = subscripts(b, 2, 1, parts)?;
        let places = b.cast(&places, regions.element())?;
        let middles = b.with_scalar("add", &places, 0.5)?;
        let distance = b.binary("multiply", &middles, &part)?;
        b.binary("add", &start, &distance)
    }

    /// Of each sample one number for each channel, [regions, samples down, samples across, channels]. `pixels` is a row for each element of
    /// all images; `first` is the row where each region's image begins.
    fn sampled(
        &self,
        b: &mut GraphBuilder,
        (pixels, first): (&Value, &Value),
        [down, across]: [&[Tap; 2]; 2],
        width: Dim,
    ) -> Result<Value> {
        let combine = match self.mode {
            Mode::Average => "add",
            Mode::Greatest => "maximum",
        };
        let mut sum: Option<Value> = None;
        for (y, x) in [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(y, x)| (&down[y], &across[x])) {
            let row = b.with_size("multiply", &y.subscript, width)?;
            let row = b.binary("add", &row, first)?;
            let row = with_last_axis(b, &row)?;
            let column = along_columns(b, &x.subscript)?;
            let place = b.binary("add", &row, &column)?;
            let found = b.taken(pixels, &place, 0)?;
            let (down, across) = (with_last_axis(b, &y.weight)?, along_columns(b, &x.weight)?);
            let weight = b.binary("multiply", &down, &across)?;
            let weight = with_last_axis(b, &weight)?;
            let weight = b.cast(&weight, pixels.element())?;
            let term = b.binary("multiply", &found, &weight)?;
            sum = Some(match sum {
                Some(sum) => b.binary(combine, &sum, &term)?,
                None => term,
            });
        }
        sum.ok_or_else(|| "there is nothing to sample".into())
    }

    /// One number for each cell and channel, [regions, channels, rows, columns].
    fn pooled(&self, b: &mut GraphBuilder, sampled: &Value) -> Result<Value> {
        let (regions, channels) = (sampled.dims()[0], sampled.dims()[3]);
        let [rows, columns, samples] = [self.cells[0], self.cells[1], self.samples].map(Dim::Known);
        let shape = [regions, rows, samples, columns, samples, channels];
        let cells = b.reshape(sampled, &shape)?;
        let reduce = match self.mode {
            Mode::Average => "mean",
            Mode::Greatest => "max",
        };
        let pooled = along(b, reduce, &cells, (&[2, 4], false))?;
        b.transpose(&pooled, &[0, 3, 1, 2])
    }
}

/// A tensor with one more axis, of extent 1, behind its others.
fn with_last_axis(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let shape = [x.dims(), &[Dim::Known(1)]].concat();
    b.reshape(x, &shape)
}

/// [regions, samples] as [regions, 1, samples].
fn along_columns(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let shape = [x.dims()[0], Dim::Known(1), x.dims()[1]];
    b.reshape(x, &shape)
}

/// Regions, each of one of the images, made as large as each other.
fn roi_align(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let (x, regions, images) = (n.input(0)?, n.input(1)?, n.input(2)?);
    let sampling = Sampling::read(n)?;
    let (&[samples, channels, height, width], &[count, Dim::Known(4)]) = (x.dims(), regions.dims())
    else {
        return Err(format!(
            "regions of shape {:?} do not fit an input of shape {:?}, expected ranks 2 and 4 and 4 columns",
            regions.dims(),
            x.dims()
        ));
    };
    if !are_equal(images.dims(), &[count]) {
        return Err(format!(
            "{count} regions are of images in a list of shape {:?}",
            images.dims()
        ));
    }
    check_indices(b, &images, samples)?;
    if x.is_empty() || count == 0 {
        let [rows, columns] = sampling.cells.map(Dim::Known);
        let shape = [count, channels, rows, columns];
        return Ok(vec![b.full(x.element(), &shape, 0.0)?]);
    }
    let element = if x.element() == Element::F64 {
        Element::F64
    } else {
        Element::F32
    };
    let regions = b.cast(&regions, element)?;
    let down = sampling.taps(b, &regions, 0, height)?;
    let across = sampling.taps(b, &regions, 1, width)?;
    let pixels = b.transpose(&x, &[0, 2, 3, 1])?;
    let places = height.times(width)?;
    let pixels = b.reshape(&pixels, &[samples.times(places)?, channels])?;
    let images = b.cast(&images, Element::I64)?;
    let images = b.reshape(&images, &[count, Dim::Known(1)])?;
    let first = b.with_size("multiply", &images, places)?;
    let sampled = sampling.sampled(b, (&pixels, &first), [&down, &across], width)?;
    Ok(vec![sampling.pooled(b, &sampled)?])
}
