//! Winograd's convolutions: a tile of the result from fewer products (Lavin and Gray, "Fast
//! Algorithms for Convolutional Neural Networks", 2015).
//!
//! Data and weight are transformed, multiplied element by element and summed over the channels,
//! which is a matrix product for each element of a tile, and transformed back:
//! Y = A' [(G w G') * (B' d B)] A. The matrices follow from interpolation points, as Toom and Cook
//! have them; which points decides how exact the result is.

use crate::{Compute, Expression, conv::spatial_padding, scalar, window::padded};
use relay_dialects::{
    attrs::WINOGRAD_TILE,
    dim::{self, Dim},
    index::{self, Predicate},
    ir::{Attr, Builder, Type, Value},
    ops::arith::{self, FastMathFlags},
    relay::ops::window::Window,
    te::{Reducer, Role, build},
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("nn.contrib_conv2d_winograd_without_weight_transform", conv),
    (
        "nn.contrib_conv2d_winograd_weight_transform",
        weight_transform,
    ),
];

/// The stages, in order: the data transformed along columns, then along rows; the products; the result transformed
/// back along columns, then along rows.
pub const STAGES: [Role; 5] = [
    Role::WinogradDataColumns,
    Role::WinogradData,
    Role::WinogradProduct,
    Role::WinogradResultColumns,
    Role::WinogradResult,
];

/// The names of the axes of each stage, as in TVM: `eps` and `nu` are the places in a transformed tile, `p` its
/// number, `vy` a row of the tile.
const AXES: [&[&str]; 5] = [
    &["eps", "nu", "p", "c", "c.block"],
    &["eps", "nu", "p", "c", "c.block"],
    &["eps", "nu", "c", "p", "c.block", "rc", "rc.block"],
    &["vy", "nu", "c", "p", "c.block"],
    &["n", "c", "y", "x", "c.block"],
];

/// The matrices for tiles of `tile` results of a kernel of `kernel`, in one dimension.
#[derive(Clone, Debug)]
pub struct Matrices {
    /// [tile, alpha]: from products to results.
    pub result: Vec<Vec<f64>>,
    /// [alpha, kernel]: from weights.
    pub weight: Vec<Vec<f64>>,
    /// [alpha, alpha]: from data.
    pub data: Vec<Vec<f64>>,
}

/// Interpolation points beside infinity, best first: small, and pairs that differ in sign only, for
/// which transforms share terms.
const POINTS: [f64; 7] = [0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0];

impl Matrices {
    /// The matrices of F(tile, kernel).
    pub fn new(tile: usize, kernel: usize) -> Self {
        let alpha = tile + kernel - 1;
        let points = &POINTS[..alpha - 1];
        let others = |skipped: usize| {
            let kept = points.iter().enumerate();
            kept.filter(move |(index, _)| *index != skipped)
                .map(|(_, point)| *point)
        };
        let finite = 0..alpha - 1;
        // A factor of each row moves freely between weight and data; here the weight has it, which
        // is transformed once and in double precision.
        let norm = |row: usize| {
            others(row)
                .map(|other| points[row] - other)
                .product::<f64>()
        };
        let powers = |row: usize, count: usize, scale: f64| -> Vec<f64> {
            (0..count)
                .map(|power| points[row].powi(power as i32) * scale)
                .collect()
        };
        let mut weight: Vec<Vec<f64>> = finite
            .clone()
            .map(|row| powers(row, kernel, 1.0 / norm(row)))
            .collect();
        weight.push(unit(kernel, kernel - 1));
        let mut data: Vec<Vec<f64>> = finite
            .clone()
            .map(|row| polynomial(others(row), alpha))
            .collect();
        data.push(polynomial(points.iter().copied(), alpha));
        let result = (0..tile)
            .map(|power| {
                let finite = finite.clone().map(|row| points[row].powi(power as i32));
                let last = if power == tile - 1 { 1.0 } else { 0.0 };
                finite.chain([last]).collect()
            })
            .collect();
        Self {
            result,
            weight,
            data,
        }
    }
}

/// The unit vector `place` of `length`.
fn unit(length: usize, place: usize) -> Vec<f64> {
    (0..length)
        .map(|index| if index == place { 1.0 } else { 0.0 })
        .collect()
}

/// The coefficients of the product of (x - root), lowest first, `length` of them.
fn polynomial(roots: impl Iterator<Item = f64>, length: usize) -> Vec<f64> {
    let mut coefficients = unit(length, 0);
    for root in roots {
        for place in (0..length).rev() {
            let below = if place == 0 {
                0.0
            } else {
                coefficients[place - 1]
            };
            coefficients[place] = below - root * coefficients[place];
        }
    }
    coefficients
}

