//! Images sampled at places that are given, in windows, and in regions.

use super::{columns::*, keyword, rule, transform::are_subscripts, window::Window};
use crate::{
    dim::{self, Dim},
    relay::{Attrs, Call, TensorType, relation::show},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new(
        "image.affine_grid",
        Injective,
        FLOATS,
        Amplifies,
        affine_grid,
    ),
    Row::new(
        "image.grid_sample",
        Injective,
        FLOATS,
        Averages,
        grid_sample,
    ),
    Row::new(
        "image.crop_and_resize",
        Injective,
        FLOATS,
        Averages,
        crop_and_resize,
    ),
    Row::new(
        "image.dilation2d",
        OutElemwiseFusable,
        NUMBERS,
        Near,
        dilation2d,
    ),
    Row::new(
        "nn.correlation",
        OutElemwiseFusable,
        FLOATS,
        Amplifies,
        correlation,
    ),
    Row::new("vision.roi_pool", Opaque, FLOATS, Chooses, roi_pool),
    Row::new("vision.roi_align", Opaque, FLOATS, Averages, roi_align),
    Row::new(
        "nn.deformable_conv2d",
        OutElemwiseFusable,
        FLOATS,
        Amplifies,
        deformable_conv2d,
    ),
];

fn one(shape: Vec<Dim>, call: &Call) -> Result<Vec<TensorType>, String> {
    Ok(vec![TensorType::new(shape, call.inputs[0].element)])
}

/// Two numbers of an attribute, none of which is below `least`.
fn two(call: &Call, name: &str, least: i64) -> Result<[i64; 2], String> {
    match call.attrs.ints(name)?[..] {
        [first, second] if first >= least && second >= least => Ok([first, second]),
        ref other => Err(format!(
            "{name} is {other:?}, not two numbers of at least {least}"
        )),
    }
}

fn affine_grid(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let samples = match data.shape[..] {
        [samples, rows, columns] if rows == 2 && columns == 3 => samples,
        _ => {
            return Err(format!(
                "data are {}, not [n, 2, 3] (C1)",
                show(&data.shape)
            ));
        }
    };
    let [rows, columns] = two(call, "target_shape", 2).map_err(rule("C2"))?;
    let extents = [Dim::Known(2), Dim::Known(rows), Dim::Known(columns)];
    one([&[samples], &extents[..]].concat(), call)
}

fn grid_sample(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, grid] = &call.inputs[..] else {
        return Err("takes two operands".into());
    };
    let wrong = || {
        format!(
            "a grid {} does not fit data {} (C1)",
            grid.to_type(),
            data.to_type()
        )
    };
    let (&[samples, channels, _, _], &[of_grid, two, rows, columns]) =
        (&data.shape[..], &grid.shape[..])
    else {
        return Err(wrong());
    };
    let samples = dim::unify(samples, of_grid).filter(|_| two == 2);
    let samples = samples.ok_or_else(wrong)?;
    if data.element != grid.element {
        return Err(wrong());
    }
    keyword(call, "method", &["bilinear", "nearest"]).map_err(rule("C2"))?;
    keyword(call, "padding_mode", &["zeros", "border"]).map_err(rule("C3"))?;
    one(vec![samples, channels, rows, columns], call)
}

fn crop_and_resize(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, boxes, indices] = &call.inputs[..] else {
        return Err("takes three operands".into());
    };
    let fits = match (&boxes.shape[..], &indices.shape[..]) {
        ([count, corners], [of_indices]) => {
            *corners == 4 && dim::unify(*count, *of_indices).is_some()
        }
        _ => false,
    };
    let are_of_images = are_subscripts(indices.element) && boxes.element == data.element;
    if !fits || !are_of_images || data.rank() != 4 {
        return Err(format!(
            "boxes {} and box_indices {} do not fit data {} (C1)",
            boxes.to_type(),
            indices.to_type(),
            data.to_type()
        ));
    }
    let [rows, columns] = two(call, "crop_size", 1).map_err(rule("C2"))?;
    keyword(call, "method", &["bilinear", "nearest_neighbor"]).map_err(rule("C3"))?;
    let extents = [data.shape[1], Dim::Known(rows), Dim::Known(columns)];
    one([&boxes.shape[..1], &extents].concat(), call)
}

