//! How products read their second operands: in blocks of columns, row by row as they lie, or as rows of dot
//! products.

use super::{Layouts, choices::Choice, has_known_channels, packing::block_size};
use crate::graph::{
    operators::{is_computed_in_f32, is_foldable, make, remake},
    shapes::{first_channels, pad_axis, reshape, transform},
};
use relay_dialects::{
    dim::Dim,
    index::ceil_div,
    ir::{Attr, Builder, Op, Value},
    names,
    relay::{Attrs, build::changed},
};
use relay_topi::{
    Machine,
    cost::{
        Cycles, amx,
        goal::Goal,
        layout::{MIN_BLOCK, Product},
        sizes::planned_shape,
    },
    intrin::x86_amx::{self, Numbers},
};

/// A transpose of the last two dimensions: its operand.
fn before_transpose(value: Value) -> Option<Value> {
    let op = value.def_of(names::relay::TRANSPOSE)?;
    let rank = value.ty().shape().len() as i64;
    let axes = Attrs::of(op).ints("axes").unwrap_or_default();
    let swapped = |(dim, axis): (i64, i64)| {
        let expected = if dim < rank - 2 {
            dim
        } else {
            2 * rank - 3 - dim
        };
        axis.rem_euclid(rank) == expected
    };
    let reverses = axes.is_empty() && rank == 2;
    let swaps = axes.len() as i64 == rank && (0..rank).zip(axes).all(swapped);
    (reverses || swaps).then(|| op.operand(0))
}

/// Dense layers. A weight that is known is put into blocks of output channels at compile time; one that
/// is not stays as it is where a product that reads it so takes less time than changing it.
pub fn dense(layouts: &Layouts<'_>, op: Op) -> Option<Value> {
    let (data, weight) = (op.operand(0), op.operand(1));
    let is_matrix = is_computed_in_f32(data.ty().element()) && data.ty().shape().len() == 2;
    if !is_matrix || !has_known_channels(data.ty()) || !weight.ty().is_static() {
        return None;
    }
    match layouts.chooser.choose(op, &ways(layouts, op))? {
        Choice::Packed => blocks(layouts.machine, op),
        Choice::Plain => {
            let builder = Builder::before(op);
            let rows = match columns_of(op) {
                Some(Columns::Reshaped(row)) => reshape(&builder, weight, &row),
                Some(Columns::Transposed(rows)) => rows,
                None => transpose(&builder, weight),
            };
            Some(make(&builder, names::relay::NN_MATMUL, &[data, rows], &[]))
        }
        _ => None,
    }
}

/// How a dense layer may read its weight, what takes the fewest cycles first.
fn ways(layouts: &Layouts<'_>, op: Op) -> Vec<Choice> {
    let machine = layouts.machine;
    let (data, weight) = (op.operand(0), op.operand(1));
    let data = planned_shape(op, data);
    let product = Product {
        rows: data[0],
        depth: data[1],
        columns: weight.ty().shape()[0],
    };
    if !is_on_vectors(machine, op) {
        return vec![Choice::Packed];
    }
    let known = is_foldable(weight);
    let moving = if known {
        Cycles::default()
    } else {
        product.moving(machine)
    };
    let grows = layouts.goal == Goal::Size && known && Packing::of(machine, op).more > 0;
    let in_blocks = match grows {
        true => Cycles::NEVER,
        false => moving + product.in_blocks(machine),
    };
    let may_be_plain = known || columns_of(op).is_some();
    // Blocks that cost nothing to make are as fast as several dot products.
    let may_be_dots = product.columns == 1 || !may_be_plain;
    let usual = if may_be_plain && product.as_it_lies(MIN_BLOCK, machine) < in_blocks {
        Choice::Plain
    } else if may_be_dots && product.as_dots(machine) < in_blocks {
        Choice::Dots
    } else {
        Choice::Packed
    };
    let plain = may_be_plain.then_some(Choice::Plain);
    let all = [Choice::Packed, Choice::Dots].into_iter().chain(plain);
    let others = all.filter(|choice| *choice != usual);
    let mut all: Vec<Choice> = [usual].into_iter().chain(others).collect();
    if grows {
        all.retain(|choice| *choice != Choice::Packed);
    }
    all
}

