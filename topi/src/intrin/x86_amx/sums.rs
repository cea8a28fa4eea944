//! Sums on AMX tiles: tiles of them above and beside each other, and what multiplies and stores them.

use super::{Numbers, Prefetch, TILE_ROWS};
use relay_dialects::{
    ir::{Block, Builder, Ctx, Type, Value},
    ops::{amx, memref, scf},
};

/// The most tiles of sums, of eight registers: the others hold the operands of products.
pub const MAX_SUM_TILES: i64 = 4;

/// Tiles of sums of 16 columns each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SumTiles {
    /// The rows of a tile.
    pub rows: i64,
    /// The tiles above each other.
    pub row_tiles: i64,
    /// The tiles beside each other.
    pub column_tiles: i64,
    /// What is multiplied.
    pub numbers: Numbers,
    /// The words of inputs that a product adds up.
    pub words: i64,
}

impl SumTiles {
    /// Row and column of each.
    fn places(self) -> impl Iterator<Item = [i64; 2]> {
        (0..self.row_tiles)
            .flat_map(move |row| (0..self.column_tiles).map(move |column| [row, column]))
    }

    fn sum_type(self, ctx: Ctx) -> Type {
        tile_type(ctx, self.rows, TILE_ROWS, self.numbers.sum(ctx))
    }

    /// Zeros.
    pub fn zeros(self, b: &Builder) -> Vec<Value> {
        let zero = |_| amx::TileZero::build(b, self.sum_type(b.ctx));
        self.places().map(zero).collect()
    }

    /// Adds to the `sums` the products of a step: of tiles that `data` loads by their row, and `weight` by their
    /// column, each once.
    pub fn multiply(
        self,
        b: &Builder,
        sums: &[Value],
        data: impl Fn(i64) -> Value,
        weight: impl Fn(i64) -> Value,
    ) -> Vec<Value> {
        let product =
            |data: Value, weight: Value, sum: Value| self.numbers.product(b, data, weight, sum);
        if self.column_tiles == 1 {
            // Each tile of data is read just before it is multiplied, so that few registers hold them.
            let weight = weight(0);
            let rows = (0..).zip(sums);
            return rows
                .map(|(row, sum)| product(data(row), weight, *sum))
                .collect();
        }
        let data: Vec<Value> = (0..self.row_tiles).map(data).collect();
        let weight: Vec<Value> = (0..self.column_tiles).map(weight).collect();
        let places = self.places().zip(sums);
        places
            .map(|([row, column], sum)| product(data[row as usize], weight[column as usize], *sum))
            .collect()
    }

    /// Loads a tile of data, whose rows lie `distance` elements apart.
    pub fn load_data(self, b: &Builder, from: Value, at: &[Value], distance: Option<i64>) -> Value {
        self.load(b, from, at, distance, [self.rows, self.words])
    }

    /// Loads a tile of the weight, whose rows lie `distance` elements apart.
    pub fn load_weight(self, b: &Builder, from: Value, at: &[Value], distance: i64) -> Value {
        self.load(b, from, at, Some(distance), [self.words, TILE_ROWS])
    }

    /// Prefetches rows of a tile of the weight for a later block of sums. A row begins at the subscripts that `at` gives for its number.
    pub fn prefetch_weight(
        self,
        b: &Builder,
        from: Value,
        prefetch: Prefetch,
        at: impl Fn(i64) -> Vec<Value>,
    ) {
        for row in (0..self.words).step_by(prefetch.each_row) {
            memref::Prefetch::build(b, from, &at(row), false, prefetch.locality, true);
        }
    }

    /// Loads a tile of rows of words. Where there is no `distance`, rows lie as the last dimension but one of the buffer does.
    fn load(
        self,
        b: &Builder,
        from: Value,
        at: &[Value],
        distance: Option<i64>,
        [rows, words]: [i64; 2],
    ) -> Value {
        let stride = distance.map(|distance| b.index(distance));
        let columns = words * self.numbers.of_word();
        let ty = tile_type(b.ctx, rows, columns, self.numbers.operand(b.ctx));
        amx::TileLoad::build(b, ty, from, at, stride)
    }

    /// Stores the sums, each where `at` says by its row and column, with rows `distance` elements apart.
    pub fn store(
        self,
        b: &Builder,
        sums: &[Value],
        to: Value,
        distance: i64,
        at: impl Fn(i64, i64) -> Vec<Value>,
    ) {
        for ([row, column], sum) in self.places().zip(sums) {
            let at = at(row, column);
            amx::TileStore::build(b, to, &at, *sum, Some(b.index(distance)));
        }
    }
}

/// A loop over `extent` steps that carries sums: `body` makes new ones from the step and the ones before it.
pub fn sum_over(
    b: &Builder,
    extent: i64,
    sums: &[Value],
    body: impl FnOnce(&Builder, Value, &[Value]) -> Vec<Value>,
) -> Vec<Value> {
    let types: Vec<Type> = sums.iter().map(|sum| sum.ty()).collect();
    let block = Block::new(b.ctx, &[&[Type::index(b.ctx)], &types[..]].concat());
    let arguments = block.args();
    let inside = Builder::at_end(block, b.loc, b.ctx);
    let made = body(&inside, arguments[0], &arguments[1..]);
    scf::Yield::build(&inside, &made);
    let [low, high, step] = [0, extent, 1].map(|bound| b.index(bound));
    scf::For::build(b, &types, low, high, step, sums, block).results()
}

fn tile_type(ctx: Ctx, rows: i64, columns: i64, element: Type) -> Type {
    let text = format!("!amx.tile<{rows}x{columns}x{element}>");
    Type::parse(ctx, &text).expect("the context has upstream's dialect of AMX")
}