/// The tiles of a result.
struct Tiles {
    /// Results per tile in each dimension: one where the kernel is 1, which is not transformed.
    tile: [i64; 2],
    /// The kernel.
    kernel: [i64; 2],
    rows: Dim,
    columns: Dim,
}

impl Tiles {
    /// Those of a weight that was transformed to tiles of `alpha`.
    fn of(e: &Expression<'_>, alpha: [i64; 2]) -> Result<Self, String> {
        let size = e.attrs().int("tile_size")?;
        let tile = alpha.map(|alpha| if alpha == 1 { 1 } else { size });
        let shape = e.result_dims();
        Ok(Self {
            tile,
            kernel: [0, 1].map(|dim| alpha[dim] - tile[dim] + 1),
            rows: shape[2].ceil_div(tile[0])?,
            columns: shape[3].ceil_div(tile[1])?,
        })
    }

    /// The matrices of each dimension.
    fn matrices(&self) -> [Matrices; 2] {
        [0, 1].map(|dim| Matrices::new(self.tile[dim] as usize, self.kernel[dim] as usize))
    }

    /// The result of the last stage, with what its schedule asks for.
    fn describe(&self, result: Value) -> Value {
        if let Some(op) = result.def() {
            op.set_attr(WINOGRAD_TILE, Attr::ints(op.ctx(), &self.tile));
        }
        result
    }

    /// The tile that holds a place of the result.
    fn holding(&self, b: &Builder, batch: Value, y: Value, x: Value) -> Value {
        let row = index::add(
            b,
            index::scale(b, batch, self.rows),
            index::div(b, y, self.tile[0]),
        );
        index::add(
            b,
            index::scale(b, row, self.columns),
            index::div(b, x, self.tile[1]),
        )
    }

    /// The sample of a tile, and the place of its first element in the padded data.
    fn place(&self, b: &Builder, tile: Value) -> [Value; 3] {
        let row = index::div(b, tile, self.columns);
        let batch = index::div(b, row, self.rows);
        let y = index::scale(b, index::rem(b, row, self.rows), self.tile[0]);
        let x = index::scale(b, index::rem(b, tile, self.columns), self.tile[1]);
        [batch, y, x]
    }
}

/// Says which of the stages a tensor is.
fn as_stage(tensor: Value, number: usize) -> Value {
    build::with_role(tensor, STAGES[number]);
    build::name_axes(tensor, AXES[number])
}

/// Data [n, c/i, h, w, i], weight [alpha, alpha, o/o, c, o], result [n, o/o, y, x, o]. An alpha for each dimension.
fn conv(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let stages = Stages::of(e)?;
    let source = whole_tiles(e, &stages.tiles)?;
    let transformed = stages.transformed_data(source);
    let products = stages.products(transformed);
    Ok(vec![stages.tiles.describe(stages.result(products))])
}

/// The stages of a convolution.
struct Stages<'e> {
    e: &'e Expression<'e>,
    tiles: Tiles,
    /// The matrices of each dimension.
    matrices: [Matrices; 2],
    /// The places in a transformed tile, in each dimension.
    alpha: [i64; 2],
    /// Blocks of channels of the result, and the channels of one.
    outputs: [i64; 2],
    /// Blocks of channels of the data, and the channels of one.
    inputs: [i64; 2],
    /// How many tiles there are.
    count: Dim,
}

impl<'e> Stages<'e> {
    fn of(e: &'e Expression<'e>) -> Result<Self, String> {
        let [alpha_y, alpha_x, blocks, _, block] = e.shape(1)?[..] else {
            return Err("takes a weight in the layout HWOI{o}o".into());
        };
        let alpha = [alpha_y, alpha_x];
        let tiles = Tiles::of(e, alpha)?;
        let [samples, channels, _, _, channel] = e.dims(0)[..] else {
            return Err("takes data in the layout NCHW{c}c".into());
        };
        let known = channels.known().zip(channel.known());
        let (channels, channel) = known.ok_or("takes data of a known number of channels")?;
        Ok(Self {
            e,
            count: dim::product(&[samples, tiles.rows, tiles.columns])?,
            matrices: tiles.matrices(),
            tiles,
            alpha,
            outputs: [blocks, block],
            inputs: [channels, channel],
        })
    }

    fn stage(
        &self,
        number: usize,
        shape: &[Dim],
        body: impl FnOnce(&Builder, &[Value]) -> Value,
    ) -> Value {
        let (name, element) = (STAGES[number].keyword(), self.e.inputs[0].ty().element());
        as_stage(build::compute(self.e.b, name, shape, element, body), number)
    }

