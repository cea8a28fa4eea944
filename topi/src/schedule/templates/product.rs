//! Matrix products.

mod panels;
mod parts;
mod runs;
mod strips;

use super::{Doc, Template, Way, in_registers};
use crate::schedule::{
    F32_BYTES, Machine, Stage,
    cost::{
        Cycles, fewest, halves,
        layout::FEW_ROWS,
        memory, pieces_in_l2, product,
        registers::{self, Extents, RegisterTile},
        waste,
    },
    epilogue::Epilogue,
    panel,
    prefetch::{self, Operands, Panel, Stream},
};
use relay_dialects::{index::ceil_div, ir::Value, te::build::ScheduleBuilder};
use std::{fmt, iter};

/// [.., m, n] with contiguous rows of the second operand, or with its columns in blocks.
pub struct Product {
    /// The product.
    pub product: Stage,
    /// What is computed with it.
    pub epilogue: Epilogue,
    /// The lanes of its vectors.
    lanes: i64,
    /// Whether tiles must not be cut.
    is_whole: bool,
}

/// A tile of rows by vectors in registers, and what comes outside of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knobs {
    /// The rows of a tile.
    rows: i64,
    /// The vectors of a tile.
    vectors: i64,
    /// The loops outside of a tile.
    around: Around,
}

/// The loops outside of a tile.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Around {
    /// A part of the rows meets all columns before the next one does: a tile of columns meets all its rows before the
    /// next ones.
    Parts {
        /// The tiles of rows of a part.
        tiles: i64,
        /// Those of them that a thread takes at a time. Threads share columns before rows: then a thread finds the columns
        /// that it computed of the operand before in its own caches.
        taken: i64,
        /// Whether what a tile of columns reads of the second operand is copied together first.
        copied: bool,
    },
    /// Few rows meet some rows at a time of a matrix that is in no cache, in runs of which each is as many columns
    /// as have their sums in the first cache.
    Runs {
        /// The columns of a run.
        columns: i64,
        /// The rows of the matrix that a tile of sums meets while it is in registers.
        depth: i64,
    },
    /// All tiles of rows of a part meet a strip of a tile of columns, which stays in the first cache, before the next strip. Their sums wait in
    /// memory between. See [`strips`].
    Strips {
        /// The tiles of rows of a part.
        tiles: i64,
        /// The rows of a strip of the second operand.
        depth: i64,
    },
    /// All tiles of rows of a part meet a panel of columns, which is copied together first and stays in the first cache, before the next
    /// panel. See [`panels`].
    Panels {
        /// The tiles of rows of a part.
        tiles: i64,
        /// The columns of a panel.
        columns: i64,
    },
}

impl fmt::Display for Knobs {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "rows={} vectors={} ", self.rows, self.vectors)?;
        match self.around {
            Around::Parts {
                tiles,
                taken,
                copied,
            } => write!(formatter, "part={tiles} taken={taken} copied={copied}"),
            Around::Runs { columns, depth } => write!(formatter, "run={columns} depth={depth}"),
            Around::Strips { tiles, depth } => write!(formatter, "part={tiles} depth={depth}"),
            Around::Panels { tiles, columns } => {
                write!(formatter, "part={tiles} panel={columns}")
            }
        }
    }
}

/// The rows and the vectors of the tiles to choose from.
const MOST_ROWS: i64 = 14;
const MOST_VECTORS: i64 = 8;

/// The tile of rows and vectors that takes fewest cycles in a product of an input's matrices; see [`Product`].
pub fn choose(extents: Extents, lanes: i64, is_whole: bool, machine: Machine) -> (i64, i64) {
    let cost = |&(rows, vectors): &(i64, i64)| {
        let tile = RegisterTile {
            numbers: rows,
            vectors: vectors * machine.registers_of(lanes),
        };
        registers::product(1.0, extents, tile, vectors * lanes, machine)
    };
    let tiles = register_tiles(extents, lanes, is_whole, machine);
    fewest(tiles, cost).unwrap_or((1, 1))
}