/// How the columns of a dense layer's weight lie in rows already.
enum Columns {
    /// They are the rows of what the weight is the transpose of.
    Transposed(Value),
    /// A matrix of one column is one row, of this shape.
    Reshaped([i64; 2]),
}

fn columns_of(op: Op) -> Option<Columns> {
    let weight = op.operand(1);
    match weight.ty().shape()[..] {
        [columns, 1] => Some(Columns::Reshaped([1, columns])),
        _ => before_transpose(weight).map(Columns::Transposed),
    }
}

/// A value with its last two dimensions swapped.
fn transpose(builder: &Builder, value: Value) -> Value {
    let rank = value.ty().shape().len();
    let mut axes: Vec<i64> = (0..rank as i64).collect();
    axes.swap(rank - 2, rank - 1);
    let axes = [("axes", Attr::ints(builder.ctx, &axes))];
    make(builder, names::relay::TRANSPOSE, &[value], &axes)
}

/// Whether a product is computed in vectors of f32, whatever its shapes.
fn is_on_vectors(machine: Machine, op: Op) -> bool {
    let element = op.operand(0).ty().element();
    is_computed_in_f32(element) && !(amx::multiplies_bf16(machine) && element.is_bf16())
}

/// Whether an operator is computed on AMX tiles, if they fit. Its weight must be known, so that it is laid
/// out at compile time.
pub fn multiplies_amx_tiles(machine: Machine, op: Op) -> bool {
    let element = op.operand(0).ty().element();
    amx::multiplies_bf16(machine) && element.is_bf16() && is_foldable(op.operand(1))
}

/// How a dense layer's weight lies in blocks of output channels.
struct Packing {
    layout: String,
    /// The units of zeros that fill up the last block.
    more: i64,
}

impl Packing {
    /// Where several rows share blocks, or blocks would be short, zeros fill up the last vector. For machines with AMX,
    /// inputs lie in pairs in blocks, and zeros fill up the last tiles.
    fn of(machine: Machine, op: Op) -> Self {
        let (shape, units) = (
            planned_shape(op, op.operand(0)),
            op.operand(1).ty().shape()[0],
        );
        let lanes = machine.block();
        let block = block_size(units, lanes);
        let fills_up = block < MIN_BLOCK || (block < lanes && shape[0] > 1);
        let limits = amx::limits(Numbers::Bf16);
        let has_tile = x86_amx::Dense::choose(Numbers::Bf16, shape[0], shape[1], limits).is_some();
        let (layout, block) = if has_tile && multiplies_amx_tiles(machine, op) {
            (x86_amx::WEIGHT_LAYOUT.to_owned(), x86_amx::COLUMNS)
        } else if fills_up {
            (format!("NC{lanes}n"), lanes)
        } else {
            (format!("NC{block}n"), block)
        };
        Self {
            layout,
            more: ceil_div(units, block) * block - units,
        }
    }
}

/// A dense layer with its weight in blocks of output channels.
fn blocks(machine: Machine, op: Op) -> Option<Value> {
    let (data, weight) = (op.operand(0), op.operand(1));
    let units = weight.ty().shape()[0];
    let Packing { layout, more } = Packing::of(machine, op);
    let builder = Builder::before(op);
    // A transpose before it is part of the change of layout.
    let (weight, source, axis) = match before_transpose(weight) {
        Some(rows) => (rows, "CN", 1),
        None => (weight, "NC", 0),
    };
    let weight = match more {
        0 => weight,
        more => pad_axis(&builder, weight, axis, more),
    };
    let weight = transform(&builder, weight, source, &layout);
    let old = op.attrs();
    let attrs = changed(&old, &[("weight_layout", Attr::str(builder.ctx, &layout))]);
    let made = builder.inferred(names::relay::NN_CONTRIB_DENSE_PACK, &[data, weight], &attrs)?;
    Some(first_channels(&builder, made.result(0), units))
}

