//! Convolutions of volumes by Winograd's algorithm: one axis is transformed after the other.

use crate::{
    Compute, Expression, scalar,
    window::padded,
    winograd::{Matrices, combination},
};
use relay_dialects::{
    dim::Dim,
    index,
    ir::{Builder, Type, Value},
    relay::ops::{volume::transformed, window::Window},
    te::{Reducer, build},
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    (
        "nn.contrib_conv3d_winograd_weight_transform",
        weight_transform,
    ),
    ("nn.contrib_conv3d_winograd_without_weight_transform", conv),
];

/// A place with another subscript in one dimension.
fn at_other(at: &[Value], dim: usize, subscript: Value) -> Vec<Value> {
    let mut other = at.to_vec();
    other[dim] = subscript;
    other
}

/// A tensor with a matrix applied along one dimension.
fn along(b: &Builder, tensor: Value, dim: usize, matrix: &[Vec<f64>]) -> Value {
    let mut shape = tensor.ty().dims();
    shape[dim] = Dim::Known(matrix.len() as i64);
    build::compute(b, "transformed", &shape, tensor.ty().element(), |b, at| {
        combination(b, at[dim], matrix, |b, k| {
            build::read(b, tensor, &at_other(at, dim, b.index(k)))
        })
    })
}

fn weight_transform(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (shape, tile) = (e.dims(0), e.attrs().int("tile_size")?);
    let kernel = [2, 3, 4].map(|dim| e.known_dim(0, dim));
    let [depth, height, width] = kernel;
    let kernel = [depth?, height?, width?];
    let places = transformed(kernel[0]);
    let (double, element) = (Type::f64(e.b.ctx), e.element);
    let mut weight = build::compute(e.b, "wide", &shape, double, |b, at| {
        scalar::cast(b, build::read(b, e.inputs[0], at), double)
    });
    for &dim in places {
        let matrices = Matrices::new(tile as usize, kernel[dim] as usize);
        weight = along(e.b, weight, dim + 2, &matrices.weight);
    }
    e.elements(|b, at| {
        let mut from = vec![at[3], at[4]];
        from.extend(match places.len() {
            3 => [at[0], at[1], at[2]],
            _ => [at[2], at[0], at[1]],
        });
        scalar::cast(b, build::read(b, weight, &from), element)
    })
}

/// A convolution. Tensors of tiles have a place in a tile for each transformed dimension, then the sample, three numbers of the tile (or
/// places of what is not transformed), and the channel.
struct Volume {
    places: &'static [usize],
    kernel: Vec<i64>,
    tile: i64,
    matrices: Vec<Matrices>,
    /// How many tiles the result has along each dimension; its extent where that is not transformed.
    tiles: Vec<Dim>,
}

impl Volume {
    fn of(e: &Expression<'_>) -> Result<Self, String> {
        let (kernel, tile) = (e.attrs().ints("kernel_size")?, e.attrs().int("tile_size")?);
        let places = transformed(kernel[0]);
        let matrices = places.iter().map(|&dim| kernel[dim] as usize);
        let space = e.result_dims()[2..].to_vec();
        let tiles = space
            .iter()
            .enumerate()
            .map(|(dim, extent)| match places.contains(&dim) {
                true => extent.ceil_div(tile),
                false => Ok(*extent),
            });
        Ok(Self {
            matrices: matrices
                .map(|kernel| Matrices::new(tile as usize, kernel))
                .collect(),
            tiles: tiles.collect::<Result<_, _>>()?,
            places,
            kernel,
            tile,
        })
    }

    /// The number of the transformed dimension that a dimension is.
    fn place(&self, dim: usize) -> Option<usize> {
        self.places.iter().position(|place| *place == dim)
    }