/// The tiles of rows and vectors of `lanes` that fit the registers.
fn register_tiles(
    extents: Extents,
    lanes: i64,
    is_whole: bool,
    machine: Machine,
) -> Vec<(i64, i64)> {
    let Extents { rows, columns } = extents;
    let wide = machine.registers_of(lanes);
    let fits = |vectors: &i64| !is_whole || columns % (vectors * lanes) == 0;
    let tiles = (1..=(columns / lanes).min(MOST_VECTORS))
        .filter(fits)
        .flat_map(|vectors| (1..=rows.min(MOST_ROWS)).map(move |rows| (rows, vectors)))
        // A vector for each column's data; a row's number comes from memory as it is used.
        .filter(|(rows, vectors)| (rows + 1) * vectors * wide < machine.registers);
    let tiles: Vec<(i64, i64)> = tiles.collect();
    if tiles.is_empty() {
        vec![(1, 1)]
    } else {
        tiles
    }
}

impl Product {
    /// A product whose vectors have `lanes`.
    pub fn new(product: Stage, epilogue: Epilogue, lanes: i64) -> Self {
        let (lanes, is_whole) = if product.block().is_some() {
            (lanes, true)
        } else {
            whole_lanes(product, lanes)
        };
        Self {
            product,
            epilogue,
            lanes,
            is_whole,
        }
    }

    fn extents(&self) -> Extents {
        let shape = self.product.shape();
        let rank = shape.len();
        Extents {
            rows: shape[rank - 2],
            columns: shape[rank - 1],
        }
    }

    fn depth(&self) -> i64 {
        let results = self.product.shape().iter().product::<i64>();
        self.product.work() / results.max(1)
    }

    /// The loops around a tile, which follow from it: parts of rows that the cache holds, and strips of these, or runs.
    fn around(&self, tile: (i64, i64), machine: Machine) -> Vec<Around> {
        // Sums and panels that wait in memory are of known sizes.
        if self.is_open() {
            return vec![self.parts(tile, machine)];
        }
        let is_plain = self.product.block().is_none();
        let runs = || self.runs(tile, machine);
        if let Some(runs) = is_plain.then(runs).flatten() {
            return vec![runs];
        }
        if let Some(panels) = self.panels(tile, machine) {
            return vec![panels];
        }
        let parts = self.parts(tile, machine);
        iter::once(parts)
            .chain(self.strips(tile, machine))
            .collect()
    }

    /// Whether its rows or its columns are known only when it runs.
    fn is_open(&self) -> bool {
        let dims = self.product.dims();
        dims[dims.len() - 2..].iter().any(|dim| !dim.is_known())
    }

    fn batch(&self) -> i64 {
        let shape = self.product.shape();
        shape[..shape.len() - 2].iter().product::<i64>()
    }

    /// The tiles of so many rows, each of which takes so many bytes, of a part that the second cache holds.
    fn part_in_l2(&self, rows: i64, row_bytes: i64, machine: Machine) -> i64 {
        let tiles = ceil_div(self.extents().rows, rows);
        let most = self.most_of_part(tiles, machine);
        pieces_in_l2(tiles, rows * row_bytes, most, machine)
    }

    /// The most tiles of rows of a part, of all `tiles`. Where the first operand is the larger one, threads share parts of
    /// rows, so that each reads a share of it alone; else they share columns. They share columns, too, if each part would
    /// widen the second operand for few rows.
    fn most_of_part(&self, tiles: i64, machine: Machine) -> i64 {
        let Extents { rows, columns } = self.extents();
        let of_thread = self.batch() * tiles / machine.threads;
        let is_widened = panel::of_product(self.product).next().is_some();
        let shares_rows = rows > columns
            && self.product.is_worth_sharing_tiles(self.lanes)
            && (!is_widened || product::is_worth_widening(of_thread * rows / tiles));
        match shares_rows {
            true => of_thread,
            false => tiles,
        }
    }

