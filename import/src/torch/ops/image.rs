//! Images at other sizes, and with other edges.

use super::row::{Row, row};
use crate::{
    compose::{
        grid,
        resample::{Axis, Coordinates, Mode, Rounding, Sampling, as_image, resample},
        slice::sliced,
    },
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::Value,
    },
    torch::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("constant_pad_nd", |n, b| {
        let value = n.float_or("value", 0.0)?;
        padded(n, b, "pad", ("constant", value))
    }),
    row("pad", pad),
    row("reflection_pad1d", |n, b| {
        padded(n, b, "padding", ("reflect", 0.0))
    }),
    row("reflection_pad2d", |n, b| {
        padded(n, b, "padding", ("reflect", 0.0))
    }),
    row("reflection_pad3d", |n, b| {
        padded(n, b, "padding", ("reflect", 0.0))
    }),
    row("replication_pad1d", |n, b| {
        padded(n, b, "padding", ("edge", 0.0))
    }),
    row("replication_pad2d", |n, b| {
        padded(n, b, "padding", ("edge", 0.0))
    }),
    row("replication_pad3d", |n, b| {
        padded(n, b, "padding", ("edge", 0.0))
    }),
    row("_upsample_bicubic2d_aa", |n, b| resized(n, b, CUBIC_SPREAD)),
    row("_upsample_bilinear2d_aa", |n, b| {
        resized(n, b, LINEAR_SPREAD)
    }),
    row("affine_grid_generator", affine_grid),
    row("col2im", columns_as_windows),
    row("grid_sampler", grid_sample),
    row("grid_sampler_2d", grid_sample),
    row("grid_sampler_3d", grid_sample),
    row("im2col", windows_as_columns),
    row("upsample_bicubic2d", |n, b| resized(n, b, CUBIC)),
    row("upsample_bilinear2d", |n, b| resized(n, b, LINEAR)),
    row("upsample_linear1d", |n, b| resized(n, b, LINEAR)),
    row("upsample_nearest1d", |n, b| resized(n, b, NEAREST)),
    row("upsample_nearest2d", |n, b| resized(n, b, NEAREST)),
    row("upsample_nearest3d", |n, b| resized(n, b, NEAREST)),
    row("_upsample_nearest_exact1d", |n, b| {
        resized(n, b, NEAREST_EXACT)
    }),
    row("_upsample_nearest_exact2d", |n, b| {
        resized(n, b, NEAREST_EXACT)
    }),
    row("_upsample_nearest_exact3d", |n, b| {
        resized(n, b, NEAREST_EXACT)
    }),
    row("upsample_trilinear3d", |n, b| resized(n, b, LINEAR)),
];

/// The usual parameter of Keys' convolution in PyTorch.
const KEYS: f64 = -0.75;
/// The parameter that PyTorch takes, as Pillow does, where taps are spread.
const KEYS_OF_SPREAD: f64 = -0.5;

/// How an image is resampled where corners are not aligned.
const fn sampling(mode: Mode, coordinates: Coordinates) -> Sampling {
    Sampling {
        mode,
        coordinates,
        exclude_outside: false,
        extrapolation: 0.0,
        antialias: false,
    }
}

const NEAREST: Sampling = sampling(Mode::Nearest(Rounding::Floor), Coordinates::Asymmetric);
const NEAREST_EXACT: Sampling =
    sampling(Mode::Nearest(Rounding::PreferCeil), Coordinates::HalfPixel);
const LINEAR: Sampling = sampling(Mode::Linear, Coordinates::HalfPixel);
const CUBIC: Sampling = sampling(Mode::Cubic(KEYS), Coordinates::HalfPixel);
const LINEAR_SPREAD: Sampling = spread(Mode::Linear);
const CUBIC_SPREAD: Sampling = spread(Mode::Cubic(KEYS_OF_SPREAD));

/// As [`sampling`], with taps that are as far apart as elements of the result where that is smaller.
const fn spread(mode: Mode) -> Sampling {
    Sampling {
        exclude_outside: true,
        antialias: true,
        ..sampling(mode, Coordinates::HalfPixel)
    }
}

/// The factors by which a node says that an image grows, if it says them.
fn factors(n: &Node<'_>, axes: usize) -> Result<Option<Vec<f64>>> {
    if let Some(factors) = n.floats("scale_factors")? {
        return Ok(Some(factors));
    }
    let names = match axes {
        1 => &["scales"][..],
        2 => &["scales_h", "scales_w"],
        _ => &["scales_d", "scales_h", "scales_w"],
    };
    let factors = names.iter().map(|name| n.float(name));
    Ok(factors.collect::<Result<Vec<_>>>()?.into_iter().collect())
}

