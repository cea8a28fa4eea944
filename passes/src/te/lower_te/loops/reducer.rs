//! Commutative reducers.

use super::captured::resolve;
use relay_dialects::{
    ir::{Block, Builder, Type, Value},
    names,
    ops::{
        arith::{self, FastMathFlags},
        scf,
    },
    te::{self, Compute},
};
use std::collections::HashMap;

/// How a `te.compute` combines the values along its reduce axes.
pub enum Reducer {
    /// One of the named reducers.
    Named(te::Reducer),
    /// The region `combiner` with the attribute `identity`.
    Custom(Compute),
}

impl Reducer {
    /// That of a compute with reduce axes.
    ///
    /// # Errors
    /// If the compute has no reducer.
    pub fn of(compute: Compute) -> Result<Self, String> {
        match compute.reducer() {
            Some(te::Reducer::Custom) => Ok(Self::Custom(compute)),
            Some(named) => Ok(Self::Named(named)),
            None => Err("has no reducer".into()),
        }
    }

    /// The start value of result number `result`.
    ///
    /// # Errors
    /// If a custom reducer has no identity for that result.
    pub fn identity(&self, b: &Builder, result: usize, ty: Type) -> Result<Value, String> {
        match self {
            Self::Custom(compute) => {
                let values = compute.identity();
                let value = values
                    .get(result)
                    .ok_or("a custom reducer has one identity per result")?;
                Ok(arith::Constant::build(b, *value))
            }
            Self::Named(name) => Ok(named_identity(b, *name, ty)),
        }
    }

    /// `old` and `new` combined.
    pub fn combine(&self, b: &Builder, old: &[Value], new: &[Value]) -> Vec<Value> {
        match self {
            Self::Named(name) => old
                .iter()
                .zip(new)
                .map(|(old, new)| named_combine(b, *name, *old, *new))
                .collect(),
            Self::Custom(compute) => custom_combine(b, *compute, old, new),
        }
    }
}

/// The reducer by its name on booleans, of which true is the larger.
fn on_booleans(reducer: te::Reducer, ty: Type) -> te::Reducer {
    match reducer {
        te::Reducer::Max if ty.is_bool() => te::Reducer::Any,
        te::Reducer::Min if ty.is_bool() => te::Reducer::All,
        _ => reducer,
    }
}

fn named_identity(b: &Builder, reducer: te::Reducer, ty: Type) -> Value {
    let reducer = on_booleans(reducer, ty);
    if ty.is_float() {
        let value = match reducer {
            te::Reducer::Prod => 1.0,
            te::Reducer::Max => f64::NEG_INFINITY,
            te::Reducer::Min => f64::INFINITY,
            _ => 0.0,
        };
        return b.constant(ty, value);
    }
    let bits = if ty.is_index() {
        64
    } else {
        ty.bit_width().min(64)
    };
    let smallest = i64::MIN >> (64 - bits);
    let value = match reducer {
        te::Reducer::Prod => 1,
        // All bits set is true for booleans and the identity of `and` for integers.
        te::Reducer::All => -1,
        te::Reducer::Max => smallest,
        te::Reducer::Min => !smallest,
        _ => 0,
    };
    b.int_constant(ty, value)
}

fn named_combine(b: &Builder, reducer: te::Reducer, old: Value, new: Value) -> Value {
    let float = old.ty().is_float();
    match (on_booleans(reducer, old.ty()), float) {
        (te::Reducer::Sum, true) => contracted(b, old, new),
        (te::Reducer::Sum, false) => arith::AddI::build(b, old, new),
        (te::Reducer::Prod, true) => arith::MulF::build(b, old, new),
        (te::Reducer::Prod, false) => arith::MulI::build(b, old, new),
        (te::Reducer::Max, true) => arith::MaximumF::build_with(b, old, new, EXTREME),
        (te::Reducer::Max, false) => arith::MaxSI::build(b, old, new),
        (te::Reducer::Min, true) => arith::MinimumF::build_with(b, old, new, EXTREME),
        (te::Reducer::Min, false) => arith::MinSI::build(b, old, new),
        (te::Reducer::All, _) => arith::AndI::build(b, old, new),
        _ => arith::OrI::build(b, old, new),
    }
}

/// For the larger or smaller of two floats, or what is not a number. Which zero is larger takes longer to find
/// out than all else, and nobody asks.
const EXTREME: Option<FastMathFlags> = Some(FastMathFlags::NSZ);

/// A sum that may fuse with a product into one rounding: it makes sums faster and more exact.
fn contracted(b: &Builder, lhs: Value, rhs: Value) -> Value {
    if let Some(product) = arith::MulF::making(rhs) {
        product.set_fastmath(FastMathFlags::CONTRACT);
    }
    arith::AddF::build_with(b, lhs, rhs, Some(FastMathFlags::CONTRACT))
}

fn custom_combine(b: &Builder, compute: Compute, old: &[Value], new: &[Value]) -> Vec<Value> {
    let block = compute
        .combiner()
        .expect("the verifier has seen a combiner");
    let mut map: HashMap<Value, Value> = block
        .args()
        .into_iter()
        .zip(old.iter().chain(new).copied())
        .collect();
    copy_block(b, block, &mut map)
}

/// Copies the ops of a combiner; returns what its terminator yields.
fn copy_block(b: &Builder, block: Block, map: &mut HashMap<Value, Value>) -> Vec<Value> {
    let mut yielded = Vec::new();
    for op in block.ops() {
        let operands: Vec<Value> = op
            .operands()
            .into_iter()
            .map(|operand| resolve(b, operand, map))
            .collect();
        match op.name().as_str() {
            names::te::YIELD | scf::Yield::NAME => yielded = operands,
            scf::If::NAME => {
                let branch = |source: Block| {
                    let copy = Block::new(b.ctx, &[]);
                    let inside = Builder::at_end(copy, b.loc, b.ctx);
                    let values = copy_block(&inside, source, &mut map.clone());
                    scf::Yield::build(&inside, &values);
                    copy
                };
                let (then, otherwise) = (branch(op.body()), op.block_in(1).map(branch));
                let types: Vec<Type> = op.results().iter().map(|result| result.ty()).collect();
                let copy = scf::If::build(b, &types, operands[0], then, otherwise);
                map.extend(op.results().into_iter().zip(copy.results()));
            }
            _ => {
                let copy = b.insert(op.clone_detached());
                copy.set_operands(&operands);
                map.extend(op.results().into_iter().zip(copy.results()));
            }
        }
    }
    yielded
}
