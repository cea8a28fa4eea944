//! Convolutions on packed channels.

use super::{Doc, Template, Way, injective};
use crate::schedule::cost::sizes::planned_shape;
use crate::schedule::{
    F32_BYTES, Machine, Stage,
    cost::{
        Cycles, conv, prefetch,
        registers::{MOST_BLOCKS, RegisterTile},
    },
    epilogue::Epilogue,
    padding::{Met, Padding},
    prefetch::{Operands, Panel, PanelSize, Stream},
    rows_first,
};
use relay_dialects::{
    index::ceil_div,
    ir::Value,
    te::build::{Prefetch, ScheduleBuilder},
};
use std::fmt;

/// A convolution whose data, weight and result have their channels in blocks.
pub struct PackedConv {
    /// The convolution.
    pub conv: Stage,
    /// Its padded data, if it has data of its own that is padded.
    pub padding: Option<Padding>,
    /// What is computed with it.
    pub epilogue: Epilogue,
}

/// The tile of the result that one thread keeps in registers, and what comes outside of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knobs {
    /// The pixels of a row.
    pub columns: i64,
    /// The blocks of output channels.
    pub blocks: i64,
    /// The loops around it.
    pub order: Order,
}

/// The loops around a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// All channels of a row of pixels before the next row.
    Rows,
    /// All rows of some channels before the next ones.
    Channels,
    /// A block of input channels meets all pixels of some output channels, whose sums are in the first cache between.
    Inputs,
    /// One tap of the window after the other meets the data of a row, and none the padding; the row's sums are in the
    /// first cache between. All rows of some channels come before the next ones.
    Taps,
}

impl fmt::Display for Knobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = match self.order {
            Order::Rows => "rows",
            Order::Channels => "channels",
            Order::Inputs => "inputs",
            Order::Taps => "taps",
        };
        let (columns, blocks) = (self.columns, self.blocks);
        write!(formatter, "columns={columns} blocks={blocks} order={order}")
    }
}

/// More columns than a tile of one block of them has registers for.
const MOST_COLUMNS: i64 = 28;

/// Columns and blocks of a tile of sums that fits the registers, for rows of `width` pixels of which `blocks`
/// blocks of `lanes` channels read the same data.
pub fn register_tiles(
    width: i64,
    blocks: i64,
    lanes: i64,
    machine: Machine,
) -> impl Iterator<Item = (i64, i64)> {
    let wide = machine.registers_of(lanes);
    // A register for each block of the weight, and one for a number.
    let fits =
        move |columns: i64, blocks: i64| (columns + 1) * blocks * wide + 1 < machine.registers;
    (1..=MOST_BLOCKS.min(blocks.max(1)))
        .flat_map(move |blocks| {
            (1..=width.clamp(1, MOST_COLUMNS)).map(move |columns| (columns, blocks))
        })
        .filter(move |&(columns, blocks)| fits(columns, blocks) || (columns, blocks) == (1, 1))
}

impl PackedConv {
    /// What the cost needs to know.
    fn shape(&self) -> conv::Shape {
        let shape = self.conv.shape();
        let (pixels, work) = (shape[0] * shape[2] * shape[3], self.conv.work());
        // Blocks of input channels, rows and columns of the kernel, channels in a block.
        let window = self.conv.reduce_extents();
        conv::Shape {
            work,
            taps: window.get(1..3).map_or(1, |taps| taps.iter().product()),
            inputs: window.first().unwrap_or(&1) * window.last().unwrap_or(&1),
            rows: shape[0] * shape[2],
            height: shape[2],
            width: shape[3],
            blocks: self.conv.channels_of_group(),
            lanes: shape[4],
            weight_bytes: F32_BYTES * work / pixels.max(1),
            data_bytes: self.conv.data_bytes(),
        }
    }

    /// Whether the pixels of an image are known only when the kernel runs.
    fn is_open(&self) -> bool {
        self.conv.dims()[2..4].iter().any(|dim| !dim.is_known())
    }

    /// Where the taps of its window meet data, if that is known and there is padding.
    fn met(&self) -> Option<[Met; 2]> {
        self.padding?.met(self.conv)
    }

    /// Whether the sums of so many blocks of channels of a row stay in the first cache between two taps.
    fn has_taps_outside(&self, blocks: i64, machine: Machine) -> bool {
        let shape = self.conv.shape();
        F32_BYTES * shape[3] * blocks * shape[4] <= machine.kept_in_l1()
    }

