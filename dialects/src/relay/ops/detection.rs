//! Boxes that detectors predict, and their suppression by better ones.

use super::{columns::*, transform::are_subscripts};
use crate::{
    dim::{self, Dim},
    element::Element,
    relay::{Attrs, Call, TensorType},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new(
        "vision.get_valid_counts",
        Opaque,
        FLOATS,
        Jumps,
        get_valid_counts,
    ),
    Row::new(
        "vision.non_max_suppression",
        Opaque,
        FLOATS,
        Jumps,
        non_max_suppression,
    ),
    Row::new(
        "vision.regular_non_max_suppression",
        Opaque,
        FLOATS,
        Jumps,
        regular_non_max_suppression,
    ),
    Row::new(
        "vision.multibox_prior",
        Opaque,
        FLOATS,
        Prepares,
        multibox_prior,
    ),
    Row::new(
        "vision.multibox_transform_loc",
        Opaque,
        FLOATS,
        Jumps,
        multibox_transform_loc,
    ),
    Row::new("vision.proposal", Opaque, FLOATS, Jumps, proposal),
];

/// Whether operands have these dimensions and elements that `is_element` allows.
fn fits(ty: &TensorType, shape: &[Dim], is_element: impl Fn(&TensorType) -> bool) -> bool {
    let mut pairs = ty.shape.iter().zip(shape);
    ty.rank() == shape.len()
        && pairs.all(|(one, other)| dim::unify(*one, *other).is_some())
        && is_element(ty)
}

/// What is wrong with operands that do not fit each other.
fn unfit(call: &Call) -> String {
    let types = call.inputs.iter().map(|ty| ty.to_type().to_string());
    let types: Vec<String> = types.collect();
    format!("operands {} do not fit (C1)", types.join(", "))
}

fn integers(ty: &TensorType) -> bool {
    are_subscripts(ty.element)
}

fn i32s(call: &Call, shape: Vec<Dim>) -> TensorType {
    TensorType::new(shape, Element::I32.ty(call.ctx))
}

/// The number of elements of a row, where it is known, and whether it has the attribute's place.
fn check_place(call: &Call, name: &str, count: i64) -> Result<(), String> {
    let (first, row) = (call.attrs.int(name)?, call.inputs[0].shape[2]);
    let end = first.checked_add(count);
    let is_inside = first >= 0 && end.is_some_and(|end| row.known().is_none_or(|row| end <= row));
    match is_inside {
        true => Ok(()),
        false => Err(format!("{name} is {first}, of rows of {row} numbers (C2)")),
    }
}

/// The same, where a negative number says that there is no such place.
fn check_place_if_any(call: &Call, name: &str) -> Result<(), String> {
    match call.attrs.int(name)? {
        ..0 => Ok(()),
        _ => check_place(call, name, 1),
    }
}

fn get_valid_counts(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, threshold] = &call.inputs[..] else {
        return Err("takes two operands".into());
    };
    let is_threshold = fits(threshold, &[], |ty| ty.element == data.element);
    let [batch, count, _] = data.shape[..] else {
        return Err(unfit(call));
    };
    if !is_threshold {
        return Err(unfit(call));
    }
    check_place(call, "score_index", 1)?;
    check_place_if_any(call, "id_index")?;
    Ok(vec![
        i32s(call, vec![batch]),
        data.clone(),
        i32s(call, vec![batch, count]),
    ])
}

fn non_max_suppression(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, valid, indices, most, threshold] = &call.inputs[..] else {
        return Err("takes five operands".into());
    };
    let [batch, count, _] = data.shape[..] else {
        return Err(unfit(call));
    };
    let are_right = fits(valid, &[batch], integers)
        && fits(indices, &[batch, count], |ty| {
            Element::of(ty.element) == Some(Element::I32)
        })
        && fits(most, &[], integers)
        && fits(threshold, &[], |ty| {
            Element::of(ty.element).is_some_and(Element::is_float)
        });
    if !are_right {
        return Err(unfit(call));
    }
    check_place(call, "score_index", 1)?;
    // Of a box, x and y of two corners.
    check_place(call, "coord_start", 4)?;
    check_place_if_any(call, "id_index")?;
    Ok(match call.attrs.bool("return_indices")? {
        true => vec![
            i32s(call, vec![batch, count]),
            i32s(call, vec![batch, Dim::Known(1)]),
        ],
        false => vec![data.clone()],
    })
}