    /// B' d B, for each tile of the padded data.
    fn transformed_data(&self, source: Value) -> Value {
        let ([of_rows, of_columns], [alpha_y, alpha_x]) = (&self.matrices, self.alpha);
        let [blocks, block] = self.inputs;
        let shape = [
            alpha_y.into(),
            alpha_x.into(),
            self.count,
            blocks.into(),
            block.into(),
        ];
        let columns = self.stage(0, &shape, |b, at| {
            let [batch, y, x] = self.tiles.place(b, at[2]);
            combination(b, at[0], &of_rows.data, |b, k| {
                let row = index::add(b, y, b.index(k));
                let column = index::add(b, x, at[1]);
                build::read(b, source, &[batch, at[3], row, column, at[4]])
            })
        });
        self.stage(1, &shape, |b, at| {
            combination(b, at[1], &of_columns.data, |b, k| {
                build::read(b, columns, &[at[0], b.index(k), at[2], at[3], at[4]])
            })
        })
    }

    /// Products with the transformed weight, summed over the channels.
    fn products(&self, transformed: Value) -> Value {
        let (inputs, weight) = (self.inputs, self.e.inputs[1]);
        let ([alpha_y, alpha_x], [blocks, block]) = (self.alpha, self.outputs);
        let shape: [Dim; 5] = [
            alpha_y.into(),
            alpha_x.into(),
            blocks.into(),
            self.count,
            block.into(),
        ];
        let products = build::reduce(
            self.e.b,
            STAGES[2].keyword(),
            &shape,
            self.e.inputs[0].ty().element(),
            (Reducer::Sum, &inputs),
            |b, at, reduce| {
                let channel = index::add(b, index::scale(b, reduce[0], inputs[1]), reduce[1]);
                let place = [at[0], at[1], at[3], reduce[0], reduce[1]];
                let value = build::read(b, transformed, &place);
                let weight = build::read(b, weight, &[at[0], at[1], at[2], channel, at[4]]);
                arith::MulF::build(b, value, weight)
            },
        );
        as_stage(products, 2)
    }

    /// A' m A, and of each tile what lies in the result.
    fn result(&self, products: Value) -> Value {
        let ([of_rows, of_columns], [tile_y, tile_x]) = (&self.matrices, self.tiles.tile);
        let [blocks, block] = self.outputs;
        let shape = [
            tile_y.into(),
            self.alpha[1].into(),
            blocks.into(),
            self.count,
            block.into(),
        ];
        let columns = self.stage(3, &shape, |b, at| {
            combination(b, at[0], &of_rows.result, |b, k| {
                build::read(b, products, &[b.index(k), at[1], at[2], at[3], at[4]])
            })
        });
        self.stage(4, &self.e.result_dims(), |b, at| {
            let number = self.tiles.holding(b, at[0], at[2], at[3]);
            let (y, x) = (index::rem(b, at[2], tile_y), index::rem(b, at[3], tile_x));
            combination(b, x, &of_columns.result, |b, k| {
                build::read(b, columns, &[y, b.index(k), at[1], number, at[4]])
            })
        })
    }
}

/// The padded data, with zeros up to what the last tiles reach: of open dimensions, as far as they may reach.
fn whole_tiles(e: &Expression<'_>, tiles: &Tiles) -> Result<Value, String> {
    let mut window = Window::of(&e.attrs(), &tiles.kernel)?;
    let shape = e.dims(0);
    for (dim, count) in [tiles.rows, tiles.columns].into_iter().enumerate() {
        window.after[dim] = match (count.known(), shape[dim + 2].known()) {
            (Some(count), Some(extent)) => {
                let reach = count * tiles.tile[dim] + tiles.kernel[dim] - 1;
                reach - extent - window.before[dim]
            }
            _ => window.after[dim] + tiles.tile[dim] - 1,
        };
    }
    let widths = spatial_padding(&window, 2, 1);
    padded(e.b, e.inputs[0], &[2, 3], &widths, 0.0)
}

