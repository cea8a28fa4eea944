//! Products of numbers of few bits, and of weights in tiles.

use super::{
    columns::*,
    rule,
    sampling::Order,
    transform::are_subscripts,
    window::{Window, numbers},
};
use crate::{
    dim::{self, Dim},
    element::Element,
    index::ceil_div,
    ir::Type,
    relay::{Attrs, Call, TensorType, relation::normalize_axis},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("nn.bitpack", Injective, INTEGERS, Decides, bitpack),
    Row::new(
        "nn.bitserial_dense",
        OutElemwiseFusable,
        INTEGERS,
        Decides,
        bitserial_dense,
    ),
    Row::new(
        "nn.bitserial_conv2d",
        OutElemwiseFusable,
        INTEGERS,
        Decides,
        bitserial_conv2d,
    ),
    Row::new(
        "nn.contrib_conv2d_gemm_weight_transform",
        Injective,
        NUMBERS,
        Moves,
        gemm_weight_transform,
    ),
    Row::new(
        "nn.contrib_conv2d_gemm_without_weight_transform",
        OutElemwiseFusable,
        NUMBERS,
        Sums,
        gemm_without_weight_transform,
    ),
];

/// The most bits of a number.
const MOST_BITS: i64 = 8;

/// A number of bits.
fn check_bits(call: &Call, name: &str) -> Result<i64, String> {
    match call.attrs.int(name)? {
        bits @ 1..=MOST_BITS => Ok(bits),
        bits => Err(format!("{name} is {bits}, not from 1 to {MOST_BITS}")),
    }
}

fn bitpack(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let bits = check_bits(call, "bits").map_err(rule("C1"))?;
    let pack = normalize_axis(call.attrs.int("pack_axis")?, data.rank()).map_err(rule("C2"))?;
    let of_bits = call.attrs.int("bit_axis")?;
    let place = usize::try_from(of_bits).ok();
    let place = place
        .filter(|&place| place <= data.rank())
        .ok_or_else(|| format!("bit_axis is {of_bits}, not from 0 to {} (C2)", data.rank()))?;
    let word = call.attrs.ty("pack_type")?;
    let width = Element::of(word).filter(|it| it.is_integer() && word.is_unsigned());
    let words = width.and_then(|_| dim::quotient(data.shape[pack], i64::from(word.bit_width())));
    let mut shape = data.shape.clone();
    shape[pack] = words
        .ok_or_else(|| format!("{} numbers are not words of {word} (C3)", data.shape[pack]))?;
    shape.insert(place, Dim::Known(bits));
    Ok(vec![TensorType::new(shape, word)])
}

/// The type of sums.
pub fn sum_type(attrs: &Attrs, default: Type) -> Result<Type, String> {
    match attrs.get("out_dtype") {
        Some(_) => attrs.ty("out_dtype"),
        None => Ok(default),
    }
}

/// The integer type of sums, 16 bits by default.
fn integer_sums(call: &Call) -> Result<Type, String> {
    let element = sum_type(&call.attrs, Element::I16.ty(call.ctx))?;
    match are_subscripts(element) {
        true => Ok(element),
        false => Err(format!("out_dtype is {element}, no integer type (C5)")),
    }
}

fn unfit(call: &Call) -> String {
    let types = call.inputs.iter().map(|ty| ty.to_type().to_string());
    let types: Vec<String> = types.collect();
    format!("operands {} do not fit (C1)", types.join(", "))
}

fn bitserial_dense(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, weight] = &call.inputs[..] else {
        return Err("takes two operands".into());
    };
    let fits = match (&data.shape[..], &weight.shape[..]) {
        ([.., inner], [_, other]) => dim::unify(*inner, *other).is_some(),
        _ => false,
    };
    if !fits || !are_subscripts(weight.element) {
        return Err(unfit(call));
    }
    for name in ["data_bits", "weight_bits"] {
        check_bits(call, name).map_err(rule("C2"))?;
    }
    let mut shape = data.shape.clone();
    shape.pop();
    shape.push(weight.shape[0]);
    Ok(vec![TensorType::new(shape, integer_sums(call)?)])
}

/// The attributes of a convolution without dilation.
fn undilated(call: &Call, size: &[Dim]) -> Result<Window<Dim>, String> {
    let padding = numbers(&call.attrs, "padding", 4, 0)?;
    Ok(Window {
        size: size.to_vec(),
        strides: numbers(&call.attrs, "strides", 2, 1)?,
        dilation: vec![1; 2],
        before: padding[..2].to_vec(),
        after: padding[2..].to_vec(),
    })
}

