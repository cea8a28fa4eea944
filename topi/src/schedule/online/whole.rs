//! Attentions as their operators have them: with stages for whole rows of scores.

use super::{Size, bytes};
use crate::schedule::{cost::sizes::planned_shape, stage::Stage};
use relay_dialects::{
    dim::Dim,
    ir::{Op, Type, Value},
    names,
    ops::{arith, math, tensor},
    te::{Compute, Reducer, Role},
};

/// The stages of an attention as its operators have them.
pub struct Whole {
    /// The product of queries and keys.
    pub scores: Stage,
    /// What the softmax is of: [batch, query, key].
    pub masked: Value,
    /// The type that weights are rounded to before they are multiplied.
    pub rounded: Type,
    /// The values, as they lie in memory: [batch, key, column].
    pub values: Value,
    /// The stage that widens the values, if they are narrow.
    pub widened: Option<Stage>,
    /// The product of weights and values.
    pub product: Stage,
    /// The stages from the softmax to the product, the last one first.
    pub stages: Vec<Stage>,
    /// The elements of a query and of a key.
    depth: i64,
}

impl Whole {
    /// None if the stages are no attention that is computed in f32.
    pub fn of(stages: &[Stage]) -> Option<Self> {
        let mut matmuls = stages.iter().filter(|stage| stage.is(Role::Matmul));
        let (scores, product) = (*matmuls.next()?, *matmuls.next()?);
        if matmuls.next().is_some() || stages.iter().any(|stage| stage.work() == 0) {
            return None;
        }
        let [weight, value] = product.op.find_all(tensor::Extract::NAME)[..] else {
            return None;
        };
        let [batch, query, column, key] = product.op.body().args()[..] else {
            return None;
        };
        let reads_rows =
            reads_at(weight, [batch, query, key]) && reads_at(value, [batch, key, column]);
        let (weights, mut old) = before_conversions(Stage::of(weight.operand(0))?);
        let (masked, softmax) = softmax(weights)?;
        old.extend(softmax);
        let widened = Stage::of(value.operand(0)).filter(|stage| stage.is(Role::Widen));
        let values = match widened {
            Some(stage) => stage.op.find_all(tensor::Extract::NAME).first()?.operand(0),
            None => value.operand(0),
        };
        let whole = Self {
            scores,
            masked,
            rounded: rounded(&old, values.ty().element()),
            values,
            widened,
            product,
            stages: [&[product], &old[..]].concat(),
            depth: scores.reduce_extents().iter().product(),
        };
        let fits =
            reads_rows && whole.is_in_f32() && whole.is_alone() && has_known_rows(scores, product);
        (fits && comes_from(Stage::of(masked)?, scores)).then_some(whole)
    }

    /// The number of keys.
    pub fn keys(&self) -> Option<Dim> {
        self.masked.ty().dims().last().copied()
    }

    /// The extents; of open ones what is planned for.
    pub fn size(&self) -> Size {
        let op = self.product.op;
        let (scores, result) = (planned_shape(op, self.masked), self.product.shape());
        Size {
            batch: result[0],
            queries: result[1],
            keys: scores[2],
            depth: self.depth,
            columns: result[2],
            bytes: bytes(self.rounded),
            is_open: self.stages.iter().any(|stage| stage.is_open()),
        }
    }

    /// Whether scores and results are computed in f32.
    fn is_in_f32(&self) -> bool {
        let computed = [self.masked, self.product.tensor()];
        computed.iter().all(|tensor| tensor.ty().element().is_f32())
    }

    /// Whether nothing else reads what is replaced.
    fn is_alone(&self) -> bool {
        let is_read_here = |stage: &Stage| {
            let users = stage
                .op
                .results()
                .into_iter()
                .flat_map(Value::users)
                .count();
            let readers = stage.readers();
            readers.iter().all(|reader| self.stages.contains(reader))
                && stage.reads().len() == users
        };
        self.stages[1..].iter().all(is_read_here)
    }
}

/// Whether the elements of a query, of a key and of a value are as many as is known.
fn has_known_rows(scores: Stage, product: Stage) -> bool {
    let depth = Compute::of(scores.op).and_then(|compute| compute.reduce_dims().ok());
    let depth = depth.unwrap_or_default();
    let columns = product.dims().last().copied();
    depth.into_iter().chain(columns).all(Dim::is_known)
}

/// The stage whose elements some stages convert to other floats one after the other, and these, the last one first.
fn before_conversions(mut stage: Stage) -> (Stage, Vec<Stage>) {
    let mut conversions = Vec::new();
    while let Some(from) = converted(stage).and_then(Stage::of) {
        conversions.push(stage);
        stage = from;
    }
    (stage, conversions)
}

/// The narrowest type of some conversions of weights, which values have too; else that of f32.
fn rounded(stages: &[Stage], values: Type) -> Type {
    let types = stages.iter().map(|stage| stage.tensor().ty().element());
    let f32 = Type::f32(values.ctx());
    types.into_iter().find(|ty| *ty == values).unwrap_or(f32)
}

/// Whether a stage is another one, or computed of its results.
pub fn comes_from(stage: Stage, other: Stage) -> bool {
    let mut producers = stage.producers().into_iter();
    stage == other || producers.any(|producer| comes_from(producer, other))
}

/// Whether a read of rank 3 has these subscripts, where its tensor has several elements.
fn reads_at(read: Op, at: [Value; 3]) -> bool {
    let (operands, shape) = (read.operands(), read.operand(0).ty().shape());
    let mut subscripts = operands[1..].iter().zip(&at).zip(&shape);
    shape.len() == at.len() && subscripts.all(|((own, at), extent)| own == at || *extent == 1)
}

/// The names of what a stage computes, constants left out.
fn steps(stage: Stage) -> Vec<String> {
    let ops = stage.op.body().ops().into_iter().map(Op::name);
    ops.filter(|name| name != arith::Constant::NAME && name != names::te::YIELD)
        .collect()
}

/// The tensor whose elements a stage converts to another float.
fn converted(stage: Stage) -> Option<Value> {
    let known = steps(stage);
    let is_conversion = |name: &String| *name == arith::TruncF::NAME || *name == arith::ExtF::NAME;
    let [read, last] = &known[..] else {
        return None;
    };
    let reads = read == tensor::Extract::NAME && is_conversion(last);
    reads.then(|| stage.op.find_all(tensor::Extract::NAME)[0].operand(0))
}

/// What the softmax with these weights is of, and its stages, the last one first; none if it is another function.
fn softmax(weights: Stage) -> Option<(Value, Vec<Stage>)> {
    let is = |stage: Stage, wanted: &[&str]| steps(stage) == wanted;
    let read = tensor::Extract::NAME;
    let [of_row, exp] = weights.producers()[..] else {
        return None;
    };
    let [sum] = of_row.producers()[..] else {
        return None;
    };
    let [masked, largest] = exp.producers()[..] else {
        return None;
    };
    let is_softmax = is(weights, &[read, read, arith::MulF::NAME])
        && is(of_row, &[read, arith::DivF::NAME])
        && is(sum, &[read])
        && is(exp, &[read, read, arith::SubF::NAME, math::Exp::NAME])
        && is(largest, &[read])
        && sum.producers() == [exp]
        && largest.producers() == [masked]
        && weights.shape().len() == 3
        && sum.reduces()
        && sum.shape()[..] == weights.shape()[..2]
        && Compute::of(sum.op)?.reducer() == Some(Reducer::Sum);
    is_softmax.then_some((masked.tensor(), vec![weights, of_row, sum, exp, largest]))
}
