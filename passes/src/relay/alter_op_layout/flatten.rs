//! What follows a product element by element works on the product's shape, so that it is fused with
//! it, and not on one that it is reshaped to. A reshape costs nothing wherever it stands.
//!
//! So 1 x 1 convolutions whose channels do not come in blocks are products, too, with the pixels in
//! one dimension.

use crate::graph::{
    operators::{make, remake},
    shapes::reshape,
};
use relay_dialects::{
    dim::{Dim, Run, dims, runs},
    ir::{Attr, Block, Builder, Op, Value},
    names,
    relay::{
        Attrs, Pattern,
        build::extents,
        pattern,
        relation::normalize_axis,
        row::{LayoutRule, Schedule},
        row_of,
    },
};
use relay_topi::cost::{layout::LEAST_OF_REPEATED, sizes::planned};
use std::collections::HashMap;

/// Knows for values which results of products, or of what followed those, they were reshaped from.
#[derive(Default)]
pub struct Flattened {
    flat: HashMap<Value, Value>,
    /// Whether the products are those of batches of matrices alone.
    is_for_attention: bool,
}

impl Flattened {
    /// Knows nothing yet, and will know what an attention computes: of batches of matrices.
    pub fn for_attention() -> Self {
        Self {
            is_for_attention: true,
            ..Self::default()
        }
    }

    /// `nn.conv2d` of one sample with a 1 x 1 kernel at every pixel as `nn.batch_matmul`. None if it
    /// is something else.
    pub fn conv2d(&mut self, op: Op) -> Option<()> {
        if !Self::is_product(op) {
            return None;
        }
        let (data, weight) = (op.operand(0), op.operand(1));
        let (input, kernel) = (data.ty().dims(), weight.ty().shape());
        let groups = Attrs::of(op).int("groups").ok()?;
        let (channels, pixels) = (input[1].known()?, input[2].times(input[3]).ok()?);
        let builder = Builder::before(op);
        let weight = reshape(
            &builder,
            weight,
            &[groups, kernel[0] / groups, channels / groups],
        );
        let data = self.flat(
            &builder,
            data,
            &[groups.into(), (channels / groups).into(), pixels],
        );
        let product = make(
            &builder,
            names::relay::NN_BATCH_MATMUL,
            &[weight, data],
            &[],
        );
        self.replace(op, product);
        Some(())
    }

    /// Whether a `nn.conv2d` is a product for each group: of one sample, with a 1 x 1 kernel at every pixel.
    pub fn is_product(op: Op) -> bool {
        let attrs = Attrs::of(op);
        let all = |name: &str, number: i64| {
            let numbers = attrs.ints(name).unwrap_or_default();
            numbers.iter().all(|&found| found == number)
        };
        let (data, weight) = (op.operand(0).ty(), op.operand(1).ty());
        all("strides", 1)
            && all("padding", 0)
            && weight.shape()[2..] == [1, 1]
            && data.shape()[0] == 1
    }

    /// Moves all reshapes of products' results behind what follows element by element.
    pub fn sink_reshapes(&mut self, block: Block) {
        for op in block.ops() {
            let moved = if op.is(names::relay::RESHAPE) {
                self.note(op)
            } else {
                self.elementwise(op)
            };
            if moved.is_some() {
                op.erase();
            }
        }
    }

    /// Notes a reshape of a product's result. It stays, and is dead if nobody else reads it.
    fn note(&mut self, op: Op) -> Option<()> {
        let source = op.operand(0);
        let known = self.flat.get(&source).copied();
        let is_product = |op: Op| match self.is_for_attention {
            true => op.is(names::relay::NN_BATCH_MATMUL),
            false => pattern(op) == Some(Pattern::OutElemwiseFusable),
        };
        let flat = known.or_else(|| source.def().filter(|op| is_product(*op)).map(|_| source))?;
        self.flat.insert(op.result(0), flat);
        None
    }

    /// Whether an operand of `op` is there in a product's shape.
    pub fn knows_any(&self, op: Op) -> bool {
        op.operands()
            .iter()
            .any(|value| self.flat.contains_key(value))
    }