fn resized(n: &Node<'_>, b: &mut GraphBuilder, sampling: Sampling) -> Result<Value> {
    let x = n.tensor("self").or_else(|_| n.tensor("input"))?;
    let axes = x
        .rank()
        .checked_sub(2)
        .filter(|axes| (1..=3).contains(axes));
    let axes = axes.ok_or_else(|| format!("the input has shape {:?}", x.dims()))?;
    let (factors, image) = (factors(n, axes)?, &x.dims()[2..]);
    let is_aligned = n.bool_or("align_corners", false)?;
    let sampling = match is_aligned {
        true => Sampling {
            coordinates: Coordinates::AlignCorners,
            ..sampling
        },
        false => sampling,
    };
    let size = match (n.dims(b, "output_size")?.or(n.dims(b, "size")?), &factors) {
        (Some(size), _) => size,
        (None, Some(factors)) => grown(image, factors)?,
        (None, None) => {
            return Err("arguments 'output_size' and 'scale_factors' are missing".into());
        }
    };
    if size.len() != axes
        || factors
            .as_ref()
            .is_some_and(|factors| factors.len() != axes)
    {
        return Err(format!(
            "size {size:?} does not fit an input of shape {:?}",
            x.dims()
        ));
    }
    let known: Option<Vec<(i64, i64)>> = image
        .iter()
        .zip(&size)
        .map(|(from, to)| Some((from.known()?, to.known()?)))
        .collect();
    let Some(known) = known else {
        return open(b, &x, size, &sampling);
    };
    let mut all: Vec<Axis> = x.shape()?[..2]
        .iter()
        .map(|extent| axis((*extent, *extent), None))
        .collect();
    for (place, extents) in known.into_iter().enumerate() {
        let factor = factors.as_ref().map(|factors| factors[place]);
        all.push(axis(extents, factor.filter(|_| !is_aligned)));
    }
    resample(b, &x, &all, &sampling)
}

/// An axis of an input and of its result. The scale is that of the extents, or a factor that is given.
fn axis((input, output): (i64, i64), factor: Option<f64>) -> Axis {
    let exact = output as f64 / (input as f64).max(1.0);
    Axis {
        input,
        output,
        scale: factor.unwrap_or(exact),
        roi: (0.0, 1.0),
    }
}

/// The extents of an image by factors.
fn grown(image: &[Dim], factors: &[f64]) -> Result<Vec<Dim>> {
    let sizes = image
        .iter()
        .zip(factors)
        .map(|(extent, factor)| match extent.known() {
            Some(known) => Ok(Dim::Known((known as f64 * factor).floor() as i64)),
            None if factor.fract() == 0.0 => extent.times(*factor as i64),
            None => Err(format!("an open extent times {factor} is not supported")),
        });
    sizes.collect()
}

/// An image whose extents, or those of its result, are open.
fn open(b: &mut GraphBuilder, x: &Value, size: Vec<Dim>, sampling: &Sampling) -> Result<Value> {
    let image = as_image(x, sampling).filter(|_| !sampling.antialias);
    let (op, mut attrs) = image.ok_or(
        "this resampling of open dimensions is not supported; give the sizes with --dim or --shape",
    )?;
    attrs.push(("size", Param::Dims(size)));
    b.op(op, std::slice::from_ref(x), &attrs)
}

/// The methods of `grid_sample`, and what it takes for what is outside, by their numbers.
const METHODS: [grid::Mode; 3] = [grid::Mode::Linear, grid::Mode::Nearest, grid::Mode::Cubic];
/// As [`METHODS`].
const OUTSIDES: [grid::Outside; 3] = [
    grid::Outside::Zeros,
    grid::Outside::Border,
    grid::Outside::Reflection,
];

fn grid_sample(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, places) = (n.tensor("input")?, n.tensor("grid")?);
    let method = usize::try_from(n.int_or("interpolation_mode", 0)?).ok();
    let outside = usize::try_from(n.int_or("padding_mode", 0)?).ok();
    let method = method
        .and_then(|method| METHODS.get(method))
        .ok_or("argument 'interpolation_mode' is unknown")?;
    let outside = outside
        .and_then(|outside| OUTSIDES.get(outside))
        .ok_or("argument 'padding_mode' is unknown")?;
    let is_aligned = n.bool_or("align_corners", false)?;
    grid::sampled(b, (&x, &places), (*method, *outside, is_aligned))
}