fn dilation2d(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, weight] = &call.inputs[..] else {
        return Err("takes two operands".into());
    };
    let fits = match (&data.shape[..], &weight.shape[..]) {
        ([_, channels, _, _], [of_weight, _, _]) => dim::unify(*channels, *of_weight).is_some(),
        _ => false,
    };
    if !fits || data.element != weight.element {
        return Err(format!(
            "weights {} do not fit data {} (C1)",
            weight.to_type(),
            data.to_type()
        ));
    }
    let strides = two(call, "strides", 1).map_err(rule("C2"))?;
    let dilations = two(call, "dilations", 1).map_err(rule("C2"))?;
    let padding = call.attrs.ints("padding")?;
    if padding.len() != 4 || padding.iter().any(|&width| width < 0) {
        return Err(format!("padding is {padding:?}, not four widths (C2)"));
    }
    let mut shape = data.shape[..2].to_vec();
    for axis in 0..2 {
        let window = weight.shape[axis + 1].minus(1)?.times(dilations[axis])?;
        let padded = data.shape[axis + 2].plus(padding[axis] + padding[axis + 2])?;
        let room = padded.minus(window.plus(1)?)?;
        if room.known().is_some_and(|room| room < 0) {
            return Err(format!(
                "a window of {} does not fit into {padded} (C3)",
                window.plus(1)?
            ));
        }
        shape.push(room.floor_div(strides[axis])?.plus(1)?);
    }
    one(shape, call)
}

/// How patches of a correlation lie.
pub struct Patches {
    /// The rows and columns of a patch.
    pub kernel: i64,
    /// How far away a patch may be that another one is compared with.
    pub displacement: i64,
    /// The distances of patches, and of displacements.
    pub strides: [i64; 2],
    /// The zeros around an image.
    pub padding: i64,
}

impl Patches {
    /// How many displacements there are to one side of a patch.
    pub fn radius(&self) -> i64 {
        self.displacement / self.strides[1]
    }

    /// How many there are in all.
    pub fn displacements(&self) -> i64 {
        (2 * self.radius() + 1) * (2 * self.radius() + 1)
    }

    /// Those of an operator's attributes.
    ///
    /// # Errors
    /// If they do not fit one another.
    pub fn read(attrs: &crate::relay::Attrs) -> Result<Self, String> {
        let patches = Self {
            kernel: attrs.int("kernel_size")?,
            displacement: attrs.int("max_displacement")?,
            strides: [attrs.int("stride1")?, attrs.int("stride2")?],
            padding: attrs.int("padding")?,
        };
        const MOST: i64 = 1 << 20;
        let sizes = [patches.displacement, patches.padding];
        let is_size = |size: &i64| (0..MOST).contains(size);
        let are_strides = patches
            .strides
            .iter()
            .all(|stride| (1..MOST).contains(stride));
        if patches.kernel % 2 != 1 || !is_size(&patches.kernel) || !are_strides {
            return Err("kernel_size is not odd, or a stride not at least 1".into());
        }
        match sizes.iter().all(is_size) {
            true => Ok(patches),
            false => Err("max_displacement or padding is negative or too large".into()),
        }
    }
}

fn correlation(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, other] = &call.inputs[..] else {
        return Err("takes two operands".into());
    };
    let known: Option<Vec<i64>> = data.shape.iter().skip(1).map(|dim| dim.known()).collect();
    let image = known.filter(|image| image.len() == 3 && data == other);
    let image = image.ok_or_else(|| {
        format!(
            "images {} and {} are not of one known type of rank 4 (C1)",
            data.to_type(),
            other.to_type()
        )
    })?;
    let patches = Patches::read(&call.attrs).map_err(rule("C2"))?;
    let border = patches.displacement + patches.kernel / 2;
    let mut shape = vec![data.shape[0], Dim::Known(patches.displacements())];
    for extent in &image[1..] {
        let room = extent + 2 * patches.padding - 2 * border;
        if room < 1 {
            return Err(format!(
                "{extent} pixels with {} around them hold no patch with its displacements (C3)",
                patches.padding
            ));
        }
        shape.push(Dim::Known((room - 1) / patches.strides[0] + 1));
    }
    one(shape, call)
}

/// Images and regions of them: checks that they fit.
fn regions(call: &Call) -> Result<[&TensorType; 2], String> {
    let [data, rois] = &call.inputs[..] else {
        return Err("takes two operands".into());
    };
    let are_regions = rois.rank() == 2 && rois.shape[1] == 5 && rois.element == data.element;
    if data.rank() != 4 || !are_regions {
        return Err(format!(
            "rois {} do not fit data {} (C1)",
            rois.to_type(),
            data.to_type()
        ));
    }
    Ok([data, rois])
}