fn bitserial_conv2d(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, weight] = &call.inputs[..] else {
        return Err("takes two operands".into());
    };
    let order = Order::read(&call.attrs).map_err(|reason| reason.replace("(C1)", "(C6)"))?;
    if data.rank() != 4 || weight.rank() != 4 || !are_subscripts(weight.element) {
        return Err(unfit(call));
    }
    let [batch, inputs, height, width] = order.image.map(|at| data.shape[at]);
    let [outputs, others, rows, columns] = order.weight.map(|at| weight.shape[at]);
    if dim::unify(inputs, others).is_none() {
        return Err(unfit(call));
    }
    for name in ["activation_bits", "weight_bits"] {
        check_bits(call, name).map_err(rule("C2"))?;
    }
    let positions = undilated(call, &[rows, columns])?.positions(&[height, width], false)?;
    let shape = order.of_image([batch, outputs, positions[0], positions[1]]);
    Ok(vec![TensorType::new(shape, integer_sums(call)?)])
}

/// Whether tiles of a type are rows of columns of the weight.
pub fn are_turned(element: Type) -> bool {
    Element::of(element).is_some_and(|element| element.is_integer() && element.bytes() == 1)
}

/// The rows of a weight's matrix, filled up.
fn padded_rows(rows: i64, tile: i64) -> Option<i64> {
    let most = tile.checked_mul(4)?;
    ceil_div(rows, most).checked_mul(most)
}

fn gemm_weight_transform(call: &Call) -> Result<Vec<TensorType>, String> {
    let weight = &call.inputs[0];
    let known: Option<Vec<i64>> = weight.shape.iter().map(|dim| dim.known()).collect();
    let known = known.filter(|shape| shape.len() == 4);
    let shape = known.ok_or_else(|| unfit(call))?;
    let [columns, rows] = ["tile_N", "tile_K"].map(|name| call.attrs.int(name));
    let (columns, rows) = (columns?, rows?);
    const MOST: i64 = 1 << 30;
    if !(1..=MOST).contains(&columns) || !(1..=MOST).contains(&rows) {
        return Err(format!("tiles are {rows} by {columns} (C2)"));
    }
    let all = dim::product(&shape[..3])?.known();
    let all = all.and_then(|all| padded_rows(all, rows));
    let all = all.ok_or_else(|| unfit(call))?;
    let tile = match are_turned(weight.element) {
        true => [columns, rows],
        false => [rows, columns],
    };
    let tiles = vec![ceil_div(shape[3], columns), all / rows, tile[0], tile[1]];
    Ok(vec![TensorType::new(tiles, weight.element)])
}

fn gemm_without_weight_transform(call: &Call) -> Result<Vec<TensorType>, String> {
    let [data, weight] = &call.inputs[..] else {
        return Err("takes two operands".into());
    };
    let layouts = [("data_layout", "NHWC"), ("kernel_layout", "HWIO")];
    for (name, known) in layouts {
        let layout = call.attrs.str(name)?;
        if layout != known {
            return Err(format!("{name} is '{layout}', not {known} (C1)"));
        }
    }
    if data.rank() != 4 || weight.rank() != 4 || data.element != weight.element {
        return Err(unfit(call));
    }
    let size = numbers(&call.attrs, "kernel_size", 2, 1)?;
    let channels = call.attrs.int("channels")?;
    let matrix = data.shape[3].times(size[0] * size[1])?;
    let tiles: Option<Vec<i64>> = weight.shape.iter().map(|dim| dim.known()).collect();
    let holds = tiles.is_some_and(|tiles| {
        let (rows, columns) = match are_turned(weight.element) {
            true => (tiles[1] * tiles[3], tiles[0] * tiles[2]),
            false => (tiles[1] * tiles[2], tiles[0] * tiles[3]),
        };
        let fits = matrix.known().is_some_and(|matrix| matrix <= rows);
        fits && (0..=columns).contains(&channels)
    });
    if !holds {
        return Err(format!(
            "tiles {} hold no weight of {matrix} rows and {channels} columns (C2)",
            weight.to_type()
        ));
    }
    let groups = call.attrs.int("groups")?;
    if groups != 1 {
        return Err(format!("groups is {groups}, not 1 (C5)"));
    }
    let window = Window::of(&call.attrs, &size)?;
    let positions = window.positions(&data.shape[1..3], false)?;
    let element = sum_type(&call.attrs, data.element)?;
    let shape = vec![
        data.shape[0],
        positions[0],
        positions[1],
        Dim::Known(channels),
    ];
    Ok(vec![TensorType::new(shape, element)])
}