fn affine_grid(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let size = n.dims(b, "size")?.unwrap_or_default();
    let is_aligned = n.bool_or("align_corners", false)?;
    grid::affine_positions(b, &n.tensor("theta")?, &size, is_aligned)
}

/// The most elements of a window.
const MOST_ELEMENTS: i64 = 1 << 12;
/// The most windows along an axis.
const MOST_WINDOWS: i64 = 1 << 16;

/// How windows of an image lie: their extents, the steps between them, and between their elements; and padding of the image.
struct Windows {
    kernel: Vec<i64>,
    strides: Vec<i64>,
    dilation: Vec<i64>,
    padding: Vec<i64>,
}

impl Windows {
    fn read(n: &Node<'_>) -> Result<Self> {
        let windows = Self {
            kernel: n.ints_of("kernel_size", 2, 1)?,
            strides: n.ints_of("stride", 2, 1)?,
            dilation: n.ints_of("dilation", 2, 1)?,
            padding: n.ints_of("padding", 2, 0)?,
        };
        let is_right = [&windows.kernel, &windows.strides, &windows.dilation]
            .iter()
            .all(|all| all.iter().all(|it| *it > 0))
            && windows.kernel.iter().product::<i64>() <= MOST_ELEMENTS
            && windows.padding.iter().all(|it| *it >= 0);
        match is_right {
            true => Ok(windows),
            false => Err("a kernel, stride, dilation or padding is out of range".into()),
        }
    }

    /// How many windows an axis of an extent has.
    fn count(&self, axis: usize, extent: i64) -> Result<i64> {
        let room =
            extent + 2 * self.padding[axis] - self.dilation[axis] * (self.kernel[axis] - 1) - 1;
        match (0..MOST_WINDOWS).contains(&room) {
            true => Ok(room / self.strides[axis] + 1),
            false => Err(format!("windows of {:?} do not fit", self.kernel)),
        }
    }

    /// The subscripts of an axis of the padded image that the elements of the windows have: those of an element after each other.
    fn places(&self, axis: usize, count: i64) -> Vec<i64> {
        let elements = 0..self.kernel[axis];
        let of_element = |element: i64| {
            (0..count)
                .map(move |window| window * self.strides[axis] + element * self.dilation[axis])
        };
        elements.flat_map(of_element).collect()
    }
}

/// The windows of an image as columns: [n, c, h, w] to [n, c * kernel, windows].
fn windows_as_columns(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let windows = Windows::read(n)?;
    let [samples, channels, rows, columns] = *x.shape()? else {
        return Err(format!(
            "the input has shape {:?}, expected rank 4",
            x.dims()
        ));
    };
    let counts = [windows.count(0, rows)?, windows.count(1, columns)?];
    let zero = b.scalar(x.element(), 0.0);
    let widths = [
        0,
        0,
        0,
        0,
        windows.padding[0],
        windows.padding[0],
        windows.padding[1],
        windows.padding[1],
    ];
    let mut taken = b.pad(&x, &zero, &widths, "constant")?;
    for axis in [0, 1] {
        let places = b.known(Const::ints(&windows.places(axis, counts[axis])));
        taken = b.taken(&taken, &places, axis + 2)?;
    }
    let shape = [
        samples,
        channels,
        windows.kernel[0],
        counts[0],
        windows.kernel[1],
        counts[1],
    ];
    let apart = b.reshape(&taken, &shape)?;
    let turned = b.transpose(&apart, &[0, 1, 2, 4, 3, 5])?;
    let kernel = windows.kernel[0] * windows.kernel[1];
    b.reshape(
        &turned,
        &[samples, channels * kernel, counts[0] * counts[1]],
    )
}