    /// An operator that works element by element on what is known here; whether it is one.
    pub fn elementwise(&mut self, op: Op) -> Option<()> {
        let row = row_of(op)?;
        match row.layout {
            LayoutRule::Elementwise => self.unary(op),
            LayoutRule::Broadcasting { .. } => self.binary(op),
            _ if row.schedule == Schedule::Normalize => self.along_rows(op),
            _ => None,
        }
    }

    /// A softmax along the last dimension, which the reshape of its operand kept.
    fn along_rows(&mut self, op: Op) -> Option<()> {
        let flat = *self.flat.get(&op.operand(0))?;
        let (own, shape) = (op.operand(0).ty().dims(), flat.ty().dims());
        let axis = normalize_axis(Attrs::of(op).int("axis").ok()?, own.len()).ok()?;
        if axis + 1 != own.len() || own.last() != shape.last() {
            return None;
        }
        let axis = [("axis", Attr::i64(op.ctx(), shape.len() as i64 - 1))];
        let made = remake(&Builder::before(op), op, &[flat], &axis);
        self.replace(op, made);
        Some(())
    }

    /// What works element by element on one operand.
    pub fn unary(&mut self, op: Op) -> Option<()> {
        let flat = *self.flat.get(&op.operand(0))?;
        let made = remake(&Builder::before(op), op, &[flat], &[]);
        self.replace(op, made);
        Some(())
    }

    /// Broadcasting operators with an operand of the result's shape that was reshaped, where the
    /// others broadcast in the shape that it was reshaped from as well.
    pub fn binary(&mut self, op: Op) -> Option<()> {
        let shape = op.result(0).ty().dims();
        let operands = op.operands();
        let known = |value: &&Value| value.ty().dims() == shape && self.flat.contains_key(value);
        let product = self.flat[operands.iter().find(known)?];
        let flat = product.ty().dims();
        let targets = operands
            .iter()
            .map(|value| target(product, &value.ty().dims(), [&shape, &flat]))
            .collect::<Option<Vec<_>>>()?;
        let builder = Builder::before(op);
        let operands: Vec<Value> = operands
            .iter()
            .zip(targets)
            .map(|(value, target)| {
                let value = repeated(&builder, *value, &target.repeated);
                self.flat(&builder, value, &target.flat)
            })
            .collect();
        let made = remake(&builder, op, &operands, &[]);
        self.replace(op, made);
        Some(())
    }

    /// A value in the given shape of as many elements.
    pub fn flat<D: Into<Dim> + Copy>(&self, builder: &Builder, value: Value, shape: &[D]) -> Value {
        let shape = dims(shape);
        match self.flat.get(&value) {
            Some(flat) if flat.ty().dims() == shape => *flat,
            _ => reshape(builder, value, &shape),
        }
    }

    /// Puts `flat`, reshaped, in the place of `op`'s result.
    pub fn replace(&mut self, op: Op, flat: Value) {
        let builder = Builder::before(op);
        let plain = reshape(&builder, flat, &op.result(0).ty().dims());
        op.result(0).replace_all_uses_with(plain);
        self.flat.insert(plain, flat);
    }
}

/// How an operand broadcasts to another shape than its operator's.
struct Target {
    /// The shape that it is repeated to first.
    repeated: Vec<Dim>,
    /// The shape that this is reshaped to.
    flat: Vec<Dim>,
}

/// How an operand of shape `own`, which broadcasts to `shape`, broadcasts to `flat`, the shape of a product or of what follows it.
fn target(product: Value, own: &[Dim], [shape, flat]: [&[Dim]; 2]) -> Option<Target> {
    if let Some(flat) = broadcast_shape(own, shape, flat) {
        let repeated = own.to_vec();
        return Some(Target { repeated, flat });
    }
    let op = product.def().filter(|_| is_of_matrices(product))?;
    repeated_shape(op, own, [shape, flat])
}