fn regular_non_max_suppression(call: &Call) -> Result<Vec<TensorType>, String> {
    let [boxes, scores] = &call.inputs[..] else {
        return Err("takes two operands".into());
    };
    let is_f32 = |ty: &TensorType| Element::of(ty.element) == Some(Element::F32);
    let [batch, count, classes] = scores.shape[..] else {
        return Err(unfit(call));
    };
    if !fits(boxes, &[batch, count, Dim::Known(4)], is_f32) || !is_f32(scores) {
        return Err(unfit(call));
    }
    for name in ["max_detections_per_class", "max_detections"] {
        let most = call.attrs.int(name)?;
        if most < 1 {
            return Err(format!("{name} is {most}, not at least 1 (C2)"));
        }
    }
    let wanted = call.attrs.int("num_classes")?;
    if wanted < 1 || classes.known().is_none_or(|classes| wanted > classes) {
        return Err(format!("num_classes is {wanted}, of {classes} (C3)"));
    }
    let most = Dim::Known(call.attrs.int("max_detections")?);
    let floats = |shape: Vec<Dim>| TensorType::new(shape, boxes.element);
    Ok(vec![
        floats(vec![batch, most, Dim::Known(4)]),
        floats(vec![batch, most]),
        floats(vec![batch, most]),
        i32s(call, vec![batch]),
    ])
}

/// A list of floats above `least`, of which there are some.
fn some_above(attrs: &Attrs, name: &str, least: f64) -> Result<Vec<f64>, String> {
    let numbers = attrs.floats(name)?;
    let are_right = numbers.iter().all(|number| *number > least);
    match are_right && !numbers.is_empty() {
        true => Ok(numbers),
        false => Err(format!(
            "{name} is {numbers:?}, not some numbers above {least} (C2)"
        )),
    }
}

/// The boxes of `vision.multibox_prior`.
pub struct Priors {
    /// The sizes.
    pub sizes: Vec<f64>,
    /// The ratios, of which the first one has all sizes, and the others the first size.
    pub ratios: Vec<f64>,
}

impl Priors {
    /// Reads them.
    ///
    /// # Errors
    /// If there are no sizes, or ratios that are not positive.
    pub fn read(attrs: &Attrs) -> Result<Self, String> {
        let sizes = some_above(attrs, "sizes", f64::NEG_INFINITY)?;
        let ratios = some_above(attrs, "ratios", 0.0)?;
        Ok(Self { sizes, ratios })
    }

    /// How many boxes a pixel has.
    pub fn count(&self) -> i64 {
        (self.sizes.len() + self.ratios.len() - 1) as i64
    }
}

fn multibox_prior(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let image: Option<Vec<i64>> = data.shape.iter().skip(2).map(|dim| dim.known()).collect();
    let image = image.filter(|image| data.rank() == 4 && image.iter().all(|extent| *extent > 0));
    let image = image.ok_or_else(|| unfit(call))?;
    let priors = Priors::read(&call.attrs)?;
    for name in ["steps", "offsets"] {
        let numbers = call.attrs.floats(name)?;
        if numbers.len() != 2 {
            return Err(format!("{name} is {numbers:?}, not two numbers (C3)"));
        }
    }
    let count = dim::product(&[image[0], image[1], priors.count()])?;
    let shape = vec![Dim::Known(1), count, Dim::Known(4)];
    Ok(vec![TensorType::new(shape, data.element)])
}

fn multibox_transform_loc(call: &Call) -> Result<Vec<TensorType>, String> {
    let [classes, moves, anchors] = &call.inputs[..] else {
        return Err("takes three operands".into());
    };
    let [batch, _, count] = classes.shape[..] else {
        return Err(unfit(call));
    };
    let is_same = |ty: &TensorType| ty.element == classes.element;
    let are_right = fits(moves, &[batch, count.times(4)?], is_same)
        && fits(anchors, &[Dim::Known(1), count, Dim::Known(4)], is_same);
    if !are_right {
        return Err(unfit(call));
    }
    let variances = call.attrs.floats("variances")?;
    if variances.len() != 4 {
        return Err(format!("variances is {variances:?}, not four numbers (C2)"));
    }
    let rows = TensorType::new(vec![batch, count, Dim::Known(6)], classes.element);
    Ok(vec![rows, i32s(call, vec![batch])])
}

fn proposal(call: &Call) -> Result<Vec<TensorType>, String> {
    let [scores, moves, images] = &call.inputs[..] else {
        return Err("takes three operands".into());
    };
    let scales = some_above(&call.attrs, "scales", 0.0)?;
    let ratios = some_above(&call.attrs, "ratios", 0.0)?;
    let kinds = Dim::from((scales.len() * ratios.len()) as i64);
    let [batch, _, height, width] = scores.shape[..] else {
        return Err(unfit(call));
    };
    let is_same = |ty: &TensorType| ty.element == scores.element;
    let are_right = fits(scores, &[batch, kinds.times(2)?, height, width], is_same)
        && fits(moves, &[batch, kinds.times(4)?, height, width], is_same)
        && fits(images, &[batch, Dim::Known(3)], is_same)
        && [height, width]
            .iter()
            .all(|extent| extent.known().is_some_and(|extent| extent > 0));
    if !are_right {
        return Err(unfit(call));
    }
    for name in ["feature_stride", "rpn_post_nms_top_n"] {
        let number = call.attrs.int(name)?;
        if number < 1 {
            return Err(format!("{name} is {number}, not at least 1 (C2)"));
        }
    }
    let rows = batch.times(call.attrs.int("rpn_post_nms_top_n")?)?;
    Ok(vec![TensorType::new(
        vec![rows, Dim::Known(5)],
        scores.element,
    )])
}
