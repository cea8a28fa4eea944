//! Where a stage's elements lie.

use super::{BoxRegion, Lowering, Realized, evaluate::difference};
use crate::te::bufferize::buffer_type;
use crate::te::schedule::{Illegal, Stage, StageId};
use relay_dialects::index;
use relay_dialects::ir::{AffineExpr, AffineMap, Attr, Builder, Type, Value};

/// What makes the subscripts in a buffer other than the place in its region.
#[derive(Clone, Debug, Default)]
pub(super) struct Placement {
    /// The first subscript: which of two buffers.
    pub slot: Option<Value>,
    /// A dimension that is a circle.
    pub circle: Option<Circle>,
    /// The layout.
    pub layout: Option<AffineMap>,
}

/// A dimension whose subscripts start again at 0.
#[derive(Clone, Debug)]
pub(super) struct Circle {
    /// The dimension.
    pub dimension: usize,
    /// The index that lies at 0.
    pub start: Value,
    /// How many there are.
    pub length: i64,
}

impl Realized {
    /// The subscripts of the element at `indices`, which is at `local` in its region.
    pub(super) fn subscripts(
        &self,
        b: &Builder,
        indices: &[Value],
        mut local: Vec<Value>,
    ) -> Vec<Value> {
        let Placement {
            slot,
            circle,
            layout,
        } = &self.placement;
        if let Some(Circle {
            dimension,
            start,
            length,
        }) = circle
        {
            let distance = difference(b, indices[*dimension], *start);
            local[*dimension] = index::rem(b, distance, *length);
        }
        if let Some(map) = layout {
            local = map
                .results
                .iter()
                .map(|expr| write(b, expr, &local))
                .collect();
        }
        slot.iter().copied().chain(local).collect()
    }
}

impl Lowering<'_> {
    /// The buffers of a stage that hold a region, `copies` times.
    pub(super) fn allocate(
        &self,
        b: &Builder,
        id: StageId,
        extent: &[i64],
        copies: Option<i64>,
        given: &[Option<Value>],
    ) -> Result<Vec<Value>, Illegal> {
        let stage = &self.schedule.stages[id];
        let shape = physical_shape(stage, extent)?;
        let shape: Vec<i64> = copies.into_iter().chain(shape).collect();
        let elements = self.element_types(id);
        let buffers = elements.iter().enumerate().map(|(result, element)| {
            given.get(result).copied().flatten().unwrap_or_else(|| {
                let ty = buffer_type(Type::tensor(&shape, *element));
                let scope = Attr::str(b.ctx, stage.scope());
                b.value("tir.alloc_buffer", &[], ty, &[("scope", scope)])
            })
        });
        Ok(buffers.collect())
    }

    /// The whole of a stage's region, with its own layout.
    pub(super) fn place(&self, id: StageId, buffers: Vec<Value>, region: BoxRegion) -> Realized {
        let layout = self.schedule.stages[id].layout.clone();
        let placement = Placement {
            layout: layout.map(|(map, _)| map),
            ..Placement::default()
        };
        Realized {
            buffers,
            region,
            placement,
        }
    }
}

/// The shape of a buffer that holds so much of a stage.
fn physical_shape(stage: &Stage, extent: &[i64]) -> Result<Vec<i64>, Illegal> {
    if let Some((map, op)) = &stage.layout {
        let whole: Vec<(i64, i64)> = extent
            .iter()
            .map(|extent| (0, (extent - 1).max(0)))
            .collect();
        let shape = map
            .results
            .iter()
            .map(|expr| Some(bounds(expr, &whole)?.1 + 1));
        return shape.collect::<Option<_>>().ok_or(Illegal {
            op: *op,
            reason: "divides by what is not a positive number, or divides a negative one".into(),
        });
    }
    let mut shape = extent.to_vec();
    for align in &stage.aligns {
        let inner = align.dimension + 1;
        if inner == shape.len() {
            continue;
        }
        let behind: i64 = shape[inner + 1..].iter().product();
        let wider = (shape[inner]..shape[inner] + align.factor)
            .find(|width| (width * behind - align.offset) % align.factor == 0);
        shape[inner] = wider.ok_or_else(|| Illegal {
            op: align.op,
            reason: format!(
                "no multiple of {behind}, the stride of the next dimension, leaves {} when divided \
                 by {}",
                align.offset, align.factor
            ),
        })?;
    }
    Ok(shape)
}

/// The smallest and largest value of an expression over a box. None where it divides by anything but
/// a positive number, or divides what can be negative.
fn bounds(expr: &AffineExpr, whole: &[(i64, i64)]) -> Option<(i64, i64)> {
    let divided = |lhs: &AffineExpr, rhs: &AffineExpr| {
        let AffineExpr::Constant(by) = *rhs else {
            return None;
        };
        let (low, high) = bounds(lhs, whole)?;
        (by > 0 && low >= 0).then_some((low, high, by))
    };
    Some(match expr {
        AffineExpr::Dim(dim) => whole[*dim],
        AffineExpr::Constant(value) => (*value, *value),
        AffineExpr::Add(lhs, rhs) => {
            let ((a, b), (c, d)) = (bounds(lhs, whole)?, bounds(rhs, whole)?);
            (a + c, b + d)
        }
        AffineExpr::Mul(lhs, rhs) => {
            let ((a, b), (c, d)) = (bounds(lhs, whole)?, bounds(rhs, whole)?);
            let all = [a * c, a * d, b * c, b * d];
            (*all.iter().min()?, *all.iter().max()?)
        }
        AffineExpr::FloorDiv(lhs, rhs) => {
            let (low, high, by) = divided(lhs, rhs)?;
            (low / by, high / by)
        }
        AffineExpr::CeilDiv(lhs, rhs) => {
            let (low, high, by) = divided(lhs, rhs)?;
            ((low + by - 1) / by, (high + by - 1) / by)
        }
        AffineExpr::Mod(lhs, rhs) => {
            let (_, high, by) = divided(lhs, rhs)?;
            (0, high.min(by - 1))
        }
    })
}

/// An expression of values. `bounds` has seen that what it divides is not negative.
fn write(b: &Builder, expr: &AffineExpr, values: &[Value]) -> Value {
    let divisor = |rhs: &AffineExpr| rhs.value(&[]);
    match expr {
        AffineExpr::Dim(dim) => values[*dim],
        AffineExpr::Constant(value) => b.index(*value),
        AffineExpr::Add(lhs, rhs) => index::add(b, write(b, lhs, values), write(b, rhs, values)),
        AffineExpr::Mul(lhs, rhs) => index::mul(b, write(b, lhs, values), write(b, rhs, values)),
        AffineExpr::FloorDiv(lhs, rhs) => index::div(b, write(b, lhs, values), divisor(rhs)),
        AffineExpr::CeilDiv(lhs, rhs) => {
            let up = index::add(b, write(b, lhs, values), b.index(divisor(rhs) - 1));
            index::div(b, up, divisor(rhs))
        }
        AffineExpr::Mod(lhs, rhs) => index::rem(b, write(b, lhs, values), divisor(rhs)),
    }
}
