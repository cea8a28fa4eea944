//! `vectorize-loop`: runs loops marked `vectorized` as vector ops.
//!
//! ```mlir
//! tir.for %i = 0 to 16 vectorized {
//!   %x = memref.load %a[%n, %i] : memref<4x16xf32>
//!   %y = arith.mulf %x, %s : f32
//!   memref.store %y, %b[%i] : memref<16xf32>
//! }
//! ```
//! becomes
//! ```mlir
//! %x = vector.load %a[%n, %c0] : memref<4x16xf32>, vector<16xf32>
//! %t = vector.broadcast %s : f32 to vector<16xf32>
//! %y = arith.mulf %x, %t : vector<16xf32>
//! vector.store %y, %b[%c0] : memref<16xf32>, vector<16xf32>
//! ```
//!
//! Where a condition holds for the first lanes only, as at the end of a row that does not fill a vector,
//! the others are masked off:
//!
//! ```mlir
//! %at = arith.addi %c96, %i : index
//! %in = arith.cmpi slt, %at, %c100 : index
//! scf.if %in {
//!   %x = memref.load %a[%at] : memref<100xf32>
//!   memref.store %x, %b[%at] : memref<100xf32>
//! }
//! ```
//! becomes
//! ```mlir
//! %mask = vector.create_mask %c4 : vector<16xi1>
//! %x = vector.maskedload %a[%c96], %mask, %zero
//! vector.maskedstore %b[%c96], %mask, %x
//! ```
//!
//! A loop whose body has no vector form - another condition that differs between lanes, say - is unrolled
//! instead: a mark on a loop is a wish, the result is the same.

mod gather;
mod horizontal;
mod mask;
mod transpose;
mod turns;
pub(super) mod vector_form;