/// The sums of windows that are columns, in an image: [n, c * kernel, windows] to [n, c, h, w].
fn columns_as_windows(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let windows = Windows::read(n)?;
    let size = n.ints_of("output_size", 2, 1)?;
    let [samples, all, _] = *x.shape()? else {
        return Err(format!(
            "the input has shape {:?}, expected rank 3",
            x.dims()
        ));
    };
    let counts = [windows.count(0, size[0])?, windows.count(1, size[1])?];
    let kernel = windows.kernel[0] * windows.kernel[1];
    let channels = all / kernel;
    let padded = [
        size[0] + 2 * windows.padding[0],
        size[1] + 2 * windows.padding[1],
    ];
    let shape = [
        samples * channels,
        windows.kernel[0],
        windows.kernel[1],
        counts[0],
        counts[1],
    ];
    let apart = b.reshape(&x, &shape)?;
    let turned = b.transpose(&apart, &[1, 3, 2, 4, 0])?;
    let (rows, columns) = (windows.places(0, counts[0]), windows.places(1, counts[1]));
    let places = rows
        .iter()
        .flat_map(|row| columns.iter().map(move |column| row * padded[1] + column));
    let places: Vec<i64> = places.collect();
    let updates = b.reshape(&turned, &[places.len() as i64, samples * channels])?;
    let places = Const::new(
        Element::I64,
        vec![1, places.len() as i64],
        &Numbers::ints(&places),
    );
    let places = b.known(places);
    let image = b.filled(
        x.element(),
        &[padded[0] * padded[1], samples * channels],
        0.0,
    )?;
    let summed = b.op(
        "scatter_nd",
        &[image, places, updates],
        &[("mode", Param::Str("add"))],
    )?;
    let summed = b.transpose(&summed, &[1, 0])?;
    let whole = b.reshape(&summed, &[samples, channels, padded[0], padded[1]])?;
    let cut = |axis: usize| {
        let from = windows.padding[axis];
        (axis + 2, Dim::Known(from), Dim::Known(from + size[axis]), 1)
    };
    sliced(b, &whole, &[cut(0), cut(1)])
}

fn pad(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let mode = match n.text("mode")?.unwrap_or("constant") {
        "constant" => "constant",
        "reflect" => "reflect",
        "replicate" => "edge",
        "circular" => return around(n, b),
        other => return Err(format!("argument 'mode' is '{other}'")),
    };
    let value = n.float_or("value", 0.0)?;
    padded(n, b, "pad", (mode, value))
}

/// How many elements come before and behind each axis. A node lists them from the last axis on.
fn widths(n: &Node<'_>, b: &mut GraphBuilder, name: &str, rank: usize) -> Result<Vec<[Dim; 2]>> {
    let given = n.dims(b, name)?.unwrap_or_default();
    if given.len() % 2 != 0 || given.len() > 2 * rank {
        return Err(format!("argument '{name}' is {given:?} for {rank} axes"));
    }
    let mut widths = vec![[Dim::Known(0); 2]; rank];
    for (pair, width) in given.chunks_exact(2).zip(widths.iter_mut().rev()) {
        *width = [pair[0], pair[1]];
    }
    Ok(widths)
}

fn padded(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    name: &str,
    (mode, value): (&'static str, f64),
) -> Result<Value> {
    let mut x = n.tensor("self")?;
    let widths = widths(n, b, name, x.rank())?;
    let is_cut = |width: &Dim| width.known().is_some_and(|width| width < 0);
    let mut cuts = Vec::new();
    for (axis, [before, after]) in widths.iter().enumerate() {
        if is_cut(before) || is_cut(after) {
            let cut = |width: &Dim| if is_cut(width) { *width } else { Dim::Known(0) };
            let start = Dim::Known(0).minus(cut(before))?;
            let end = x.dims()[axis].plus(cut(after))?;
            cuts.push((axis, start, end, 1));
        }
    }
    if !cuts.is_empty() {
        x = sliced(b, &x, &cuts)?;
    }
    let fill = b.scalar(x.element(), value);
    let widths = widths.iter().flatten();
    let widths: Vec<Dim> = widths
        .map(|width| if is_cut(width) { Dim::Known(0) } else { *width })
        .collect();
    b.pad(&x, &fill, &widths, mode)
}

/// The end of each axis before its beginning, and its beginning behind its end.
fn around(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.ignore(&["value"]);
    let mut x = n.tensor("self")?;
    for (axis, [before, after]) in widths(n, b, "pad", x.rank())?.into_iter().enumerate() {
        let extent = x.dims()[axis];
        let mut parts = Vec::new();
        if before != 0 {
            parts.push(sliced(b, &x, &[(axis, extent.minus(before)?, extent, 1)])?);
        }
        parts.push(x.clone());
        if after != 0 {
            parts.push(sliced(b, &x, &[(axis, Dim::Known(0), after, 1)])?);
        }
        x = b.concatenate(&parts, axis)?;
    }
    Ok(x)
}
