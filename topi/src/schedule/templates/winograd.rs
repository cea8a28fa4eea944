//! Winograd's convolutions: for some tiles at a time, the transformed data, the products and the
//! transformed results, which stay in the cache between.

use super::{Doc, Template, Way, packed_conv::register_tiles};
use crate::{
    schedule::{
        F32_BYTES, Machine, Stage,
        cost::{
            Cycles, MIN_LANES, even_parts,
            registers::RegisterTile,
            sizes::shape_of_sample,
            winograd::{self as cost, Transformed},
        },
        epilogue::Epilogue,
        prefetch::{self, Operands, Panel, PanelSize, Stream},
    },
    winograd::STAGES,
};
use relay_dialects::{
    attrs::WINOGRAD_TILE,
    index::ceil_div,
    ir::{Attr, Value},
    te::build::ScheduleBuilder,
    tir::Scope,
};
use std::fmt;

/// Whether a stage is scheduled with the last one of a convolution, which reads it.
pub fn is_part(stage: Stage) -> bool {
    stage.role().is_some_and(|role| STAGES[..4].contains(&role))
}

/// The stages before the last one: the data's columns, the data, the products, the result's columns.
fn parts(result: Stage) -> Option<[Stage; 4]> {
    let mut parts = Vec::new();
    let mut reader = result;
    for role in STAGES[..4].iter().rev() {
        reader = reader
            .producers()
            .into_iter()
            .find(|stage| stage.is(*role))?;
        parts.push(reader);
    }
    parts.reverse();
    parts.try_into().ok()
}

/// The stages of a convolution by Winograd's algorithm.
pub struct Winograd {
    /// The last stage.
    conv: Stage,
    /// What is computed with it.
    epilogue: Epilogue,
    /// The rows and columns of one of Winograd's tiles.
    tile: [i64; 2],
    data_columns: Stage,
    data: Stage,
    products: Stage,
    result_columns: Stage,
}

/// How Winograd's tiles go through the stages, and the tile of the products in registers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knobs {
    /// How many of Winograd's tiles go through all stages together: groups are shared among threads. All of them go
    /// through each stage, whose parts are shared, if none.
    group: Option<i64>,
    /// Winograd's tiles whose products are in registers.
    columns: i64,
    /// Blocks of output channels whose products are in registers.
    blocks: i64,
}

impl fmt::Display for Knobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let group = self.group.unwrap_or(0);
        let (columns, blocks) = (self.columns, self.blocks);
        write!(formatter, "group={group} columns={columns} blocks={blocks}")
    }
}

impl Winograd {
    /// None if the stages before the last one are not as TOPI writes them.
    pub fn of(conv: Stage, epilogue: Epilogue) -> Option<Self> {
        let [data_columns, data, products, result_columns] = parts(conv)?;
        let tile = conv.op.attr(WINOGRAD_TILE).and_then(Attr::as_ints)?;
        let tile = tile.try_into().ok()?;
        let ranks = [products.shape().len(), data.shape().len()];
        (ranks == [5, 5]).then_some(Self {
            conv,
            epilogue,
            tile,
            data_columns,
            data,
            products,
            result_columns,
        })
    }

    fn transformed(&self, machine: Machine) -> Transformed {
        let (products, data) = (self.products.shape(), self.data.shape());
        Transformed {
            elements: products[0] * products[1],
            inputs: data[3] * data[4],
            outputs: products[2] * products[4],
            vectors: products[2] * machine.registers_of(products[4]),
            tiles: products[3],
        }
    }

    /// Where the number of samples is open, the tiles of one of them, so that one sample fills a group; fewer than a group takes at
    /// least are no limit.
    fn most_of_sample(&self) -> Option<i64> {
        let dims = self.conv.dims();
        let shape = shape_of_sample(self.conv.op, self.conv.tensor());
        let tiles = (0..2).map(|dim| ceil_div(shape[2 + dim], self.tile[dim]));
        let tiles: i64 = tiles.product();
        (!dims[0].is_known()).then_some(tiles.max(cost::LEAST_GROUP))
    }