    /// The data with zeros around, as far as whole tiles reach.
    fn source(&self, e: &Expression<'_>) -> Result<Value, String> {
        let window = Window::of(&e.attrs(), &self.kernel)?;
        let mut widths = vec![(0, 0); 5];
        for dim in 0..3 {
            let whole = match self.place(dim) {
                Some(_) => self.tiles[dim].times(self.tile)?,
                None => self.tiles[dim],
            };
            let end = whole.plus(self.kernel[dim] - 1)?;
            let after = end.minus(e.dims(0)[dim + 2])?.minus(window.before[dim])?;
            let most = window.after[dim] + self.tile - 1;
            widths[dim + 2] = (window.before[dim], after.known().unwrap_or(most));
        }
        padded(e.b, e.inputs[0], &[2, 3, 4], &widths, 0.0)
    }

    /// The transformed tiles of the data. What is not transformed has the places of the data.
    fn transformed_data(&self, b: &Builder, source: Value) -> Value {
        let (data, count) = (source.ty().dims(), self.places.len());
        let mut shape: Vec<Dim> = self
            .matrices
            .iter()
            .map(|it| Dim::Known(it.data.len() as i64))
            .collect();
        shape.push(data[0]);
        shape.extend((0..3).map(|dim| match self.place(dim) {
            Some(_) => self.tiles[dim],
            None => data[dim + 2],
        }));
        shape.push(data[1]);
        let mut tiles = build::compute(b, "tiles", &shape, source.ty().element(), |b, at| {
            let mut from = vec![at[count], at[count + 4]];
            for dim in 0..3 {
                let number = at[count + 1 + dim];
                from.push(match self.place(dim) {
                    Some(place) => index::add(b, index::scale(b, number, self.tile), at[place]),
                    None => number,
                });
            }
            build::read(b, source, &from)
        });
        for (dim, matrices) in self.matrices.iter().enumerate() {
            tiles = along(b, tiles, dim, &matrices.data);
        }
        tiles
    }

    /// The products with the transformed weight, summed over channels and over what is not transformed.
    fn products(&self, e: &Expression<'_>, tiles: Value) -> Value {
        let (shape, count) = (tiles.ty().dims(), self.places.len());
        let outputs = e.dims(1)[3];
        let products = [&shape[..=count], &self.tiles[..], &[outputs]].concat();
        let mut reduced = vec![shape[count + 4]];
        if count == 2 {
            reduced.push(Dim::Known(self.kernel[0]));
        }
        let body = |b: &Builder, outer: &[Value], inner: &[Value]| {
            let (mut from, mut weight) = (outer.to_vec(), outer[..count].to_vec());
            from[count + 4] = inner[0];
            if let Some(depth) = inner.get(1) {
                from[count + 1] = index::add(b, outer[count + 1], *depth);
                weight.push(*depth);
            }
            weight.extend([outer[count + 4], inner[0]]);
            let factor = build::read(b, e.inputs[1], &weight);
            scalar::mul(b, build::read(b, tiles, &from), factor)
        };
        let reduction = (Reducer::Sum, &reduced[..]);
        let element = tiles.ty().element();
        build::reduce(e.b, "products", &products, element, reduction, body)
    }
}

fn conv(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let volume = Volume::of(e)?;
    let source = volume.source(e)?;
    let tiles = volume.transformed_data(e.b, source);
    let mut products = volume.products(e, tiles);
    for (dim, matrices) in volume.matrices.iter().enumerate() {
        products = along(e.b, products, dim, &matrices.result);
    }
    let count = volume.places.len();
    e.elements(|b, at| {
        let mut from = vec![b.index(0); count + 5];
        (from[count], from[count + 4]) = (at[0], at[1]);
        for dim in 0..3 {
            let place = at[dim + 2];
            from[count + 1 + dim] = match volume.place(dim) {
                Some(in_tile) => {
                    from[in_tile] = index::rem(b, place, volume.tile);
                    index::div(b, place, volume.tile)
                }
                None => place,
            };
        }
        build::read(b, products, &from)
    })
}