    /// Whether writing the result takes most of the time, as of the scores of attention: it is far larger than
    /// the operands, of which the cache holds the second. Then rows of tiles are written one after the other,
    /// not columns of tiles, whose lines lie in as many pages as there are rows.
    fn writes_most(&self, machine: Machine) -> bool {
        product::writes_most(self.extents(), self.depth(), machine)
    }
}

/// The lanes of the vectors of a product, and whether its tiles must not be cut. Of few rows, threads can only share
/// tiles of columns, which wait for memory, so that narrower vectors do as well.
fn whole_lanes(product: Stage, lanes: i64) -> (i64, bool) {
    let shape = product.shape();
    let columns = shape[shape.len() - 1];
    let rows = shape.iter().product::<i64>() / columns.max(1);
    if rows > FEW_ROWS || !product.is_worth_sharing_tiles(lanes) {
        return (lanes, false);
    }
    let whole = halves(lanes).find(|lanes| columns % lanes == 0);
    whole.map_or((lanes, false), |lanes| (lanes, true))
}

impl Template for Product {
    type Knobs = Knobs;

    const DOC: Doc = Doc {
        name: "product",
        applies: "A matrix product or a dense layer, if it does not run on AMX tiles.",
        ways: &[
            Way {
                knobs: "rows, vectors, part, taken, copied",
                loops: "Parallel: parts of `part` tiles of rows, tiles of columns, groups of `taken` tiles of a part. Then tiles of rows, reduction. With `copied=true`, the panel is copied first.",
                kept: "Registers: the sums of the tile. L1 or L2: the panel of the tile's columns. L2: the part's rows of the first operand.",
            },
            Way {
                knobs: "rows, vectors, run, depth",
                loops: "For few rows and a large matrix with scattered rows. Parallel: runs of `run` columns. Then blocks of `depth` matrix rows, tiles of columns.",
                kept: "Registers: the sums of the tile. L1: the sums of the run.",
            },
            Way {
                knobs: "rows, vectors, part, depth",
                loops: "For long reductions. Parallel: parts of `part` tiles of rows, tiles of columns. Then strips of `depth` rows of the second operand, tiles of rows, the strip.",
                kept: "Registers: the sums of the tile. L1: the strip. L2: the part's rows of the first operand, partial sums.",
            },
            Way {
                knobs: "rows, vectors, part, panel",
                loops: "For results far larger than the operands. Parallel: parts of `part` tiles of rows, panels of `panel` columns, each copied first. Then tiles of rows, tiles of columns, reduction.",
                kept: "Registers: the sums of the tile. L1: the copied panel. L2: the part's rows of the first operand.",
            },
        ],
    };

    fn space(&self, machine: Machine) -> Vec<Knobs> {
        let tiles = register_tiles(self.extents(), self.lanes, self.is_whole, machine).into_iter();
        let knobs = |(rows, vectors)| {
            let around = self.around((rows, vectors), machine).into_iter();
            around.map(move |around| Knobs {
                rows,
                vectors,
                around,
            })
        };
        tiles.flat_map(knobs).collect()
    }

    fn cost(&self, knobs: &Knobs, machine: Machine) -> Cycles {
        let wide = machine.registers_of(self.lanes);
        let tile = RegisterTile {
            numbers: knobs.rows,
            vectors: knobs.vectors * wide,
        };
        let columns = knobs.vectors * self.lanes;
        let vectors = (self.product.work() / self.lanes * wide) as f64;
        let sums = registers::product(vectors, self.extents(), tile, columns, machine);
        let all = ceil_div(self.extents().rows, knobs.rows);
        let of_parts = |tiles: i64| self.columns_again(ceil_div(all, tiles), machine);
        let (wasted, again) = match knobs.around {
            Around::Parts { tiles, taken, .. } => {
                (waste(all, tiles) * waste(tiles, taken), of_parts(tiles))
            }
            Around::Strips { tiles, depth } => (
                waste(all, tiles),
                of_parts(tiles)
                    + self.rows_again(ceil_div(self.extents().columns, columns))
                    + product::kept_sums(vectors, depth, machine),
            ),
            Around::Panels {
                tiles,
                columns: panel,
            } => {
                let all_columns = ceil_div(self.extents().columns, columns);
                let wasted = waste(all, tiles) * waste(all_columns, panel / columns);
                (wasted, of_parts(tiles))
            }
            Around::Runs { .. } => (1.0, Cycles::default()),
        };
        let steps = vectors / tile.multiply_adds();
        let crowded = product::crowded_rows(steps, knobs.rows, F32_BYTES * self.depth(), machine);
        // Whatever the tile, all operands are brought in once.
        let operands = memory::stream(self.product.read_bytes(), machine);
        (sums + crowded) * wasted + operands + again + self.epilogue.cost(machine)
    }