    /// The numbers of tiles that go through all stages together. Groups are of equal length, and the last one begins
    /// earlier: few numbers of tiles have a divisor that fits the cache.
    fn groups(&self, machine: Machine) -> Vec<i64> {
        let shape = self.transformed(machine);
        let kept = machine.l2_bytes / 2 / (F32_BYTES * shape.elements_of_tile()).max(1);
        let most = kept.min(shape.tiles / machine.threads);
        let most = most.min(self.most_of_sample().unwrap_or(most));
        if most < cost::LEAST_GROUP {
            return Vec::new();
        }
        let mut groups = even_parts(shape.tiles, most);
        groups.retain(|group| *group >= cost::LEAST_GROUP);
        groups
    }
}

impl Template for Winograd {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "winograd",
        applies: "A convolution by Winograd's algorithm.",
        ways: &[
            Way {
                knobs: "group, columns, blocks",
                loops: "Parallel: groups of `group` Winograd tiles. In a group: transform of the data, products by register tiles of `columns` Winograd tiles and `blocks` channel blocks, transform of the result.",
                kept: "Registers: the sums of the products. L2: transformed data and products of the group, in the thread's workspace.",
            },
            Way {
                knobs: "group=0, columns, blocks",
                loops: "The same three stages, each parallel over all Winograd tiles.",
                kept: "Registers: the sums of the products.",
            },
        ],
    };

    fn space(&self, machine: Machine) -> Vec<Knobs> {
        let groups = self.groups(machine).into_iter().map(Some).chain([None]);
        let shape = self.products.shape();
        let knobs = |group: Option<i64>| {
            let width = group.unwrap_or(shape[3]);
            let tiles = register_tiles(width, shape[2], shape[4], machine);
            tiles.map(move |(columns, blocks)| Knobs {
                group,
                columns,
                blocks,
            })
        };
        groups.flat_map(knobs).collect()
    }

    fn cost(&self, knobs: &Knobs, machine: Machine) -> Cycles {
        let lanes = self.products.lanes().max(MIN_LANES);
        let tile = RegisterTile {
            numbers: knobs.columns,
            vectors: knobs.blocks * machine.registers_of(lanes),
        };
        cost::in_groups(self.transformed(machine), knobs.group, tile, machine)
            + self.epilogue.cost(machine)
    }

    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, machine: Machine) {
        self.epilogue.inline(s);
        let shared = self.products.are_tiles_shared(self.products.lanes());
        let handle = |stage: Stage| s.stage(stage.tensor());
        let result = handle(self.epilogue.last);
        if self.conv != self.epilogue.last {
            s.compute_inline(handle(self.conv));
        }
        let axes = s.axes(result, 5);
        let (row, y) = s.split(axes[2], self.tile[0]);
        let (column, x) = s.split(axes[3], self.tile[1]);
        let (groups, place) = if let Some(group) = knobs.group {
            s.reorder(&[axes[0], row, column, axes[1], y, x, axes[4]]);
            let (groups, place) = s.split_inwards(s.fuse(&[axes[0], row, column]), group);
            s.reorder(&[groups, axes[1], place, y, x, axes[4]]);
            (groups, place)
        } else {
            // In a loop of columns by themselves, the last tile of a row would begin in another one, and its columns
            // would be those of a whole row.
            s.reorder(&[axes[0], axes[1], row, column, y, x, axes[4]]);
            let places = s.fuse(&[axes[0], axes[1], row, column]);
            (places, places)
        };
        if shared {
            s.parallel(groups);
        }
        for axis in [y, x] {
            s.unroll(axis);
        }
        s.vectorize(axes[4]);
        columns_at(s, self.result_columns, (result, place));
        self.emit_products((knobs, machine), (result, groups), shared, s);
    }
}