use super::unroll_loop::unroll;
use crate::vectors::shuffle;
use crate::{analysis::linear::linear, kernel_limits::MOST_ELEMENTS};
use gather::Subscript;
use horizontal::Reduction;
use relay_dialects::{
    index::{self, constant},
    ir::{Attr, Block, Builder, Op, Type, Value},
    ops::{arith, func, memref, scf, vector},
    pass::{Options, PassResult, PassSpec, fail},
    tir::{Bound, For, LoopKind, if_holds, reshape_view},
};
use std::{collections::HashMap, ops::Range};
use transpose::Tile;
use turns::Turns;
use vector_form::{
    choice, depends_on_lane, has_vector_form, prefix, reads_one_element, reduction, step,
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "vectorize-loop",
    summary: "Run loops marked `vectorized` as vector ops",
    description: "A `tir.for` of kind `vectorized` with constant bounds becomes vector ops with a lane for each \
                  iteration. If the number is no power of two, there are several vectors: 48 lanes are 32 and 16. An \
                  access becomes a vector load or store if its last subscript grows by one per lane. A load of every \
                  second element becomes two loads and a shuffle. A load that does not depend on the lane is \
                  broadcast. A few elements that repeat across the lanes are loaded once. If a loop around the lanes reads rows \
                  of elements of 32 bits, of which the lanes write columns, shuffles transpose them in registers. All \
                  other loads are gathers. \
                  If all lanes update one element, the halves of the vector are combined with each other. If a \
                  condition holds for the first lanes only, the others are masked, or have the values of its else. A body \
                  without a vector form is \
                  unrolled. This is TVM's `VectorizeLoop`.",
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(func: Op, _options: &Options) -> PassResult {
    let tiles: Vec<Tile> = For::all(func).into_iter().filter_map(Tile::of).collect();
    tiles.iter().for_each(Tile::write);
    for found in For::all(func) {
        let op = found.op();
        if found.kind() != LoopKind::Vectorized {
            continue;
        }
        let Some((low, high)) = found.constant_bounds() else {
            return fail(op, "is vectorized, but its bounds are not constants");
        };
        if found.extent() > Some(MOST_ELEMENTS) {
            return fail(
                op,
                format!("is vectorized, and has more than {MOST_ELEMENTS} iterations; split it"),
            );
        }
        let lane = found.variable();
        let pieces = pieces(low, high);
        let is_vector =
            |piece: &Range<i64>| has_vector_form(op.body(), lane, piece.end - piece.start);
        if !pieces.iter().all(is_vector) {
            unroll(found, low, high);
            continue;
        }
        let b = Builder::before(op);
        for piece in pieces {
            let mut vectorizer = Vectorizer {
                lane,
                lanes: piece.end - piece.start,
                first: HashMap::from([(lane, b.index(piece.start))]),
                vectors: HashMap::new(),
                reductions: Vec::new(),
                mask: None,
            };
            vectorizer.block(&b, op.body());
        }
        op.erase();
    }
    Ok(())
}

/// The iterations in vectors of a power of two of lanes, widest first: 48 as 32 and 16. LLVM cuts wide vectors in
/// halves until they fit registers, and where the halves are uneven, it ends at single elements: a product of matrices
/// in tiles of 48 columns took 35 times as long as in tiles of 32 (LLVM 22, AVX-512).
fn pieces(low: i64, high: i64) -> Vec<Range<i64>> {
    let mut pieces = Vec::new();
    let mut start = low;
    while start < high {
        let lanes = 1 << (high - start).ilog2();
        pieces.push(start..start + lanes);
        start += lanes;
    }
    pieces
}

/// Writes a loop's body for all lanes at once.
struct Vectorizer {
    lane: Value,
    lanes: i64,
    /// Values as they are in the first lane; for those that do not depend on it, in all.
    first: HashMap<Value, Value>,
    /// Values that differ between lanes, as vectors.
    vectors: HashMap<Value, Value>,
    /// The elements that all lanes share, in the block that is being written.
    reductions: Vec<Reduction>,
    /// The lanes for which the ops that are being written are to be done; `None` for all.
    mask: Option<Value>,
}

impl Vectorizer {
    fn block(&mut self, b: &Builder, block: Block) {
        let stores = block
            .ops()
            .into_iter()
            .filter(|op| op.is(memref::Store::NAME));
        let reductions = stores.filter_map(|op| reduction(op, self.lane, self.lanes));
        let outer = std::mem::replace(&mut self.reductions, reductions.collect());
        self.ops(b, block);
        self.reductions = outer;
    }

    fn ops(&mut self, b: &Builder, block: Block) {
        for op in block.ops() {
            let b = b.with_loc(op.loc());
            let reductions = self.reductions.iter();
            if let Some(reduction) = reductions.copied().find(|known| known.combine == op) {
                let (element, value) = (reduction.element(), reduction.value());
                let mut value = self.vector(&b, value);
                if let Some(mask) = self.mask {
                    let identity = reduction.identity(&b, value.ty());
                    value = b.select(mask, value, identity);
                }
                let combined = reduction.write(&b, self.scalar(element), value);
                self.first.insert(op.result(0), combined);
                continue;
            }
            match op.name().as_str() {
                memref::Load::NAME => self.load(&b, op),
                memref::Store::NAME => self.store(&b, op),
                scf::If::NAME => self.if_op(&b, op),
                For::NAME => {
                    if let Some(inner) = For::of(op) {
                        self.inner_loop(&b, inner);
                    }
                }
                scf::Yield::NAME => {}
                _ => self.compute(&b, op),
            }
        }
    }

    /// The value in the first lane.
    fn scalar(&self, value: Value) -> Value {
        self.first.get(&value).copied().unwrap_or(value)
    }

    /// The value in all lanes.
    fn vector(&mut self, b: &Builder, value: Value) -> Value {
        if let Some(vector) = self.vectors.get(&value) {
            return *vector;
        }
        let ty = Type::vector(&[self.lanes], value.ty());
        if value == self.lane {
            let step = vector::Step::build(b, ty);
            let base = vector::Broadcast::build(b, ty, self.scalar(value));
            return arith::AddI::build(b, base, step);
        }
        vector::Broadcast::build(b, ty, self.scalar(value))
    }

    fn varies(&self, value: Value) -> bool {
        value == self.lane || self.vectors.contains_key(&value)
    }

    fn load(&mut self, b: &Builder, op: Op) {
        let subscripts = &op.operands()[1..];
        let operands: Vec<Value> = op
            .operands()
            .into_iter()
            .map(|value| self.scalar(value))
            .collect();
        let result = op.result(0);
        if !subscripts.iter().any(|subscript| self.varies(*subscript)) {
            let value = memref::Load::build(b, operands[0], &operands[1..]);
            self.first.insert(result, value);
            return;
        }
        let ty = Type::vector(&[self.lanes], result.ty());
        let (last, outer) = subscripts.split_last().expect("a subscript varies");
        let in_row = !outer.iter().any(|subscript| self.varies(*subscript));
        let step = step(*last, self.lane).filter(|_| in_row && !result.ty().is_bool());
        let value = match step {
            Some(1) if let Some(mask) = self.mask => mask::load(b, op, &operands, mask, ty),
            Some(1) => vector::Load::build(b, ty, operands[0], &operands[1..]),
            Some(by) if let Some(first) = self.in_whole_row(op, by) => {
                self.of_row(b, &operands, (first, by), ty)
            }
            Some(2) if self.lanes % 2 == 0 => self.every_second(b, &operands, ty),
            _ => match self.turns(op) {
                Some(turns) => self.in_turns(b, op, turns, ty),
                None => self.gather(b, op, ty),
            },
        };
        self.vectors.insert(result, value);
    }

    /// How lanes take turns with the elements that a load reads, if all lanes do.
    fn turns(&self, load: Op) -> Option<Turns> {
        let is_whole = self.mask.is_none() && constant(self.scalar(self.lane)) == Some(0);
        let turns = Turns::of(load, self.lane, self.lanes)?;
        (is_whole && !load.result(0).ty().is_bool()).then_some(turns)
    }

    /// A vector of the elements, each as often as there are turns; or of rows that follow each other, one of them.
    fn in_turns(&self, b: &Builder, load: Op, turns: Turns, ty: Type) -> Value {
        let operands = load.operands().into_iter();
        let mut operands: Vec<Value> = operands.map(|value| self.scalar(value)).collect();
        match turns {
            Turns::Few(count) => {
                let few = Type::vector(&[count], ty.element());
                let once = vector::Load::build(b, few, operands[0], &operands[1..]);
                shuffle(b, [once, once], (0..self.lanes).map(|lane| lane % count))
            }
            Turns::Rows(count) => {
                let shape = turns::joined(&operands[0].ty().shape());
                let joined = Type::memref(&shape, ty.element());
                operands[0] = reshape_view(&beside(operands[0], b), operands[0], joined);
                operands.pop();
                if let Some(row) = operands.last_mut() {
                    *row = index::scale(b, *row, count);
                }
                vector::Load::build(b, ty, operands[0], &operands[1..])
            }
        }
    }

    /// The place in its row of the first lane's element, where a load reads every second or fourth element of a whole
    /// row. More are gathered: most of what a load of the row brings would be dropped.
    fn in_whole_row(&self, load: Op, by: i64) -> Option<i64> {
        let row = *load.operand(0).ty().shape().last()?;
        let form = linear(*load.operands().last()?);
        let is_whole = self.mask.is_none()
            && constant(self.scalar(self.lane)) == Some(0)
            && form.terms.len() == 1
            && [2, 4].contains(&by)
            && row == by * self.lanes;
        (is_whole && (0..by).contains(&form.constant)).then_some(form.constant)
    }

    /// Every `by`th element of a row from the `first` one on, of the row as one vector: so sums that are kept in
    /// registers are not written to memory only to be read in another order.
    fn of_row(&self, b: &Builder, operands: &[Value], (first, by): (i64, i64), ty: Type) -> Value {
        let mut operands = operands.to_vec();
        if let Some(last) = operands.last_mut() {
            *last = b.index(0);
        }
        let row = Type::vector(&[by * self.lanes], ty.element());
        let row = vector::Load::build(b, row, operands[0], &operands[1..]);
        if by == 2 && ty.element().bit_width() == 32 {
            return turns::half_of_pairs(b, row, first, ty);
        }
        shuffle(b, [row, row], (0..self.lanes).map(|lane| first + lane * by))
    }

    /// Every second element from the subscripts of the first lane on, from two vectors that reach
    /// from the first element to the last one and no further.
    fn every_second(&self, b: &Builder, operands: &[Value], ty: Type) -> Value {
        let mut later = operands.to_vec();
        if let Some(last) = later.last_mut() {
            *last = index::add(b, *last, b.index(self.lanes - 1));
        }
        let load = |operands: &[Value]| vector::Load::build(b, ty, operands[0], &operands[1..]);
        let (low, high) = (load(operands), load(&later));
        let from_low = (0..self.lanes).step_by(2);
        let from_high = (self.lanes + 1..2 * self.lanes).step_by(2);
        shuffle(b, [low, high], from_low.chain(from_high))
    }

    /// Elements that lie apart.
    fn gather(&mut self, b: &Builder, op: Op, ty: Type) -> Value {
        let subscripts: Vec<Subscript> = op.operands()[1..]
            .iter()
            .map(|&subscript| {
                let by = step(subscript, self.lane).filter(|_| self.first.contains_key(&subscript));
                match by {
                    _ if !self.varies(subscript) => Subscript::Same(self.scalar(subscript)),
                    Some(by) => Subscript::Step(self.scalar(subscript), by),
                    None => Subscript::Each(self.vector(b, subscript)),
                }
            })
            .collect();
        let buffer = self.scalar(op.operand(0));
        gather::gather(b, buffer, &subscripts, ty).unwrap_or_else(|| self.lane_by_lane(b, op, ty))
    }

    /// One load per lane.
    fn lane_by_lane(&mut self, b: &Builder, op: Op, ty: Type) -> Value {
        let subscripts: Vec<(Value, bool)> = op.operands()[1..]
            .iter()
            .map(|subscript| (*subscript, self.varies(*subscript)))
            .collect();
        let sources: Vec<Value> = subscripts
            .iter()
            .map(|&(subscript, varies)| {
                if varies {
                    self.vector(b, subscript)
                } else {
                    self.scalar(subscript)
                }
            })
            .collect();
        let buffer = self.scalar(op.operand(0));
        let elements: Vec<Value> = (0..self.lanes)
            .map(|lane| {
                let at = sources.iter().zip(&subscripts);
                let at = at.map(|(source, (_, varies))| match varies {
                    true => extract(b, *source, lane),
                    false => *source,
                });
                memref::Load::build(b, buffer, &at.collect::<Vec<Value>>())
            })
            .collect();
        vector::FromElements::build(b, ty, &elements)
    }

    fn store(&mut self, b: &Builder, op: Op) {
        let shared = |reduction: &Reduction| reduction.combine.result(0) == op.operand(0);
        let is_shared = self.reductions.iter().any(shared);
        let value = if is_shared {
            self.scalar(op.operand(0))
        } else {
            self.vector(b, op.operand(0))
        };
        let mut operands = vec![value];
        operands.extend(
            op.operands()[1..]
                .iter()
                .map(|operand| self.scalar(*operand)),
        );
        if is_shared {
            memref::Store::build(b, operands[0], operands[1], &operands[2..]);
            return;
        }
        if let Some(mask) = self.mask {
            return mask::store(b, op, &operands, mask);
        }
        if value.ty().element().is_bool() {
            // In memory each takes a byte; a vector of them would be packed.
            return self.scatter(b, &operands);
        }
        vector::Store::build(b, operands[0], operands[1], &operands[2..]);
    }

    /// One store per lane.
    fn scatter(&self, b: &Builder, operands: &[Value]) {
        for lane in 0..self.lanes {
            let mut operands = operands.to_vec();
            operands[0] = extract(b, operands[0], lane);
            if let Some(last) = operands[2..].last_mut() {
                *last = index::add(b, *last, b.index(lane));
            }
            memref::Store::build(b, operands[0], operands[1], &operands[2..]);
        }
    }

    /// Arithmetic: on scalars if no operand differs between lanes, and for the first lane of an
    /// index, which addresses need.
    fn compute(&mut self, b: &Builder, op: Op) {
        let varies = op
            .operands()
            .into_iter()
            .any(|operand| self.varies(operand));
        // An index read from a tensor of subscripts has no value in the first lane alone.
        let is_index = op.results().iter().all(|result| result.ty().is_index())
            && op.operands().iter().all(|operand| {
                operand.ty().is_index()
                    && (!self.varies(*operand) || self.first.contains_key(operand))
            });
        if !varies || is_index {
            let copy = b.insert(op.clone_detached());
            let operands: Vec<Value> = op
                .operands()
                .into_iter()
                .map(|value| self.scalar(value))
                .collect();
            copy.set_operands(&operands);
            self.first
                .extend(op.results().into_iter().zip(copy.results()));
        }
        if varies {
            let operands: Vec<Value> = op
                .operands()
                .into_iter()
                .map(|value| self.vector(b, value))
                .collect();
            let types: Vec<Type> = op
                .results()
                .iter()
                .map(|result| Type::vector(&[self.lanes], result.ty()))
                .collect();
            let attrs = op.attrs();
            let attrs: Vec<(&str, Attr)> = attrs
                .iter()
                .map(|(name, value)| (name.as_str(), *value))
                .collect();
            let copy = b.op(&op.name(), &operands, &types, &attrs);
            self.vectors
                .extend(op.results().into_iter().zip(copy.results()));
        }
    }

    /// What is done if a condition holds that differs between lanes: for those for which it holds, if
    /// there are any.
    fn masked(&mut self, b: &Builder, op: Op, prefix: mask::Prefix) {
        let (any, mask) = prefix.write(b, self.lanes, |value| self.scalar(value));
        self.under(b, mask, |own| {
            let inside = any.map_or(*b, |any| if_holds(b, any));
            own.block(&inside, op.body());
        });
    }

    /// Writes ops for those lanes that a mask has, of the lanes for which ops are written now.
    fn under<T>(&mut self, b: &Builder, mask: Value, write: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.mask;
        self.mask = Some(outer.map_or(mask, |outer| arith::AndI::build(b, outer, mask)));
        let written = write(self);
        self.mask = outer;
        written
    }

    /// The values that a condition chooses which differs between lanes: both branches are computed for all lanes.
    fn chosen(&mut self, b: &Builder, op: Op, prefix: mask::Prefix) {
        let (any, mask) = prefix.write(b, self.lanes, |value| self.scalar(value));
        // No mask keeps a load of one element for all lanes from reading where no lane may.
        let any = any.filter(|_| reads_one_element(op.body(), self.lane));
        let inside = self.under(b, mask, |own| match any {
            Some(any) => own.values_if(b, any, op.body()),
            None => own.values(b, op.body()),
        });
        let others = op.block_in(1).map(|block| self.values(b, block));
        let values = inside.into_iter().zip(others.unwrap_or_default());
        for (result, (value, other)) in op.results().into_iter().zip(values) {
            self.vectors.insert(result, b.select(mask, value, other));
        }
    }

    /// What a branch yields, in all lanes.
    fn values(&mut self, b: &Builder, branch: Block) -> Vec<Value> {
        self.block(b, branch);
        let yielded = branch.terminator().map(Op::operands).unwrap_or_default();
        let values = yielded.into_iter();
        values.map(|value| self.vector(b, value)).collect()
    }

    /// What a branch yields, in all lanes, if a condition holds; otherwise zeros.
    fn values_if(&mut self, b: &Builder, condition: Value, branch: Block) -> Vec<Value> {
        let yielded = branch.terminator().map(Op::operands).unwrap_or_default();
        let types = yielded
            .iter()
            .map(|value| Type::vector(&[self.lanes], value.ty()));
        let types: Vec<Type> = types.collect();
        let then = self.branch(b, branch, &vec![true; types.len()]);
        let otherwise = Block::new(b.ctx, &[]);
        let inside = Builder::at_end(otherwise, b.loc, b.ctx);
        let zeros = types.iter().map(|ty| inside.constant(*ty, 0.0));
        scf::Yield::build(&inside, &zeros.collect::<Vec<Value>>());
        scf::If::build(b, &types, condition, then, Some(otherwise)).results()
    }

    fn if_op(&mut self, b: &Builder, op: Op) {
        if let Some(prefix) = prefix(op, self.lane) {
            return self.masked(b, op, prefix);
        }
        if let Some(prefix) = choice(op, self.lane) {
            return self.chosen(b, op, prefix);
        }
        let varying = varying_results(op, self.lane);
        let then = self.branch(b, op.body(), &varying);
        let otherwise = op.block_in(1);
        let otherwise = otherwise.map(|source| self.branch(b, source, &varying));
        let results = op.results().into_iter().zip(varying);
        let types: Vec<Type> = results
            .clone()
            .map(|(result, varies)| match varies {
                true => Type::vector(&[self.lanes], result.ty()),
                false => result.ty(),
            })
            .collect();
        let condition = self.scalar(op.operand(0));
        let copy = scf::If::build(b, &types, condition, then, otherwise);
        for ((result, varies), value) in results.zip(copy.results()) {
            let values = match varies {
                true => &mut self.vectors,
                false => &mut self.first,
            };
            values.insert(result, value);
        }
    }

    /// A branch for all lanes, which yields vectors of what varies among them.
    fn branch(&mut self, b: &Builder, source: Block, varying: &[bool]) -> Block {
        let block = Block::new(b.ctx, &[]);
        let inside = Builder::at_end(block, b.loc, b.ctx);
        self.block(&inside, source);
        let yielded = source.terminator().map(Op::operands).unwrap_or_default();
        let yielded = yielded.into_iter().zip(varying);
        let values: Vec<Value> = yielded
            .map(|(value, varies)| match varies {
                true => self.vector(&inside, value),
                false => self.scalar(value),
            })
            .collect();
        scf::Yield::build(&inside, &values);
        block
    }

    fn inner_loop(&mut self, b: &Builder, op: For) {
        let scalar = |bound: Bound| match bound {
            Bound::Dynamic(value) => Bound::Dynamic(self.scalar(value)),
            number => number,
        };
        let (lower, upper) = op.bounds();
        let copy = op.like(b, scalar(lower), scalar(upper));
        self.first.insert(op.variable(), copy.variable());
        self.block(&copy.inside(b), op.body());
    }
}

/// Where ops go that belong to a buffer: after the op that makes it, or at the start of the function.
fn beside(buffer: Value, b: &Builder) -> Builder {
    match (buffer.def(), buffer.owner_block()) {
        (Some(op), _) => Builder::after(op).with_loc(b.loc),
        (None, Some(block)) => Builder::at_start(block, b.loc, b.ctx),
        (None, None) => *b,
    }
}

fn extract(b: &Builder, vector: Value, lane: i64) -> Value {
    vector::Extract::build(b, vector, &[], &[lane])
}

/// For each result of an `scf.if`, whether what a branch yields for it depends on the lane.
fn varying_results(op: Op, lane: Value) -> Vec<bool> {
    let ends = op.regions().into_iter();
    let ends = ends.filter_map(|region| region.first_block()?.terminator());
    let ends: Vec<Op> = ends.collect();
    let varies = |end: &Op, result: usize| depends_on_lane(end.operand(result), lane);
    (0..op.result_count())
        .map(|result| ends.iter().any(|end| varies(end, result)))
        .collect()
}
