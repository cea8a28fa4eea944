//! The static operator for each dynamic one.

use crate::graph::constants::integers;
use relay_dialects::{
    dim::{self, Dim},
    ir::{Attr, Builder, NamedAttr, Op, Value},
    names::relay,
    pass::{PassFailed, fail},
    relay::{
        Attrs,
        build::{extents, make, splat},
    },
};

/// An operator with its operands and attributes.
struct Static {
    name: &'static str,
    operands: Vec<Value>,
    attrs: Vec<(&'static str, Attr)>,
}

/// What a dynamic operator is once its shape is known: `None` if it is not, or why there is no such operator.
type Outcome = Result<Option<Static>, String>;

/// The results of the static operator for `op`, if its shape is a constant.
///
/// # Errors
/// If there is no operator of that shape; a diagnostic says why.
pub fn as_static(op: Op) -> Result<Option<Vec<Value>>, PassFailed> {
    let found = match &op.name() {
        name if name == relay::DYN_RESHAPE => reshape(op),
        name if name == relay::DYN_SQUEEZE => squeeze(op),
        name if name == relay::DYN_EXPAND_DIMS => expand_dims(op),
        name if name == relay::DYN_TILE => tile(op),
        name if name == relay::DYN_BROADCAST_TO => shaped(op, relay::BROADCAST_TO, &[0], 1),
        name if name == relay::DYN_ZEROS => shaped(op, relay::ZEROS, &[], 0),
        name if name == relay::DYN_ONES => shaped(op, relay::ONES, &[], 0),
        name if name == relay::DYN_FULL => shaped(op, relay::FULL, &[0], 1),
        name if name == relay::DYN_STRIDED_SLICE => strided_slice(op),
        name if name == relay::DYN_NN_PAD => pad(op),
        name if name == relay::DYN_NN_UPSAMPLING => {
            upsampling(op, relay::NN_UPSAMPLING, &["scale_h", "scale_w"])
        }
        name if name == relay::DYN_NN_UPSAMPLING3D => {
            let scales = ["scale_d", "scale_h", "scale_w"];
            upsampling(op, relay::NN_UPSAMPLING3D, &scales)
        }
        name if name == relay::DYN_IMAGE_RESIZE2D => resize2d(op),
        name if name == relay::DYN_ONE_HOT => {
            let keeps = ["axis", "dtype"];
            counted(op, relay::ONE_HOT, (&[0, 1, 2], 3, "depth"), &keeps)
        }
        name if name == relay::DYN_TOPK => {
            let keeps = ["axis", "ret_type", "is_ascend", "dtype"];
            counted(op, relay::TOPK, (&[0], 1, "k"), &keeps)
        }
        name if name == relay::DYN_SPARSE_TO_DENSE => sparse_to_dense(op),
        _ => Ok(None),
    };
    match found {
        Ok(None) => Ok(None),
        Err(reason) => fail(op, reason),
        Ok(Some(made)) => {
            let attrs: Vec<NamedAttr<'_>> = made.attrs.into_iter().collect();
            let made = Builder::before(op).inferred(made.name, &made.operands, &attrs);
            // What is wrong has been said.
            made.map(|made| Some(made.results())).ok_or(PassFailed)
        }
    }
}

/// The attributes of an op that its static operator has, too, as far as they are there.
fn kept(op: Op, names: &[&'static str]) -> Vec<(&'static str, Attr)> {
    let found = names.iter().map(|name| Some((*name, op.attr(name)?)));
    found.flatten().collect()
}

/// An operator of a shape that operand number `place` is.
fn shaped(op: Op, name: &'static str, operands: &[usize], place: usize) -> Outcome {
    Ok(integers(op.operand(place)).map(|shape| {
        let mut attrs = kept(op, &["dtype"]);
        attrs.push(("shape", Attr::ints(op.ctx(), &shape)));
        Static {
            name,
            operands: operands.iter().map(|&place| op.operand(place)).collect(),
            attrs,
        }
    }))
}

/// An operator of operand 0 and one attribute more.
fn with(op: Op, name: &'static str, attr: (&'static str, Attr), keeps: &[&'static str]) -> Static {
    let mut attrs = kept(op, keeps);
    attrs.push(attr);
    Static {
        name,
        operands: vec![op.operand(0)],
        attrs,
    }
}

/// An operator with a number that an operand is: its operands, the number's place, and the attribute that holds it.
fn counted(
    op: Op,
    name: &'static str,
    (operands, place, attr): (&[usize], usize, &'static str),
    keeps: &[&'static str],
) -> Outcome {
    let number = integers(op.operand(place)).and_then(|numbers| numbers.first().copied());
    Ok(number.map(|number| {
        let mut attrs = kept(op, keeps);
        attrs.push((attr, Attr::i64(op.ctx(), number)));
        Static {
            name,
            operands: operands.iter().map(|&place| op.operand(place)).collect(),
            attrs,
        }
    }))
}

fn sparse_to_dense(op: Op) -> Outcome {
    Ok(integers(op.operand(3)).map(|shape| Static {
        name: relay::SPARSE_TO_DENSE,
        operands: [0, 1, 2].map(|place| op.operand(place)).into(),
        attrs: vec![("output_shape", Attr::ints(op.ctx(), &shape))],
    }))
}

fn reshape(op: Op) -> Outcome {
    let Some(codes) = integers(op.operand(1)) else {
        return Ok(None);
    };
    let allows = Attrs::of(op).bool("allowzero").unwrap_or(false);
    let shape = new_shape(&op.operand(0).ty().dims(), &codes, allows)?;
    Ok(shape.map(|shape| {
        let shape = extents(op.ctx(), &shape);
        with(op, relay::RESHAPE, ("newshape", shape), &[])
    }))
}

/// The dimensions for which TVM's codes stand: 0 for the one of the data, unless it `allows` zeros, -1 for what is left, -3 for
/// the product of two. `None` if dimensions of the data are needed that are not known.
fn new_shape(data: &[Dim], codes: &[i64], allows: bool) -> Result<Option<Vec<Dim>>, String> {
    let (mut shape, mut at) = (Vec::new(), 0);
    for &code in codes {
        let count = if code == -3 { 2 } else { 1 };
        let own = data.get(at..at + count);
        at += count;
        shape.push(match (code, own) {
            (0, _) if allows => Dim::Known(0),
            (0 | -3, Some(own)) => dim::product(own)?,
            (0 | -3, None) => {
                return Err(format!(
                    "newshape {codes:?} takes more than the {} dimensions of the data",
                    data.len()
                ));
            }
            (-1.., _) => Dim::Known(code),
            _ => {
                return Err(format!(
                    "newshape {codes:?} holds {code}, which is no dimension"
                ));
            }
        });
    }
    // One dimension that is not known is what is left of the others.
    for dim in shape.iter_mut().filter(|dim| **dim == Dim::Unknown) {
        *dim = Dim::Known(-1);
    }
    let left = shape.iter().filter(|dim| **dim == -1).count();
    let is_open = left > 1 && data.contains(&Dim::Unknown);
    Ok((!is_open).then_some(shape))
}

fn squeeze(op: Op) -> Outcome {
    Ok(integers(op.operand(1)).map(|axes| {
        let axes = Attr::ints(op.ctx(), &axes);
        with(op, relay::SQUEEZE, ("axis", axes), &[])
    }))
}

fn expand_dims(op: Op) -> Outcome {
    let axis = integers(op.operand(1)).and_then(|axis| axis.first().copied());
    Ok(axis.map(|axis| {
        let axis = Attr::i64(op.ctx(), axis);
        with(op, relay::EXPAND_DIMS, ("axis", axis), &["num_newaxis"])
    }))
}

fn tile(op: Op) -> Outcome {
    let Some(mut reps) = integers(op.operand(1)) else {
        return Ok(None);
    };
    let (ctx, data) = (op.ctx(), op.operand(0));
    let rank = data.ty().shape().len();
    while reps.len() < rank {
        reps.insert(0, 1);
    }
    let data = match reps.len() - rank {
        0 => data,
        missing => {
            let attrs = [
                ("axis", Attr::i64(ctx, 0)),
                ("num_newaxis", Attr::i64(ctx, missing as i64)),
            ];
            make(&Builder::before(op), relay::EXPAND_DIMS, &[data], &attrs)
        }
    };
    Ok(Some(Static {
        name: relay::TILE,
        operands: vec![data],
        attrs: vec![("reps", Attr::ints(ctx, &reps))],
    }))
}

fn strided_slice(op: Op) -> Outcome {
    let [begin, end, strides] = [1, 2, 3].map(|place| integers(op.operand(place)));
    let (Some(begin), Some(mut end), Some(mut strides)) = (begin, end, strides) else {
        return Ok(None);
    };
    let attrs = Attrs::of(op);
    if attrs.str("slice_mode")? == "size" {
        let both = begin.iter().zip(&end);
        end = both.map(|(&begin, &size)| end_of(begin, size)).collect();
        strides = vec![1; begin.len()];
    }
    let axes = match attrs.get("axes") {
        Some(_) => attrs.ints("axes")?,
        None => (0..begin.len() as i64).collect(),
    };
    let lists = [
        ("begin", begin),
        ("end", end),
        ("strides", strides),
        ("axes", axes),
    ];
    let attrs = lists.map(|(name, list)| (name, Attr::ints(op.ctx(), &list)));
    Ok(Some(Static {
        name: relay::STRIDED_SLICE,
        operands: vec![op.operand(0)],
        attrs: attrs.into(),
    }))
}

/// Where a slice of so many elements ends, all that are left if `size` is negative. From the end on, subscripts are negative,
/// and what would be the one behind the last is any large one.
fn end_of(begin: i64, size: i64) -> i64 {
    match begin.saturating_add(size) {
        _ if size < 0 => i64::MAX,
        end if begin < 0 && end >= 0 => i64::MAX,
        end => end,
    }
}

fn pad(op: Op) -> Outcome {
    Ok(integers(op.operand(1)).map(|widths| {
        let widths = Attr::ints(op.ctx(), &widths);
        let mut made = with(op, relay::NN_PAD, ("pad_width", widths), &["pad_mode"]);
        made.operands.push(op.operand(2));
        made
    }))
}

fn upsampling(op: Op, name: &'static str, scales: &[&'static str]) -> Outcome {
    let keeps = [
        "layout",
        "method",
        "align_corners",
        "coordinate_transformation_mode",
    ];
    let mut attrs = kept(op, &keeps);
    for (place, scale) in scales.iter().enumerate() {
        let Some(number) = splat(op.operand(place + 1)) else {
            return Ok(None);
        };
        attrs.push((scale, Attr::f64(op.ctx(), number)));
    }
    Ok(Some(Static {
        name,
        operands: vec![op.operand(0)],
        attrs,
    }))
}

fn resize2d(op: Op) -> Outcome {
    let keeps = [
        "layout",
        "method",
        "coordinate_transformation_mode",
        "rounding_method",
    ];
    Ok(integers(op.operand(1)).map(|size| {
        let size = Attr::ints(op.ctx(), &size);
        with(op, relay::IMAGE_RESIZE2D, ("size", size), &keeps)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_stand_for_dimensions() {
        let dims = |extents: &[i64]| extents.iter().map(Dim::from).collect::<Vec<_>>();
        let shape = |data: &[i64], codes: &[i64]| new_shape(&dims(data), codes, false);
        assert_eq!(shape(&[2, 3, 4], &[0, -1]), Ok(Some(dims(&[2, -1]))));
        assert_eq!(shape(&[2, 3, 4], &[-3, 0]), Ok(Some(dims(&[6, 4]))));
        assert_eq!(
            new_shape(&dims(&[0, 3]), &[0, 5], true),
            Ok(Some(dims(&[0, 5])))
        );
        assert!(shape(&[2], &[2, 0]).is_err());
        assert!(shape(&[2, 3], &[-2]).is_err());
        assert!(shape(&[1 << 40, 1 << 40], &[-3]).is_err());
    }

    #[test]
    fn one_unknown_dimension_is_what_is_left() {
        let shape = |codes: &[i64]| new_shape(&[Dim::Unknown, Dim::Known(4)], codes, false);
        let left = Dim::Known(-1);
        assert_eq!(shape(&[0, 2, 2]), Ok(Some(vec![left, 2.into(), 2.into()])));
        assert_eq!(shape(&[-3]), Ok(Some(vec![left])));
        assert_eq!(shape(&[0, -1]), Ok(None));
    }

    #[test]
    fn forms_of_symbols_are_kept() {
        let batch = Dim::symbol("n");
        let shape = new_shape(&[batch, Dim::symbol("s"), 6.into()], &[0, 0, 2, -1], false);
        assert_eq!(
            shape,
            Ok(Some(vec![batch, Dim::symbol("s"), 2.into(), (-1).into()]))
        );
    }

    #[test]
    fn sizes_end_where_there_are_elements() {
        assert_eq!(end_of(1, 2), 3);
        assert_eq!(end_of(-3, 2), -1);
        assert_eq!(end_of(-2, 2), i64::MAX);
        assert_eq!(end_of(1, -1), i64::MAX);
        assert_eq!(end_of(1, i64::MAX), i64::MAX);
    }
}