impl Winograd {
    /// The products and the transformed data: in the loop over groups of the result, or before it.
    fn emit_products(
        &self,
        (knobs, machine): (&Knobs, Machine),
        (result, groups): (Value, Value),
        shared: bool,
        s: &ScheduleBuilder,
    ) {
        let (product, product_loop) = self.multiply(s, knobs, machine);
        let transformed = s.stage(self.data.tensor());
        let axes = s.axes(transformed, 5);
        s.reorder(&[axes[2], axes[3], axes[0], axes[1], axes[4]]);
        for axis in [axes[0], axes[1]] {
            s.unroll(axis);
        }
        s.vectorize(axes[4]);
        if knobs.group.is_some() {
            s.compute_at(product, result, groups);
            s.compute_at(transformed, result, groups);
            return columns_at(s, self.data_columns, (transformed, axes[3]));
        }
        let place = s.fuse(&[axes[2], axes[3]]);
        if shared {
            s.parallel(place);
            s.parallel(product_loop);
        }
        columns_at(s, self.data_columns, (transformed, place));
    }
}

/// Half of a transform in registers: a stage of columns, computed at a loop of the stage of rows.
fn columns_at(s: &ScheduleBuilder, columns: Stage, (reader, at): (Value, Value)) {
    let columns = s.stage(columns.tensor());
    s.set_scope(columns, Scope::Local);
    s.compute_at(columns, reader, at);
    let axes = s.axes(columns, 5);
    for axis in [axes[0], axes[1]] {
        s.unroll(axis);
    }
    s.vectorize(axes[4]);
}

impl Winograd {
    /// The products [alpha, alpha, blocks, tiles, lanes], a tile of registers at a time. Returns the stage and its
    /// outermost loop.
    fn multiply(&self, s: &ScheduleBuilder, knobs: &Knobs, machine: Machine) -> (Value, Value) {
        let result = s.stage(self.products.tensor());
        let cache = s.cache_write(result, Scope::Local);
        let axes = s.axes(result, 5);
        let (block_outer, block) = s.split_inwards(axes[2], knobs.blocks);
        let (outer, place) = s.split(axes[3], knobs.columns);
        s.reorder(&[axes[0], axes[1], block_outer, outer, place, block, axes[4]]);
        let panels = s.fuse(&[axes[0], axes[1], block_outer]);
        s.unroll(place);
        s.unroll(block);
        s.vectorize(axes[4]);
        s.compute_at(cache, result, outer);
        let axes = s.axes(cache, 7);
        let inner = self.ask(s, (panels, &axes[5..]), knobs, machine);
        s.reorder(&[&[axes[5]], &inner[..], &[axes[3], axes[2], axes[4]]].concat());
        s.unroll(axes[3]);
        s.unroll(axes[2]);
        s.vectorize(axes[4]);
        (result, panels)
    }

    /// Has a tile of the products ask for what it reads soon of the weight, which changes in the loop `panels`.
    /// Reduce axes: blocks of input channels, and channels of a block, which become the loops that are returned.
    fn ask(
        &self,
        s: &ScheduleBuilder,
        (panels, axes): (Value, &[Value]),
        knobs: &Knobs,
        machine: Machine,
    ) -> Vec<Value> {
        let shape = self.transformed(machine);
        let lanes = self.products.lanes();
        let panel = Panel {
            size: PanelSize {
                bytes: F32_BYTES * shape.inputs * knobs.blocks * lanes,
                readers: ceil_div(knobs.group.unwrap_or(shape.tiles), knobs.columns),
            },
            axis: panels,
            every: 1,
        };
        let stream = Stream {
            axis: axes[1],
            extent: self.data.lanes(),
            lanes,
            steps: shape.inputs,
            sums: knobs.columns * knobs.blocks * machine.registers_of(lanes),
        };
        let operands = Operands::of(self.products);
        prefetch::ask(s, operands, (Some(panel), stream), machine)
    }
}