/// Whether a value is the product of batches of matrices, as the scores of an attention are, or was computed of that element by element.
fn is_of_matrices(value: Value) -> bool {
    let ty = value.ty();
    let before = |value: &Value| {
        let op = value
            .def()
            .filter(|op| matches!(pattern(*op), Some(Pattern::Elemwise | Pattern::Broadcast)))?;
        op.operands().into_iter().find(|operand| operand.ty() == ty)
    };
    let first = std::iter::successors(Some(value), before).last();
    first.is_some_and(|first| first.def_of(names::relay::NN_BATCH_MATMUL).is_some())
}

/// An operand in a shape that it broadcasts to; itself if it has that shape.
fn repeated(builder: &Builder, value: Value, shape: &[Dim]) -> Value {
    if value.ty().dims() == shape {
        return value;
    }
    let shape = [("shape", extents(builder.ctx, shape))];
    make(builder, names::relay::BROADCAST_TO, &[value], &shape)
}

/// As [`broadcast_shape`] of the shortest operand of `op` that this one is repeated to. None if that is not short, of typical sizes where
/// dimensions are open.
fn repeated_shape(op: Op, own: &[Dim], [shape, flat]: [&[Dim]; 2]) -> Option<Target> {
    let mut padded = vec![Dim::Known(1); shape.len().checked_sub(own.len())?];
    padded.extend_from_slice(own);
    for Run { from, .. } in runs(shape, flat).ok()? {
        if padded[from.clone()].iter().any(|dim| *dim != 1) {
            padded[from.clone()].copy_from_slice(&shape[from]);
        }
    }
    let elements = |dims: &[Dim]| {
        planned(op, dims)
            .into_iter()
            .try_fold(1_i64, i64::checked_mul)
    };
    let is_short = elements(&padded)?.checked_mul(LEAST_OF_REPEATED)? <= elements(shape)?;
    let flat = broadcast_shape(&padded, shape, flat)?;
    is_short.then_some(Target {
        repeated: padded,
        flat,
    })
}

/// The shape in which an operand of shape `own`, which broadcasts to `shape`, broadcasts to `flat`,
/// which has as many elements. None if there is none: dimensions that belong together must be all
/// there or all 1.
fn broadcast_shape(own: &[Dim], shape: &[Dim], flat: &[Dim]) -> Option<Vec<Dim>> {
    let mut padded = vec![Dim::Known(1); shape.len().checked_sub(own.len())?];
    padded.extend_from_slice(own);
    let mut result = Vec::new();
    for Run { from, to } in runs(shape, flat).ok()? {
        if padded[from.clone()] == shape[from.clone()] {
            result.extend_from_slice(&flat[to]);
        } else if padded[from].iter().all(|dim| *dim == 1) {
            result.extend(to.map(|_| Dim::Known(1)));
        } else {
            return None;
        }
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use relay_dialects::dim::{Dim, dims};

    fn broadcast_shape(own: &[i64], shape: &[i64], flat: &[i64]) -> Option<Vec<Dim>> {
        super::broadcast_shape(&dims(own), &dims(shape), &dims(flat))
    }

    #[test]
    fn operands_broadcast_in_the_products_shape() {
        let shape = |own: &[i64]| broadcast_shape(own, &[1, 12, 5, 7], &[3, 4, 35]);
        assert_eq!(shape(&[1, 12, 5, 7]), Some(dims(&[3, 4, 35])));
        assert_eq!(shape(&[12, 1, 1]), Some(dims(&[3, 4, 1])));
        assert_eq!(shape(&[5, 7]), Some(dims(&[1, 1, 35])));
        assert_eq!(shape(&[]), Some(dims(&[1, 1, 1])));
        assert_eq!(shape(&[7]), None);
        let rows = |own: &[i64]| broadcast_shape(own, &[1, 128, 768], &[128, 768]);
        assert_eq!(rows(&[768]), Some(dims(&[1, 768])));
        assert_eq!(rows(&[1, 128, 1]), Some(dims(&[128, 1])));
        // Nothing to divide by, and dimensions of one element at the end.
        assert_eq!(broadcast_shape(&[1], &[4, 1], &[4]), Some(dims(&[1])));
        assert_eq!(broadcast_shape(&[0, 3], &[0, 3], &[0]), Some(dims(&[0])));
    }
}