    /// Whether the sums of a tile's channels wait in the first cache, while the weight of one block of inputs stays
    /// there: where that of all inputs does not, nor in the second cache, and the parts are enough for threads.
    fn has_inputs_outside(&self, blocks: i64, machine: Machine) -> bool {
        let shape = self.conv.shape();
        let per_pixel = F32_BYTES * blocks * shape[4];
        let reduced = self.conv.reduce_extents().iter().product::<i64>();
        !machine.stays_in_l2(self.shape().weight_bytes)
            && shape[2] * shape[3] * per_pixel <= machine.kept_in_l1()
            && reduced * per_pixel > 2 * machine.kept_in_l1()
            && shape[0] * shape[1] / blocks >= machine.threads
            && machine.registers_of(shape[4]) == 1
    }
}

impl Template for PackedConv {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "packed-conv",
        applies: "A convolution in channel blocks, if it does not run on AMX tiles.",
        ways: &[
            Way {
                knobs: "columns, blocks, order=rows",
                loops: "Parallel: samples, rows of pixels, tiles of `blocks` channel blocks. Then tiles of `columns` pixels, reduction.",
                kept: "Registers: the sums of the tile. L2: the whole weight, which each row of pixels reads again.",
            },
            Way {
                knobs: "columns, blocks, order=channels",
                loops: "Parallel: samples, tiles of `blocks` channel blocks, rows of pixels. Then tiles of `columns` pixels, reduction.",
                kept: "Registers: the sums of the tile. L1 or L2: the weight of the tile's channels.",
            },
            Way {
                knobs: "columns, blocks, order=inputs",
                loops: "Parallel: samples, tiles of `blocks` channel blocks. Then blocks of input channels, rows, tiles of `columns` pixels, the rest of the reduction.",
                kept: "Registers: the sums of the tile. L1: the sums of all pixels of the tile's channels.",
            },
            Way {
                knobs: "columns, blocks, order=taps",
                loops: "Parallel: samples, tiles of `blocks` channel blocks, rows of pixels. Then kernel positions, tiles of `columns` pixels that meet data and not padding, input channels.",
                kept: "Registers: the sums of the tile. L1: the sums of the row.",
            },
        ],
    };

    fn space(&self, machine: Machine) -> Vec<Knobs> {
        let shape = self.conv.shape();
        let channels = self.conv.channels_of_group();
        let tiles = register_tiles(shape[3], channels, shape[4], machine);
        // A tile reads the data of one group, and sums that wait in memory are each of one tile.
        let is_grouped = shape[1] > channels;
        let is_whole = move |blocks: i64| channels % blocks == 0;
        let tiles = tiles.filter(move |(_, blocks)| !is_grouped || is_whole(*blocks));
        let orders = |(columns, blocks): (i64, i64)| {
            // Sums that wait in memory are of rows and images of known sizes.
            let inputs =
                !self.is_open() && is_whole(blocks) && self.has_inputs_outside(blocks, machine);
            let orders = [Order::Rows, Order::Channels].into_iter();
            let orders = orders.chain(inputs.then_some(Order::Inputs));
            let taps =
                !self.is_open() && self.met().is_some() && self.has_taps_outside(blocks, machine);
            let orders = orders.chain(taps.then_some(Order::Taps));
            orders.map(move |order| Knobs {
                columns,
                blocks,
                order,
            })
        };
        tiles.flat_map(orders).collect()
    }

    fn cost(&self, knobs: &Knobs, machine: Machine) -> Cycles {
        let shape = self.shape();
        let tile = RegisterTile {
            numbers: knobs.columns,
            vectors: knobs.blocks * machine.registers_of(shape.lanes),
        };
        let sums = match knobs.order {
            Order::Rows => conv::by_rows(shape, tile, machine),
            Order::Channels => conv::by_channels(shape, tile, machine),
            Order::Inputs => conv::by_inputs(shape, tile, machine),
            Order::Taps => {
                let met = self.met().unwrap_or_default();
                conv::by_taps(shape, &met, tile, machine)
            }
        };
        let panel = self.panel_size(knobs);
        let is_unasked = panel.is_some_and(|panel| panel.is_too_large(machine));
        let weight = match knobs.order {
            Order::Rows | Order::Channels if is_unasked => {
                conv::unasked(shape.weight_bytes, machine)
            }
            _ => Cycles::default(),
        };
        sums + weight + self.padding_cost(knobs, machine) + self.epilogue.cost(machine)
    }

    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, machine: Machine) {
        match self.padding {
            Some(padding) if knobs.order == Order::Taps => {
                s.inline_guarding(s.stage(padding.stage.tensor()));
            }
            Some(padding) => injective::emit(s, padding.stage, machine),
            None => {}
        }
        self.epilogue.inline(s);
        let stages = self.epilogue.accumulator(s);
        match knobs.order {
            Order::Inputs => return self.by_inputs(s, stages, knobs, machine),
            Order::Taps => return self.by_taps(s, stages, knobs, machine),
            Order::Rows | Order::Channels => {}
        }
        let (accumulator, result) = stages;
        let (rows, outer) = self.tile_result(s, result, knobs);
        s.compute_at(accumulator, result, outer);
        let axes = s.axes(accumulator, 9);
        let panel = self.panel(rows, knobs);
        let panel = panel.filter(|panel| panel.is_worth_asking(machine));
        let inner = self.ask(s, (&axes[5..], knobs), panel, machine);
        let outer = [axes[5], axes[6], axes[7]];
        s.reorder(&[&outer, &inner[..], &[axes[3], axes[1], axes[4]]].concat());
        s.unroll(axes[3]);
        s.unroll(axes[1]);
        s.vectorize(axes[4]);
    }
}