/// Products of matrices or batches of them. Rows of the second operand are to be vectors: a transposed one
/// is transposed before, but where few rows make dot products of it in less time.
pub fn matmul(layouts: &Layouts<'_>, op: Op) -> Option<Value> {
    let (data, other) = (op.operand(0), op.operand(1));
    let attrs = Attrs::of(op);
    let transposed = attrs.bool("transpose_b").ok()?;
    let is_named = |value: Value| !value.ty().dims().contains(&Dim::Unknown);
    if !is_named(data) || !is_named(other) {
        return None;
    }
    let builder = Builder::before(op);
    let is_transposed = |transposed: bool| {
        let attr = Attr::bool(builder.ctx, transposed);
        [("transpose_b", attr)]
    };
    let choice = layouts.chooser.choose(op, &orders(layouts.machine, op)?)?;
    match (transposed, choice) {
        (true, Choice::Plain) => {
            let other = transpose(&builder, other);
            Some(remake(&builder, op, &[data, other], &is_transposed(false)))
        }
        (false, Choice::Dots) => {
            let rows = rows_of_transpose(&builder, other)?;
            Some(remake(&builder, op, &[data, rows], &is_transposed(true)))
        }
        _ => None,
    }
}

/// How a product may read its second operand, what takes the fewest cycles first: as dot products of rows, or with the operand
/// transposed before where it lies so.
fn orders(machine: Machine, op: Op) -> Option<Vec<Choice>> {
    let attrs = Attrs::of(op);
    let has_rows = attrs.bool("transpose_b").ok()? || source_of_transpose(op.operand(1)).is_some();
    let may_be_dots = has_rows
        && !attrs.bool("transpose_a").ok()?
        && is_on_vectors(machine, op)
        && !is_foldable(op.operand(1));
    Some(match may_be_dots {
        false => vec![Choice::Plain],
        true if wants_dots(machine, op) => vec![Choice::Dots, Choice::Plain],
        true => vec![Choice::Plain, Choice::Dots],
    })
}

/// Whether dot products take less time than a product with the second operand transposed at run time.
fn wants_dots(machine: Machine, op: Op) -> bool {
    let data = planned_shape(op, op.operand(0));
    let result = planned_shape(op, op.result(0));
    let rank = result.len();
    let product = Product {
        rows: result[rank - 2],
        depth: data[rank - 1],
        columns: result[rank - 1],
    };
    product.as_dots(machine) < product.after_transpose(machine)
}

/// What a value is the transpose of, and whether the dimensions before its last two are in another shape there.
fn source_of_transpose(value: Value) -> Option<(Value, bool)> {
    if let Some(rows) = before_transpose(value) {
        return Some((rows, false));
    }
    let reshaped = value.def_of(names::relay::RESHAPE)?.operand(0);
    let (from, to) = (reshaped.ty().dims(), value.ty().dims());
    let keeps_matrix = from.len() >= 2 && from[from.len() - 2..] == to[to.len() - 2..];
    let rows = before_transpose(reshaped).filter(|_| keeps_matrix)?;
    Some((rows, true))
}

/// What a value is the transpose of, with the value's dimensions before the last two.
fn rows_of_transpose(builder: &Builder, value: Value) -> Option<Value> {
    let (rows, is_reshaped) = source_of_transpose(value)?;
    if !is_reshaped {
        return Some(rows);
    }
    let mut shape = value.ty().dims();
    let rank = shape.len();
    shape.swap(rank - 2, rank - 1);
    Some(reshape(builder, rows, &shape))
}