fn roi_pool(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, rois] = regions(call)?;
    let [rows, columns] = two(call, "pooled_size", 1).map_err(rule("C2"))?;
    one(
        vec![
            rois.shape[0],
            data.shape[1],
            Dim::Known(rows),
            Dim::Known(columns),
        ],
        call,
    )
}

fn roi_align(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, rois] = regions(call)?;
    let cells = two(call, "pooled_size", 1).map_err(rule("C2"))?;
    let [rows, columns] = cells.map(Dim::Known);
    let layout = keyword(call, "layout", &["NCHW", "NHWC"]).map_err(rule("C3"))?;
    keyword(call, "mode", &["avg", "max"]).map_err(rule("C4"))?;
    let regions = rois.shape[0];
    let shape = match layout.as_str() {
        "NCHW" => vec![regions, data.shape[1], rows, columns],
        _ => vec![regions, rows, columns, data.shape[3]],
    };
    one(shape, call)
}

/// Where the dimensions of images and weights of a layout are: samples, channels, rows and columns; outputs, inputs, rows and columns.
#[derive(Clone, Copy)]
pub struct Order {
    /// Of images.
    pub image: [usize; 4],
    /// Of weights.
    pub weight: [usize; 4],
}

impl Order {
    /// Reads it.
    ///
    /// # Errors
    /// If it is neither of the two that are known.
    pub fn read(attrs: &Attrs) -> Result<Self, String> {
        let layouts = [attrs.str("data_layout")?, attrs.str("kernel_layout")?];
        match [layouts[0].as_str(), layouts[1].as_str()] {
            ["NCHW", "OIHW"] => Ok(Self {
                image: [0, 1, 2, 3],
                weight: [0, 1, 2, 3],
            }),
            ["NHWC", "HWIO"] => Ok(Self {
                image: [0, 3, 1, 2],
                weight: [3, 2, 0, 1],
            }),
            [data, kernel] => Err(format!(
                "layouts '{data}' and '{kernel}' are neither NCHW and OIHW nor NHWC and HWIO (C1)"
            )),
        }
    }

    /// Samples, channels, rows and columns in the order of images.
    pub fn of_image<T: Copy>(&self, parts: [T; 4]) -> Vec<T> {
        in_order(self.image, parts)
    }

    /// Outputs, inputs, rows and columns in the order of weights.
    pub fn of_weight<T: Copy>(&self, parts: [T; 4]) -> Vec<T> {
        in_order(self.weight, parts)
    }
}

/// Each part at its place.
fn in_order<T: Copy>(places: [usize; 4], parts: [T; 4]) -> Vec<T> {
    let mut ordered = parts.to_vec();
    for (place, part) in places.into_iter().zip(parts) {
        ordered[place] = part;
    }
    ordered
}

fn deformable_conv2d(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, offset, weight] = &call.inputs[..] else {
        return Err("takes three operands".into());
    };
    let order = Order::read(&call.attrs)?;
    let unfit = || {
        let types = call.inputs.iter().map(|ty| ty.to_type().to_string());
        let types: Vec<String> = types.collect();
        format!("operands {} do not fit (C2)", types.join(", "))
    };
    let are_images = |ty: &TensorType| ty.rank() == 4 && ty.element == data.element;
    if !call.inputs.iter().all(are_images) {
        return Err(unfit());
    }
    let [batch, inputs, height, width] = order.image.map(|at| data.shape[at]);
    let [outputs, of_group, rows, columns] = order.weight.map(|at| weight.shape[at]);
    let groups = call.attrs.int("groups")?;
    let deformed = call.attrs.int("deformable_groups")?;
    let is_divided =
        |channels: Dim, parts: i64| parts > 0 && dim::quotient(channels, parts).is_some();
    if !is_divided(inputs, groups) || !is_divided(outputs, groups) || !is_divided(inputs, deformed)
    {
        return Err(format!(
            "{inputs} and {outputs} channels are not {groups} groups with offsets of {deformed} groups (C5)"
        ));
    }
    let window = Window::of(&call.attrs, &[rows, columns])?;
    let positions = window.positions(&[height, width], false)?;
    let offsets = rows
        .times(columns)?
        .times(deformed.checked_mul(2).unwrap_or(deformed))?;
    let wanted = order.of_image([batch, offsets, positions[0], positions[1]]);
    let mut pairs = offset.shape.iter().zip(&wanted);
    let fits = pairs.all(|(one, other)| dim::unify(*one, *other).is_some())
        && dim::unify(of_group.times(groups)?, inputs).is_some();
    match fits {
        true => one(
            order.of_image([batch, outputs, positions[0], positions[1]]),
            call,
        ),
        false => Err(unfit()),
    }
}