impl PackedConv {
    /// Axes of a result [n, c, y, x, lane] with a tile of columns and channel blocks innermost; rows of
    /// tiles are shared among threads if that is worth it. Returns the loop over these, and the one inside which a
    /// tile is computed.
    fn tile_result(&self, s: &ScheduleBuilder, stage: Value, knobs: &Knobs) -> (Value, Value) {
        let mut axes = s.axes(stage, 5);
        let (block_outer, block) = s.split_inwards(axes[1], knobs.blocks);
        let (outer, column) = s.split(axes[3], knobs.columns);
        axes[1] = block_outer;
        if knobs.order == Order::Rows {
            rows_first(&mut axes);
        }
        s.reorder(&[&axes[..3], &[outer, column, block, axes[4]]].concat());
        let rows = s.fuse(&axes[..3]);
        if self.is_shared() {
            s.parallel(rows);
        }
        s.unroll(column);
        s.unroll(block);
        s.vectorize(axes[4]);
        (rows, outer)
    }

    fn is_shared(&self) -> bool {
        self.conv.are_tiles_shared(self.conv.lanes())
    }

    /// The weight of the channels of a tile, in a loop `rows` over samples, rows of pixels and channels; none if
    /// all channels are in one tile.
    fn panel(&self, rows: Value, knobs: &Knobs) -> Option<Panel> {
        Some(Panel {
            size: self.panel_size(knobs)?,
            axis: rows,
            every: self.rows_of_panel(knobs),
        })
    }

    fn panel_size(&self, knobs: &Knobs) -> Option<PanelSize> {
        let shape = self.conv.shape();
        let reduced = self.conv.reduce_extents().iter().product::<i64>();
        (shape[1] > knobs.blocks).then_some(PanelSize {
            bytes: F32_BYTES * reduced * knobs.blocks * shape[4],
            readers: self.rows_of_panel(knobs) * ceil_div(shape[3], knobs.columns),
        })
    }

    /// The rows of pixels of which all tiles read a panel before the next one.
    fn rows_of_panel(&self, knobs: &Knobs) -> i64 {
        match knobs.order {
            Order::Channels => self.conv.shape()[2],
            Order::Rows | Order::Inputs | Order::Taps => 1,
        }
    }

    /// Has a tile ask for what it reads soon, in the loops over its reduce axes: blocks of input channels, kernel
    /// rows and columns, channels in a block. The last becomes the loops that are returned.
    fn ask(
        &self,
        s: &ScheduleBuilder,
        (axes, knobs): (&[Value], &Knobs),
        panel: Option<Panel>,
        machine: Machine,
    ) -> Vec<Value> {
        let shape = self.conv.shape();
        let reduced = self.conv.reduce_extents();
        let outside = usize::from(knobs.order == Order::Inputs);
        let stream = Stream {
            axis: axes[3],
            extent: reduced[3],
            lanes: shape[4],
            steps: match knobs.order {
                Order::Taps => reduced[3],
                _ => reduced[outside..].iter().product(),
            },
            sums: knobs.columns * knobs.blocks * machine.registers_of(shape[4]),
        };
        let operands = Operands::of(self.conv);
        if let Some(panel) = panel {
            panel.ask(s, operands.vectors, axes[2]);
        }
        if let Some(data) = operands
            .numbers
            .filter(|data| self.reads_far(*data, stream.sums, machine))
        {
            s.prefetch(data, axes[0], Prefetch::ahead(1));
        }
        stream.ask(s, operands.vectors, machine)
    }

