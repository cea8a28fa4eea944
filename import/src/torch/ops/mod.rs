//! The table of operators: a file for each family, a row for each operator.
//!
//! Keys are the names of ATen's operators, `relu`, or with the overload where that has a conversion of its own, `max.dim`; those of
//! other namespaces have these in front. An operator that changes its input, `relu_`, is converted as the one that does not.

pub mod activation;
pub mod affine;
pub mod alias;
pub mod attention;
pub mod bag;
pub mod binary;
pub mod class;
pub mod complex;
pub mod conv;
pub mod conv_gradient;
pub mod create;
pub mod custom;
pub mod fourier;
pub mod gradient;
pub mod grouped;
pub mod image;
pub mod index;
pub mod linear;
pub mod lookup;
pub mod loss;
pub mod matrix;
pub mod norm;
pub mod norm_gradient;
pub mod parts;
pub mod place;
pub mod pool;
pub mod prims;
pub mod quantized;
pub mod range;
pub mod recurrent;
pub mod reduce;
pub mod repeat;
pub mod row;
pub mod shape;
pub mod symbolic;
pub mod unary;
pub mod vision;

use row::Row;
use std::{collections::HashMap, sync::LazyLock};

/// The families.
const FAMILIES: &[&[Row]] = &[
    activation::ROWS,
    affine::ROWS,
    attention::ROWS,
    bag::ROWS,
    binary::ROWS,
    complex::ROWS,
    conv::ROWS,
    conv_gradient::ROWS,
    create::ROWS,
    fourier::ROWS,
    gradient::ROWS,
    grouped::ROWS,
    image::ROWS,
    index::ROWS,
    linear::ROWS,
    lookup::ROWS,
    loss::ROWS,
    matrix::ROWS,
    norm::ROWS,
    norm_gradient::ROWS,
    parts::ROWS,
    place::ROWS,
    pool::ROWS,
    prims::ROWS,
    quantized::ROWS,
    recurrent::ROWS,
    reduce::ROWS,
    repeat::ROWS,
    shape::ROWS,
    symbolic::ROWS,
    unary::ROWS,
    vision::ROWS,
];

/// The names of all operators: those of rows, and those that hold graphs.
pub fn names() -> impl Iterator<Item = &'static str> {
    FAMILIES
        .iter()
        .flat_map(|rows| rows.iter())
        .map(|row| row.name)
        .chain(super::graphs::operators())
}

/// A row, and how a program names it.
#[derive(Clone, Copy)]
pub struct Conversion {
    /// The row.
    pub row: Row,
    /// Whether the result takes the place of what the first argument names.
    pub is_in_place: bool,
}

/// The conversion of an operator by its name in a file, `torch.ops.aten.relu.default`; none if there is no such.
pub fn find(target: &str) -> Option<Conversion> {
    let conversion = |row| Conversion {
        row,
        is_in_place: false,
    };
    let name = target.strip_prefix("torch.ops.").unwrap_or(target);
    let Some(own) = name.strip_prefix("aten.") else {
        let name = name.strip_suffix(".default").unwrap_or(name);
        let outside = || custom::operator(name).map(Row::outside);
        return row(name).copied().or_else(outside).map(conversion);
    };
    let (own, overload) = own.split_once('.').unwrap_or((own, "default"));
    let by_name = |own: &str| row(&format!("{own}.{overload}")).or_else(|| row(own));
    if let Some(row) = by_name(own) {
        return Some(conversion(*row));
    }
    // `relu_` works in place, and so does `__iand__`.
    let row = match own.strip_prefix("__i") {
        Some(operator) => by_name(&format!("__{operator}"))?,
        None => by_name(own.strip_suffix('_')?)?,
    };
    Some(Conversion {
        row: *row,
        is_in_place: true,
    })
}

fn row(name: &str) -> Option<&'static Row> {
    static ROWS: LazyLock<HashMap<&str, &Row>> = LazyLock::new(|| {
        let rows = FAMILIES.iter().flat_map(|rows| rows.iter());
        rows.map(|row| (row.name, row)).collect()
    });
    ROWS.get(name).copied()
}