/// The sum of what `read` gives, with the coefficients of that row of the matrix which `row` names.
pub fn combination(
    b: &Builder,
    row: Value,
    matrix: &[Vec<f64>],
    read: impl Fn(&Builder, i64) -> Value + Copy,
) -> Value {
    fn choose(
        b: &Builder,
        row: Value,
        rows: &[Vec<f64>],
        number: i64,
        read: impl Fn(&Builder, i64) -> Value + Copy,
    ) -> Value {
        match rows {
            [only] => weighted_sum(b, only, read),
            [first, rest @ ..] => {
                let here = index::compare(b, Predicate::Eq, row, b.index(number));
                build::if_then_else(
                    b,
                    here,
                    |b| weighted_sum(b, first, read),
                    |b| choose(b, row, rest, number + 1, read),
                )
            }
            [] => unreachable!("a matrix has rows"),
        }
    }
    choose(b, row, matrix, 0, read)
}

/// The sum of coefficient times element, without those of zero. Products may fuse with the sum.
fn weighted_sum(b: &Builder, coefficients: &[f64], read: impl Fn(&Builder, i64) -> Value) -> Value {
    let contract = Some(FastMathFlags::CONTRACT);
    let mut sum: Option<Value> = None;
    // What is only added or subtracted comes first, positive before negative.
    let mut terms: Vec<(usize, f64)> = coefficients.iter().copied().enumerate().collect();
    terms.retain(|(_, coefficient)| *coefficient != 0.0);
    terms.sort_by_key(|(_, coefficient)| (coefficient.abs() != 1.0, *coefficient < 0.0));
    for (place, coefficient) in terms {
        let element = read(b, place as i64);
        let scaled = |factor: f64| match factor {
            1.0 => element,
            _ => arith::MulF::build_with(b, element, b.constant(element.ty(), factor), contract),
        };
        sum = Some(match sum {
            None => scaled(coefficient),
            Some(sum) if coefficient == -1.0 => arith::SubF::build_with(b, sum, element, contract),
            Some(sum) => arith::AddF::build_with(b, sum, scaled(coefficient), contract),
        });
    }
    sum.unwrap_or_else(|| b.constant(read(b, 0).ty(), 0.0))
}

/// Weight [o, i, height, width], result [alpha, alpha, o, i]. Computed in double precision.
fn weight_transform(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let kernel = [e.shape(0)?[2], e.shape(0)?[3]];
    let shape = e.result_shape()?;
    let of_dim = |dim: usize| {
        let tile = shape[dim] - kernel[dim] + 1;
        Matrices::new(tile as usize, kernel[dim] as usize)
    };
    let [of_rows, of_columns] = [0, 1].map(of_dim);
    let double = Type::f64(e.b.ctx);
    let wide = [shape[0], kernel[1], shape[2], shape[3]];
    let columns = build::compute(e.b, "winograd_weight_columns", &wide, double, |b, at| {
        combination(b, at[0], &of_rows.weight, |b, k| {
            let element = build::read(b, e.inputs[0], &[at[2], at[3], b.index(k), at[1]]);
            scalar::cast(b, element, double)
        })
    });
    let element = e.inputs[0].ty().element();
    let result = build::compute(e.b, "winograd_weight", &shape, element, |b, at| {
        let sum = combination(b, at[1], &of_columns.weight, |b, k| {
            build::read(b, columns, &[at[0], b.index(k), at[2], at[3]])
        });
        scalar::cast(b, sum, element)
    });
    Ok(vec![result])
}

#[cfg(test)]
mod tests {
    use super::Matrices;

    /// What the matrices give for one tile of one dimension is the convolution, summed plainly.
    #[test]
    fn matrices_convolve() {
        for (tile, kernel) in [(1, 1), (2, 3), (3, 3), (4, 3), (6, 3), (2, 5), (4, 5)] {
            let alpha = tile + kernel - 1;
            let data: Vec<f64> = (0..alpha)
                .map(|i| ((i * 7 + 3) % 11) as f64 - 5.0)
                .collect();
            let weight: Vec<f64> = (0..kernel)
                .map(|i| ((i * 5 + 1) % 7) as f64 - 3.0)
                .collect();
            let m = Matrices::new(tile, kernel);
            let times = |rows: &[Vec<f64>], by: &[f64]| -> Vec<f64> {
                let dot = |row: &Vec<f64>| row.iter().zip(by).map(|(a, b)| a * b).sum();
                rows.iter().map(dot).collect()
            };
            let (d, w) = (times(&m.data, &data), times(&m.weight, &weight));
            let products: Vec<f64> = d.iter().zip(&w).map(|(d, w)| d * w).collect();
            for (y, found) in times(&m.result, &products).into_iter().enumerate() {
                let expected: f64 = (0..kernel).map(|k| data[y + k] * weight[k]).sum();
                assert!(
                    (found - expected).abs() < 1e-9,
                    "F({tile}, {kernel}) at {y}: {found}, expected {expected}"
                );
            }
        }
    }
}