    fn emit(&self, knobs: &Knobs, s: &ScheduleBuilder, machine: Machine) {
        self.epilogue.inline(s);
        let stages = self.epilogue.accumulator(s);
        match knobs.around {
            Around::Runs { columns, depth } => self.emit_runs(stages, knobs, (columns, depth), s),
            Around::Strips { tiles, depth } => self.emit_strips(stages, knobs, (tiles, depth), s),
            Around::Panels { tiles, columns } => {
                self.emit_panels(stages, knobs, (tiles, columns), (s, machine));
            }
            Around::Parts {
                tiles,
                taken,
                copied,
            } => {
                let part = (tiles, taken, copied);
                self.emit_parts(stages, knobs, part, (s, machine));
            }
        }
    }
}

impl Product {
    /// Splits a loop over columns of the result: into one over tiles, one over the vectors of a tile, and one over lanes.
    fn split_columns(
        &self,
        s: &ScheduleBuilder,
        columns: Value,
        knobs: &Knobs,
    ) -> (Value, Value, Value) {
        let (tiles, wide) = s.split_inwards(columns, knobs.vectors * self.lanes);
        let (vector, lane) = s.split(wide, self.lanes);
        (tiles, vector, lane)
    }

    /// Puts the shared loops outermost, then `around`, then those of a tile, which is kept in registers. Returns what [`Self::share`] does.
    fn arrange(
        &self,
        s: &ScheduleBuilder,
        shared: &[Value],
        around: &[Value],
        tile: [Value; 3],
    ) -> Value {
        s.reorder(&[shared, around, &tile].concat());
        in_registers(s, &tile);
        self.share(s, shared)
    }

    /// Has threads share the outermost loops, as one, if that is worth it. Returns it, or the innermost one of them.
    fn share(&self, s: &ScheduleBuilder, outermost: &[Value]) -> Value {
        if !self.product.are_tiles_shared(self.lanes) {
            return outermost[outermost.len() - 1];
        }
        let shared = s.fuse(outermost);
        s.parallel(shared);
        shared
    }

    /// Copies what a loop over columns of the result reads of the second operand, if that is scattered.
    fn copy(
        &self,
        (sums, result): (Value, Value),
        columns: Value,
        (s, machine): (&ScheduleBuilder, Machine),
    ) {
        if let Some(operand) = panel::scattered_operand(self.product, machine) {
            panel::copy(s, operand, sums, (result, columns), self.lanes);
        }
    }

    /// The sums of a tile.
    fn emit_sums(
        &self,
        accumulator: Value,
        knobs: &Knobs,
        panel: Option<Panel>,
        (s, machine): (&ScheduleBuilder, Machine),
    ) {
        let rank = self.product.shape().len();
        let axes = s.axes(accumulator, rank + 1);
        let (row, wide, k) = (axes[rank - 2], axes[rank - 1], axes[rank]);
        let (vector, lane) = s.split(wide, self.lanes);
        let stream = Stream {
            axis: k,
            extent: self.depth(),
            lanes: self.lanes,
            steps: self.product.block().map_or(0, |_| self.depth()),
            sums: knobs.rows * knobs.vectors * machine.registers_of(self.lanes),
        };
        let depth = prefetch::ask(s, Operands::of(self.product), (panel, stream), machine);
        s.reorder(&[&depth[..], &[row, vector, lane]].concat());
        in_registers(s, &[row, vector, lane]);
    }
}