    /// Whether a tile reads its pixels of the next block of input channels after so few of this one, in a kernel
    /// of one place, that the processor does not fetch them by itself.
    fn reads_far(&self, data: Value, sums: i64, machine: Machine) -> bool {
        let reduced = self.conv.reduce_extents();
        let pixels: i64 = planned_shape(self.conv.op, data)[2..].iter().product();
        let bytes = pixels * data.ty().element().byte_width() as i64;
        reduced[1..3] == [1, 1] && prefetch::is_far(bytes, sums, machine)
    }

    /// What padding takes where padded data is made.
    fn padding_cost(&self, knobs: &Knobs, machine: Machine) -> Cycles {
        match self.padding {
            Some(padding) if knobs.order != Order::Taps => injective::cost(padding.stage, machine),
            _ => Cycles::default(),
        }
    }

    /// Reduce axes: kernel rows and columns, which are outside of the pixels, blocks of input channels, channels in a
    /// block.
    fn by_taps(
        &self,
        s: &ScheduleBuilder,
        (accumulator, result): (Value, Value),
        knobs: &Knobs,
        machine: Machine,
    ) {
        let (rows, _) = self.tile_result(s, result, knobs);
        s.compute_at(accumulator, result, rows);
        let axes = s.axes(accumulator, 9);
        let (outer, column) = s.split(axes[3], knobs.columns);
        let inner = self.ask(s, (&axes[5..], knobs), None, machine);
        let outer = [axes[6], axes[7], outer, axes[5]];
        s.reorder(&[&outer, &inner[..], &[column, axes[1], axes[4]]].concat());
        // The taps of a row meet different pixels.
        s.unroll(axes[7]);
        s.unroll(column);
        s.unroll(axes[1]);
        s.vectorize(axes[4]);
    }

    /// Reduce axes: blocks of input channels, which are outside of the pixels, kernel rows and columns, channels
    /// in a block.
    fn by_inputs(
        &self,
        s: &ScheduleBuilder,
        (accumulator, result): (Value, Value),
        knobs: &Knobs,
        machine: Machine,
    ) {
        let axes = s.axes(result, 5);
        let (block_outer, block) = s.split(axes[1], knobs.blocks);
        let (outer, column) = s.split(axes[3], knobs.columns);
        s.reorder(&[axes[0], block_outer, axes[2], outer, column, block, axes[4]]);
        let parts = s.fuse(&[axes[0], block_outer]);
        if self.is_shared() {
            s.parallel(parts);
        }
        s.unroll(column);
        s.unroll(block);
        s.vectorize(axes[4]);
        s.compute_at(accumulator, result, parts);
        let axes = s.axes(accumulator, 9);
        let (outer, column) = s.split(axes[3], knobs.columns);
        let shape = self.conv.shape();
        let reduced = self.conv.reduce_extents();
        let panel = Panel {
            size: PanelSize {
                bytes: F32_BYTES * reduced[1..].iter().product::<i64>() * knobs.blocks * shape[4],
                readers: shape[2] * ceil_div(shape[3], knobs.columns),
            },
            axis: axes[5],
            every: 1,
        };
        let panel = Some(panel).filter(|panel| reduced[0] > 1 && panel.is_worth_asking(machine));
        let inner = self.ask(s, (&axes[5..], knobs), panel, machine);
        let outer = [axes[5], axes[2], outer, axes[6], axes[7]];
        s.reorder(&[&outer, &inner[..], &[column, axes[1], axes[4]]].concat());
        s.unroll(column);
        s.unroll(axes[1]);
        s.vectorize(axes[4]);
    }
}

#[cfg(test)]
mod tests {
    use super::register_tiles;
    use crate::Machine;

    #[test]
    fn tiles_fit_the_registers() {
        for bits in [256, 512] {
            let machine = Machine::new(bits);
            for width in 1..120 {
                for (blocks, wide) in (1..9).flat_map(|blocks| [(blocks, 1), (blocks, 2)]) {
                    let tiles = register_tiles(width, blocks, wide * machine.block(), machine);
                    let mut count = 0;
                    for (columns, per_tile) in tiles {
                        assert!(columns <= width && per_tile <= blocks);
                        assert!(columns * per_tile * wide < machine.registers);
                        count += 1;
                    }
                    assert!(count > 0);
                }
            }
        }
    }
}
